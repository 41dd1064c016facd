/* See faults.h. Handlers use only what is safe inside a signal. */
#include "driver/faults.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK_SIZE = 64 * 1024 };

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};

static char handler_stack[STACK_SIZE];
static int word_count;
static char **command_words;
static const char *volatile current_activity = "start-up";
static const char *volatile temporary_file;

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
    if (temporary_file)
        unlink(temporary_file);
    _exit(FAULT_EXIT);
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

static void handle(int number)
{
    faults_fatal(signal_reason(number));
}

void faults_install(int count, char **words)
{
    word_count = count;
    command_words = words;
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, NULL);
}

void faults_activity(const char *activity)
{
    current_activity = activity;
}

void faults_temporary(const char *path)
{
    temporary_file = path;
}
