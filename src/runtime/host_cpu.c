/* Which CPU this is; see host_cpu.h. */
#include "runtime/host_cpu.h"

#include <elf.h>

#include "base/cpu_targets.h"
#include "base/string_builder.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* The leaves that tell models and features apart, less the bits that differ between the cores of
 * one machine: leaf 1 has the core's own number in the top of ebx. */
static const struct {
    unsigned leaf, subleaf;
    unsigned ebx_mask;
} leaves[] = {
    {0, 0, ~0U},
    {1, 0, 0},
    {7, 0, ~0U},
    {7, 1, ~0U},
    {0xd, 1, 0},
    {0x14, 0, ~0U},
    {0x19, 0, ~0U},
    {0x80000001, 0, ~0U},
};

/* Which register states the system saves: features without it cannot be used. */
static unsigned long long saved_states(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (unsigned long long)d << 32 | a;
}

static void identify(teeny_string *text)
{
    teeny_string_format(text, "x86_64 %llx", saved_states());
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        __get_cpuid_count(leaves[i].leaf, leaves[i].subleaf, &a, &b, &c, &d);
        teeny_string_format(text, " %x:%x:%x:%x", a, b & leaves[i].ebx_mask, c, d);
    }
    teeny_string_add(text, "\n");
}

void teeny_host_cpu_model(char *out_model, size_t size)
{
    unsigned words[13] = {0};
    if ((unsigned)__get_cpuid_max(0x80000000, NULL) >= 0x80000004)
        for (size_t i = 0; i < 3; i++)
            __get_cpuid(0x80000002 + (unsigned)i, &words[4 * i], &words[4 * i + 1],
                &words[4 * i + 2], &words[4 * i + 3]);
    const char *model = (const char *)words;
    model += strspn(model, " ");
    snprintf(out_model, size, "%s", model[0] ? model : "x86-64 CPU");
}

unsigned teeny_host_cpu_machine(void)
{
    return EM_X86_64;
}

enum { A, B, C, D, REGISTER_COUNT };

/* What each level adds, as the psABI of x86-64 defines it. */
static const struct {
    unsigned level, leaf, at, bits;
} level_bits[] = {
    {2, 1, C, bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT},
    {2, 0x80000001, C, bit_LAHF_LM},
    {3, 1, C, bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C},
    {3, 7, B, bit_BMI | bit_AVX2 | bit_BMI2},
    {3, 0x80000001, C, bit_LZCNT},
    {4, 7, B, bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL},
};

/* The registers that a level computes with, which the system must save. */
static const unsigned long long level_states[] = {[3] = 0x6, [4] = 0xe6};

static bool has_level(unsigned level)
{
    unsigned long long states = level_states[level];
    if ((saved_states() & states) != states)
        return false;
    for (size_t i = 0; i < sizeof level_bits / sizeof level_bits[0]; i++) {
        unsigned registers[REGISTER_COUNT] = {0};
        __get_cpuid_count(
            level_bits[i].leaf, 0, &registers[A], &registers[B], &registers[C], &registers[D]);
        unsigned bits = level_bits[i].bits;
        if (level_bits[i].level == level && (registers[level_bits[i].at] & bits) != bits)
            return false;
    }
    return true;
}

unsigned teeny_host_cpu_level(void)
{
    unsigned level = 1, highest = sizeof level_states / sizeof level_states[0] - 1;
    while (level < highest && has_level(level + 1))
        level++;
    return level;
}

#else

static void read_machine(char *out_machine, size_t size)
{
    struct utsname names;
    snprintf(out_machine, size, "%s", uname(&names) == 0 ? names.machine : "CPU");
}

/* Elsewhere the kernel lists features, and, on Arm, the model. */
static void read_model_register(char *out_text, size_t size)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "re");
    out_text[0] = '\0';
    if (!file)
        return;
    if (!fgets(out_text, (int)size, file))
        out_text[0] = '\0';
    out_text[strcspn(out_text, "\n")] = '\0';
    fclose(file);
}

static void identify(teeny_string *text)
{
    char machine[65], model[32];
    read_machine(machine, sizeof machine);
    read_model_register(model, sizeof model);
    teeny_string_format(
        text, "%s %lx %lx %s\n", machine, getauxval(AT_HWCAP), getauxval(AT_HWCAP2), model);
}

void teeny_host_cpu_model(char *out_model, size_t size)
{
    read_machine(out_model, size);
}

unsigned teeny_host_cpu_machine(void)
{
#if defined(__aarch64__)
    return EM_AARCH64;
#elif defined(__riscv)
    return EM_RISCV;
#else
    return EM_NONE;
#endif
}

unsigned teeny_host_cpu_level(void)
{
    return 1;
}

#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char identity[512];

/* Once a process: a virtual machine may trap cpuid, and then it takes its time. */
static void identify_once(void)
{
    teeny_string text = {0};
    identify(&text);
    snprintf(identity, sizeof identity, "%s", teeny_string_text(&text));
    teeny_string_free(&text);
}

#define ROW(name, machine, level, processor, features, notes) {name, machine, level},
static const struct {
    const char *name;
    unsigned machine, level;
} targets[] = {CPU_TARGET_TABLE(ROW)};
#undef ROW

unsigned teeny_host_cpu_runs(const char *target)
{
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].name, target) == 0 &&
            targets[i].machine == teeny_host_cpu_machine() &&
            targets[i].level <= teeny_host_cpu_level())
            return targets[i].level;
    return 0;
}

const char *teeny_host_cpu_identity(void)
{
    pthread_once(&once, identify_once);
    return identity;
}
