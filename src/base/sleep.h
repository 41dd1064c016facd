/* Sleeping, whatever signals come. */
#ifndef TEENY_BASE_SLEEP_H
#define TEENY_BASE_SLEEP_H

#include <errno.h>
#include <time.h>

/* Less than a second. */
static inline void teeny_sleep(long nanoseconds)
{
    struct timespec left = {.tv_nsec = nanoseconds};
    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        ;
}

#endif
