/* The loadable image of a kernel for the cpu device: teenyc writes it, libteeny maps it.
 *
 * The file is mapped whole, readable and executable, at any page-aligned address. All references in
 * it are relative to the program counter, and it needs no symbol from outside. Integers are little
 * endian. Needs the fixed-width integers to be known; includes nothing.
 */
#ifndef TEENY_BASE_CPU_IMAGE_H
#define TEENY_BASE_CPU_IMAGE_H

#define CPU_IMAGE_MAGIC "TEENYCPU" /* eight bytes; the zero byte is not in the file */
#define CPU_IMAGE_VERSION 1
#define CPU_IMAGE_PAGE 4096

struct cpu_image_header {
    char magic[8];
    uint32_t version;
    uint32_t machine;     /* an ELF EM_ value */
    uint64_t size;        /* of the whole file, a multiple of CPU_IMAGE_PAGE */
    uint64_t code_offset; /* offsets are from the start of the file */
    uint64_t code_size;
    uint64_t entry_offset;  /* of a cpu_entry */
    uint64_t scratch_bytes; /* that each thread needs while it runs the entry */
    uint64_t debug_offset;  /* of an ELF object for debuggers, behind the code */
    uint64_t debug_size;    /* 0: there is none */
};

/* The object for debuggers is the relocatable one that the image was linked from, with all that
 * DWARF has. The address of a section that is in the image is its offset there; whoever maps the
 * image adds the address of the mapping. Other sections have the address 0. */

/* What the entry is called with. Lives in the caller's frame. */
typedef struct cpu_call {
    const void *arguments;    /* the packed struct of the kernel's parameters */
    uint32_t num_programs[3]; /* the grid: x, y, z */
    void *scratch;            /* scratch_bytes, aligned to 64 bytes, contents undefined */
} cpu_call;

/* Runs the programs first_program <= id < last_program, numbered with x fastest. */
typedef void cpu_entry(const cpu_call *call, uint64_t first_program, uint64_t last_program);

#endif
