/* The environment that a program is started with: the host's, less what is meant for the host. */
#ifndef TEENY_BASE_CHILD_ENVIRONMENT_H
#define TEENY_BASE_CHILD_ENVIRONMENT_H

/* The host's variables without those by which libraries are put into it (LD_PRELOAD: a profiler, a
 * sanitizer, an allocator) or by which the dynamic linker talks. A program that runs with another
 * user's rights passes on none but a fixed PATH. NULL where memory is out. The caller frees the
 * array alone: its strings are the environment's. */
char **teeny_child_environment(void);

#endif
