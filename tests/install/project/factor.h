#include <teeny/kernel.h>
TEENY_DECL(enum { FACTOR = 3 };);
