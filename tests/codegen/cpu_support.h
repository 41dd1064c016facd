/* Kernels of MLIR text, compiled for the host and mapped, for tests that run them. CPU_PROCESSOR in
 * the environment names another processor (of LLVM's) to compile for than the host's own. */
#ifndef CPU_SUPPORT_H
#define CPU_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu_image.h"

struct compiled {
    void *mapping;
    size_t size;
    void *scratch;
    cpu_entry *entry;
};

/* NULL in `entry` where the text does not compile; the reason is on stderr. */
struct compiled cpu_compile(const char *text);
void cpu_release(struct compiled *kernel);

/* Runs every program of the grid, in order. */
void cpu_run(
    const struct compiled *kernel, const void *arguments, uint32_t x, uint32_t y, uint32_t z);

/* Compiles, and fails the running test where that does not work. */
struct compiled cpu_must_compile(const char *text);

/* The text of a file, its path being relative to tests/. The caller frees it. */
char *cpu_read_text(const char *path);

/* The text of tests/codegen/kernels/NAME.ttir, with numbers in place of names: pairs of
 * (const char *, int), then NULL. The caller frees it. */
char *cpu_kernel_text(const char *name, ...);

/* Both, for a test that must have the kernel. */
#define CPU_KERNEL(name, ...) cpu_must_compile_text(cpu_kernel_text(name, __VA_ARGS__))
struct compiled cpu_must_compile_text(char *text);

/* The text with every occurrence of `name` replaced. The caller frees it. */
char *text_replace(const char *text, const char *name, const char *by);

#endif
