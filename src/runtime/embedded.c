/* Kernels that were compiled ahead become artifacts and loaded code; see embedded.h.
 *
 *     image -> artifact (copies of metadata and code, checked) -> the driver's code_load
 *
 * PTX is also put into the cache, under its own checksum, so that the driver's compilation of it
 * has a place to be kept in. Where there is no cache the driver compiles it in each process.
 */
#include "runtime/embedded.h"

#include "base/cpu_image.h"
#include "base/emu_image.h"
#include "runtime/cache/cache.h"
#include "runtime/options.h"
#include "runtime/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Artifacts ------------------------------------------------------------------------------- */

static const struct {
    const char *stage;
    const char *target; /* NULL: any other */
    const char *magic;
} stages[] = {
    {"ptx", NULL, NULL},
    {"cubin", NULL, NULL},
    {"image", "emu", EMU_IMAGE_MAGIC},
    {"image", NULL, CPU_IMAGE_MAGIC},
};

/* What the image would be an answer to. */
static teeny_status make_request(
    const teeny_kernel *kernel, const teeny_embedded_image *image, teeny_request *out_request)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (strcmp(stages[i].stage, image->stage) != 0 ||
            (stages[i].target && strcmp(stages[i].target, image->target) != 0))
            continue;
        *out_request = (teeny_request){.kernel = kernel,
            .name = kernel->text.name,
            .object = stages[i].stage,
            .magic = stages[i].magic};
        return TEENY_OK;
    }
    return teeny_fail(TEENY_ARTIFACT_INVALID, "kernel `%s` has an image of an unknown stage `%s`",
        kernel->text.name, image->stage);
}

static bool add_file(teeny_entry *entry, const teeny_request *request, const char *stage,
    const void *data, size_t size)
{
    teeny_string name = {0};
    teeny_bytes copy = {malloc(size + 1), size};
    if (copy.data) {
        memcpy(copy.data, data, size);
        copy.data[size] = '\0';
    }
    teeny_string_format(&name, "%s.%s", request->name, stage);
    bool is_added = copy.data && !name.failed;
    if (is_added)
        is_added = teeny_entry_add(entry, name.data, copy);
    else
        teeny_bytes_free(&copy);
    teeny_string_free(&name);
    return is_added;
}

/* False where memory is out. */
static bool make_key(const teeny_embedded_image *image, teeny_checksum *out_key)
{
    teeny_string text = {0};
    teeny_string_format(&text, "%s\n", image->metadata);
    teeny_string_append(&text, image->code, image->size);
    *out_key = teeny_checksum_of(teeny_string_text(&text), text.length);
    bool is_made = !text.failed;
    teeny_string_free(&text);
    return is_made;
}

/* Where the cache has the files now. */
static teeny_file_place put_into(teeny_cache *cache, const char *key, teeny_entry *files)
{
    teeny_entry present;
    teeny_file_place place = TEENY_NOWHERE;
    if (teeny_cache_read(cache, TEENY_CACHE_EMBEDDED, key, &present, &place.use) ==
        TEENY_ENTRY_INTACT)
        teeny_entry_free(&present);
    else if (!teeny_cache_publish(cache, TEENY_CACHE_EMBEDDED, key, files, &place.use))
        return TEENY_NOWHERE;
    teeny_string path = {0};
    teeny_string_format(&path, "%s/%s/%s", cache->path, TEENY_CACHE_EMBEDDED, key);
    place.path = teeny_string_take(&path);
    if (!place.path)
        teeny_file_place_leave(&place);
    return place;
}

static teeny_file_place put_into_cache(const teeny_embedded_image *image, teeny_entry *files)
{
    teeny_cache cache;
    teeny_checksum key;
    if (strcmp(image->stage, "ptx") != 0 || !make_key(image, &key) ||
        teeny_cache_open(&cache) != TEENY_OK)
        return TEENY_NOWHERE;
    teeny_file_place place = put_into(&cache, key.text, files);
    teeny_cache_close(&cache);
    return place;
}

static teeny_status make_artifact(
    const teeny_kernel *kernel, const teeny_embedded_image *image, teeny_artifact **out_artifact)
{
    teeny_request request;
    teeny_entry files = {0};
    teeny_status status = make_request(kernel, image, &request);
    if (status != TEENY_OK)
        return status;
    if (!add_file(&files, &request, "metadata", image->metadata, strlen(image->metadata)) ||
        !add_file(&files, &request, request.object, image->code, image->size))
        status = teeny_fail_memory();
    if (status == TEENY_OK)
        status = teeny_artifact_check(&request, &files);
    if (status != TEENY_OK) {
        teeny_entry_free(&files);
        return status;
    }
    teeny_file_place place = put_into_cache(image, &files);
    return teeny_artifact_make(&request, files, place, true, out_artifact);
}

/* ---- Options --------------------------------------------------------------------------------- */

static teeny_status check_metas(
    const teeny_kernel *kernel, const teeny_metadata *metadata, const teeny_options *options)
{
    for (size_t i = 0; i < TEENY_META_LIMIT && options->meta[i].name; i++) {
        const teeny_meta_value *wanted = &options->meta[i];
        int64_t value;
        if (!teeny_metadata_meta(metadata, wanted->name, &value))
            return teeny_fail(TEENY_OPTION_INVALID, "kernel `%s` has no meta %s", kernel->text.name,
                wanted->name);
        if (value != wanted->value)
            return teeny_fail(TEENY_NOT_COMPILED,
                "kernel `%s` was compiled ahead with %s = %lld, not %lld", kernel->text.name,
                wanted->name, (long long)value, (long long)wanted->value);
    }
    return TEENY_OK;
}

/* Types that were chosen have a line of the metadata. */
static teeny_status check_types(
    const teeny_kernel *kernel, const char *metadata, const teeny_options *options)
{
    for (size_t i = 0; i < TEENY_TYPE_LIMIT && options->types[i].name; i++) {
        const teeny_type_choice *wanted = &options->types[i];
        teeny_string line = {0};
        teeny_string_format(&line, "\ntype = %s %s\n", wanted->name, wanted->type);
        bool is_there = strstr(metadata, teeny_string_text(&line)) && !line.failed;
        teeny_string_free(&line);
        if (!is_there)
            return teeny_fail(TEENY_NOT_COMPILED, "kernel `%s` was not compiled ahead with %s = %s",
                kernel->text.name, wanted->name, wanted->type);
    }
    return TEENY_OK;
}

static teeny_status check_options(const teeny_kernel *kernel, const teeny_embedded_image *image,
    const teeny_artifact *artifact, const teeny_options *options)
{
    const teeny_metadata *metadata = &artifact->metadata;
    if (!options)
        return TEENY_OK;
    unsigned warps = (unsigned)options->num_warps;
    if (warps && warps != metadata->num_warps && strcmp(image->stage, "image") != 0)
        return teeny_fail(TEENY_NOT_COMPILED, "kernel `%s` was compiled ahead for %u warps, not %u",
            kernel->text.name, metadata->num_warps, warps);
    teeny_status status = check_metas(kernel, metadata, options);
    return status == TEENY_OK ? check_types(kernel, artifact->metadata_text, options) : status;
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* Each target once; `wanted` is not among those that run on `device_target`. */
static teeny_status fail_missing(
    const teeny_kernel *kernel, const char *device_target, const char *wanted)
{
    const teeny_embedded *embedded = kernel->embedded;
    teeny_string targets = {0};
    for (size_t i = 0; i < embedded->count; i++)
        if (!embedded->images[i].specialised[0])
            teeny_string_format(&targets, "%s%s (%s)", targets.length ? ", " : "",
                embedded->images[i].target, embedded->images[i].stage);
    const char *target = wanted ? wanted : device_target;
    teeny_message_set(TEENY_NOT_COMPILED,
        "kernel `%s` was compiled ahead for %s; none of it runs on %s: "
        "compile it for that too (teenyc --emit c --target ...)",
        kernel->text.name, targets.length ? targets.data : "nothing", target);
    teeny_string_free(&targets);
    return TEENY_NOT_COMPILED;
}

static teeny_status load_image(teeny_device *device, const teeny_kernel *kernel,
    const teeny_embedded_image *image, const teeny_options *options, teeny_variant *out_variant)
{
    teeny_variant variant = {0};
    teeny_status status = make_artifact(kernel, image, &variant.artifact);
    if (status != TEENY_OK)
        return status;
    status = check_options(kernel, image, variant.artifact, options);
    if (status == TEENY_OK)
        status = teeny_variant_load(device, &variant);
    if (status != TEENY_OK) {
        teeny_artifact_destroy(variant.artifact);
        return status;
    }
    teeny_log(TEENY_LOG_INFO, "embedded: %s on %s: the %s for %s%s%s", kernel->text.name,
        device->name, image->stage, image->target, image->specialised[0] ? ", " : "",
        image->specialised);
    *out_variant = variant;
    return TEENY_OK;
}

/* What the next best image may do better. */
static bool is_refusal(teeny_status status)
{
    return status == TEENY_DRIVER_TOO_OLD || status == TEENY_ARTIFACT_INVALID ||
           status == TEENY_DEVICE_FAILED;
}

static void warn_refusal(const teeny_kernel *kernel, const teeny_embedded_image *image)
{
    teeny_log(TEENY_LOG_WARNING, "embedded: %s: the %s for %s%s%s cannot be used: %s",
        kernel->text.name, image->stage, image->target, image->specialised[0] ? ", " : "",
        image->specialised, teeny_message());
}

teeny_status teeny_embedded_load(teeny_device *device, const teeny_kernel *kernel,
    const teeny_options *options, teeny_variant *out_variant)
{
    const teeny_embedded_image *image;
    const char *wanted = options ? options->target : NULL;
    teeny_status status = TEENY_NOT_COMPILED;
    unsigned limit = UINT_MAX;
    while ((image = teeny_image_best(kernel->embedded, device->target, wanted, limit))) {
        status = load_image(device, kernel, image, options, out_variant);
        if (!is_refusal(status))
            return status;
        warn_refusal(kernel, image);
        limit = teeny_image_rank(image, device->target);
    }
    return limit == UINT_MAX ? fail_missing(kernel, device->target, wanted) : status;
}

teeny_status teeny_embedded_compile(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact)
{
    const teeny_embedded_image *image =
        specialise || !target ? NULL : teeny_image_best(kernel->embedded, target, NULL, UINT_MAX);
    if (!image)
        return fail_missing(kernel, target ? target : "no target", NULL);
    teeny_artifact *artifact;
    teeny_status status = make_artifact(kernel, image, &artifact);
    if (status != TEENY_OK)
        return status;
    status = check_options(kernel, image, artifact, options);
    if (status == TEENY_OK)
        *out_artifact = artifact;
    else
        teeny_artifact_destroy(artifact);
    return status;
}

/* ---- Specialised images ---------------------------------------------------------------------- */

static unsigned count_facts(const char *facts)
{
    unsigned count = 0, position;
    unsigned long number;
    while (teeny_fact_read(&facts, &position, &number))
        count++;
    return count;
}

/* The most facts first; of as many, the image that the device suits better. */
static unsigned rank_known(const teeny_embedded_image *image, const char *device_target)
{
    enum { MOST_FACTS = 255, FACT = 1 << 22 };
    unsigned facts = count_facts(image->specialised);
    unsigned rank = teeny_image_rank(image, device_target);
    return rank ? rank + FACT * (facts < MOST_FACTS ? facts : MOST_FACTS) : 0;
}

/* The image of `target` made for most of what the signature knows whose rank is below `limit`, and
 * its rank; NULL: there is none. */
static const teeny_embedded_image *best_known(const teeny_embedded *embedded,
    const char *device_target, const char *target, const teeny_specialisation *specialisation,
    teeny_signature signature, unsigned limit, unsigned *out_rank)
{
    const teeny_embedded_image *best = NULL;
    *out_rank = 0;
    for (size_t i = 0; i < embedded->count; i++) {
        const teeny_embedded_image *image = &embedded->images[i];
        if (!image->specialised[0] || strcmp(image->target, target) != 0)
            continue;
        unsigned rank = rank_known(image, device_target);
        if (rank <= *out_rank || rank >= limit ||
            !teeny_signature_implies(specialisation, signature, image->specialised))
            continue;
        best = image;
        *out_rank = rank;
    }
    return best;
}

teeny_status teeny_embedded_load_known(teeny_device *device, const teeny_kernel *kernel,
    const char *target, const teeny_specialisation *specialisation, teeny_signature signature,
    teeny_variant *out_variant)
{
    const teeny_embedded_image *image;
    unsigned limit = UINT_MAX;
    while ((image = best_known(kernel->embedded, device->target, target, specialisation, signature,
                limit, &limit))) {
        teeny_status status = load_image(device, kernel, image, NULL, out_variant);
        if (!is_refusal(status))
            return status;
        warn_refusal(kernel, image);
    }
    return TEENY_NOT_COMPILED;
}
