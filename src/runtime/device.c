/* Devices: found by name, shared, and freed with their last reference. */
#include "base/environment.h"
#include "runtime/callback.h"
#include "runtime/fork.h"
#include "runtime/function.h"
#include "runtime/observe/start.h"
#include "runtime/report.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const teeny_driver *const teeny_drivers[] = {
    &teeny_cuda_driver, &teeny_cpu_driver, &teeny_emu_driver, NULL};

/* Guards the list of open devices and their reference counts. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static teeny_device *first_open;

/* What the parent opened is not to be found here, and refuses. */
static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (teeny_device *device = first_open; device; device = device->next) {
        device->driver = &teeny_forked_driver;
        device->is_private = true;
    }
}
TEENY_AFTER_FORK(start_anew)

teeny_device *teeny_device_retain(teeny_device *device)
{
    pthread_mutex_lock(&mutex);
    device->references++;
    pthread_mutex_unlock(&mutex);
    return device;
}

static void free_device(teeny_device *device)
{
    device->driver->device_synchronize(device);
    teeny_function_table_free(&device->table, teeny_function_release);
    device->driver->device_close(device);
}

void teeny_device_close(teeny_device *device)
{
    if (!device || teeny_callback_ignores(__func__))
        return;
    pthread_mutex_lock(&mutex);
    bool last = --device->references == 0;
    if (last) {
        teeny_device **link = &first_open;
        while (*link != device)
            link = &(*link)->next;
        *link = device->next;
    }
    pthread_mutex_unlock(&mutex);
    if (last)
        free_device(device);
}

static teeny_device *find_open(const teeny_driver *driver, int number)
{
    for (teeny_device *device = first_open; device; device = device->next)
        if (!device->is_private && device->driver == driver && device->number == number)
            return device;
    return NULL;
}

static void name_device(teeny_device *device)
{
    if (device->driver->numbered)
        snprintf(device->name, sizeof device->name, "%s:%d", device->driver->name, device->number);
    else
        snprintf(device->name, sizeof device->name, "%s", device->driver->name);
}

static void fill_device(teeny_device *device, const teeny_driver *driver, int number)
{
    device->driver = driver;
    device->number = number;
    name_device(device);
    teeny_function_table_init(&device->table);
}

/* With the mutex held. */
static void enlist(teeny_device *device)
{
    device->references = 1;
    device->next = first_open;
    first_open = device;
}

/* With the mutex held: a device is opened once, however many threads ask for it. */
static teeny_status open_shared(const teeny_driver *driver, int number, teeny_device **out_device)
{
    teeny_device *device = find_open(driver, number);
    if (device) {
        device->references++;
    } else {
        teeny_status status = driver->device_open(number, &device);
        if (status != TEENY_OK)
            return status;
        fill_device(device, driver, number);
        teeny_log(TEENY_LOG_INFO, "device: %s is open: %s, target %s", device->name, device->model,
            device->target);
        enlist(device);
    }
    *out_device = device;
    return TEENY_OK;
}

static teeny_status open_number(const teeny_driver *driver, int number, teeny_device **out_device)
{
    pthread_mutex_lock(&mutex);
    teeny_status status = open_shared(driver, number, out_device);
    pthread_mutex_unlock(&mutex);
    return status;
}

/* The first driver that has a device; why those before it have none is told to the log. */
static teeny_status open_any(teeny_device **out_device)
{
    teeny_status status = TEENY_NO_DEVICE;
    for (size_t i = 0; teeny_drivers[i] && status != TEENY_OK; i++) {
        status = open_number(teeny_drivers[i], 0, out_device);
        if (status != TEENY_OK)
            teeny_log(
                TEENY_LOG_INFO, "device: auto: no %s: %s", teeny_drivers[i]->name, teeny_message());
    }
    return status;
}

/* "N" of "cuda:N", or -1. */
static int parse_number(const char *text)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return -1;
    unsigned long number = strtoul(text, &end, 10);
    return *end || number > 9999 ? -1 : (int)number;
}

static bool match(const teeny_driver *driver, const char *name, int *out_number)
{
    size_t length = strlen(driver->name);
    *out_number = 0;
    if (strncmp(name, driver->name, length) != 0)
        return false;
    if (name[length] == '\0') /* "cuda" is "cuda:0" */
        return true;
    *out_number = driver->numbered && name[length] == ':' ? parse_number(name + length + 1) : -1;
    return *out_number >= 0;
}

#define NAMES "cpu, emu, cuda:0, cuda:1, ..."

/* False: there is no such name. */
static bool open_named(const char *name, teeny_device **out_device, teeny_status *out_status)
{
    for (size_t i = 0; teeny_drivers[i]; i++) {
        int number;
        if (!match(teeny_drivers[i], name, &number))
            continue;
        *out_status = open_number(teeny_drivers[i], number, out_device);
        return true;
    }
    return false;
}

static teeny_status open_auto(teeny_device **out_device)
{
    const char *wanted = teeny_environment(TEENY_VARIABLE_TEENY_AUTO_DEVICE);
    teeny_status status;
    if (!wanted)
        return open_any(out_device);
    if (open_named(wanted, out_device, &status))
        return status;
    return teeny_fail(TEENY_UNKNOWN_DEVICE,
        "TEENY_AUTO_DEVICE is `%s`, which is no device: it takes " NAMES, wanted);
}

teeny_status teeny_device_open(const char *name, teeny_device **out_device)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!name || !out_device)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "teeny_device_open: %s is NULL", name ? "out_device" : "name");
    teeny_observe_start();
    teeny_status status;
    if (strcmp(name, "auto") == 0)
        return open_auto(out_device);
    if (open_named(name, out_device, &status))
        return status;
    return teeny_fail(
        TEENY_UNKNOWN_DEVICE, "there is no device `%s`: devices are auto, " NAMES, name);
}

static teeny_status count_devices(const teeny_driver *driver, int *out_count)
{
    if (!driver->device_count) {
        *out_count = 1;
        return TEENY_OK;
    }
    pthread_mutex_lock(&mutex);
    teeny_status status = driver->device_count(out_count);
    pthread_mutex_unlock(&mutex);
    return status;
}

teeny_status teeny_device_count(const char *kind, int *out_count)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!kind || !out_count)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "teeny_device_count: %s is NULL", kind ? "out_count" : "kind");
    for (size_t i = 0; teeny_drivers[i]; i++)
        if (strcmp(teeny_drivers[i]->name, kind) == 0)
            return count_devices(teeny_drivers[i], out_count);
    return teeny_fail(
        TEENY_UNKNOWN_DEVICE, "there is no kind of device `%s`: kinds are cpu, emu, cuda", kind);
}

teeny_status teeny_device_make_current(teeny_device *device)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_device_make_current: device is NULL");
    if (!device->driver->device_make_current)
        return TEENY_OK;
    return device->driver->device_make_current(device);
}

teeny_status teeny_device_access(teeny_device *device, teeny_device *peer)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!device || !peer)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "teeny_device_access: %s is NULL", device ? "peer" : "device");
    if (device == peer || (device->driver->host_memory && peer->driver->host_memory))
        return TEENY_OK;
    if (device->driver != peer->driver || !device->driver->device_access)
        return teeny_fail(TEENY_UNSUPPORTED, "kernels of %s cannot use memory of %s: copy it",
            device->name, peer->name);
    return device->driver->device_access(device, peer);
}

teeny_status teeny_device_open_on(const teeny_executor *executor, teeny_device **out_device)
{
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!executor || !out_device)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_device_open_on: %s is NULL",
            executor ? "out_device" : "executor");
    if (!executor->run || executor->threads == 0)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_device_open_on: the executor has no %s",
            executor->run ? "threads" : "run");
    teeny_observe_start();
    teeny_device *device;
    teeny_status status = teeny_cpu_device_make(executor, &device);
    if (status != TEENY_OK)
        return status;
    fill_device(device, &teeny_cpu_driver, 0);
    device->is_private = true;
    pthread_mutex_lock(&mutex);
    enlist(device);
    pthread_mutex_unlock(&mutex);
    *out_device = device;
    return TEENY_OK;
}

teeny_status teeny_device_fail_stream(
    const char *call, const char *what, const teeny_device *device, const teeny_stream *stream)
{
    const char *name = stream->device->name;
    if (strcmp(device->name, name) == 0)
        return teeny_fail(TEENY_INVALID_ARGUMENT,
            "%s: %s and the stream are on two different devices, both named %s", call, what, name);
    return teeny_fail(TEENY_INVALID_ARGUMENT, "%s: %s is on %s, the stream on %s", call, what,
        device->name, name);
}

const char *teeny_device_name(const teeny_device *device)
{
    return device ? device->name : NULL;
}

const char *teeny_device_model(const teeny_device *device)
{
    return device ? device->model : NULL;
}

const char *teeny_device_target(const teeny_device *device)
{
    return device ? device->target : NULL;
}
