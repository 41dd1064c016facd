/* main [describe]: runs the kernels on the device of TEST_DEVICE (cpu), or checks what they left in
 * the program. */
#include <stdlib.h>
#include <string.h>

#include "describe.h"

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "describe") == 0)
        return describe_program();
    const char *name = getenv("TEST_DEVICE");
    teeny_device *device;
    if (teeny_device_open(name ? name : "cpu", &device) != TEENY_OK) {
        fprintf(stderr, "%s\n", teeny_message());
        return 1;
    }
    int mistakes = run_c(device, 0) + run_cpp(device, 0);
    teeny_device_close(device);
    return mistakes ? 1 : 0;
}
