/* Accesses to global memory: which elements go together, and how they lie in registers. Private to
 * src/codegen/gpu/.
 *
 * An access takes a run of 2^run elements of one thread, of 1 to 16 bytes in all, in one or more
 * words: registers of 16, 32 or 64 bits.
 */
#ifndef TEENY_CODEGEN_GPU_ACCESS_H
#define TEENY_CODEGEN_GPU_ACCESS_H

#include "codegen/gpu/gpu.h"

enum { ACCESS_MOST_WORDS = 4, ACCESS_MOST_ELEMENTS = 16 };

struct access {
    struct memory_access ir;
    const char *modifiers; /* of the PTX instruction */
    unsigned run;          /* log2 of the elements of one instruction */
    unsigned word_count;
    LLVMTypeRef word;    /* an integer */
    unsigned size_index; /* which row of the operation table: 1, 2, 4, 8 bytes, two words, four */
};

/* What is known about a load, a store or an asynchronous copy. False after an error. */
bool access_describe(struct gpu_kernel *kernel, MlirOperation op, struct access *out_access);

/* The same with runs of at most 2^run elements. */
void access_shorten(const struct emitter *emitter, struct access *access, unsigned run);

/* Loads the run of elements from `first` on. */
void access_load_run(struct gpu_kernel *kernel, const struct access *access, unsigned first,
    LLVMValueRef *out_elements);

/* From the values of a run of elements to words as they lie in memory, and back. */
void access_to_words(struct emitter *emitter, const struct access *access,
    const LLVMValueRef *elements, LLVMValueRef *words);
void access_from_words(struct emitter *emitter, const struct access *access,
    const LLVMValueRef *words, LLVMValueRef *elements);

#endif
