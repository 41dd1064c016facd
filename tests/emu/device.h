/* The device emu with a stream, open while a program's tests run, and what tests of it expect. */
#ifndef TEENY_TESTS_EMU_DEVICE_H
#define TEENY_TESTS_EMU_DEVICE_H

#include <teeny/teeny.h>

extern teeny_device *device;
extern teeny_stream *stream;

/* Fails the test with the status and its message. */
void require(teeny_status status);

/* Fails the test unless the message contains all pieces; a NULL ends them. */
void expect_message(const char *message, ...);

/* cmocka fixtures. */
int device_open(void **state);
int device_close(void **state);

#endif
