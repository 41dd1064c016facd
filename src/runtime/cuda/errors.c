/* What the driver's error codes mean to a program: a status, and what to do about it. */
#include "runtime/cuda/symbols.h"
#include "runtime/report.h"

#define START_AGAIN                                                                                \
    "the CUDA context of this process is gone, and every further call on the device fails: start " \
    "the process again"
#define KERNEL_FAILED                                                                              \
    "a kernel has failed (its own launch reported nothing: it ran later; emu or compute-sanitizer" \
    " find the line); " START_AGAIN
#define HARDWARE_FAILED "the hardware has failed; " START_AGAIN ", and look at nvidia-smi -q"
#define BEING_CAPTURED                                                                             \
    "a stream is being captured, or was: end the capture, then make the call again"

#define OUTSIDE                                                                                    \
    "the device's context is not made current (by cuCtxGetCurrent, cuCtxSetCurrent and "           \
    "cuThreadExchangeStreamCaptureMode): "

static const struct meaning {
    CUresult result;
    teeny_status status;
    const char *advice; /* NULL: the driver's own words are enough */
} meanings[] = {
    {CUDA_ERROR_OUT_OF_MEMORY, TEENY_OUT_OF_MEMORY, NULL},
    {3, TEENY_NO_DRIVER, "the driver was not started, or was started before fork()"},
    {4, TEENY_DEVICE_LOST, "the process is ending and the driver with it"},
    {46, TEENY_DEVICE_FAILED, "the device is busy, or another process has it for itself"},
    {CUDA_ERROR_NO_DEVICE, TEENY_NO_DEVICE, NULL},
    {CUDA_ERROR_INVALID_DEVICE, TEENY_NO_DEVICE, NULL},
    {201, TEENY_DEVICE_LOST,
        "somebody has reset the device or destroyed its context; close all "
        "that is open on it, and open it again"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, TEENY_ARTIFACT_INVALID, NULL},
    {214, TEENY_DEVICE_LOST, HARDWARE_FAILED},
    {CUDA_ERROR_INVALID_PTX, TEENY_ARTIFACT_INVALID, NULL},
    {220, TEENY_DEVICE_LOST, HARDWARE_FAILED},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, TEENY_DRIVER_TOO_OLD,
        "install a newer driver, or set ptx_version in the options"},
    {700, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {701, TEENY_DEVICE_FAILED, "a program needs more registers or threads than the device has"},
    {702, TEENY_DEVICE_LOST, "a kernel ran longer than this device allows; " START_AGAIN},
    {709, TEENY_DEVICE_LOST,
        "somebody has reset the device or destroyed its context; close all "
        "that is open on it, and open it again"},
    {710, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {714, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {715, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {716, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {717, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {718, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {719, TEENY_DEVICE_LOST, KERNEL_FAILED},
    {800, TEENY_DEVICE_FAILED,
        "in a function of teeny_stream_call neither the driver nor libteeny may be called"},
    {802, TEENY_NO_DRIVER,
        "the system is still starting its GPUs; try again, or look whether "
        "nvidia-fabricmanager runs"},
    {803, TEENY_NO_DRIVER,
        "libcuda and the kernel's driver are of different versions: restart the "
        "machine after an update, or install one of both"},
    {804, TEENY_NO_DRIVER,
        "this GPU does not run with the forward-compatibility libcuda: take "
        "the driver's own libcuda, or a newer driver"},
    {900, TEENY_DEVICE_FAILED, BEING_CAPTURED},
    {901, TEENY_DEVICE_FAILED, BEING_CAPTURED},
    {906, TEENY_DEVICE_FAILED, BEING_CAPTURED},
    {907, TEENY_DEVICE_FAILED, BEING_CAPTURED},
};

static const struct meaning *find_meaning(CUresult result)
{
    static const struct meaning unknown = {.status = TEENY_DEVICE_FAILED};
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].result == result)
            return &meanings[i];
    return &unknown;
}

static const char *error_name(CUresult result)
{
    const char *name = NULL;
    if (teeny_cuda.get_error_name && teeny_cuda.get_error_name(result, &name) == CUDA_SUCCESS &&
        name)
        return name;
    return "an error of its own";
}

static const char *error_text(CUresult result)
{
    const char *text = NULL;
    if (teeny_cuda.get_error_string && teeny_cuda.get_error_string(result, &text) == CUDA_SUCCESS &&
        text)
        return text;
    return "no more is known";
}

void teeny_cuda_describe(CUresult result, const char *call, teeny_string *text)
{
    bool outside = result < 0;
    if (outside)
        result = -result;
    const char *advice = find_meaning(result)->advice;
    teeny_string_format(text, "%s: %sthe CUDA driver reports %s (%d): %s", call,
        outside ? OUTSIDE : "", error_name(result), result, error_text(result));
    if (advice)
        teeny_string_format(text, "; %s", advice);
}

teeny_status teeny_cuda_meaning(CUresult result)
{
    return find_meaning(result < 0 ? -result : result)->status;
}

teeny_status teeny_cuda_fail(CUresult result, const char *call)
{
    teeny_string text = {0};
    teeny_cuda_describe(result, call, &text);
    teeny_status status = teeny_cuda_meaning(result);
    teeny_message_set(status, "%s", text.failed ? call : teeny_string_text(&text));
    teeny_string_free(&text);
    return status;
}

void teeny_cuda_warn(CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS)
        return;
    teeny_string text = {0};
    teeny_cuda_describe(result, call, &text);
    teeny_log(TEENY_LOG_WARNING, "%s", text.failed ? call : teeny_string_text(&text));
    teeny_string_free(&text);
}
