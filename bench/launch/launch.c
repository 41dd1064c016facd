/* What a launch and a load cost through libteeny, beside the CUDA driver alone; see README.md. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <teeny/kernel.h>
#include <teeny/teeny.h>

#include "runtime/cuda/context.h"
#include "runtime/function.h"
#include "timing.h"

enum { BATCH = 128, BATCHES = 300, LOADS = 20, HITS = 200 };

TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

/* The packed arguments, as TEENY_LAUNCH makes them. */
struct arguments {
    f32 *out;
    const f32 *x, *y;
    i32 n;
};

typedef struct bench {
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffer;
    teeny_function *function;
    struct arguments arguments;
    bool cuda;
} bench;

static void check(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

static void time_hits(const bench *bench)
{
    static timing first, later;
    for (int i = 0; i <= HITS; i++) {
        teeny_artifact *artifact;
        double start = timing_now();
        check(teeny_compile_kernel(
            TEENY_KERNEL_OF(vector_add), teeny_device_target(bench->device), NULL, &artifact));
        if (teeny_artifact_hit(artifact))
            timing_add(i ? &later : &first, timing_now() - start);
        teeny_artifact_destroy(artifact);
    }
    timing_print(&first, "cache hit, first");
    timing_print(&later, "cache hit, later");
}

/* The directory with the cubins lies beside the PTX, and is the only one there. */
static void remove_kept_cubins(const teeny_artifact *artifact)
{
    char command[4096];
    snprintf(
        command, sizeof command, "rm -rf \"$(dirname '%s')\"/sm_*/", teeny_artifact_path(artifact));
    if (system(command) != 0)
        fprintf(stderr, "the kept cubins could not be removed\n");
}

static void time_one_load(const bench *bench, timing *timing, bool remove_first)
{
    static const teeny_options defaults; /* given, so that the function is not shared */
    teeny_function *function;
    if (remove_first)
        remove_kept_cubins(teeny_function_artifact(bench->function));
    double start = timing_now();
    check(teeny_load(bench->device, TEENY_KERNEL_OF(vector_add), &defaults, &function));
    timing_add(timing, timing_now() - start);
    teeny_unload(function);
}

static void time_loads(const bench *bench)
{
    static timing from_ptx, from_cubin;
    for (int i = 0; i < LOADS; i++) {
        if (bench->cuda)
            time_one_load(bench, &from_ptx, true);
        time_one_load(bench, &from_cubin, false);
    }
    timing_print(&from_ptx, "load from PTX");
    timing_print(&from_cubin, bench->cuda ? "load from cubin" : "load");
}

static void launch_raw(bench *bench)
{
    const teeny_cuda_code *code = (const teeny_cuda_code *)bench->function->generic.code;
    CUstream stream = teeny_cuda_stream_of(bench->stream)->handle;
    size_t size = code->parameter_bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &bench->arguments, CU_LAUNCH_PARAM_BUFFER_SIZE,
        &size, CU_LAUNCH_PARAM_END};
    if (teeny_cuda.launch_kernel(code->function, 1, 1, 1, code->threads, 1, 1, code->shared_bytes,
            stream, NULL, extra) != CUDA_SUCCESS)
        exit(1);
}

static void launch_function(bench *bench)
{
    const struct arguments *a = &bench->arguments;
    check(TEENY_LAUNCH_FUNCTION(
        vector_add, bench->function, bench->stream, teeny_grid1(1), a->out, a->x, a->y, a->n));
}

static void launch_kernel(bench *bench)
{
    const struct arguments *a = &bench->arguments;
    check(TEENY_LAUNCH(vector_add, bench->stream, teeny_grid1(1), a->out, a->x, a->y, a->n));
}

static void launch_and_wait(bench *bench)
{
    launch_kernel(bench);
    check(teeny_stream_synchronize(bench->stream));
}

static void time_batch(bench *bench, void (*launch)(struct bench *bench), timing *timing)
{
    double start = timing_now();
    for (int i = 0; i < BATCH; i++)
        launch(bench);
    timing_add(timing, (timing_now() - start) / BATCH);
    check(teeny_stream_synchronize(bench->stream));
}

static void time_launches(bench *bench)
{
    static struct {
        const char *name;
        void (*launch)(struct bench *bench);
        bool cuda_only;
        timing timing;
    } kinds[] = {
        {.name = "launch, raw", .launch = launch_raw, .cuda_only = true},
        {.name = "launch, function", .launch = launch_function},
        {.name = "launch, kernel", .launch = launch_kernel},
        {.name = "launch and wait", .launch = launch_and_wait},
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    for (int batch = 0; batch < BATCHES; batch++)
        for (int kind = 0; kind < KINDS; kind++)
            if (bench->cuda || !kinds[kind].cuda_only)
                time_batch(bench, kinds[kind].launch, &kinds[kind].timing);
    for (int kind = 0; kind < KINDS; kind++)
        timing_print(&kinds[kind].timing, kinds[kind].name);
}

static void run(const char *name)
{
    bench bench = {.arguments = {.n = 256}};
    check(teeny_device_open(name, &bench.device));
    bench.cuda = strncmp(teeny_device_name(bench.device), "cuda", 4) == 0;
    check(teeny_device_make_current(bench.device)); /* as launch_raw needs it */
    printf("device %s, %s\n", teeny_device_name(bench.device), teeny_device_model(bench.device));
    printf("%-18s  %11s  %11s  %11s  %6s\n", "", "median", "fastest", "90th", "times");
    time_hits(&bench);
    check(teeny_stream_create(bench.device, &bench.stream));
    check(teeny_buffer_create(bench.device, 3 * 256 * sizeof(f32), &bench.buffer));
    check(teeny_load(bench.device, TEENY_KERNEL_OF(vector_add), NULL, &bench.function));
    bench.arguments.out = teeny_buffer_pointer(bench.buffer);
    bench.arguments.x = bench.arguments.out + 256;
    bench.arguments.y = bench.arguments.out + 512;
    time_loads(&bench);
    time_launches(&bench);
    teeny_unload(bench.function);
    teeny_buffer_destroy(bench.buffer);
    teeny_stream_destroy(bench.stream);
    teeny_device_close(bench.device);
}

int main(int count, char **words)
{
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    if (count == 3 && strcmp(words[1], "--compile") == 0) {
        teeny_artifact *artifact;
        check(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), words[2], NULL, &artifact));
        printf("%s\n", teeny_artifact_path(artifact));
        teeny_artifact_destroy(artifact);
        return 0;
    }
    run(count > 1 ? words[1] : "auto");
    return 0;
}
