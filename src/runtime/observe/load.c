/* Loads, told to the log and to hooks; see calls.h. */
#include "runtime/observe/calls.h"

#include "runtime/report.h"

static teeny_status load_logged(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    uint64_t begin = teeny_clock();
    teeny_status status = device->driver->code_load(device, artifact, out_code);
    double milliseconds = (double)(teeny_clock() - begin) * 1e-6;
    const char *origin = status == TEENY_OK ? (*out_code)->origin : NULL;
    if (status == TEENY_OK)
        teeny_log(TEENY_LOG_INFO, "load: %s on %s%s%s, %.2f ms", artifact->stem, device->name,
            origin ? " from " : "", origin ? origin : "", milliseconds);
    else
        teeny_log(TEENY_LOG_INFO, "load: %s on %s: %s after %.2f ms", artifact->stem, device->name,
            teeny_status_name(status), milliseconds);
    return status;
}

teeny_status teeny_code_load(
    teeny_device *device, const teeny_artifact *artifact, teeny_code **out_code)
{
    if (!teeny_is_hooked(TEENY_HOOK_LOAD))
        return load_logged(device, artifact, out_code);
    teeny_observation observation = {.record = {.kind = TEENY_HOOK_LOAD,
                                         .kernel = artifact->stem,
                                         .target = artifact->metadata.target,
                                         .artifact = artifact,
                                         .device = device}};
    teeny_observe_begin(&observation);
    teeny_status status = load_logged(device, artifact, out_code);
    return teeny_observe_end(&observation, status);
}
