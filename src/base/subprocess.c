/* Runs a program from inside any host process; see subprocess.h.
 *
 *   caller ── clone, no exit signal ──> supervisor ── clone ──> the program
 *   (waits)                             (waits, reads, kills)
 *
 * Why a process between the two: the exit status of a plain child is lost where the host ignores
 * SIGCHLD, and a host that reaps every child would meet one that it does not know. A child that was
 * cloned without an exit signal has neither trouble, but the kernel turns it into a plain child on
 * exec. So the supervisor, which never execs, is that child, and the program is a plain child of
 * the supervisor, whose own SIGCHLD is at its default.
 *
 * Both clones share the caller's memory and suspend the caller (CLONE_VM, CLONE_VFORK): as fast in
 * a large host as in a small one, results need no pipe, and nothing runs beside them on the
 * caller's thread-local data. The supervisor has all signals blocked, so that no handler of the
 * host runs in it. Code below `supervise` allocates nothing and takes no lock, since another thread
 * of the host may hold it.
 */
#define _GNU_SOURCE 1 /* clone, pipe2 */
#include "base/subprocess.h"

#include "base/child_environment.h"
#include "base/sleep.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In bytes, of each of the two clones. */
static const size_t stack_size = (size_t)64 * 1024;

enum {
    TICK_MILLISECONDS = 5, /* how late a program's end is seen, where the system does not tell */
    READS_A_TURN = 64,     /* so that endless output does not hide the time limit */
    CLOSED = -1,
};

/* Sanitizers take part in what they instrument and intercept: they would leave marks on the stacks
 * of the clones, and notes about the clones in what they know of the host's thread. So the code
 * that runs there is not instrumented, makes its system calls itself, and clone goes by its other
 * name in libc, which is not intercepted. */
#ifdef __clang__
#define IN_CLONE __attribute__((disable_sanitizer_instrumentation))
#else
#define IN_CLONE __attribute__((no_sanitize_address, no_sanitize_thread))
#endif
#define CALL(name, ...) syscall(SYS_##name, __VA_ARGS__)
int __clone(int (*body)(void *), void *stack, int flags, void *argument, ...);

/* One output of the program: the reading end of a pipe, and where the bytes go. */
struct sink {
    int reading, writing;
    char *data;
    size_t size, limit;
    bool ended; /* it cannot be read */
    bool truncated;
};

/* All that the three processes share. */
struct run {
    const char *const *arguments;
    char **environment;
    int64_t deadline; /* in milliseconds of the monotonic clock */
    struct sink sinks[2];
    char *program_stack;
    int input;
    int error; /* why the program did not start */
    bool timed_out;
    int status; /* as waitpid gives it */
};

IN_CLONE static int64_t now_milliseconds(void)
{
    struct timespec now;
    CALL(clock_gettime, CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Without close_range (Linux before 5.9) each number is tried, up to a bound that keeps it quick.
 */
IN_CLONE static void close_from(unsigned first)
{
    enum { BOUND = 65536 };
#ifdef SYS_close_range
    if (CALL(close_range, first, ~0U, 0) == 0)
        return;
#endif
    struct rlimit limit = {0};
    CALL(prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
    unsigned last = limit.rlim_cur < BOUND ? (unsigned)limit.rlim_cur : BOUND;
    for (unsigned descriptor = first; descriptor < last; descriptor++)
        CALL(close, descriptor);
}

/* The kernel's own struct sigaction differs between machines; of zeros it means SIG_DFL on each,
 * and a signal set of zeros is empty. */
static const char zeros[256];
enum { SIGNAL_SET_SIZE = _NSIG / 8 };

IN_CLONE static void reset_signal(int number)
{
    CALL(rt_sigaction, number, zeros, NULL, SIGNAL_SET_SIZE);
}

IN_CLONE static void reset_signals(void)
{
    for (int number = 1; number < _NSIG; number++)
        reset_signal(number);
    CALL(rt_sigprocmask, SIG_SETMASK, zeros, NULL, SIGNAL_SET_SIZE);
}

/* Puts the three descriptors on 0 to 2. They are above 2 (`raise_descriptor`), so that none is
 * overwritten before it was used, and dup3 without flags clears close-on-exec. */
IN_CLONE static bool place_descriptors(const struct run *run)
{
    return CALL(dup3, run->input, 0, 0) == 0 && CALL(dup3, run->sinks[0].writing, 1, 0) == 1 &&
           CALL(dup3, run->sinks[1].writing, 2, 0) == 2;
}

/* A host may give its threads little stack; a compiler wants what programs usually have. */
IN_CLONE static void raise_stack_limit(void)
{
    const rlim_t usual = (rlim_t)8 << 20;
    struct rlimit limit;
    if (CALL(prlimit64, 0, RLIMIT_STACK, NULL, &limit) < 0 || limit.rlim_cur >= usual)
        return;
    limit.rlim_cur = limit.rlim_max < usual ? limit.rlim_max : usual;
    CALL(prlimit64, 0, RLIMIT_STACK, &limit, NULL);
}

IN_CLONE static int become_program(void *argument)
{
    struct run *run = argument;
    struct rlimit no_core = {0, 0};
    CALL(prctl, PR_SET_PDEATHSIG, SIGKILL);
    CALL(setpgid, 0, 0);
    CALL(umask, 077);
    CALL(prlimit64, 0, RLIMIT_CORE, &no_core, NULL);
    raise_stack_limit();
    if (place_descriptors(run)) {
        close_from(3);
        reset_signals();
        CALL(execve, run->arguments[0], run->arguments, run->environment);
    }
    run->error = errno;
    return 127;
}

/* Reads what is there, up to a bound. */
IN_CLONE static void drain(struct sink *sink)
{
    char dropped[4096];
    for (int turn = 0; turn < READS_A_TURN && !sink->ended; turn++) {
        bool full = sink->size == sink->limit;
        char *target = full ? dropped : sink->data + sink->size;
        size_t room = full ? sizeof dropped : sink->limit - sink->size;
        long got = CALL(read, sink->reading, target, room);
        if (got < 0 && errno == EAGAIN)
            return;
        sink->ended = got == 0 || (got < 0 && errno != EINTR);
        sink->truncated |= got > 0 && full;
        sink->size += got > 0 && !full ? (size_t)got : 0;
    }
}

/* A descriptor that can be read when the program ends. The pipes do not tell: the caller, who is
 * suspended, has their writing ends open. */
IN_CLONE static int open_end(pid_t program)
{
#ifdef SYS_pidfd_open
    return (int)CALL(pidfd_open, program, 0);
#else
    (void)program;
    return CLOSED;
#endif
}

/* Waits for output, the end or the deadline; poll skips negative descriptors. */
IN_CLONE static void wait_for_output(struct run *run, int end, int64_t milliseconds)
{
    if (end < 0 && milliseconds > TICK_MILLISECONDS)
        milliseconds = TICK_MILLISECONDS;
    struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    struct pollfd waits[3] = {{.fd = end, .events = POLLIN}};
    for (int i = 0; i < 2; i++) {
        int descriptor = run->sinks[i].ended ? CLOSED : run->sinks[i].reading;
        waits[i + 1] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    }
    CALL(ppoll, waits, 3, &wait, NULL, SIGNAL_SET_SIZE);
    for (int i = 0; i < 2; i++)
        if (waits[i + 1].revents)
            drain(&run->sinks[i]);
}

IN_CLONE static void wait_for_end(struct run *run, pid_t program)
{
    int end = open_end(program);
    while (CALL(wait4, program, &run->status, WNOHANG, NULL) == 0) {
        int64_t left = run->deadline - now_milliseconds();
        if (left > 0) {
            wait_for_output(run, end, left);
            continue;
        }
        run->timed_out = true;
        CALL(kill, -program, SIGKILL);
        CALL(wait4, program, &run->status, 0, NULL);
        break;
    }
    CALL(kill, -program, SIGKILL); /* what it left behind in its group */
    for (int i = 0; i < 2; i++)
        drain(&run->sinks[i]);
}

IN_CLONE static int supervise(void *argument)
{
    struct run *run = argument;
    CALL(prctl, PR_SET_PDEATHSIG, SIGKILL);
    reset_signal(SIGCHLD);
    pid_t program =
        __clone(become_program, run->program_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, run);
    if (program < 0) {
        run->error = errno;
        return 0;
    }
    /* Its own copies: with them open the pipes would never end. */
    for (int i = 0; i < 2; i++)
        CALL(close, run->sinks[i].writing);
    wait_for_end(run, program);
    return 0;
}

/* Starts the supervisor with every signal blocked and waits for it. */
static int run_supervised(struct run *run, char *supervisor_stack)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t supervisor = __clone(supervise, supervisor_stack, CLONE_VM | CLONE_VFORK, run);
    int error = supervisor < 0 ? errno : 0;
    if (supervisor > 0)
        while (waitpid(supervisor, NULL, __WALL) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error ? error : run->error;
}

static int run_on_stacks(struct run *run)
{
    char *stacks = mmap(NULL, 2 * stack_size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return errno;
    run->program_stack = stacks + stack_size; /* stacks grow down */
    int error = run_supervised(run, stacks + 2 * stack_size);
    munmap(stacks, 2 * stack_size);
    return error;
}

/* Moves a descriptor above 2: a host may have closed its own standard ones. */
static int raise_descriptor(int descriptor)
{
    if (descriptor > 2 || descriptor < 0)
        return descriptor;
    int raised = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    close(descriptor);
    return raised;
}

static int open_sink(struct sink *sink, size_t limit)
{
    int ends[2];
    *sink = (struct sink){.reading = CLOSED, .writing = CLOSED, .limit = limit};
    sink->data = malloc(limit + 1);
    if (!sink->data)
        return ENOMEM;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    sink->reading = raise_descriptor(ends[0]);
    sink->writing = raise_descriptor(ends[1]);
    if (sink->reading < 0 || sink->writing < 0 || fcntl(sink->reading, F_SETFL, O_NONBLOCK) < 0)
        return errno;
    return 0;
}

static void close_sink(struct sink *sink)
{
    if (sink->reading >= 0)
        close(sink->reading);
    if (sink->writing >= 0)
        close(sink->writing);
}

static void hand_over(const struct run *run, teeny_process_result *result)
{
    const struct sink *output = &run->sinks[0], *errors = &run->sinks[1];
    output->data[output->size] = '\0';
    errors->data[errors->size] = '\0';
    *result = (teeny_process_result){
        .end = TEENY_PROCESS_EXITED,
        .code = WEXITSTATUS(run->status),
        .output = output->data,
        .errors = errors->data,
        .output_size = output->size,
        .errors_size = errors->size,
        .truncated = output->truncated || errors->truncated,
    };
    if (run->timed_out)
        result->end = TEENY_PROCESS_TIMED_OUT;
    else if (WIFSIGNALED(run->status)) {
        result->end = TEENY_PROCESS_SIGNALED;
        result->code = WTERMSIG(run->status);
    }
}

/* Nothing to read: the end of a pipe that nobody writes to. /dev/null may be missing, in a chroot.
 */
static int open_input(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return CLOSED;
    close(ends[1]);
    return raise_descriptor(ends[0]);
}

/* A program that is open for writing cannot be started: somebody is installing it, or a child of
 * the host that has not come to its exec yet holds the descriptor. It will not be long. */
static int run_when_written(struct run *run)
{
    enum { ATTEMPTS = 8, FIRST_WAIT = 2 * 1000 * 1000 };
    int error = run_on_stacks(run);
    for (int attempt = 0; error == ETXTBSY && attempt < ATTEMPTS; attempt++) {
        teeny_sleep((long)FIRST_WAIT << attempt);
        run->error = 0;
        error = run_on_stacks(run);
    }
    return error;
}

int teeny_process_run(const char *const *arguments, int64_t timeout_milliseconds, size_t limit,
    teeny_process_result *out_result)
{
    *out_result = (teeny_process_result){0};
    struct run run = {
        .arguments = arguments,
        .environment = teeny_child_environment(),
        .deadline = now_milliseconds() + timeout_milliseconds,
        .sinks = {{.reading = CLOSED, .writing = CLOSED}, {.reading = CLOSED, .writing = CLOSED}},
    };
    run.input = open_input();
    int error = run.input < 0 ? errno : 0;
    if (!run.environment)
        error = ENOMEM;
    for (int i = 0; i < 2 && !error; i++)
        error = open_sink(&run.sinks[i], limit);
    if (!error)
        error = run_when_written(&run);
    for (int i = 0; i < 2; i++)
        close_sink(&run.sinks[i]);
    if (run.input >= 0)
        close(run.input);
    free(run.environment);
    if (!error) {
        hand_over(&run, out_result);
        return 0;
    }
    for (int i = 0; i < 2; i++)
        free(run.sinks[i].data);
    return error;
}

void teeny_process_result_free(teeny_process_result *result)
{
    free(result->output);
    free(result->errors);
    *result = (teeny_process_result){0};
}
