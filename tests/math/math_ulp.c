/* Measures the math functions on a device, in units in the last place.
 *
 *   math_ulp DEVICE [--all] [--bits] [--only STEM] [--write FILE] [--same-bits FILE]
 *            [--instruction-bits FILE]
 *   math_ulp --compile TARGET             only compiles, into the cache: for a machine without
 * teenyc
 *
 * In f32 every 1021st of the 2^32 arguments, with --all every one; pow and f64 by random samples,
 * and all by their special values. A function passes where no error is above the bound that
 * src/math/functions.def states. Prints, and with --table also writes, a table: `bits` adds up all
 * results, and is the same on every device, except for f32 functions that are by an instruction of
 * the device, whose bits the other table has. Ends with `N passed, N failed`, one test a function
 * and type.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels.h"
#include "reference.h"
#include "samples.h"
#include "special.h"

enum { CHUNK = 1 << 17, MOST_THREADS = 64 };

static const struct {
    const char *stem;
    double bounds[MATH_TYPES];
} stated[] = {
#define FUNCTION(operation, stem, f32_bound, f64_bound, summary) {#stem, {f32_bound, f64_bound}},
#include "math/functions.def"
};

/* In f32, on devices other than cpu. */
static const struct {
    const char *stem;
    double bound;
} stated_by_instruction[] = {
#define INSTRUCTION(operation, stem, f32_bound) {#stem, f32_bound},
#include "math/functions.def"
};

static const char *const type_names[MATH_TYPES] = {"f32", "f64"};

static void require(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

/* ---- What is measured ------------------------------------------------------------------------ */

struct worst {
    double error, x, y, result;
    uint64_t bits;
    bool is_other_kind; /* a NaN for a number, or the wrong zero: worse than any error */
};

struct measurement {
    const struct math_kernel *kernel;
    const struct math_reference *reference;
    int type;
    bool is_pow;
    bool is_measured; /* else only computed */
    uint64_t step;    /* between the bits of f32 arguments */
    uint64_t count;
    teeny_device *device;
    teeny_function *function;
    _Atomic uint64_t next; /* the first argument that no thread has taken */
    pthread_mutex_t lock;
    struct worst worst; /* under the lock */
};

static size_t size_of(int type)
{
    return type == MATH_F32 ? sizeof(float) : sizeof(double);
}

static void make_sample(const struct measurement *job, uint64_t index, void *x, void *y, size_t i)
{
    if (job->is_pow && job->type == MATH_F32)
        sample_pow_f32(index, (float *)x + i, (float *)y + i);
    else if (job->is_pow)
        sample_pow_f64(index, (double *)x + i, (double *)y + i);
    else if (job->type == MATH_F32)
        ((float *)x)[i] = sample_f32_bits(index, job->step);
    else
        ((double *)x)[i] = sample_f64(job->reference, index);
}

static double number_at(int type, const void *numbers, size_t i)
{
    return type == MATH_F32 ? ((const float *)numbers)[i] : ((const double *)numbers)[i];
}

static double error_at(const struct measurement *job, double x, double y, double result)
{
    if (job->type == MATH_F32)
        return math_error_f32((float)result, job->reference->for_f32(x, y));
    return math_error_f64(result, job->reference->for_f64(x, y));
}

/* All NaNs are one. */
static uint64_t bits_of(double result)
{
    uint64_t bits;
    if (result != result)
        return UINT64_C(0x7ff8000000000000);
    memcpy(&bits, &result, sizeof bits);
    return bits;
}

/* An f32 as a double has its digits in the upper half alone. */
static uint64_t mixed(uint64_t bits)
{
    return bits ^ bits >> 29;
}

/* Of equal errors the one at the least x, whichever thread found it. */
static void take(struct worst *worst, double error, double x, double y, double result)
{
    bool is_other_kind = error < 0;
    bool is_as_bad = error == worst->error && x >= worst->x;
    if (worst->is_other_kind || (!is_other_kind && (error < worst->error || is_as_bad)))
        return;
    worst->is_other_kind = is_other_kind;
    worst->error = error;
    worst->x = x;
    worst->y = y;
    worst->result = result;
}

/* ---- One thread ------------------------------------------------------------------------------ */

struct lane {
    teeny_stream *stream;
    teeny_buffer *buffers[3]; /* out, x, y */
    void *host[3];
};

static void lane_create(struct lane *lane, teeny_device *device, int type)
{
    require(teeny_stream_create(device, &lane->stream));
    for (int i = 0; i < 3; i++) {
        require(teeny_buffer_create(device, CHUNK * size_of(type), &lane->buffers[i]));
        lane->host[i] = calloc(CHUNK, size_of(type));
        if (!lane->host[i])
            exit(1);
    }
}

static void lane_destroy(struct lane *lane)
{
    for (int i = 0; i < 3; i++) {
        teeny_buffer_destroy(lane->buffers[i]);
        free(lane->host[i]);
    }
    teeny_stream_destroy(lane->stream);
}

/* host[0] from host[1] and host[2]. */
static void compute(const struct measurement *job, struct lane *lane, size_t count)
{
    size_t size = count * size_of(job->type);
    for (int i = 1; i < 3; i++)
        require(teeny_buffer_write(lane->stream, lane->buffers[i], 0, lane->host[i], size));
    require(job->kernel->types[job->type].launch(job->function, lane->stream, (int32_t)count,
        teeny_buffer_pointer(lane->buffers[0]), teeny_buffer_pointer(lane->buffers[1]),
        teeny_buffer_pointer(lane->buffers[2])));
    require(teeny_buffer_read(lane->stream, lane->buffers[0], 0, lane->host[0], size));
}

static void measure_chunk(const struct measurement *job, struct lane *lane, uint64_t first,
    size_t count, struct worst *worst)
{
    for (size_t i = 0; i < count; i++)
        make_sample(job, first + i, lane->host[1], lane->host[2], i);
    compute(job, lane, count);
    for (size_t i = 0; i < count; i++) {
        double result = number_at(job->type, lane->host[0], i);
        double x = number_at(job->type, lane->host[1], i);
        double y = number_at(job->type, lane->host[2], i);
        if (job->is_measured)
            take(worst, error_at(job, x, y, result), x, y, result);
        worst->bits += mixed(bits_of(result)) * (2 * (first + i) + 1);
    }
}

static void *run_thread(void *user)
{
    struct measurement *job = user;
    struct worst worst = {0};
    struct lane lane;
    lane_create(&lane, job->device, job->type);
    for (;;) {
        uint64_t first = atomic_fetch_add(&job->next, CHUNK);
        if (first >= job->count)
            break;
        uint64_t left = job->count - first;
        measure_chunk(job, &lane, first, left < CHUNK ? (size_t)left : CHUNK, &worst);
    }
    lane_destroy(&lane);
    pthread_mutex_lock(&job->lock);
    take(&job->worst, worst.is_other_kind ? -1 : worst.error, worst.x, worst.y, worst.result);
    job->worst.bits += worst.bits;
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

static void run_threads(struct measurement *job)
{
    pthread_t threads[MOST_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long count = processors < MOST_THREADS ? processors : MOST_THREADS;
    for (long i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, run_thread, job) != 0)
            exit(1);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* ---- Special values -------------------------------------------------------------------------- */

static void set_number(int type, void *numbers, size_t i, double number)
{
    if (type == MATH_F32)
        ((float *)numbers)[i] = (float)number;
    else
        ((double *)numbers)[i] = number;
}

/* How many of them are wrong; says which. */
static int check_specials(const struct measurement *job)
{
    struct lane lane;
    const struct math_special *specials[256];
    size_t count = 0;
    lane_create(&lane, job->device, job->type);
    for (size_t i = 0; i < math_special_count && count < 256; i++) {
        if (strcmp(math_specials[i].stem, job->kernel->stem) != 0)
            continue;
        set_number(job->type, lane.host[1], count, math_specials[i].x);
        set_number(job->type, lane.host[2], count, math_specials[i].y);
        specials[count++] = &math_specials[i];
    }
    compute(job, &lane, count);
    int wrong = count == 0;
    for (size_t i = 0; i < count; i++) {
        double result = number_at(job->type, lane.host[0], i);
        if (bits_of(result) == bits_of(specials[i]->expected))
            continue;
        wrong++;
        printf("%s_%s(%a, %a) is %a, not %a\n", job->kernel->stem, type_names[job->type],
            specials[i]->x, specials[i]->y, result, specials[i]->expected);
    }
    lane_destroy(&lane);
    return wrong;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The function is by an instruction of the device: the bound is another, and so are the bits. */
static bool is_by_instruction(const struct measurement *job, double *out_bound)
{
    if (job->type != MATH_F32 || strcmp(teeny_device_name(job->device), "cpu") == 0)
        return false;
    for (size_t i = 0; i < sizeof stated_by_instruction / sizeof *stated_by_instruction; i++)
        if (strcmp(stated_by_instruction[i].stem, job->kernel->stem) == 0) {
            *out_bound = stated_by_instruction[i].bound;
            return true;
        }
    return false;
}

static double stated_bound(const struct measurement *job)
{
    double bound;
    if (is_by_instruction(job, &bound))
        return bound;
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
        if (strcmp(stated[i].stem, job->kernel->stem) == 0)
            return stated[i].bounds[job->type];
    return -1;
}

static void print_row(FILE *out, const struct measurement *job)
{
    char measured[32];
    const struct worst *worst = &job->worst;
    snprintf(measured, sizeof measured, "%.4f", worst->error);
    fprintf(out, "%-8s  %s  %5.2f  %8s  %11llu  %016llx", job->kernel->stem, type_names[job->type],
        stated_bound(job), worst->is_other_kind ? "of kind" : measured,
        (unsigned long long)job->count, (unsigned long long)worst->bits);
    if (worst->error != 0)
        fprintf(out, job->is_pow ? "  %a, %a" : "  %a", worst->x, worst->y);
    if (worst->is_other_kind)
        fprintf(out, " gives %a", worst->result);
    fputs("\n", out);
    fflush(out);
}

static void print_head(FILE *out)
{
    fputs("function  type bound  measured    arguments              bits  largest error at\n", out);
    fflush(out);
}

/* Whether a table that was written before has the same results; says what differs. */
static bool has_same_bits(FILE *table, const struct measurement *job)
{
    char line[256], stem[16], type[8];
    unsigned long long count, bits;
    rewind(table);
    while (fgets(line, sizeof line, table)) {
        if (sscanf(line, "%15s %7s %*s %*s %llu %llx", stem, type, &count, &bits) != 4)
            continue;
        if (strcmp(stem, job->kernel->stem) != 0 || strcmp(type, type_names[job->type]) != 0)
            continue;
        if (count == job->count && bits == job->worst.bits)
            return true;
        printf("the table has %llx for %llu arguments\n", bits, count);
        return false;
    }
    puts("the table has no such function");
    return false;
}

/* ---- All of it ------------------------------------------------------------------------------- */

struct options {
    const char *device, *only;
    bool all, bits;
    FILE *written, *expected, *by_instruction; /* tables; NULL: none */
};

static uint64_t count_for(const struct measurement *job, bool all)
{
    if (job->type == MATH_F64)
        return all ? 50000000 : 500000;
    if (job->is_pow)
        return all ? 1000000000 : 4000000;
    return (UINT64_C(1) << 32) / job->step;
}

static bool measure(
    teeny_device *device, const struct options *options, const struct math_kernel *kernel, int type)
{
    struct measurement job = {
        .kernel = kernel,
        .reference = math_reference_find(kernel->stem),
        .type = type,
        .is_pow = strcmp(kernel->stem, "pow") == 0,
        .is_measured = !options->bits,
        .step = options->all ? 1 : 1021,
        .device = device,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    job.count = count_for(&job, options->all);
    require(teeny_load(device, kernel->types[type].kernel, NULL, &job.function));
    int wrong = check_specials(&job);
    run_threads(&job);
    teeny_unload(job.function);
    print_row(stdout, &job);
    if (options->written)
        print_row(options->written, &job);
    double bound;
    FILE *expected = is_by_instruction(&job, &bound) ? options->by_instruction : options->expected;
    if (expected && !has_same_bits(expected, &job))
        wrong++;
    return wrong == 0 && !job.worst.is_other_kind && job.worst.error <= stated_bound(&job);
}

static int run(const struct options *options)
{
    teeny_device *device;
    require(teeny_device_open(options->device, &device));
    int passed = 0, failed = 0;
    print_head(stdout);
    if (options->written)
        print_head(options->written);
    for (size_t i = 0; i < math_kernel_count; i++) {
        if (options->only && strcmp(options->only, math_kernels[i].stem) != 0)
            continue;
        for (int type = 0; type < MATH_TYPES; type++)
            *(measure(device, options, &math_kernels[i], type) ? &passed : &failed) += 1;
    }
    teeny_device_close(device);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

static int compile(const char *target)
{
    for (size_t i = 0; i < math_kernel_count; i++)
        for (int type = 0; type < MATH_TYPES; type++) {
            teeny_artifact *artifact;
            require(
                teeny_compile_kernel(math_kernels[i].types[type].kernel, target, NULL, &artifact));
            teeny_artifact_destroy(artifact);
        }
    return 0;
}

static FILE *open_table(const char *path, const char *mode)
{
    FILE *table = fopen(path, mode);
    if (!table) {
        perror(path);
        exit(1);
    }
    return table;
}

int main(int count, char **words)
{
    struct options options = {.device = count > 1 ? words[1] : "auto"};
    if (count == 3 && strcmp(words[1], "--compile") == 0)
        return compile(words[2]);
    for (int i = 2; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(words[i], "--all") == 0)
            options.all = true;
        else if (strcmp(words[i], "--bits") == 0)
            options.bits = true;
        else if (strcmp(words[i], "--only") == 0 && value)
            options.only = words[++i];
        else if (strcmp(words[i], "--write") == 0 && value)
            options.written = open_table(words[++i], "w");
        else if (strcmp(words[i], "--same-bits") == 0 && value)
            options.expected = open_table(words[++i], "r");
        else if (strcmp(words[i], "--instruction-bits") == 0 && value)
            options.by_instruction = open_table(words[++i], "r");
        else
            return 2;
    }
    int status = run(&options);
    if (options.written && fclose(options.written) != 0)
        status = 1;
    if (options.expected)
        fclose(options.expected);
    if (options.by_instruction)
        fclose(options.by_instruction);
    return status;
}
