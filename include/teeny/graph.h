/* Graphs: the work of some streams, captured once and launched as a whole again and again.
 *
 *     teeny_capture_begin(stream);
 *     ... launches, copies, fills, calls; other streams join through events ...
 *     teeny_capture_end(stream, &graph);
 *     teeny_graph_launch(graph, stream);    any number of times
 *
 * What is put on a stream that is being captured does not run; it is noted with the arguments that
 * it has then. Buffers, the host's memory and what kernels' pointers lead to must live as long as
 * the graph is launched. Functions that are launched in it stay loaded as long as the graph lives.
 * On cuda a graph is the driver's; on cpu and emu it is a list that is put on the stream in the
 * order of capture. Thread-safe, but for one thing: two captures that would share a stream.
 */
#ifndef TEENY_GRAPH_H
#define TEENY_GRAPH_H

#include <teeny/event.h>

TEENY_BEGIN_C

/* Captured work, ready to be launched. */
typedef struct teeny_graph teeny_graph;

/* From now on what is put on the stream is captured. Any thread may go on with it, and end it.
 * Errors: TEENY_INVALID_ARGUMENT where the stream is being captured already, or is the legacy
 * default stream; TEENY_DEVICE_FAILED, TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_capture_begin(teeny_stream *stream);

/* Whether what is put on the stream is captured, by whomever. */
TEENY_API teeny_status teeny_capture_is_active(teeny_stream *stream, bool *out_active);

/* Ends the capture that began on this stream, and makes a graph of it; teeny_graph_destroy frees
 * it. Also where it fails the streams are as before, and what was captured is gone. Errors:
 * TEENY_INVALID_ARGUMENT where no capture began on this stream, or where a stream joined in and
 * this one did not wait for the end of its work; TEENY_DEVICE_FAILED where the driver gave the
 * capture up, TEENY_OUT_OF_MEMORY. */
TEENY_API teeny_status teeny_capture_end(teeny_stream *stream, teeny_graph **out_graph);

/* Ends the capture as teeny_capture_end does, but makes an existing graph of the same device the
 * new one. Launches of the old one that are under way are not touched. Where the steps are the same
 * and only arguments and grids differ, it is much cheaper on cuda than a new graph. Where it fails
 * the capture has ended, too, and the graph is as before. */
TEENY_API teeny_status teeny_capture_end_into(teeny_stream *stream, teeny_graph *graph);

/* Puts the graph on a stream of the device that it was captured on. Launches of one graph follow
 * each other, also on different streams. Errors: TEENY_INVALID_ARGUMENT for another device's
 * stream; TEENY_UNSUPPORTED where the stream is being captured: a graph cannot be part of another;
 * as those of what was captured. */
TEENY_API teeny_status teeny_graph_launch(teeny_graph *graph, teeny_stream *stream);

/* Waits for the work on libteeny's streams of the device, then frees the graph; NULL is allowed. */
TEENY_API void teeny_graph_destroy(teeny_graph *graph);

TEENY_END_C

#endif
