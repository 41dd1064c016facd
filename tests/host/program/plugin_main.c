/* plugin_main PLUGIN.so...: runs the kernels of shared libraries that are opened at run time. Each
 * has the same kernels, with a bias of its own: 1 in the first, 2 in the second. */
#include <dlfcn.h>

#include "engine.h"

typedef int run_function(teeny_device *device, f32 bias);

static int run_plugin(teeny_device *device, const char *path, f32 bias)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    run_function *run = (run_function *)(intptr_t)dlsym(plugin, "run_c");
    int mistakes = run ? run(device, bias) : 1;
    dlclose(plugin);
    return mistakes;
}

int main(int count, char **words)
{
    teeny_device *device;
    if (teeny_device_open("cpu", &device) != TEENY_OK) {
        fprintf(stderr, "%s\n", teeny_message());
        return 1;
    }
    int mistakes = 0;
    for (int i = 1; i < count; i++)
        mistakes += run_plugin(device, words[i], (f32)i);
    for (int i = 1; i < count; i++) /* once more: a library that was closed is opened again */
        mistakes += run_plugin(device, words[i], (f32)i);
    teeny_device_close(device);
    return mistakes ? 1 : 0;
}
