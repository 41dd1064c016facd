/* Compilations, told to the log and to hooks; see runtime/compile.h. */
#include "runtime/compile.h"

#include "runtime/observe/hooks.h"
#include "runtime/observe/start.h"
#include "runtime/report.h"

/* One line a compilation. What it failed with is for the caller to tell. */
static void log_compilation(const char *kernel, const char *target, const char *specialise,
    teeny_status status, const teeny_artifact *artifact, uint64_t begin)
{
    double milliseconds = (double)(teeny_clock() - begin) * 1e-6;
    const char *known = specialise ? " with " : "";
    if (!specialise)
        specialise = "";
    if (status != TEENY_OK) {
        teeny_log(TEENY_LOG_INFO, "compile: %s for %s%s%s: %s after %.2f ms", kernel, target, known,
            specialise, teeny_status_name(status), milliseconds);
        return;
    }
    const char *origin = artifact->origin ? artifact->origin : "";
    teeny_log(TEENY_LOG_INFO, "compile: %s for %s%s%s: cache %s%s%s%s, %.2f ms: %s", kernel, target,
        known, specialise, artifact->hit ? "hit" : "miss", origin[0] ? " (" : "", origin,
        origin[0] ? ")" : "", milliseconds, artifact->cached ? artifact->place.path : "not cached");
}

static teeny_status compile_logged(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact)
{
    uint64_t begin = teeny_clock();
    teeny_status status = teeny_compile_untold(kernel, target, options, specialise, out_artifact);
    log_compilation(kernel->text.name, target ? target : "?", specialise, status,
        status == TEENY_OK ? *out_artifact : NULL, begin);
    return status;
}

teeny_status teeny_compile(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact)
{
    teeny_observe_start();
    if (!teeny_is_hooked(TEENY_HOOK_COMPILE))
        return compile_logged(kernel, target, options, specialise, out_artifact);
    teeny_observation observation = {
        .record = {.kind = TEENY_HOOK_COMPILE,
            .kernel = kernel->text.name,
            .target = target ? target : ""}}; /* which is refused, but told first */
    teeny_observe_begin(&observation);
    teeny_status status = compile_logged(kernel, target, options, specialise, out_artifact);
    observation.record.artifact = status == TEENY_OK ? *out_artifact : NULL;
    return teeny_observe_end(&observation, status);
}
