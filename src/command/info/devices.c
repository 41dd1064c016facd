/* Devices, and whether a kernel runs on one; see info.h. */
#include "command/info/info.h"

#include "base/environment.h"
#include "base/files.h"
#include "runtime/cuda/symbols.h"
#include "runtime/driver.h"
#include "runtime/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* ---- A trial --------------------------------------------------------------------------------- */

enum { TRIAL_VALUE = 42 };

static const char trial_text[] = "TEENY_KERNEL(teeny_info, (i32 *x), META(), { x[0] = 42; });\n";

static teeny_status run_trial(teeny_device *device, const teeny_kernel *kernel, int *out_value)
{
    teeny_stream *stream = NULL;
    teeny_buffer *buffer = NULL;
    teeny_status status = teeny_stream_create(device, &stream);
    if (status == TEENY_OK)
        status = teeny_buffer_create(device, sizeof(int), &buffer);
    void *address = buffer ? teeny_buffer_pointer(buffer) : NULL;
    if (status == TEENY_OK)
        status = teeny_launch(stream, kernel, teeny_grid1(1), &address, sizeof address);
    if (status == TEENY_OK)
        status = teeny_buffer_read(stream, buffer, 0, out_value, sizeof *out_value);
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(stream);
    return status;
}

/* Compiles, loads and runs a kernel on the device that `auto` opens. */
static teeny_status try_kernel(char *name, size_t size)
{
    teeny_device *device = NULL;
    const teeny_kernel *kernel = NULL;
    int value = 0;
    teeny_status status = teeny_device_open("auto", &device);
    if (status == TEENY_OK)
        status = teeny_kernel_from_text(trial_text, "teeny-info.c", NULL, &kernel);
    if (device)
        snprintf(name, size, "%s", teeny_device_name(device));
    if (status == TEENY_OK)
        status = run_trial(device, kernel, &value);
    teeny_kernel_release(kernel);
    teeny_device_close(device);
    if (status == TEENY_OK && value != TRIAL_VALUE)
        return teeny_fail(
            TEENY_DEVICE_FAILED, "the kernel ran and left %d, not %d", value, TRIAL_VALUE);
    return status;
}

json_t *info_trial(void)
{
    char name[64] = "auto";
    teeny_status status = try_kernel(name, sizeof name);
    if (status == TEENY_OK)
        return json_pack("{s:b, s:s}", "usable", 1, "device", name);
    return json_pack("{s:b, s:s, s:s, s:s}", "usable", 0, "device", name, "status",
        teeny_status_name(status), "missing", teeny_message());
}

/* ---- Devices --------------------------------------------------------------------------------- */

json_t *info_auto(void)
{
    const char *wanted = teeny_environment(TEENY_VARIABLE_TEENY_AUTO_DEVICE);
    teeny_device *device;
    if (teeny_device_open("auto", &device) != TEENY_OK)
        return json_pack("{s:n, s:s}", "device", "reason", teeny_message());
    const char *name = teeny_device_name(device);
    const char *reason = strncmp(name, "cuda", 4) == 0 ? "the first GPU of the driver"
                                                       : "there is no GPU that can be used";
    json_t *answer = json_pack(
        "{s:s, s:s}", "device", name, "reason", wanted ? "TEENY_AUTO_DEVICE says so" : reason);
    teeny_device_close(device);
    return answer;
}

/* Why kernels are compiled for this target. */
static const char *target_reason(const teeny_device *device, char *text, size_t size)
{
    const char *target = device->target;
    size_t length = strlen(target);
    if (strncmp(target, "sm_", 3) == 0)
        snprintf(text, size, "the chip's compute capability is %.*s.%s", (int)(length - 4),
            target + 3, target + length - 1);
    else if (strcmp(target, "cpu") == 0)
        snprintf(text, size, "this processor with its features, as under cpu below");
    else
        snprintf(text, size, "the code for a GPU, run thread by thread on the host");
    return text;
}

static json_t *describe(const teeny_device *device)
{
    char reason[96];
    json_t *answer = json_pack("{s:s, s:b, s:s, s:s, s:s}", "name", device->name, "usable", 1,
        "model", device->model, "target", device->target, "target_reason",
        target_reason(device, reason, sizeof reason));
    if (device->memory)
        json_object_set_new(answer, "memory_bytes", json_integer((json_int_t)device->memory));
    if (device->processors)
        json_object_set_new(answer, "multiprocessors", json_integer(device->processors));
    return answer;
}

static void add_device(json_t *devices, const char *name)
{
    teeny_device *device;
    if (teeny_device_open(name, &device) == TEENY_OK) {
        json_array_append_new(devices, describe(device));
        teeny_device_close(device);
    } else {
        json_array_append_new(devices,
            json_pack("{s:s, s:b, s:s}", "name", name, "usable", 0, "reason", teeny_message()));
    }
}

/* Where there is none the first is named all the same, with the reason. */
static int count_named(const teeny_driver *driver)
{
    int count = 0;
    return teeny_device_count(driver->name, &count) == TEENY_OK && count > 1 ? count : 1;
}

json_t *info_devices(void)
{
    json_t *devices = json_array();
    for (size_t i = 0; teeny_drivers[i]; i++) {
        const teeny_driver *driver = teeny_drivers[i];
        char name[64];
        for (int number = 0; number < count_named(driver); number++) {
            snprintf(name, sizeof name, driver->numbered ? "%s:%d" : "%s", driver->name, number);
            add_device(devices, name);
        }
    }
    return devices;
}

/* ---- The driver ------------------------------------------------------------------------------ */

/* The kernel module's version, where the system says it. */
static void add_module_version(json_t *answer)
{
    teeny_bytes text;
    if (teeny_file_read(AT_FDCWD, "/sys/module/nvidia/version", 4096, &text) != 0)
        return;
    text.data[strcspn(text.data, "\n")] = '\0';
    json_object_set_new(answer, "version", json_string(text.data));
    teeny_bytes_free(&text);
}

json_t *info_driver(void)
{
    const char *configured = teeny_environment(TEENY_VARIABLE_TEENY_LIBCUDA_PATH);
    const char *tried = configured ? configured : "libcuda.so.1";
    teeny_status status = teeny_cuda_open();
    const char *library = teeny_cuda_library();
    char version[32];
    snprintf(version, sizeof version, "%d.%d", teeny_cuda_version() / 1000,
        teeny_cuda_version() % 1000 / 10);
    if (status != TEENY_OK)
        return json_pack("{s:b, s:s, s:s, s:s}", "usable", 0, "tried", tried, "tried_because",
            configured ? "TEENY_LIBCUDA_PATH" : "the loader's search", "reason", teeny_message());
    json_t *answer = json_pack(
        "{s:b, s:s, s:s?, s:s}", "usable", 1, "tried", tried, "library", library, "cuda", version);
    add_module_version(answer);
    return answer;
}
