// The whole ttg dialect, in the order in which its reference reads.

include "ttg_dialect.td"
include "ttg_attrs.td"
include "ttg_types.td"
include "ttg_ops.td"
include "ttg_ops_shared.td"
