/* Every operation of the table on the emu device, called by itself: what it gives, and what order
 * it makes. */
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int main(void)
{
    const struct CMUnitTest tests[] = {};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
