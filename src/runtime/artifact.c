/* What a compilation made; see artifact.h and teeny/compile.h. */
#include "runtime/artifact.h"

#include "runtime/image.h"
#include "runtime/kernel_file.h"
#include "runtime/report.h"

#include <stdlib.h>
#include <string.h>

/* Whether a file is the stage's: STEM.STAGE, and STEM.c for the source. Allocates nothing. */
static bool is_stage(const char *file, const char *stem, const char *stage)
{
    size_t length = strlen(stem);
    const char *extension = strcmp(stage, "source") == 0 ? "c" : stage;
    return strncmp(file, stem, length) == 0 && file[length] == '.' &&
           strcmp(file + length + 1, extension) == 0;
}

static const teeny_bytes *find_stage(const teeny_entry *files, const char *stem, const char *stage)
{
    for (size_t i = 0; i < files->count; i++)
        if (is_stage(files->files[i].name, stem, stage))
            return &files->files[i].bytes;
    return NULL;
}

static teeny_status check_metadata(const teeny_request *request, const teeny_metadata *metadata)
{
    size_t expected = request->kernel->arguments_size;
    if (strcmp(metadata->kernel, request->name) != 0)
        return teeny_fail(TEENY_ARTIFACT_INVALID, "its metadata is that of kernel `%s`, not `%s`",
            metadata->kernel, request->name);
    if (!teeny_kernel_is_file(request->kernel) && metadata->arguments_bytes != expected)
        return teeny_fail(TEENY_ARTIFACT_INVALID,
            "the arguments of kernel `%s` are %zu bytes to it and %zu to this program",
            request->name, metadata->arguments_bytes, expected);
    return TEENY_OK;
}

static teeny_status check_object(const teeny_request *request, const teeny_bytes *code)
{
    static const char elf[] = "\177ELF";
    const char *problem = NULL;
    if (request->magic)
        problem = teeny_image_problem(code, request->magic);
    else if (strcmp(request->object, "cubin") == 0)
        problem = code->size < sizeof elf || memcmp(code->data, elf, sizeof elf - 1) != 0
                      ? "it is no ELF file"
                      : NULL;
    else if (!strstr(code->data, ".version") || !strstr(code->data, ".entry"))
        problem = "it has no .version or no .entry";
    if (!problem)
        return TEENY_OK;
    return teeny_fail(
        TEENY_ARTIFACT_INVALID, "%s.%s is malformed: %s", request->name, request->object, problem);
}

teeny_status teeny_artifact_check(const teeny_request *request, const teeny_entry *files)
{
    const teeny_bytes *text = find_stage(files, request->name, "metadata");
    const teeny_bytes *code = find_stage(files, request->name, request->object);
    if (!text || !code)
        return teeny_fail(TEENY_ARTIFACT_INVALID, "there is no %s.%s", request->name,
            text ? request->object : "metadata");
    teeny_metadata metadata;
    const char *problem;
    if (!teeny_metadata_parse(text->data, text->size, &metadata, &problem))
        return problem == teeny_metadata_no_memory
                   ? teeny_fail_memory()
                   : teeny_fail(TEENY_ARTIFACT_INVALID, "%s.metadata is malformed: %s",
                         request->name, problem);
    teeny_status status = check_metadata(request, &metadata);
    teeny_metadata_free(&metadata);
    return status == TEENY_OK ? check_object(request, code) : status;
}

static bool make_paths(teeny_artifact *artifact)
{
    artifact->paths = calloc(artifact->files.count + 1, sizeof *artifact->paths);
    for (size_t i = 0; artifact->paths && i < artifact->files.count; i++) {
        teeny_string path = {0};
        if (artifact->place.path)
            teeny_string_format(
                &path, "%s/%s", artifact->place.path, artifact->files.files[i].name);
        artifact->paths[i] = teeny_string_take(&path);
        if (!artifact->paths[i])
            return false;
    }
    return artifact->paths != NULL;
}

static bool fill(teeny_artifact *artifact, const teeny_request *request)
{
    const char *problem;
    const teeny_bytes *text = find_stage(&artifact->files, request->name, "metadata");
    artifact->stem = strdup(request->name);
    artifact->object = request->object;
    artifact->metadata_text = strdup(text->data);
    return artifact->stem && artifact->metadata_text && make_paths(artifact) &&
           teeny_metadata_parse(text->data, text->size, &artifact->metadata, &problem);
}

teeny_status teeny_artifact_make(const teeny_request *request, teeny_entry files,
    teeny_file_place place, bool hit, teeny_artifact **out_artifact)
{
    teeny_artifact *artifact = calloc(1, sizeof *artifact);
    if (!artifact) {
        teeny_entry_free(&files);
        teeny_file_place_leave(&place);
        return teeny_fail_memory();
    }
    *artifact = (teeny_artifact){
        .files = files, .place = place, .hit = hit, .cached = place.path && place.temporary < 0};
    if (!fill(artifact, request)) {
        teeny_artifact_destroy(artifact);
        return teeny_fail_memory();
    }
    *out_artifact = artifact;
    return TEENY_OK;
}

const teeny_bytes *teeny_artifact_code(const teeny_artifact *artifact)
{
    return find_stage(&artifact->files, artifact->stem, artifact->object);
}

void teeny_artifact_forget(teeny_artifact *artifact)
{
    for (size_t i = 0; i < artifact->files.count; i++) {
        teeny_bytes_free(&artifact->files.files[i].bytes);
        if (!artifact->cached)
            artifact->paths[i][0] = '\0';
    }
    teeny_file_place_leave(&artifact->place);
}

void teeny_artifact_destroy(teeny_artifact *artifact)
{
    if (!artifact)
        return;
    teeny_file_place_leave(&artifact->place);
    for (size_t i = 0; artifact->paths && i < artifact->files.count; i++)
        free(artifact->paths[i]);
    free(artifact->paths);
    free(artifact->stem);
    free(artifact->metadata_text);
    teeny_metadata_free(&artifact->metadata);
    teeny_entry_free(&artifact->files);
    free(artifact);
}

const char *teeny_artifact_stage(const teeny_artifact *artifact, const char *stage)
{
    for (size_t i = 0; artifact && stage && i < artifact->files.count; i++)
        if (is_stage(artifact->files.files[i].name, artifact->stem, stage))
            return artifact->paths[i];
    return NULL;
}

const char *teeny_artifact_path(const teeny_artifact *artifact)
{
    return artifact ? teeny_artifact_stage(artifact, artifact->object) : NULL;
}

const char *teeny_artifact_metadata(const teeny_artifact *artifact)
{
    return artifact ? artifact->metadata_text : NULL;
}

bool teeny_artifact_hit(const teeny_artifact *artifact)
{
    return artifact && artifact->hit;
}

bool teeny_artifact_cached(const teeny_artifact *artifact)
{
    return artifact && artifact->cached;
}

size_t teeny_artifact_parameter_count(const teeny_artifact *artifact)
{
    return artifact ? artifact->metadata.parameter_count : 0;
}

teeny_status teeny_artifact_parameter(
    const teeny_artifact *artifact, size_t index, teeny_parameter *out_parameter)
{
    if (!artifact || !out_parameter)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_artifact_parameter: an argument is NULL");
    if (index >= artifact->metadata.parameter_count)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "kernel `%s` has %zu parameters, and no number %zu", artifact->stem,
            artifact->metadata.parameter_count, index);
    *out_parameter = artifact->metadata.parameters[index];
    return TEENY_OK;
}

size_t teeny_artifact_arguments_size(const teeny_artifact *artifact)
{
    return artifact ? artifact->metadata.arguments_bytes : 0;
}

teeny_status teeny_artifact_meta(
    const teeny_artifact *artifact, const char *name, int64_t *out_value)
{
    if (!artifact || !name || !out_value)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_artifact_meta: an argument is NULL");
    if (teeny_metadata_meta(&artifact->metadata, name, out_value))
        return TEENY_OK;
    teeny_string names = {0};
    for (size_t i = 0; i < artifact->metadata.meta_count; i++)
        teeny_string_format(&names, " %s", artifact->metadata.metas[i].name);
    teeny_status status = teeny_fail(TEENY_OPTION_INVALID, "kernel `%s` has no meta %s; it has:%s",
        artifact->stem, name, names.length ? names.data : " none");
    teeny_string_free(&names);
    return status;
}
