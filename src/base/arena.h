/* An arena: memory of one scope, freed at once.
 *
 * A compilation takes everything it builds from one arena. Allocation never returns NULL: a process
 * that is out of memory in the compiler has nothing useful left to do, and the arena ends it with a
 * message and exit code 70. libteeny, which must not exit, does not use arenas.
 */
#ifndef TEENY_BASE_ARENA_H
#define TEENY_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arena arena;

arena *arena_create(void);
void arena_destroy(arena *arena); /* NULL is fine */

/* `size` zeroed bytes, aligned for any object. */
void *arena_allocate(arena *arena, size_t size);

#define arena_new(arena, type) ((type *)arena_allocate((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_allocate((arena), sizeof(type) * (count)))

/* A zero-terminated copy of `length` bytes. */
char *arena_copy(arena *arena, const char *text, size_t length);

char *arena_format(arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_list(arena *arena, const char *format, va_list arguments);

#endif
