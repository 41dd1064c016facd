/* Prints the level of processors (base/cpu_targets.h) that this one has: for cross/levels.sh. */
#include "runtime/host_cpu.h"

#include <stdio.h>

int main(void)
{
    printf("%u\n", teeny_host_cpu_level());
    return 0;
}
