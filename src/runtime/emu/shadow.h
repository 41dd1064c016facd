/* Who touched which byte of a memory, and in which order: how races are found.
 *
 * Every access leaves a record. Two accesses of one byte, of which one writes, are a race unless
 * the same thread made both, or a barrier of the program or of the warp lies between them; programs
 * have no order. A byte keeps its last writer and two of those who read since then: two are enough,
 * since whoever has no order with a third reader has none with one of these two.
 */
#ifndef TEENY_RUNTIME_EMU_SHADOW_H
#define TEENY_RUNTIME_EMU_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct teeny_access_record {
    uint32_t clock; /* barriers of the program before it, from 1 on; 0: no access */
    uint32_t program;
    int32_t place;       /* see teeny_emu_place */
    uint16_t warp_clock; /* barriers of the warp before it */
    uint16_t thread : 15;
    uint16_t pending : 1; /* a write that an asynchronous copy has yet to make */
} teeny_access_record;

typedef struct teeny_shadow_cell {
    teeny_access_record writer, readers[2];
} teeny_shadow_cell;

/* The cells of a part of the memory, for words of four bytes until a smaller access comes. */
typedef struct teeny_shadow_page {
    atomic_flag lock;
    uint64_t stamp; /* cells of another stamp are as good as empty */
    unsigned shift; /* bytes of a cell, as a power of two */
    teeny_shadow_cell *cells;
} teeny_shadow_page;

typedef struct teeny_shadow {
    _Atomic(teeny_shadow_page *) *pages;
    size_t count;
} teeny_shadow;

typedef enum teeny_access_kind {
    TEENY_ACCESS_READ,
    TEENY_ACCESS_READ_WRITTEN, /* of bytes that must have been written before */
    TEENY_ACCESS_WRITE,
    TEENY_ACCESS_COPY,   /* a write that is only begun: `pending` */
    TEENY_ACCESS_ARRIVE, /* the end of a copy */
} teeny_access_kind;

typedef enum teeny_access_verdict {
    TEENY_ACCESS_RIGHT,
    TEENY_ACCESS_RACE,
    TEENY_ACCESS_UNWRITTEN, /* nothing was ever written there */
    TEENY_ACCESS_PENDING,   /* an asynchronous copy goes there, and was not waited for */
    TEENY_ACCESS_NO_MEMORY,
} teeny_access_verdict;

/* What is wrong with an access, and with which byte. */
typedef struct teeny_access_finding {
    size_t offset;
    bool other_writes;
    teeny_access_record other;
} teeny_access_finding;

/* For a memory of `size` bytes. False where memory is out; what there is may be freed. */
bool teeny_shadow_make(teeny_shadow *shadow, size_t size);
void teeny_shadow_free(teeny_shadow *shadow);

/* Records an access of `size` bytes (up to 16), aligned to their number, unless something is wrong
 * with it. Records of other stamps are forgotten. Safe for several threads of the host. */
teeny_access_verdict teeny_shadow_access(teeny_shadow *shadow, uint64_t stamp, size_t offset,
    size_t size, teeny_access_kind kind, const teeny_access_record *now,
    teeny_access_finding *out_finding);

#endif
