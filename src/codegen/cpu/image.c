/* See image.h. The linker asks for memory a section at a time; each link gets one mapping and
 * places the sections in it one after the other, the header first. */
#include "codegen/cpu/image.h"

#include "base/cpu_image.h"
#include "codegen/cpu/image_debug.h"

#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/OrcEE.h>

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { LINKS = 2 };

/* A section's place in the image. */
struct placed {
    struct placed *next;
    const char *name;
    size_t offset;
};

/* The memory of one link. */
struct block {
    arena *arena;
    uint8_t *bytes;
    size_t used, size;
    struct placed *sections, **last; /* in order */
};

struct linker {
    arena *arena;
    const struct image_request *request;
    LLVMOrcLLJITRef jit;
    LLVMOrcExecutionSessionRef session;
    struct block blocks[LINKS];
    unsigned blocks_handed_out;
    uint64_t entry; /* the address that the last lookup found */
    const char *error;
};

static bool fail(struct linker *linker, const char *what)
{
    if (!linker->error)
        linker->error = arena_format(linker->arena, "linking the image: %s", what);
    return false;
}

/* Keeps the first error: later ones only say that something failed. */
static bool fail_with(struct linker *linker, LLVMErrorRef error)
{
    char *text = LLVMGetErrorMessage(error);
    fail(linker, text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* ---- What LLVM's linker calls ---------------------------------------------------------------- */

static void *next_block(void *user)
{
    struct linker *linker = user;
    return &linker->blocks[linker->blocks_handed_out++ % LINKS];
}

static void ignore(void *user)
{
    (void)user;
}

/* The block is far larger than any object; a NULL makes LLVM give up. */
static uint8_t *place_section(struct block *block, size_t size, size_t alignment, const char *name)
{
    size_t start = (block->used + alignment - 1) / alignment * alignment;
    if (start + size > block->size)
        return NULL;
    block->used = start + size;
    struct placed *placed = arena_new(block->arena, struct placed);
    *placed = (struct placed){NULL, arena_copy(block->arena, name, strlen(name)), start};
    *block->last = placed;
    block->last = &placed->next;
    return block->bytes + start;
}

static uint8_t *place_code(
    void *user, uintptr_t size, unsigned alignment, unsigned id, const char *name)
{
    (void)id;
    return place_section(user, size, alignment, name);
}

static uint8_t *place_data(void *user, uintptr_t size, unsigned alignment, unsigned id,
    const char *name, LLVMBool is_read_only)
{
    (void)id, (void)is_read_only;
    return place_section(user, size, alignment, name);
}

static LLVMBool finish(void *user, char **message)
{
    (void)user, (void)message;
    return false;
}

static LLVMOrcObjectLayerRef make_layer(
    void *user, LLVMOrcExecutionSessionRef session, const char *triple)
{
    (void)triple;
    return LLVMOrcCreateRTDyldObjectLinkingLayerWithMCJITMemoryManagerLikeCallbacks(
        session, user, next_block, ignore, place_code, place_data, finish, ignore);
}

static void keep_error(void *user, LLVMErrorRef error)
{
    fail_with(user, error);
}

static void keep_address(
    LLVMErrorRef error, LLVMOrcCSymbolMapPairs result, size_t count, void *user)
{
    struct linker *linker = user;
    if (error)
        fail_with(linker, error);
    else if (count == 1)
        linker->entry = result[0].Sym.Address;
}

/* ---- Linking --------------------------------------------------------------------------------- */

static bool make_block(struct linker *linker, struct block *block)
{
    enum { MARGIN = 1 << 20 };
    block->size = 4 * linker->request->object_size + MARGIN;
    void *bytes =
        mmap(NULL, block->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
        return fail(linker, "out of memory");
    block->arena = linker->arena;
    block->last = &block->sections;
    block->bytes = bytes;
    block->used = sizeof(struct cpu_image_header);
    return true;
}

static bool make_jit(struct linker *linker)
{
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, make_layer, linker);
    LLVMErrorRef error = LLVMOrcCreateLLJIT(&linker->jit, builder);
    if (error)
        return fail_with(linker, error);
    linker->session = LLVMOrcLLJITGetExecutionSession(linker->jit);
    LLVMOrcExecutionSessionSetErrorReporter(linker->session, keep_error, linker);
    return true;
}

/* Symbols come from the object alone: the library is bare, and nothing else is searched. */
static bool link_once(struct linker *linker, unsigned link)
{
    const struct image_request *request = linker->request;
    char name[16];
    snprintf(name, sizeof name, "link%u", link);
    LLVMOrcJITDylibRef library = LLVMOrcExecutionSessionCreateBareJITDylib(linker->session, name);
    LLVMMemoryBufferRef object =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(request->object, request->object_size, "kernel");
    LLVMErrorRef error = LLVMOrcObjectLayerAddObjectFile(
        LLVMOrcLLJITGetObjLinkingLayer(linker->jit), library, object);
    if (error)
        return fail_with(linker, error);

    LLVMOrcCJITDylibSearchOrderElement order = {library, LLVMOrcJITDylibLookupFlagsMatchAllSymbols};
    LLVMOrcCLookupSetElement symbol = {
        LLVMOrcLLJITMangleAndIntern(linker->jit, request->entry),
        LLVMOrcSymbolLookupFlagsRequiredSymbol,
    };
    linker->entry = 0;
    LLVMOrcExecutionSessionLookup(
        linker->session, LLVMOrcLookupKindStatic, &order, 1, &symbol, 1, keep_address, linker);
    return linker->entry != 0 || fail(linker, "the entry was not found");
}

static bool link_all(struct linker *linker)
{
    if (!make_jit(linker))
        return false;
    uint64_t entries[LINKS];
    for (unsigned i = 0; i < LINKS; i++) {
        if (!make_block(linker, &linker->blocks[i]) || !link_once(linker, i))
            return false;
        entries[i] = linker->entry - (uint64_t)(uintptr_t)linker->blocks[i].bytes;
    }
    const struct block *a = &linker->blocks[0], *b = &linker->blocks[1];
    if (a->used != b->used || entries[0] != entries[1] || memcmp(a->bytes, b->bytes, a->used) != 0)
        return fail(linker, "the code depends on its address");
    linker->entry = entries[0];
    return true;
}

static void unmake(struct linker *linker)
{
    LLVMErrorRef error = linker->jit ? LLVMOrcDisposeLLJIT(linker->jit) : NULL;
    if (error)
        LLVMConsumeError(error);
    for (unsigned i = 0; i < LINKS; i++)
        if (linker->blocks[i].bytes)
            munmap(linker->blocks[i].bytes, linker->blocks[i].size);
}

/* ---- The file -------------------------------------------------------------------------------- */

static uint32_t machine_of(const struct image_request *request)
{
    Elf64_Ehdr header = {0};
    size_t size = request->object_size < sizeof header ? request->object_size : sizeof header;
    memcpy(&header, request->object, size);
    return header.e_machine;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static void write_debug_object(const struct linker *linker, uint8_t *out)
{
    const struct image_request *request = linker->request;
    memcpy(out, request->object, request->object_size);
    for (const struct placed *each = linker->blocks[0].sections; each; each = each->next)
        image_debug_place(out, request->object_size, each->name, each->offset);
}

static const void *write_file(const struct linker *linker, size_t *out_size)
{
    enum { DEBUG_ALIGNMENT = 16 };
    const struct block *block = &linker->blocks[0];
    size_t debug_offset = round_up(block->used, DEBUG_ALIGNMENT);
    size_t debug_size = linker->request->is_debugged ? linker->request->object_size : 0;
    size_t size = round_up(debug_size ? debug_offset + debug_size : block->used, CPU_IMAGE_PAGE);
    struct cpu_image_header header = {
        .version = CPU_IMAGE_VERSION,
        .machine = machine_of(linker->request),
        .size = size,
        .code_offset = sizeof header,
        .code_size = block->used - sizeof header,
        .entry_offset = linker->entry,
        .scratch_bytes = linker->request->scratch_bytes,
        .debug_offset = debug_size ? debug_offset : 0,
        .debug_size = debug_size,
    };
    memcpy(header.magic, linker->request->magic, sizeof header.magic);
    uint8_t *file = arena_allocate(linker->arena, size);
    memcpy(file, block->bytes, block->used);
    memcpy(file, &header, sizeof header);
    if (debug_size)
        write_debug_object(linker, file + debug_offset);
    *out_size = size;
    return file;
}

const void *image_link(
    arena *arena, const struct image_request *request, size_t *out_size, const char **out_error)
{
    struct linker linker = {.arena = arena, .request = request};
    const void *file = link_all(&linker) ? write_file(&linker, out_size) : NULL;
    *out_error = linker.error;
    unmake(&linker);
    return file;
}
