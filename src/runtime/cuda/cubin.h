/* The driver's compilation of PTX for the chip at hand, kept beside the PTX. */
#ifndef TEENY_RUNTIME_CUDA_CUBIN_H
#define TEENY_RUNTIME_CUDA_CUBIN_H

#include "runtime/cuda/context.h"

/* Reads the kept cubin of a cached artifact. False: there is none for this driver and chip. */
bool teeny_cubin_read(
    const teeny_cuda_device *device, const teeny_artifact *artifact, teeny_bytes *out_cubin);

/* Compiles the artifact's PTX with the device's context current, and keeps the result if it can be
 * kept. The caller frees the bytes. Errors: TEENY_DRIVER_TOO_OLD, TEENY_ARTIFACT_INVALID. */
teeny_status teeny_cubin_make(
    const teeny_cuda_device *device, const teeny_artifact *artifact, teeny_bytes *out_cubin);

#endif
