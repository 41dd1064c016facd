// The whole tt dialect, in the order in which its reference reads.

include "tt_dialect.td"
include "tt_attrs.td"
include "tt_types.td"
include "tt_ops_base.td"
include "tt_ops_function.td"
include "tt_ops_memory.td"
include "tt_ops_shape.td"
include "tt_ops_cast.td"
include "tt_ops_math.td"
include "tt_ops_reduce.td"
include "tt_ops_dot.td"
