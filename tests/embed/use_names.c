/* Two headers of one name, of different kernels; valid as C and as C++. */
#include "x/names.h"
#include "y/names.h"

teeny_status use(teeny_stream *stream, teeny_grid grid, i32 *p);

teeny_status use(teeny_stream *stream, teeny_grid grid, i32 *p)
{
    const i64 least = class_LEAST;
    const i32 few = least < 0 ? launch_images + launch_embedded + class_metadata_0 : 0;
    teeny_status status = launch_launch(stream, grid, p, few, 2);
    return status == TEENY_OK ? class_launch(stream, grid, p, 1, 2, 3) : status;
}
