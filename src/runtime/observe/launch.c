/* Launches, told to hooks; see calls.h. */
#include "runtime/observe/calls.h"

#include "runtime/text.h"

/* The function that a call launches, or NULL where it is not loaded. */
static teeny_function *function_of(const teeny_launch_call *call)
{
    return call->function ? call->function
                          : teeny_function_table_find(&call->stream->device->table, call->kernel);
}

static teeny_observation describe(const teeny_launch_call *call, const teeny_function *function)
{
    const teeny_artifact *artifact = function ? function->generic.artifact : NULL;
    return (teeny_observation){
        .record = {.kind = TEENY_HOOK_LAUNCH,
            .kernel = call->kernel->text.name,
            .target = artifact ? artifact->metadata.target : call->stream->device->target,
            .artifact = artifact,
            .device = call->stream->device,
            .stream = call->stream,
            .grid = call->grid,
            .arguments = call->arguments,
            .arguments_size = call->arguments_size}};
}

/* The report begins before the kernel is compiled, if it is not yet; what is no kernel has no name
 * to be told. Arguments that did not fail to be launched are the kernel's. */
teeny_status teeny_launch_observed(
    const teeny_launch_call *call, teeny_status (*launch)(const teeny_launch_call *call))
{
    teeny_function *function = function_of(call);
    teeny_status status = function ? TEENY_OK : teeny_text_check(call->kernel);
    if (status != TEENY_OK)
        return status;
    if (call->function) /* a hook may unload it */
        atomic_fetch_add(&call->function->references, 1);
    teeny_observation observation = describe(call, function);
    teeny_observe_begin(&observation);
    status = launch(call);
    function = status == TEENY_OK ? function_of(call) : NULL;
    observation.record.artifact =
        function ? teeny_function_variant_artifact(function, call->arguments) : NULL;
    status = teeny_observe_end(&observation, status);
    if (call->function)
        teeny_function_release(call->function);
    return status;
}
