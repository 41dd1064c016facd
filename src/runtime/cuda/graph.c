/* The CUDA driver's graphs: captured from streams, instantiated, updated, launched. */
#include "runtime/cuda/context.h"
#include "runtime/report.h"

/* Relaxed: any thread may go on with the capture and end it, and what libteeny does besides, such
 * as loading a kernel at its first launch, is no part of it. */
static teeny_status begin(teeny_stream *stream)
{
    CUstream handle = teeny_cuda_stream_of(stream)->handle;
    CUresult result;
    if (handle == CU_STREAM_LEGACY)
        return teeny_fail(
            TEENY_INVALID_ARGUMENT, "the legacy default stream cannot be captured: use another");
    TEENY_CUDA_WITH(stream->device, &result,
        teeny_cuda.stream_begin_capture(handle, CU_STREAM_CAPTURE_MODE_RELAXED));
    return teeny_cuda_status(result, "cuStreamBeginCapture");
}

static teeny_status end(teeny_stream *stream, void **out_capture)
{
    CUgraph capture = NULL;
    CUresult result;
    TEENY_CUDA_WITH(stream->device, &result,
        teeny_cuda.stream_end_capture(teeny_cuda_stream_of(stream)->handle, &capture));
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuStreamEndCapture");
    *out_capture = capture;
    return TEENY_OK;
}

static void drop(teeny_device *device, void *capture)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.graph_destroy(capture));
    teeny_cuda_warn(result, "cuGraphDestroy");
}

static CUresult instantiate(CUgraph capture, CUgraphExec *out_graph)
{
    if (teeny_cuda.graph_instantiate)
        return teeny_cuda.graph_instantiate(out_graph, capture, 0);
    return teeny_cuda.graph_instantiate_2(out_graph, capture, NULL, NULL, 0);
}

static bool can_instantiate(void)
{
    return teeny_cuda.graph_instantiate || teeny_cuda.graph_instantiate_2;
}

static teeny_status make(teeny_device *device, void *capture, void **out_graph)
{
    CUgraphExec graph = NULL;
    CUresult result;
    if (!can_instantiate()) {
        drop(device, capture);
        return teeny_cuda_fail_missing("cuGraphInstantiateWithFlags", "11.4", "graphs");
    }
    TEENY_CUDA_WITH_RELAXED(device, &result, instantiate(capture, &graph));
    drop(device, capture);
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result,
            teeny_cuda.graph_instantiate ? "cuGraphInstantiateWithFlags" : "cuGraphInstantiate");
    *out_graph = graph;
    return TEENY_OK;
}

static CUresult try_update(CUgraphExec graph, CUgraph capture)
{
    CUgraphExecUpdateResultInfo info = {0};
    if (teeny_cuda.graph_update)
        return teeny_cuda.graph_update(graph, capture, &info);
    if (teeny_cuda.graph_update_1)
        return teeny_cuda.graph_update_1(graph, capture, &info.node, &info.result);
    return CUDA_ERROR_NOT_SUPPORTED;
}

static void destroy(teeny_device *device, void *graph)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(device, &result, teeny_cuda.graph_exec_destroy(graph));
    teeny_cuda_warn(result, "cuGraphExecDestroy");
}

/* Where the steps are others, a new graph takes the old one's place; the driver keeps that as long
 * as launches of it are under way. */
static teeny_status update(teeny_device *device, void *capture, void **graph)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(device, &result, try_update(*graph, capture));
    if (result == CUDA_SUCCESS) {
        drop(device, capture);
        return TEENY_OK;
    }
    if (result != CUDA_ERROR_NOT_SUPPORTED && result != CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
        teeny_cuda_warn(result, "cuGraphExecUpdate, in whose place a new graph is made");
    void *made = NULL;
    teeny_status status = make(device, capture, &made);
    if (status != TEENY_OK)
        return status;
    destroy(device, *graph);
    *graph = made;
    return TEENY_OK;
}

static teeny_status launch(teeny_stream *stream, void *graph)
{
    CUresult result;
    TEENY_CUDA_WITH_RELAXED(stream->device, &result,
        teeny_cuda.graph_launch(graph, teeny_cuda_stream_of(stream)->handle));
    return teeny_cuda_status(result, "cuGraphLaunch");
}

static teeny_status is_active(teeny_stream *stream, bool *out_active)
{
    int status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult result;
    TEENY_CUDA_WITH(stream->device, &result,
        teeny_cuda.stream_is_capturing(teeny_cuda_stream_of(stream)->handle, &status));
    if (result != CUDA_SUCCESS)
        return teeny_cuda_fail(result, "cuStreamIsCapturing");
    *out_active = status != CU_STREAM_CAPTURE_STATUS_NONE;
    return TEENY_OK;
}

const teeny_graph_driver teeny_cuda_graphs = {
    .begin = begin,
    .end = end,
    .drop = drop,
    .make = make,
    .update = update,
    .launch = launch,
    .destroy = destroy,
    .is_active = is_active,
};
