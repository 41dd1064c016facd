/* libteeny's own hooks, registered where the environment asks for them; see start.h. */
#include "runtime/observe/start.h"

#include "runtime/driver.h"
#include "runtime/observe/hooks.h"
#include "runtime/observe/nvtx.h"
#include "runtime/report.h"

#include <pthread.h>

static void log_launch(const teeny_hook_record *record, void *user)
{
    (void)user;
    if (!record->is_exit)
        return;
    teeny_log(TEENY_LOG_DEBUG,
        "launch: %s on %s, grid %lld x %lld x %lld, %zu bytes of arguments: %s, %.2f us",
        record->kernel, record->device->name, (long long)record->grid.x, (long long)record->grid.y,
        (long long)record->grid.z, record->arguments_size, teeny_status_name(record->status),
        (double)record->nanoseconds * 1e-3);
}

static void start(void)
{
    static const teeny_hook launches = {.kinds = TEENY_HOOK_LAUNCH, .function = log_launch};
    teeny_log_check();
    if (teeny_log_has_launches())
        teeny_hook_register_own(&launches);
    teeny_nvtx_start();
}

void teeny_observe_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
}
