/* The subcommands of `teeny`, and what they share.
 *
 * A subcommand is one file src/command/NAME.c, or a folder of that name, and one row of the table
 * in main.c. Its words[0] is its own name, so that getopt_long reads its options. It returns the
 * exit status.
 */
#ifndef TEENY_COMMAND_COMMAND_H
#define TEENY_COMMAND_COMMAND_H

#include <stdint.h>

typedef enum command_exit {
    COMMAND_RIGHT = 0,
    COMMAND_WRONG = 1, /* what was asked for failed, or the answer is no */
    COMMAND_USAGE = 2, /* the command line is wrong; nothing was done */
} command_exit;

int command_cache(int count, char **words);
int command_info(int count, char **words);
int command_run(int count, char **words);

/* Says on standard error what is wrong with the command line and how to get help; returns
 * COMMAND_USAGE. `name` is the subcommand, "" for teeny itself. */
int command_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A size in the largest unit of which there is one, with one decimal where it is no whole number of
 * them: "0B", "44K", "1.5G". Returns the text. */
enum { COMMAND_SIZE_TEXT = 32 };
const char *command_size(uint64_t bytes, char text[COMMAND_SIZE_TEXT]);

/* What getopt_long refused, for subcommands that set `opterr` to 0 and whose short options begin
 * with ':': `value` is its answer, ':' or '?'. Returns COMMAND_USAGE. */
int command_refuse(int value, char **words);

#endif
