/* From a kernel's address to its loaded function: read without a lock at every launch. */
#ifndef TEENY_RUNTIME_FUNCTION_TABLE_H
#define TEENY_RUNTIME_FUNCTION_TABLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <teeny/teeny.h>

struct teeny_function_slots;

typedef struct teeny_function_table {
    _Atomic(struct teeny_function_slots *) slots;
    pthread_mutex_t mutex; /* for adding */
} teeny_function_table;

void teeny_function_table_init(teeny_function_table *table);

/* Frees the table, having handed each function to `release`. */
void teeny_function_table_free(
    teeny_function_table *table, void (*release)(teeny_function *function));

/* The function of a kernel, or NULL. Any thread, at any time. */
teeny_function *teeny_function_table_find(teeny_function_table *table, const teeny_kernel *kernel);

/* Adds a function, unless another thread was first. Returns the one that is in the table now, or
 * NULL where memory is out. */
teeny_function *teeny_function_table_add(
    teeny_function_table *table, const teeny_kernel *kernel, teeny_function *function);

#endif
