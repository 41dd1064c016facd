// Carets under tabs.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out), META(), {
	out[0]	= 	missing; // CRLF
	out[1] = "a\
b";
});
