/* See memory_fault.h. Kernels run on this thread and on libteeny's, whose signals are the
 * process's; the alternate stack is this thread's alone. */
#include "command/run/memory_fault.h"

#include "command/command.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS};
enum { SIGNALS = sizeof signals / sizeof signals[0] };
static struct sigaction before[SIGNALS];
static bool is_caught;

/* Calls only what a signal's handler may call. */
static void tell(int signal)
{
    static const char text[] =
        "teeny run: the kernel touched memory outside of its buffers, and was stopped; "
        "--device emu tells where\n";
    (void)signal;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(COMMAND_WRONG);
}

void memory_fault_catch(const teeny_device *device)
{
    static char stack[1 << 16];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_ONSTACK};
    fflush(stdout);
    if (strcmp(teeny_device_name(device), "cpu") != 0)
        return;
    sigaltstack(&alternate, NULL);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
    is_caught = true;
}

void memory_fault_release(void)
{
    for (int i = 0; is_caught && i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    is_caught = false;
}
