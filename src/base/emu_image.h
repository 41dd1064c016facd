/* What the code of the emu device and libteeny, which runs it, agree on.
 *
 * The file is that of base/cpu_image.h with another magic number. Its entry is one thread of one
 * program: libteeny calls it for every thread of the grid, each on a stack of its own. Whatever the
 * hardware does for a thread is a call through a table of functions, since an image needs no symbol
 * from outside. Needs the fixed-width integers to be known; includes nothing else.
 */
#ifndef TEENY_BASE_EMU_IMAGE_H
#define TEENY_BASE_EMU_IMAGE_H

#define EMU_IMAGE_MAGIC "TEENYEMU" /* eight bytes; the zero byte is not in the file */

/* The number of an operation is its place in the table. */
enum nv_op {
#define NV_OP(id, signature, ptx, constraints, emu) NV_##id,
#include "base/nv_ops.def"
#undef NV_OP
    NV_OP_COUNT
};

enum { NV_MAX_OPERANDS = 12, NV_MAX_RESULTS = 4 };

struct emu_thread;

/* One operation by one thread. `place` is the user's "FILE:LINE:COLUMN", or "". `words` has the
 * operands, one a word, extended with zeros; the results replace them from the first word on. */
typedef void emu_function(struct emu_thread *thread, const char *place, uint64_t *words);

/* What the code knows of a thread; libteeny has more behind it. */
struct emu_thread {
    emu_function *const *functions; /* NV_OP_COUNT */
};

/* Runs the thread to its end. `arguments` is the packed struct of the kernel's parameters. */
typedef void emu_entry(struct emu_thread *thread, const void *arguments);

#endif
