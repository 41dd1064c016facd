/* NVTX: what libteeny does, as ranges on a profiler's time line; off unless the environment says
 * so. */
#ifndef TEENY_RUNTIME_OBSERVE_NVTX_H
#define TEENY_RUNTIME_OBSERVE_NVTX_H

/* Where TEENY_NVTX is set and not 0, or is not set and NVTX_INJECTION64_PATH is: attaches to the
 * profiler and registers the hook that makes ranges. Once a process. */
void teeny_nvtx_start(void);

/* Give names to a device and a stream of the CUDA driver; nothing where no profiler is attached. */
void teeny_nvtx_name_device(int device, const char *name);
void teeny_nvtx_name_stream(void *stream, const char *device_name);

#endif
