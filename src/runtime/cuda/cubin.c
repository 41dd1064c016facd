/* The driver's compilation of PTX, kept beside the PTX; see cubin.h.
 *
 *   ENTRY/sm_90-cuda-13.0-580.65.06/   an entry within the entry: chip, CUDA, driver
 *     manifest
 *     vector_add.cubin
 */
#include "runtime/cuda/cubin.h"

#include "base/string_builder.h"
#include "runtime/cache/cache.h"
#include "runtime/cache/eviction.h"
#include "runtime/cache/private_directory.h"
#include "runtime/report.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_SIZE = 8192 };

/* The driver's own version, where the system says it: two drivers of one CUDA version may compile
 * differently. */
static void add_driver_version(teeny_string *name)
{
    teeny_bytes text;
    if (teeny_file_read(AT_FDCWD, "/sys/module/nvidia/version", 4096, &text) != 0)
        return;
    size_t length = 0;
    while (isalnum((unsigned char)text.data[length]) || text.data[length] == '.')
        length++;
    if (length)
        teeny_string_format(name, "-%.*s", (int)length, text.data);
    teeny_bytes_free(&text);
}

static char *entry_name(const teeny_cuda_device *device)
{
    int version = teeny_cuda_version();
    teeny_string name = {0};
    teeny_string_format(
        &name, "%s-cuda-%d.%d", device->base.target, version / 1000, version % 1000 / 10);
    add_driver_version(&name);
    return teeny_string_take(&name);
}

static char *file_name(const teeny_artifact *artifact)
{
    teeny_string name = {0};
    teeny_string_format(&name, "%s.cubin", artifact->stem);
    return teeny_string_take(&name);
}

/* The entry's key is the PTX that the cubin was made of. */
static teeny_checksum key_of(const teeny_artifact *artifact)
{
    const teeny_bytes *ptx = teeny_artifact_code(artifact);
    return teeny_checksum_of(ptx->data, ptx->size);
}

/* Takes the bytes of the entry's one file. */
static bool take_file(teeny_entry *entry, teeny_bytes *out_bytes)
{
    if (entry->count != 1 || entry->files[0].bytes.size == 0)
        return false;
    *out_bytes = entry->files[0].bytes;
    entry->files[0].bytes = (teeny_bytes){0};
    return true;
}

bool teeny_cubin_read(
    const teeny_cuda_device *device, const teeny_artifact *artifact, teeny_bytes *out_cubin)
{
    if (!artifact->cached)
        return false;
    int directory = teeny_private_directory_open(AT_FDCWD, artifact->place.path, NULL);
    char *name = entry_name(device);
    teeny_entry entry = {0};
    bool found = directory >= 0 && name &&
                 teeny_entry_read(directory, name, key_of(artifact).text, &entry) &&
                 take_file(&entry, out_cubin);
    teeny_entry_free(&entry);
    free(name);
    if (directory >= 0)
        close(directory);
    return found;
}

static void keep_in(int directory, const teeny_cuda_device *device, const teeny_artifact *artifact,
    teeny_bytes copy)
{
    char *name = entry_name(device), *file = file_name(artifact);
    teeny_entry entry = {0};
    if (!name || !file)
        teeny_bytes_free(&copy);
    else if (teeny_entry_add(&entry, file, copy)) {
        int error = teeny_entry_publish(directory, name, key_of(artifact).text, &entry);
        if (error)
            teeny_cache_warn(artifact->place.path, error);
        else
            teeny_cache_grow_within(&entry);
    }
    teeny_entry_free(&entry);
    free(name);
    free(file);
}

static void keep(
    const teeny_cuda_device *device, const teeny_artifact *artifact, const teeny_bytes *cubin)
{
    if (!artifact->cached)
        return;
    int directory = teeny_private_directory_open(AT_FDCWD, artifact->place.path, NULL);
    teeny_bytes copy = {malloc(cubin->size + 1), cubin->size};
    if (directory >= 0 && copy.data) {
        memcpy(copy.data, cubin->data, cubin->size + 1);
        keep_in(directory, device, artifact, copy);
    } else {
        teeny_bytes_free(&copy);
    }
    if (directory >= 0)
        close(directory);
}

/* The value of a PTX directive, such as .version, for messages. */
static int directive(const char *ptx, const char *name, const char **out_value)
{
    const char *at = strstr(ptx, name);
    *out_value = at ? at + strlen(name) + strspn(at + strlen(name), " \t") : "?";
    return (int)strcspn(*out_value, " ,\r\n");
}

static teeny_status fail_link(const teeny_cuda_device *device, const teeny_artifact *artifact,
    CUresult result, const char *call, const char *log)
{
    const char *ptx = teeny_artifact_code(artifact)->data, *version, *target;
    int version_length = directive(ptx, ".version", &version);
    int target_length = directive(ptx, ".target", &target);
    int cuda = teeny_cuda_version();
    switch (result) {
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
        return teeny_fail(TEENY_DRIVER_TOO_OLD,
            "%s: the CUDA driver (for CUDA %d.%d) does not take PTX %.*s of kernel `%s`: install a "
            "newer driver, or set ptx_version in the options\n%s",
            call, cuda / 1000, cuda % 1000 / 10, version_length, version, artifact->stem, log);
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
        return teeny_fail(TEENY_ARTIFACT_INVALID,
            "%s: the CUDA driver (for CUDA %d.%d) refuses the PTX of kernel `%s`, target %.*s, for "
            "%s (%s)\n%s",
            call, cuda / 1000, cuda % 1000 / 10, artifact->stem, target_length, target,
            device->base.model, device->base.target, log);
    default:
        return teeny_cuda_fail(result, call);
    }
}

static CUresult link_ptx(CUlinkState state, const teeny_artifact *artifact, void **out_cubin,
    size_t *out_size, const char **out_call)
{
    const teeny_bytes *ptx = teeny_artifact_code(artifact);
    *out_call = "cuLinkAddData";
    /* The size of PTX counts its zero byte. */
    CUresult result = teeny_cuda.link_add_data(
        state, CU_JIT_INPUT_PTX, ptx->data, ptx->size + 1, artifact->stem, 0, NULL, NULL);
    if (result != CUDA_SUCCESS)
        return result;
    *out_call = "cuLinkComplete";
    return teeny_cuda.link_complete(state, out_cubin, out_size);
}

static bool copy_bytes(const void *data, size_t size, teeny_bytes *out_bytes)
{
    char *copy = malloc(size + 1);
    if (!copy)
        return false;
    memcpy(copy, data, size);
    copy[size] = '\0';
    *out_bytes = (teeny_bytes){copy, size};
    return true;
}

teeny_status teeny_cubin_make(
    const teeny_cuda_device *device, const teeny_artifact *artifact, teeny_bytes *out_cubin)
{
    char log[LOG_SIZE] = "";
    int options[] = {
        CU_JIT_TARGET_FROM_CUCONTEXT,
        CU_JIT_GENERATE_LINE_INFO,
        CU_JIT_ERROR_LOG_BUFFER,
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    };
    void *values[] = {NULL, (void *)1, log, (void *)(uintptr_t)sizeof log};
    const char *call = "cuLinkCreate";
    CUlinkState state = NULL;
    void *cubin = NULL;
    size_t size = 0;
    CUresult result =
        teeny_cuda.link_create(sizeof options / sizeof *options, options, values, &state);
    if (result == CUDA_SUCCESS)
        result = link_ptx(state, artifact, &cubin, &size, &call);
    log[sizeof log - 1] = '\0';
    teeny_status status = TEENY_OK;
    if (result != CUDA_SUCCESS)
        status = fail_link(device, artifact, result, call, log);
    else if (!copy_bytes(cubin, size, out_cubin))
        status = teeny_fail_memory();
    if (state)
        teeny_cuda_warn(teeny_cuda.link_destroy(state), "cuLinkDestroy"); /* frees the cubin */
    if (status == TEENY_OK)
        keep(device, artifact, out_cubin);
    return status;
}
