/* See debugger.h.
 *
 * The debugger has a breakpoint in __jit_debug_register_code. When it is called, the debugger looks
 * at __jit_debug_descriptor: the list of all objects, and which of them has come or goes.
 */
#include "runtime/debugger.h"

#include "runtime/fork.h"

#include <elf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- The interface, as gdb's manual has it --------------------------------------------------- */

enum { NOTHING, REGISTER, UNREGISTER, INTERFACE_VERSION = 1 };

struct code_entry {
    struct code_entry *next, *previous;
    const char *object;
    uint64_t size;
};

struct descriptor {
    uint32_t version;
    uint32_t action;
    struct code_entry *relevant, *first;
};

/* Found by name, also in a library without its local symbols; but this library's own, whatever else
 * in the process has them (protected), save where all is linked into one program (weak). */
#define FOR_DEBUGGERS __attribute__((weak, visibility("protected")))

void __jit_debug_register_code(void);
extern struct descriptor __jit_debug_descriptor;

FOR_DEBUGGERS struct descriptor __jit_debug_descriptor = {.version = INTERFACE_VERSION};

FOR_DEBUGGERS __attribute__((noinline)) void __jit_debug_register_code(void)
{
    __asm__ volatile("" : : : "memory");
}

/* ---- Objects --------------------------------------------------------------------------------- */

struct teeny_debugged {
    struct code_entry entry;
    char object[];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A list that another thread was changing is none that a debugger should follow. */
static void start_anew(void)
{
    if (pthread_mutex_trylock(&mutex) != 0)
        __jit_debug_descriptor.first = NULL;
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
TEENY_AFTER_FORK(start_anew)

static void notify(uint32_t action, struct code_entry *entry)
{
    __jit_debug_descriptor.action = action;
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = NOTHING;
    __jit_debug_descriptor.relevant = NULL;
}

static bool has_sections(const Elf64_Ehdr *header, size_t size)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_shoff <= size &&
           header->e_shnum <= (size - header->e_shoff) / sizeof(Elf64_Shdr);
}

/* Sections that are in the image get their addresses; false where the object is none. */
static bool relocate(char *object, size_t size, const void *mapping)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return false;
    memcpy(&header, object, sizeof header);
    if (!has_sections(&header, size))
        return false;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        char *place = object + header.e_shoff + i * sizeof section;
        memcpy(&section, place, sizeof section);
        if (!(section.sh_flags & SHF_ALLOC) || !section.sh_addr)
            continue;
        section.sh_addr += (uintptr_t)mapping;
        memcpy(place, &section, sizeof section);
    }
    return true;
}

teeny_debugged *teeny_debugger_announce(const void *object, size_t size, const void *mapping)
{
    teeny_debugged *debugged = malloc(sizeof *debugged + size);
    if (!debugged)
        return NULL;
    memcpy(debugged->object, object, size);
    if (!relocate(debugged->object, size, mapping)) {
        free(debugged);
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    struct code_entry *first = __jit_debug_descriptor.first;
    debugged->entry = (struct code_entry){.next = first, .object = debugged->object, .size = size};
    if (first)
        first->previous = &debugged->entry;
    __jit_debug_descriptor.first = &debugged->entry;
    notify(REGISTER, &debugged->entry);
    pthread_mutex_unlock(&mutex);
    return debugged;
}

void teeny_debugger_forget(teeny_debugged *debugged)
{
    if (!debugged)
        return;
    struct code_entry *entry = &debugged->entry;
    pthread_mutex_lock(&mutex);
    if (entry->previous)
        entry->previous->next = entry->next;
    else
        __jit_debug_descriptor.first = entry->next;
    if (entry->next)
        entry->next->previous = entry->previous;
    notify(UNREGISTER, entry);
    pthread_mutex_unlock(&mutex);
    free(debugged);
}
