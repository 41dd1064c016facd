/* What torch_check.py calls: launches on a stream of torch's, as an extension of torch would. */
#include "kernels.h"

#include <stdio.h>

/* Each returns 0, or a status after having said what is wrong. */
__attribute__((visibility("default"))) int streams_scale(
    int number, void *native, float *out, const float *x, float a, int n);
__attribute__((visibility("default"))) int streams_cold_scale(
    int number, void *native, float *out, const float *x, float a, int n);

static teeny_status open_stream(
    int number, void *native, teeny_device **out_device, teeny_stream **out_stream)
{
    char name[16];
    snprintf(name, sizeof name, "cuda:%d", number);
    teeny_status status = teeny_device_open(name, out_device);
    if (status != TEENY_OK)
        return status;
    status = teeny_stream_wrap(*out_device, native, out_stream);
    if (status != TEENY_OK)
        teeny_device_close(*out_device);
    return status;
}

static int scale(const teeny_kernel *kernel, int number, void *native, float *out, const float *x,
    float a, int n)
{
    static teeny_device *kept; /* keeps what was loaded */
    teeny_device *device;
    teeny_stream *stream;
    const struct {
        f32 *out;
        const f32 *x;
        f32 a;
        i32 n;
    } arguments = {out, x, a, n};
    teeny_status status = open_stream(number, native, &device, &stream);
    if (status == TEENY_OK) {
        if (!kept && teeny_device_open(teeny_device_name(device), &kept) != TEENY_OK)
            kept = NULL;
        status = teeny_launch(
            stream, kernel, teeny_grid1((n + 255) / 256), &arguments, sizeof arguments);
        teeny_stream_destroy(stream);
        teeny_device_close(device);
    }
    if (status != TEENY_OK)
        printf("    %s: %s\n", teeny_status_name(status), teeny_message());
    fflush(stdout);
    return status;
}

int streams_scale(int number, void *native, float *out, const float *x, float a, int n)
{
    return scale(TEENY_KERNEL_OF(scale), number, native, out, x, a, n);
}

int streams_cold_scale(int number, void *native, float *out, const float *x, float a, int n)
{
    return scale(TEENY_KERNEL_OF(cold_foreign), number, native, out, x, a, n);
}
