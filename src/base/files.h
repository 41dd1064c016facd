/* Files and directories, relative to an open directory.
 *
 * What takes a directory descriptor (or AT_FDCWD) and a name follows no symbolic link in the name's
 * last part, and what is opened is closed on exec. Functions return 0 or an errno value.
 */
#ifndef TEENY_BASE_FILES_H
#define TEENY_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes on the heap, followed by a zero byte that `size` does not count. Starts as all zero. */
typedef struct teeny_bytes {
    char *data;
    size_t size;
} teeny_bytes;

void teeny_bytes_free(teeny_bytes *bytes);

/* Reads a regular file whole; EFBIG if it is longer than `limit`, EISDIR for a directory, EINVAL
 * for what else is no regular file. The caller frees the bytes. */
int teeny_file_read(int directory, const char *name, size_t limit, teeny_bytes *out_bytes);

/* The same for a file that the user has named, who may have named a symbolic link. */
int teeny_file_read_named(const char *path, size_t limit, teeny_bytes *out_bytes);

/* What is wrong with such a file, as a phrase for its name and a colon before it. */
const char *teeny_file_problem(int error);

/* The same for a file that only the user can have written: EPERM if somebody else owns it or may
 * write to it. */
int teeny_file_read_private(int directory, const char *name, size_t limit, teeny_bytes *out_bytes);

/* Writes all of it. Where a limit on the length of files is passed (RLIMIT_FSIZE) the result is
 * EFBIG, and the host gets no signal. Returns 0 or an errno value. */
int teeny_write(int file, const void *data, size_t size);

/* Makes a new file, readable and writable by the user alone; with `sync` it is on the disk when
 * this returns. Leaves no file behind on failure. */
int teeny_file_write(int directory, const char *name, const void *data, size_t size, bool sync);

/* Removes a file, or a directory with all that is in it. A name that is not there is no error. */
int teeny_remove_tree(int directory, const char *name);

#endif
