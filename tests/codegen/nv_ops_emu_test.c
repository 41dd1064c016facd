/* The emu column of base/nv_ops.def: what generated code hands to the function of an operation, and
 * what it makes of the results. Each operation's kernel is linked into an image and run, with a
 * function in the operation's place that notes the one and makes up the other. */
#include "nv_op_kernel.h"

#include "codegen/cpu/image.h"
#include "codegen/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/cpu_image.h"

#define SHARED_BASE ((uint64_t)0x10000)

/* ---- The image ------------------------------------------------------------------------------- */

struct image {
    void *mapping;
    size_t size;
    emu_entry *entry;
};

static const void *link_kernel(arena *arena, enum nv_op op, size_t *out_size)
{
    struct machine machine;
    assert_true(machine_create_host(arena, NULL, NULL, false, &machine));
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("operation", context);
    nv_op_add_kernel(arena, context, module, NV_EMU, op);
    machine_prepare(&machine, module);
    const char *object, *error = NULL;
    size_t object_size;
    assert_true(machine_optimise(&machine, module));
    assert_true(machine_emit(&machine, module, LLVMObjectFile, &object, &object_size));
    struct image_request request = {
        .magic = EMU_IMAGE_MAGIC,
        .object = object,
        .object_size = object_size,
        .entry = nv_op_name(op),
    };
    const void *file = image_link(arena, &request, out_size, &error);
    if (!file)
        fail_msg("%s: %s", nv_op_name(op), error);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    machine_destroy(&machine);
    return file;
}

static struct image make_image(enum nv_op op)
{
    struct image image;
    arena *arena = arena_create();
    const void *file = link_kernel(arena, op, &image.size);
    struct cpu_image_header header;
    memcpy(&header, file, sizeof header);
    assert_memory_equal(header.magic, EMU_IMAGE_MAGIC, sizeof header.magic);
    image.mapping =
        mmap(NULL, image.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(image.mapping, file, image.size);
    mprotect(image.mapping, image.size, PROT_READ | PROT_EXEC);
    image.entry = (emu_entry *)((char *)image.mapping + header.entry_offset);
    arena_destroy(arena);
    return image;
}

/* ---- The functions --------------------------------------------------------------------------- */

static unsigned calls;
static uint64_t noted[NV_MAX_OPERANDS];

/* All bits differ from word to word. */
static uint64_t pattern(unsigned index)
{
    return (index + 1) * 0x9e3779b97f4a7c15;
}

static void note(struct emu_thread *thread, const char *place, uint64_t *words)
{
    (void)thread;
    assert_string_equal(place, "");
    calls++;
    memcpy(noted, words, sizeof noted);
    for (unsigned i = 0; i < NV_MAX_RESULTS; i++)
        words[i] = pattern(100 + i);
}

static void give_thread(struct emu_thread *thread, const char *place, uint64_t *words)
{
    (void)thread, (void)place;
    words[0] = 0;
}

static void give_shared(struct emu_thread *thread, const char *place, uint64_t *words)
{
    (void)thread, (void)place;
    words[0] = SHARED_BASE;
}

/* ---- The check ------------------------------------------------------------------------------- */

static uint64_t mask_of(char letter)
{
    switch (letter) {
    case 'b':
        return 1;
    case 'h':
        return UINT16_MAX;
    case 'i':
    case 'f':
        return UINT32_MAX;
    default:
        return UINT64_MAX;
    }
}

static void check_operands(enum nv_op op, const char *operands)
{
    for (unsigned i = 0; operands[i]; i++) {
        uint64_t expected = pattern(i) & mask_of(operands[i]);
        if (operands[i] == 's')
            expected += SHARED_BASE;
        if (op == NV_CP_ASYNC_WAIT)
            expected = 0;
        if (noted[i] != expected)
            fail_msg("%s: operand %u is %llx, not %llx", nv_op_name(op), i,
                (unsigned long long)noted[i], (unsigned long long)expected);
    }
}

static void check_results(enum nv_op op, const char *letters, size_t count, const uint64_t *out)
{
    for (unsigned i = 0; i < count; i++)
        if (out[i] != (pattern(100 + i) & mask_of(letters[i])))
            fail_msg("%s: result %u is %llx", nv_op_name(op), i, (unsigned long long)out[i]);
}

static void check(enum nv_op op)
{
    emu_function *functions[NV_OP_COUNT] = {
        [NV_THREAD_ID] = give_thread, [NV_SHARED_BASE] = give_shared};
    bool is_own = op == NV_THREAD_ID || op == NV_SHARED_BASE;
    if (!is_own)
        functions[op] = note;
    uint64_t in[NV_MAX_OPERANDS], out[NV_MAX_RESULTS] = {0};
    for (unsigned i = 0; i < NV_MAX_OPERANDS; i++)
        in[i] = pattern(i);
    struct image image = make_image(op);
    struct emu_thread thread = {functions};
    calls = 0;
    image.entry(&thread, &(struct { uint64_t *out, *in; }){out, in});
    munmap(image.mapping, image.size);

    const char *signature = nv_op_signature(op), *end = strchr(signature, '}');
    size_t count = end ? (size_t)(end - signature - 1) : signature[0] != 'v';
    if (is_own) {
        assert_int_equal(out[0], op == NV_SHARED_BASE ? SHARED_BASE : 0);
        return;
    }
    assert_int_equal(calls, 1);
    check_operands(op, end ? end + 1 : signature + 1);
    check_results(op, end ? signature + 1 : signature, count, out);
}

static void test_every_operation(void **state)
{
    (void)state;
    for (unsigned op = 0; op < NV_OP_COUNT; op++)
        check((enum nv_op)op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_operation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
