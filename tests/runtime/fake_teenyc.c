/* A program with teenyc's command line that compiles nothing: it hands out fake_kernel's code.
 *
 * FAKE_TEENYC in the environment says how it misbehaves (the table at the end); FAKE_LOG names a
 * file that gets a line for every compilation; FAKE_SHARED is how much shared memory kernels take.
 * Kernels must have the parameters of fake_kernel.c.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu_image.h"

enum {
    EXIT_INPUT = 1,
    EXIT_USAGE = 2,
    EXIT_TARGET = 3,
    EXIT_OUTPUT = 4,
    EXIT_FAULT = 70,
    ARGUMENTS_BYTES = 32
};

static const char *kernel = "", *target = "", *emit = "", *directory = "", *block = "1024";
static const char *warps = "4";

static FILE *open_output(const char *stage)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", directory, kernel, stage);
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "teenyc: error: cannot write %s\n", path);
        exit(EXIT_INPUT);
    }
    return file;
}

static void write_text(const char *stage, const char *text)
{
    FILE *file = open_output(stage);
    fputs(text, file);
    fclose(file);
}

/* FAKE_SHARED says how much shared memory it needs. */
static void write_metadata(void)
{
    const char *shared = getenv("FAKE_SHARED");
    FILE *file = open_output("metadata");
    fprintf(file,
        "teeny metadata 1\nkernel = %s\ntarget = %s\nresolved = %s\nentry = %s\nnum-warps = %s\n"
        "shared-bytes = %s\narguments-bytes = %d\nparameter = 0 8 pointer out f32\n"
        "parameter = 8 8 pointer x f32\nparameter = 16 8 pointer y f32\nparameter = 24 4 i32 n\n"
        "meta = BLOCK %s\n",
        kernel, target, target, kernel, warps, shared ? shared : "0", ARGUMENTS_BYTES, block);
    fclose(file);
}

static void write_ptx(void)
{
    FILE *file = open_output("ptx");
    fprintf(file, ".version 8.0\n.target %s\n.address_size 64\n.visible .entry %s() { ret; }\n",
        target, kernel);
    fclose(file);
}

static uint32_t machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#else
    return EM_AARCH64;
#endif
}

/* One page of header, then the code. FAKE_SCRATCH says how much scratch memory it asks for. */
static void write_image(void)
{
    static char page[CPU_IMAGE_PAGE], code[CPU_IMAGE_PAGE];
    FILE *input = fopen(FAKE_KERNEL, "rb");
    size_t size = input ? fread(code, 1, sizeof code, input) : 0;
    const char *scratch = getenv("FAKE_SCRATCH");
    struct cpu_image_header header = {
        .version = CPU_IMAGE_VERSION,
        .machine = machine(),
        .size = sizeof page + sizeof code,
        .code_offset = sizeof page,
        .code_size = size,
        .entry_offset = sizeof page,
        .scratch_bytes = scratch ? strtoull(scratch, NULL, 10) : 64,
    };
    memcpy(header.magic, CPU_IMAGE_MAGIC, sizeof header.magic);
    memcpy(page, &header, sizeof header);
    FILE *file = open_output("image");
    fwrite(page, 1, sizeof page, file);
    fwrite(code, 1, sizeof code, file);
    fclose(file);
    if (input)
        fclose(input);
}

static void write_outputs(void)
{
    if (strstr(emit, "ttir"))
        write_text("ttir", "module {}\n");
    if (strstr(emit, "ttgir"))
        write_text("ttgir", "module {}\n");
    if (strstr(emit, "ptx"))
        write_ptx();
    if (strstr(emit, "image"))
        write_image();
    write_metadata();
}

static void log_run(void)
{
    const char *path = getenv("FAKE_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %s BLOCK=%s\n", kernel, target, block);
    fclose(file);
}

static void crash(void)
{
    abort();
}

static void hang(void)
{
    for (;;)
        pause();
}

static void report_error(void)
{
    fprintf(stderr, "kernels.c:7:13: error: use of undeclared identifier 'm'\n    7 |  m\n");
    exit(EXIT_INPUT);
}

static void report_usage(void)
{
    fprintf(stderr, "teenyc: error: kernel `%s` has no meta BLOKC; it has BLOCK\n", kernel);
    exit(EXIT_USAGE);
}

static void report_target(void)
{
    fprintf(stderr, "teenyc: there is no target '%s'\n", target);
    exit(EXIT_TARGET);
}

static void report_output(void)
{
    fprintf(stderr, "teenyc: cannot write %s: File too large\n", directory);
    exit(EXIT_OUTPUT);
}

static void report_fault(void)
{
    fprintf(stderr, "teenyc: internal fault in pass `coalesce`\n");
    exit(EXIT_FAULT);
}

static void write_nothing(void)
{
    exit(0);
}

static void write_rubbish(void)
{
    write_text("ptx", "rubbish");
    write_text("image", "rubbish");
    write_text("metadata", "rubbish");
    exit(0);
}

static void write_rubbish_code(void)
{
    write_outputs();
    write_text("ptx", "rubbish");
    write_text("image", "rubbish");
    exit(0);
}

static void write_other_kernel(void)
{
    write_outputs();
    write_text("metadata",
        "teeny metadata 1\nkernel = other\ntarget = cpu\nentry = other\nnum-warps = 4\n"
        "shared-bytes = 0\narguments-bytes = 32\n");
    exit(0);
}

static void be_slow(void)
{
    usleep(300 * 1000);
}

static const struct {
    const char *name;
    void (*act)(void);
} behaviours[] = {
    {"crash", crash},
    {"hang", hang},
    {"error", report_error},
    {"usage", report_usage},
    {"target", report_target},
    {"output", report_output},
    {"fault", report_fault},
    {"nothing", write_nothing},
    {"rubbish", write_rubbish},
    {"rubbish-code", write_rubbish_code},
    {"other-kernel", write_other_kernel},
    {"slow", be_slow},
};

static void misbehave(void)
{
    const char *name = getenv("FAKE_TEENYC");
    for (size_t i = 0; name && i < sizeof behaviours / sizeof behaviours[0]; i++)
        if (strcmp(behaviours[i].name, name) == 0)
            behaviours[i].act();
}

static void read_arguments(char **arguments)
{
    static const struct {
        const char *option;
        const char **value;
    } options[] = {{"--kernel", &kernel}, {"--target", &target}, {"--emit", &emit},
        {"-o", &directory}, {"--num-warps", &warps}};
    for (; arguments[0] && arguments[1]; arguments++) {
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
            if (strcmp(arguments[0], options[i].option) == 0)
                *options[i].value = arguments[1];
        if (strncmp(arguments[1], "BLOCK=", 6) == 0)
            block = arguments[1] + 6;
    }
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--version") == 0) {
        const char *build = getenv("FAKE_BUILD");
        printf("teenyc 0.1.0\nbuild-id: %s\nllvm: 22.1.8\nenvironment: 1\n",
            build ? build : "0123456789abcdef");
        return 0;
    }
    read_arguments(arguments);
    log_run();
    misbehave();
    write_outputs();
    return 0;
}
