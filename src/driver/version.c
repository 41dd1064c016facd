/* See version.h. The build id is the ELF note that the linker made of the whole program. */
#define _GNU_SOURCE
#include "driver/version.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <llvm/Config/llvm-config.h>

typedef struct build_id {
    const uint8_t *bytes;
    size_t size;
} build_id;

static size_t aligned(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

static void find_in_notes(const uint8_t *notes, size_t size, build_id *found)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + at);
        const uint8_t *name = notes + at + sizeof *note;
        const uint8_t *description = name + aligned(note->n_namesz);
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
            *found = (build_id){.bytes = description, .size = note->n_descsz};
        at += sizeof *note + aligned(note->n_namesz) + aligned(note->n_descsz);
    }
}

/* The first object is the program itself. */
static int visit(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_NOTE)
            find_in_notes(
                (const uint8_t *)(object->dlpi_addr + header->p_vaddr), header->p_memsz, found);
    }
    return 1;
}

const char *version_build_id(char *buffer, size_t size)
{
    build_id found = {0};
    dl_iterate_phdr(visit, &found);
    if (!found.size || 2 * found.size >= size)
        return "unknown";
    for (size_t i = 0; i < found.size; i++)
        snprintf(buffer + 2 * i, 3, "%02x", found.bytes[i]);
    return buffer;
}

void version_print(void)
{
    char buffer[129];
    printf("teenyc %s\nbuild-id: %s\nllvm: %s\nenvironment: %d\n", TEENYC_VERSION,
        version_build_id(buffer, sizeof buffer), LLVM_VERSION_STRING, TEENYC_ENVIRONMENT_VERSION);
}
