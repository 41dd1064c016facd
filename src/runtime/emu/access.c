/* Loads and stores of the emu device: each is checked for its alignment, its bounds and its order
 * with those of other threads. */
#include "runtime/emu/emu.h"

#include <string.h>

/* ---- What is wrong --------------------------------------------------------------------------- */

static const char *verb_of(teeny_access_kind kind)
{
    static const char *const verbs[] = {
        [TEENY_ACCESS_READ] = "reads",
        [TEENY_ACCESS_READ_WRITTEN] = "reads",
        [TEENY_ACCESS_WRITE] = "writes",
        [TEENY_ACCESS_COPY] = "copies to",
        [TEENY_ACCESS_ARRIVE] = "copies to",
    };
    return verbs[kind];
}

static void say_memory(teeny_string *text, const teeny_emu_buffer *buffer)
{
    if (buffer)
        teeny_string_format(text, "a buffer of %zu bytes", buffer->size);
    else
        teeny_string_add(text, "shared memory");
}

/* The thread of a record; of the program too, where it is another. */
static void say_who(
    teeny_string *text, const teeny_emu_program *program, const teeny_access_record *record)
{
    const uint32_t *grid = program->launch->num_programs;
    teeny_emu_say_thread(text, record->thread);
    if (record->program == (uint32_t)program->number)
        return;
    uint32_t x = record->program % grid[0], rest = record->program / grid[0];
    teeny_string_format(text, " of program (%u, %u, %u)", x, rest % grid[1], rest / grid[1]);
}

static void say_race(
    teeny_string *text, const teeny_emu_program *program, const teeny_access_finding *finding)
{
    const teeny_access_record *other = &finding->other;
    teeny_string_add(text, ", which ");
    say_who(text, program, other);
    teeny_string_format(text, " %s at %s: ",
        !finding->other_writes ? "read"
        : other->pending       ? "began to copy to"
                               : "wrote",
        teeny_emu_place_text(program->launch, other->place));
    teeny_string_add(text, other->program == (uint32_t)program->number ? "no barrier lies between"
                                                                       : "programs have no order");
}

static void say_finding(teeny_string *text, const teeny_emu_program *program,
    teeny_access_verdict verdict, const teeny_access_finding *finding)
{
    switch (verdict) {
    case TEENY_ACCESS_RACE:
        say_race(text, program, finding);
        break;
    case TEENY_ACCESS_UNWRITTEN:
        teeny_string_add(text, ", which nothing has written");
        break;
    case TEENY_ACCESS_PENDING:
        teeny_string_add(text, ", to which the copy of ");
        say_who(text, program, &finding->other);
        teeny_string_format(text, " at %s was not waited for",
            teeny_emu_place_text(program->launch, finding->other.place));
        break;
    default:
        teeny_string_add(text, ", and no host memory is left to note it");
    }
}

/* Whether the write that is checked would change nothing. */
static bool writes_what_is_there(
    const teeny_emu_thread *thread, const teeny_emu_buffer *buffer, size_t offset, size_t size)
{
    uintptr_t base = buffer ? (uintptr_t)buffer->base : (uintptr_t)thread->program->shared;
    return thread->written && memcmp((const void *)(base + offset), thread->written, size) == 0;
}

static void fail_finding(teeny_emu_thread *thread, const char *place,
    const teeny_emu_buffer *buffer, teeny_access_kind kind, teeny_access_verdict verdict,
    const teeny_access_finding *finding, bool is_same)
{
    teeny_string text = {0};
    teeny_string_format(&text, "%s byte %zu of ", verb_of(kind), finding->offset);
    say_memory(&text, buffer);
    say_finding(&text, thread->program, verdict, finding);
    if (verdict == TEENY_ACCESS_RACE && finding->other_writes && is_same)
        teeny_string_add(&text,
            "; both write the same value, which GPUs do as one expects and their "
            "memory model does not promise");
    teeny_emu_report(thread->program, thread, place, "%s", teeny_string_text(&text));
    teeny_string_free(&text);
    teeny_emu_stop(thread);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void check_alignment(teeny_emu_thread *thread, const char *place, uint64_t address,
    size_t size, teeny_access_kind kind)
{
    if (address % size)
        teeny_emu_fail(thread, place,
            "%s %zu bytes at 0x%llx: the address is not a multiple of %zu", verb_of(kind), size,
            (unsigned long long)address, size);
}

static void check_order(teeny_emu_thread *thread, const char *place, teeny_emu_buffer *buffer,
    size_t offset, size_t size, teeny_access_kind kind)
{
    teeny_emu_program *program = thread->program;
    const teeny_access_record now = {
        .clock = program->clock,
        .program = (uint32_t)program->number,
        .place = teeny_emu_place(program->launch, place),
        .warp_clock = program->warp_clock[thread->number / TEENY_EMU_LANES],
        .thread = (uint16_t)(thread->number & 0x7fff),
    };
    teeny_shadow *shadow = buffer ? &buffer->shadow : &program->shared_shadow;
    uint64_t stamp = buffer ? program->launch->serial : program->stamp;
    teeny_access_finding finding = {.offset = offset};
    teeny_access_verdict verdict =
        teeny_shadow_access(shadow, stamp, offset, size, kind, &now, &finding);
    if (verdict != TEENY_ACCESS_RIGHT)
        fail_finding(thread, place, buffer, kind, verdict, &finding,
            kind == TEENY_ACCESS_WRITE && writes_what_is_there(thread, buffer, offset, size));
}

static bool holds(const teeny_emu_buffer *buffer, uint64_t address, size_t size)
{
    return buffer && address >= buffer->base && size <= buffer->size &&
           address - buffer->base <= buffer->size - size;
}

/* Names the buffer that was missed, if one is near. */
static void fail_outside(teeny_emu_thread *thread, const char *place, uint64_t address, size_t size,
    teeny_access_kind kind)
{
    const teeny_emu_memory *memory = thread->program->launch->memory;
    const teeny_emu_buffer *before = teeny_emu_memory_find(memory, address);
    const teeny_emu_buffer *after = teeny_emu_memory_find_next(memory, address);
    const char *verb = verb_of(kind);
    if (before && address - before->base < before->size + TEENY_EMU_GUARD)
        teeny_emu_fail(thread, place, "%s %zu bytes from byte %llu on of a buffer of %zu bytes",
            verb, size, (unsigned long long)(address - before->base), before->size);
    else if (after && after->base - address <= TEENY_EMU_GUARD)
        teeny_emu_fail(thread, place, "%s %zu bytes, %llu bytes before a buffer of %zu bytes", verb,
            size, (unsigned long long)(after->base - address), after->size);
    else
        teeny_emu_fail(thread, place, "%s %zu bytes at 0x%llx, which is in no buffer", verb, size,
            (unsigned long long)address);
}

void *teeny_emu_access_global(teeny_emu_thread *thread, const char *place, uint64_t address,
    size_t size, teeny_access_kind kind)
{
    teeny_emu_program *program = thread->program;
    if (!holds(program->last_buffer, address, size))
        program->last_buffer = teeny_emu_memory_find(program->launch->memory, address);
    teeny_emu_buffer *buffer = program->last_buffer;
    if (!holds(buffer, address, size))
        fail_outside(thread, place, address, size, kind);
    check_alignment(thread, place, address, size, kind);
    check_order(thread, place, buffer, address - buffer->base, size, kind);
    return (void *)(uintptr_t)address;
}

void *teeny_emu_access_shared(teeny_emu_thread *thread, const char *place, uint64_t address,
    size_t size, teeny_access_kind kind)
{
    const teeny_emu_program *program = thread->program;
    uint64_t offset = address - (uintptr_t)program->shared; /* huge where it lies before */
    size_t bytes = program->launch->shared_bytes;
    if (offset >= bytes || size > bytes - offset)
        teeny_emu_fail(thread, place,
            "%s %zu bytes from byte %lld on of %zu bytes of shared memory", verb_of(kind), size,
            (long long)offset, bytes);
    check_alignment(thread, place, address, size, kind);
    check_order(thread, place, NULL, offset, size, kind);
    return (void *)(uintptr_t)address;
}

/* ---- The functions of the table -------------------------------------------------------------- */

/* An access of `count` registers of `bytes` bytes each; a register is the low end of a word. */
struct access {
    void *(*check)(teeny_emu_thread *thread, const char *place, uint64_t address, size_t size,
        teeny_access_kind kind);
    teeny_access_kind read; /* the kind of a load */
    size_t bytes, count;
};

/* words: pointer; then the registers. */
static inline void load(
    struct access access, struct emu_thread *thread, const char *place, uint64_t *words)
{
    const char *from = access.check(
        teeny_emu_thread_of(thread), place, words[0], access.bytes * access.count, access.read);
    for (size_t i = 0; i < access.count; i++) {
        words[i] = 0;
        memcpy(&words[i], from + i * access.bytes, access.bytes);
    }
}

/* words: pointer, predicate, what the registers are without it. */
static inline void load_if(
    struct access access, struct emu_thread *thread, const char *place, uint64_t *words)
{
    if (words[1] & 1)
        load(access, thread, place, words);
    else
        memmove(words, words + 2, access.count * sizeof *words);
}

/* words: pointer, registers. */
static inline void store(
    struct access access, struct emu_thread *thread, const char *place, const uint64_t *words)
{
    char value[16];
    const size_t size = access.bytes * access.count;
    teeny_emu_thread *own = teeny_emu_thread_of(thread);
    for (size_t i = 0; i < access.count; i++)
        memcpy(value + i * access.bytes, &words[1 + i], access.bytes);
    own->written = value;
    memcpy(access.check(own, place, words[0], size, TEENY_ACCESS_WRITE), value, size);
    own->written = NULL;
}

/* words: pointer, registers, predicate. */
static inline void store_if(
    struct access access, struct emu_thread *thread, const char *place, const uint64_t *words)
{
    if (words[1 + access.count] & 1)
        store(access, thread, place, words);
}

#define ACCESS(name, does, check, read, bytes, count)                                              \
    void teeny_emu_##name(struct emu_thread *thread, const char *place, uint64_t *words)           \
    {                                                                                              \
        does((struct access){check, read, bytes, count}, thread, place, words);                    \
    }

#define ACCESSES(prefix, does, check, read)                                                        \
    ACCESS(prefix##_8, does, check, read, 1, 1)                                                    \
    ACCESS(prefix##_16, does, check, read, 2, 1)                                                   \
    ACCESS(prefix##_32, does, check, read, 4, 1)                                                   \
    ACCESS(prefix##_64, does, check, read, 8, 1)                                                   \
    ACCESS(prefix##_v2, does, check, read, 4, 2)                                                   \
    ACCESS(prefix##_v4, does, check, read, 4, 4)

ACCESSES(load, load, teeny_emu_access_global, TEENY_ACCESS_READ)
ACCESSES(load_if, load_if, teeny_emu_access_global, TEENY_ACCESS_READ)
ACCESSES(store, store, teeny_emu_access_global, TEENY_ACCESS_READ)
ACCESSES(store_if, store_if, teeny_emu_access_global, TEENY_ACCESS_READ)
ACCESSES(load_shared, load, teeny_emu_access_shared, TEENY_ACCESS_READ_WRITTEN)
ACCESSES(load_shared_if, load_if, teeny_emu_access_shared, TEENY_ACCESS_READ_WRITTEN)
ACCESSES(store_shared, store, teeny_emu_access_shared, TEENY_ACCESS_READ_WRITTEN)
ACCESSES(store_shared_if, store_if, teeny_emu_access_shared, TEENY_ACCESS_READ_WRITTEN)
