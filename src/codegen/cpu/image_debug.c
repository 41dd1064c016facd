/* See image_debug.h. */
#include "codegen/cpu/image_debug.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

/* Headers are copied out and back: an object in memory need not be aligned. */
static Elf64_Shdr read_section(const uint8_t *object, const Elf64_Ehdr *header, unsigned index)
{
    Elf64_Shdr section;
    memcpy(&section, object + header->e_shoff + index * sizeof section, sizeof section);
    return section;
}

static bool has_sections(const Elf64_Ehdr *header, size_t size)
{
    return header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shoff <= size &&
           header->e_shnum <= (size - header->e_shoff) / sizeof(Elf64_Shdr) &&
           header->e_shstrndx < header->e_shnum;
}

void image_debug_place(uint8_t *object, size_t size, const char *section, uint64_t address)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return;
    memcpy(&header, object, sizeof header);
    if (!has_sections(&header, size))
        return;
    const char *names =
        (const char *)object + read_section(object, &header, header.e_shstrndx).sh_offset;
    for (unsigned i = 1; i < header.e_shnum; i++) {
        Elf64_Shdr each = read_section(object, &header, i);
        bool is_it = strcmp(names + each.sh_name, section) == 0;
        if (!is_it || !(each.sh_flags & SHF_ALLOC) || each.sh_addr)
            continue;
        each.sh_addr = address;
        memcpy(object + header.e_shoff + i * sizeof each, &each, sizeof each);
        return;
    }
}
