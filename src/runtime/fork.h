/* What becomes of libteeny in a child process made by fork().
 *
 * A child has one thread, and a copy of the parent's memory as it was: mutexes that other threads
 * held stay locked, work that they did is never finished, the cpu device's threads are gone, and
 * the CUDA driver does not work. So state that is shared by a process starts anew in its children,
 * and devices that the parent opened refuse what is asked of them (forked.c). The child may open
 * devices for itself.
 */
#ifndef TEENY_RUNTIME_FORK_H
#define TEENY_RUNTIME_FORK_H

#include "runtime/driver.h"

#include <pthread.h>

/* At file scope beside a static mutex and what it guards: `start_anew`, a static function, makes
 * both as they are at the start of a process. It runs in each child, where it may call
 * nothing but pthread_mutex_trylock. */
#define TEENY_AFTER_FORK(start_anew)                                                               \
    __attribute__((constructor)) static void register_##start_anew(void)                           \
    {                                                                                              \
        pthread_atfork(NULL, NULL, start_anew);                                                    \
    }

/* The driver of devices that a child has inherited: it refuses, and gives back memory alone. */
extern const teeny_driver teeny_forked_driver;

/* TEENY_DEVICE_LOST, with a message that says why. A macro for the same reason as teeny_fail. */
#define teeny_fail_forked() (teeny_message_set_forked(), TEENY_DEVICE_LOST)
void teeny_message_set_forked(void);

static inline bool teeny_device_is_inherited(const teeny_device *device)
{
    return device->driver == &teeny_forked_driver;
}

#endif
