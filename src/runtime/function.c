/* Functions: compiled, loaded, shared, freed; see function.h. */
#define _GNU_SOURCE 1 /* dladdr */
#include "runtime/function.h"

#include "runtime/callback.h"
#include "runtime/compile.h"
#include "runtime/embedded.h"
#include "runtime/fork.h"
#include "runtime/kernel_file.h"
#include "runtime/report.h"
#include "runtime/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Functions are found by their kernel's address, which must not come to mean another kernel: the
 * library that holds it must stay. The program itself always does, and gives NULL here. */
static void *hold_module(const teeny_kernel *kernel)
{
    Dl_info info;
    if (!dladdr(kernel, &info) || !info.dli_fname)
        return NULL;
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* Borrowed code belongs to the variant with the artifact. */
static void unload_variant(const teeny_driver *driver, teeny_variant *variant)
{
    if (variant->code && variant->artifact)
        driver->code_unload(variant->code);
    teeny_artifact_destroy(variant->artifact);
}

void teeny_function_release(teeny_function *function)
{
    if (atomic_fetch_sub(&function->references, 1) != 1)
        return;
    teeny_variants_free(&function->variants, function->device->driver, unload_variant);
    unload_variant(function->device->driver, &function->generic);
    free(function->options);
    if (function->holds_kernel)
        teeny_kernel_drop(function->kernel);
    if (function->module)
        dlclose(function->module);
    free(function);
}

static teeny_status load_variant(teeny_device *device, const teeny_kernel *kernel,
    const teeny_options *options, const char *specialise, teeny_variant *variant)
{
    if (kernel->embedded)
        return teeny_embedded_load(device, kernel, options, variant);
    const char *target = options && options->target ? options->target : device->target;
    teeny_status status = teeny_compile(kernel, target, options, specialise, &variant->artifact);
    const char *targets = device->driver->targets;
    if (status == TEENY_OK && strncmp(target, targets, strlen(targets)) != 0)
        return teeny_fail(
            TEENY_OPTION_INVALID, "target %s is not for device %s", target, device->name);
    return status == TEENY_OK ? teeny_variant_load(device, variant) : status;
}

static teeny_status fill(teeny_function *function, const teeny_options *options)
{
    if (options && !(function->options = teeny_options_copy(options)))
        return teeny_fail_memory();
    teeny_status status =
        load_variant(function->device, function->kernel, options, NULL, &function->generic);
    if (status != TEENY_OK)
        return status;
    const teeny_metadata *metadata = &function->generic.artifact->metadata;
    function->arguments_size = metadata->arguments_bytes;
    teeny_specialisation specialisation;
    status = teeny_specialisation_make(
        metadata, options ? options->do_not_specialise : NULL, &specialisation);
    if (status != TEENY_OK || !function->device->driver->specialises)
        return status;
    function->specialisation = specialisation;
    if (function->kernel->embedded)
        teeny_embedded_specialise(function->kernel, metadata->target, &function->specialisation);
    return status;
}

static teeny_status create(teeny_device *device, const teeny_kernel *kernel,
    const teeny_options *options, teeny_function **out_function)
{
    if (teeny_device_is_inherited(device))
        return teeny_fail_forked();
    teeny_status status = teeny_text_check(kernel);
    if (status != TEENY_OK)
        return status;
    teeny_function *function = calloc(1, sizeof *function);
    if (!function)
        return teeny_fail_memory();
    function->device = device;
    function->kernel = kernel;
    function->holds_kernel = teeny_kernel_hold(kernel);
    function->module = hold_module(kernel);
    teeny_variants_init(&function->variants);
    atomic_init(&function->references, 1);
    status = fill(function, options);
    if (status == TEENY_OK)
        *out_function = function;
    else
        teeny_function_release(function);
    return status;
}

teeny_status teeny_function_default(
    teeny_device *device, const teeny_kernel *kernel, teeny_function **out_function)
{
    teeny_function *function = teeny_function_table_find(&device->table, kernel);
    if (function) {
        *out_function = function;
        return TEENY_OK;
    }
    teeny_status status = create(device, kernel, NULL, &function);
    if (status != TEENY_OK)
        return status;
    teeny_function *present = teeny_function_table_add(&device->table, kernel, function);
    if (present != function)
        teeny_function_release(function);
    if (!present)
        return teeny_fail_memory();
    *out_function = present;
    return TEENY_OK;
}

teeny_status teeny_load(teeny_device *device, const teeny_kernel *kernel,
    const teeny_options *options, teeny_function **out_function)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !kernel || !out_function)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_load: %s is NULL",
            !device   ? "device"
            : !kernel ? "kernel"
                      : "out_function");
    teeny_function *function;
    teeny_status status;
    if (options) {
        status = create(device, kernel, options, &function);
    } else {
        status = teeny_function_default(device, kernel, &function);
        if (status == TEENY_OK)
            atomic_fetch_add(&function->references, 1);
    }
    if (status != TEENY_OK)
        return status;
    teeny_device_retain(device);
    *out_function = function;
    return TEENY_OK;
}

/* The functions whose variants are being made on this thread, by the launches that it is in: a hook
 * that hears of a compilation or load may launch another one. */
struct making {
    const teeny_function *function;
    const struct making *outer;
};
static _Thread_local const struct making *innermost;

static bool is_being_made(const teeny_function *function)
{
    const struct making *making = innermost;
    while (making && making->function != function)
        making = making->outer;
    return making != NULL;
}

static void refuse_to_unload(const teeny_function *function)
{
    teeny_message_set(TEENY_IN_CALLBACK,
        "teeny_unload was called in a hook for the function of kernel `%s`, which is compiled or "
        "loaded for a launch that goes on: it stays loaded",
        function->kernel->text.name);
    teeny_log(TEENY_LOG_WARNING, "%s", teeny_message());
}

void teeny_unload(teeny_function *function)
{
    if (!function || teeny_callback_ignores(__func__))
        return;
    if (is_being_made(function)) {
        refuse_to_unload(function);
        return;
    }
    teeny_device *device = function->device;
    teeny_function_release(function);
    teeny_device_close(device);
}

/* ---- Variants -------------------------------------------------------------------------------- */

static teeny_status compile_variant(
    teeny_function *function, teeny_signature signature, teeny_variant *variant)
{
    char *specialise = teeny_signature_text(&function->specialisation, signature);
    if (!specialise)
        return teeny_fail_memory();
    teeny_status status =
        load_variant(function->device, function->kernel, function->options, specialise, variant);
    if (status != TEENY_OK)
        teeny_log(TEENY_LOG_WARNING,
            "kernel `%s` runs without what is known of its arguments (%s): %s",
            function->kernel->text.name, specialise, teeny_message());
    free(specialise);
    return status;
}

/* Code for arguments of which this is known. What was compiled ahead has it or not: that it has not
 * is nobody's fault. */
static teeny_status load_known(
    teeny_function *function, teeny_signature signature, teeny_variant *variant)
{
    if (!function->kernel->embedded)
        return compile_variant(function, signature, variant);
    return teeny_embedded_load_known(function->device, function->kernel,
        function->generic.artifact->metadata.target, &function->specialisation, signature, variant);
}

/* A new variant: its own code, or the generic one where that cannot be had. NULL where memory is
 * out. */
static teeny_variant *make_variant(teeny_function *function, teeny_signature signature)
{
    teeny_variant *variant = calloc(1, sizeof *variant);
    if (!variant)
        return NULL;
    const struct making self = {function, innermost};
    innermost = &self;
    teeny_status status = load_known(function, signature, variant);
    innermost = self.outer;
    if (status != TEENY_OK) {
        unload_variant(function->device->driver, variant);
        *variant = (teeny_variant){.code = function->generic.code};
    }
    variant->signature = signature;
    return variant;
}

static teeny_code *add_variant(teeny_function *function, teeny_signature signature)
{
    teeny_variants *variants = &function->variants;
    if (is_being_made(function)) /* a hook launches it, while this thread has it locked */
        return function->generic.code;
    pthread_mutex_lock(&variants->mutex);
    teeny_variant *variant = teeny_variants_find(variants, signature);
    if (!variant && variants->count < TEENY_VARIANT_LIMIT) {
        variant = make_variant(function, signature);
        if (variant)
            teeny_variants_add(variants, variant);
    }
    pthread_mutex_unlock(&variants->mutex);
    return variant ? variant->code : function->generic.code;
}

teeny_code *teeny_function_code(teeny_function *function, const void *arguments)
{
    teeny_signature signature = teeny_signature_of(&function->specialisation, arguments);
    if (signature == 0)
        return function->generic.code;
    const teeny_variant *variant = teeny_variants_find(&function->variants, signature);
    return variant ? variant->code : add_variant(function, signature);
}

const teeny_artifact *teeny_function_variant_artifact(
    teeny_function *function, const void *arguments)
{
    teeny_signature signature = teeny_signature_of(&function->specialisation, arguments);
    const teeny_variant *variant = teeny_variants_find(&function->variants, signature);
    return variant && variant->artifact ? variant->artifact : function->generic.artifact;
}

/* ---- What is known of a function ------------------------------------------------------------- */

const teeny_artifact *teeny_function_artifact(const teeny_function *function)
{
    return function ? function->generic.artifact : NULL;
}

teeny_status teeny_function_meta(
    const teeny_function *function, const char *name, int64_t *out_value)
{
    if (!function || !name || !out_value)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_function_meta: an argument is NULL");
    return teeny_artifact_meta(function->generic.artifact, name, out_value);
}

teeny_status teeny_kernel_info(teeny_function *function, const void *arguments,
    size_t arguments_size, teeny_resources *out_resources)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!function || !out_resources)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_kernel_info: %s is NULL",
            function ? "out_resources" : "function");
    if (arguments && arguments_size != function->arguments_size)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "teeny_kernel_info: the packed arguments are %zu bytes; the kernel's parameters take "
            "%zu",
            arguments_size, function->arguments_size);
    if (teeny_device_is_inherited(function->device))
        return teeny_fail_forked();
    teeny_code *code =
        arguments ? teeny_function_code(function, arguments) : function->generic.code;
    teeny_resources resources = {0};
    teeny_status status = function->device->driver->code_resources(code, &resources);
    if (status == TEENY_OK)
        *out_resources = resources;
    return status;
}
