/* See faults.h. Handlers use only what is safe inside a signal. */
#include "driver/faults.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    STACK_SIZE = 64 * 1024,            /* of the handlers */
    STACK_LIMIT = 100 * 1024 * 1024,   /* below the 128 MiB that Linux leaves free for a stack */
    OVERFLOW_WINDOW = 4 * 1024 * 1024, /* how far from the end a fault is taken for an overflow */
    INPUT_EXIT = 1,
};

/* What reading an input may take: a kernel of 3000 lines takes 160 MiB. */
#define MEMORY_LIMIT ((rlim_t)3 << 30)

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
enum { IS_SANITIZED = true }; /* which maps more memory than any limit */
#else
enum { IS_SANITIZED = false };
#endif

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};
static const int stop_signals[] = {SIGHUP, SIGINT, SIGTERM};

static char handler_stack[STACK_SIZE];
static int word_count;
static char **command_words;
static const char *volatile current_activity = "start-up";
static const char *volatile temporary_file;
static const char *volatile read_input;
static uintptr_t stack_bottom;
static uintptr_t stack_limit;

static void say(const char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

/* A word as a shell reads it back. */
static void say_quoted(const char *word)
{
    say(" '");
    for (; *word; word++) {
        char each[2] = {*word, '\0'};
        say(*word == '\'' ? "'\\''" : each);
    }
    say("'");
}

static _Noreturn void leave(int status)
{
    if (temporary_file)
        unlink(temporary_file);
    _exit(status);
}

_Noreturn void faults_fatal(const char *reason)
{
    say("teenyc: internal fault in ");
    say(current_activity);
    say(": ");
    say(reason);
    say("\nteenyc: this is a fault of teenyc's, not of the kernel. To see it again:\n ");
    for (int i = 0; i < word_count; i++)
        say_quoted(command_words[i]);
    say("\nteenyc: --emit ttir and --print-after all show what the pass was given\n");
    leave(FAULT_EXIT);
}

static const char *signal_reason(int number)
{
    switch (number) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGILL:
        return "illegal instruction";
    case SIGFPE:
        return "arithmetic fault";
    case SIGABRT:
        return "abort";
    default:
        return "fatal signal";
    }
}

static bool is_stack_overflow(int number, uintptr_t address)
{
    return (number == SIGSEGV || number == SIGBUS) && address < stack_bottom &&
           stack_bottom - address + OVERFLOW_WINDOW > stack_limit &&
           stack_bottom - address < stack_limit + OVERFLOW_WINDOW;
}

/* The libraries abort where an allocation fails. */
static bool is_out_of_memory(int number)
{
    if (number != SIGABRT)
        return false;
    void *memory = mmap(NULL, MEMORY_LIMIT / 2, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        munmap(memory, MEMORY_LIMIT / 2);
    return memory == MAP_FAILED;
}

static _Noreturn void refuse_input(const char *reason)
{
    say(read_input);
    say(": error: ");
    say(reason);
    say("\n");
    leave(INPUT_EXIT);
}

static void handle(int number, siginfo_t *information, void *context)
{
    (void)context;
    bool is_overflow = is_stack_overflow(number, (uintptr_t)information->si_addr);
    if (is_overflow && read_input)
        refuse_input("what is written here is nested too deeply");
    if (read_input && is_out_of_memory(number))
        refuse_input("what is written here expands beyond all memory: is a parenthesis missing?");
    faults_fatal(is_overflow ? "stack overflow" : signal_reason(number));
}

/* Somebody stops the process: as by default, but for the half-written file. */
static void stop(int number)
{
    if (temporary_file)
        unlink(temporary_file);
    signal(number, SIG_DFL);
    raise(number);
}

static void install(int number, const struct sigaction *action)
{
    struct sigaction before;
    bool is_ignored = sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!is_ignored) /* as nohup has it */
        sigaction(number, action, NULL);
}

/* Parsers and passes recurse as deep as their input is nested: what is written in earnest, such as
 * a generated sum of ten thousand terms, must fit. */
static void enlarge_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    bool can_grow = limit.rlim_cur < STACK_LIMIT;
    if (can_grow)
        limit.rlim_cur = limit.rlim_max < STACK_LIMIT ? limit.rlim_max : STACK_LIMIT;
    if (!can_grow || setrlimit(RLIMIT_STACK, &limit) == 0)
        stack_limit = limit.rlim_cur;
}

void faults_install(int count, char **words)
{
    word_count = count;
    command_words = words;
    stack_bottom = (uintptr_t)words; /* the kernel put them at the stack's bottom */
    enlarge_stack();
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {
        .sa_sigaction = handle, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, NULL);
    struct sigaction stopping = {.sa_handler = stop, .sa_flags = SA_NODEFER};
    sigemptyset(&stopping.sa_mask);
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++)
        install(stop_signals[i], &stopping);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error of write */
}

/* Macros that are nested in each other's arguments expand exponentially. */
static void limit_memory(bool is_limited)
{
    static rlim_t before;
    struct rlimit limit;
    if (IS_SANITIZED || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    if (before == 0)
        before = limit.rlim_cur;
    limit.rlim_cur = is_limited && before > MEMORY_LIMIT ? MEMORY_LIMIT : before;
    setrlimit(RLIMIT_AS, &limit);
}

void faults_reading(const char *input)
{
    read_input = input;
    limit_memory(input != NULL);
}

void faults_activity(const char *activity)
{
    current_activity = activity;
}

void faults_temporary(const char *path)
{
    temporary_file = path;
}
