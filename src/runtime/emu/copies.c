/* Asynchronous copies of the emu device: what a copy writes arrives as late as it may, when its
 * thread waits for its group. Until then nobody may touch it. */
#include "runtime/emu/emu.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 16 };

typedef struct copy {
    uint64_t to;
    uint8_t *from;
    size_t size, read; /* bytes; those behind `read` become 0 */
    const char *place;
    uint64_t group;
} copy;

struct teeny_emu_copies {
    uint64_t group; /* that further copies belong to */
    size_t count, capacity;
    copy list[];
};

void teeny_emu_copies_clear(teeny_emu_thread *thread)
{
    if (thread->copies)
        thread->copies->count = 0;
}

static bool reserve(teeny_emu_thread *thread)
{
    teeny_emu_copies *copies = thread->copies;
    if (copies && copies->count < copies->capacity)
        return true;
    size_t capacity = copies ? 2 * copies->capacity : 32;
    teeny_emu_copies *grown = realloc(copies, sizeof *grown + capacity * sizeof grown->list[0]);
    if (!grown)
        return false;
    if (!copies)
        *grown = (teeny_emu_copies){0};
    grown->capacity = capacity;
    thread->copies = grown;
    return true;
}

/* words: to, from, how many bytes are read. */
static void begin(struct emu_thread *base, const char *place, const uint64_t *words, size_t size)
{
    teeny_emu_thread *thread = teeny_emu_thread_of(base);
    size_t read = (uint32_t)words[2];
    if (read > size)
        teeny_emu_fail(thread, place, "copies %zu bytes, of which %zu are to be read", size, read);
    if (!reserve(thread))
        teeny_emu_fail(thread, place, "began too many copies: out of host memory");
    uint8_t *from = NULL;
    if (read == size)
        from = teeny_emu_access_global(thread, place, words[1], size, TEENY_ACCESS_READ);
    for (size_t i = 0; i < read && read < size; i++) {
        uint8_t *byte = teeny_emu_access_global(thread, place, words[1] + i, 1, TEENY_ACCESS_READ);
        from = i ? from : byte;
    }
    teeny_emu_access_shared(thread, place, words[0], size, TEENY_ACCESS_COPY);
    teeny_emu_copies *copies = thread->copies;
    copies->list[copies->count++] = (copy){words[0], from, size, read, place, copies->group};
}

void teeny_emu_cp_async_4(struct emu_thread *thread, const char *place, uint64_t *words)
{
    begin(thread, place, words, 4);
}

void teeny_emu_cp_async_8(struct emu_thread *thread, const char *place, uint64_t *words)
{
    begin(thread, place, words, 8);
}

void teeny_emu_cp_async_16(struct emu_thread *thread, const char *place, uint64_t *words)
{
    begin(thread, place, words, COPY_BYTES);
}

void teeny_emu_cp_async_commit(struct emu_thread *base, const char *place, uint64_t *words)
{
    (void)words;
    teeny_emu_thread *thread = teeny_emu_thread_of(base);
    if (!reserve(thread))
        teeny_emu_fail(thread, place, "ended a group of copies: out of host memory");
    thread->copies->group++;
}

static void finish(teeny_emu_thread *thread, const copy *copy)
{
    uint8_t bytes[COPY_BYTES] = {0};
    if (copy->read)
        memcpy(bytes, copy->from, copy->read);
    void *to =
        teeny_emu_access_shared(thread, copy->place, copy->to, copy->size, TEENY_ACCESS_ARRIVE);
    memcpy(to, bytes, copy->size);
}

/* words: how many groups, the last ones, may be under way still. */
void teeny_emu_cp_async_wait(struct emu_thread *base, const char *place, uint64_t *words)
{
    (void)place;
    teeny_emu_thread *thread = teeny_emu_thread_of(base);
    teeny_emu_copies *copies = thread->copies;
    uint64_t most = (uint32_t)words[0];
    if (!copies)
        return;
    size_t done = 0;
    while (done < copies->count && copies->list[done].group + most < copies->group)
        finish(thread, &copies->list[done++]);
    copies->count -= done;
    memmove(copies->list, copies->list + done, copies->count * sizeof copies->list[0]);
}
