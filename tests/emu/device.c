/* See device.h. */
#include "device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

teeny_device *device;
teeny_stream *stream;

void require(teeny_status status)
{
    if (status != TEENY_OK)
        fail_msg("%s: %s", teeny_status_name(status), teeny_message());
}

void expect_message(const char *message, ...)
{
    va_list pieces;
    printf("    %s\n", message);
    va_start(pieces, message);
    for (const char *piece; (piece = va_arg(pieces, const char *));)
        if (!strstr(message, piece))
            fail_msg("`%s` is not in: %s", piece, message);
    va_end(pieces);
}

int device_open(void **state)
{
    (void)state;
    require(teeny_device_open("emu", &device));
    require(teeny_stream_create(device, &stream));
    return 0;
}

int device_close(void **state)
{
    (void)state;
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return 0;
}
