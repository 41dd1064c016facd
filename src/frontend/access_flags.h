/* The flags of loads and stores, as include/teeny/ops.h numbers them. */
#ifndef TEENY_FRONTEND_ACCESS_FLAGS_H
#define TEENY_FRONTEND_ACCESS_FLAGS_H

#include "frontend/lowering.h"

enum { ACCESS_PAD_NAN = 1 << 0 };

/* For the tt dialect: enumerators of dialect.h, 0 where the flags say nothing. */
typedef struct access_flags {
    int64_t cache, evict;
    bool is_volatile, pads_nan;
} access_flags;

typedef enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_LOAD_BLOCK } access_kind;

/* The flags of a call, its argument 0. False after an error: they do not go with the access or with
 * each other. */
bool access_flags_read(
    lowering *lowering, const ast_node *call, access_kind kind, access_flags *out_flags);

/* Adds what the flags say to an operation's attributes. */
void access_flags_add(lowering *lowering, access_flags given, build_parts *parts);

#endif
