/* Which of a kernel's images runs on a device; see embedded.h. */
#include "runtime/embedded.h"
#include "runtime/host_cpu.h"
#include "runtime/report.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ranks ----------------------------------------------------------------------------------- */

enum { MAJOR = 10, RANKS_EACH = 2, FOR_ONE_CHIP = 1 << 20 };

/* "sm_90a" is 90 and 'a', "sm_90" is 90 and '\0'. False where it is neither. */
static bool read_chip(const char *target, unsigned *out_chip, char *out_suffix)
{
    static const char prefix[] = "sm_";
    char *end;
    if (strncmp(target, prefix, sizeof prefix - 1) != 0 ||
        !isdigit((unsigned char)target[sizeof prefix - 1]))
        return false;
    *out_chip = (unsigned)strtoul(target + sizeof prefix - 1, &end, 10);
    *out_suffix = *end;
    return *end == '\0' || (*end == 'a' && end[1] == '\0');
}

static unsigned rank_gpu(const char *target, const char *device_target, bool is_cubin)
{
    unsigned chip, device;
    char suffix, ignored;
    if (!read_chip(target, &chip, &suffix) || !read_chip(device_target, &device, &ignored))
        return 0;
    unsigned rank = RANKS_EACH * chip + is_cubin;
    if (suffix)
        return chip == device ? FOR_ONE_CHIP + rank : 0;
    bool runs = chip <= device && (!is_cubin || chip / MAJOR == device / MAJOR);
    return runs ? rank : 0;
}

unsigned teeny_image_rank(const teeny_embedded_image *image, const char *device_target)
{
    if (strcmp(image->stage, "ptx") == 0)
        return rank_gpu(image->target, device_target, false);
    if (strcmp(image->stage, "cubin") == 0)
        return rank_gpu(image->target, device_target, true);
    if (strcmp(device_target, "cpu") == 0)
        return teeny_host_cpu_runs(image->target);
    return strcmp(image->target, device_target) == 0;
}

const teeny_embedded_image *teeny_image_best(
    const teeny_embedded *embedded, const char *device_target, const char *wanted, unsigned limit)
{
    const teeny_embedded_image *best = NULL;
    unsigned highest = 0;
    for (size_t i = 0; i < embedded->count; i++) {
        const teeny_embedded_image *image = &embedded->images[i];
        unsigned rank = teeny_image_rank(image, device_target);
        bool is_allowed = !image->specialised[0] && (!wanted || strcmp(image->target, wanted) == 0);
        if (!is_allowed || rank >= limit || rank <= highest)
            continue;
        best = image;
        highest = rank;
    }
    return best;
}

/* ---- What images were made for --------------------------------------------------------------- */

struct question {
    const teeny_embedded *embedded;
    const char *target;
};

/* Whether an image of the target was made for something about this parameter. */
static bool is_asked_about(unsigned position, const void *user)
{
    const struct question *question = user;
    for (size_t i = 0; i < question->embedded->count; i++) {
        const teeny_embedded_image *image = &question->embedded->images[i];
        const char *facts = image->specialised;
        unsigned found;
        unsigned long number;
        while (strcmp(image->target, question->target) == 0 &&
               teeny_fact_read(&facts, &found, &number))
            if (found == position)
                return true;
    }
    return false;
}

void teeny_embedded_specialise(
    const teeny_kernel *kernel, const char *target, teeny_specialisation *specialisation)
{
    const struct question question = {kernel->embedded, target};
    teeny_specialisation_keep(specialisation, is_asked_about, &question);
}

/* ---- For callers ----------------------------------------------------------------------------- */

teeny_status teeny_embedded_choose(
    const teeny_kernel *kernel, const char *target, size_t *out_image)
{
    if (!kernel || !target || !out_image || !kernel->embedded)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_embedded_choose: %s",
            !kernel || !target || !out_image ? "an argument is NULL"
                                             : "the kernel has no compiled code");
    const teeny_embedded_image *best = teeny_image_best(kernel->embedded, target, NULL, UINT_MAX);
    if (!best)
        return teeny_fail(
            TEENY_NOT_COMPILED, "no image of kernel `%s` runs on %s", kernel->text.name, target);
    *out_image = (size_t)(best - kernel->embedded->images);
    return TEENY_OK;
}
