/* See image.h.
 *
 * The bytes go into a sealed memfd, which is mapped: a file in the cache could change between its
 * check and its use, and a file system may be mounted noexec.
 */
#define _GNU_SOURCE 1 /* memfd_create */
#include "runtime/image.h"

#include "runtime/host_cpu.h"
#include "runtime/report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3: says that the code in it is meant to run */
#endif

#define SCRATCH_LIMIT ((uint64_t)1 << 32)

static bool lies_inside(uint64_t offset, uint64_t size, uint64_t whole)
{
    return offset <= whole && size <= whole - offset;
}

const char *teeny_image_problem(const teeny_bytes *bytes, const char *magic)
{
    struct cpu_image_header header;
    if (bytes->size < sizeof header)
        return "it is shorter than its header";
    memcpy(&header, bytes->data, sizeof header);
    if (memcmp(header.magic, magic, sizeof header.magic) != 0)
        return "it does not begin as an image of its target does";
    if (header.version != CPU_IMAGE_VERSION)
        return "it has another version";
    if (header.machine != teeny_host_cpu_machine())
        return "it is for another kind of machine";
    if (header.size != bytes->size || header.size % CPU_IMAGE_PAGE != 0)
        return "its size is not the one in its header";
    if (header.code_size == 0 || !lies_inside(header.code_offset, header.code_size, header.size))
        return "its code lies outside of it";
    if (header.entry_offset < header.code_offset ||
        header.entry_offset - header.code_offset >= header.code_size)
        return "its entry lies outside of its code";
    if (!lies_inside(header.debug_offset, header.debug_size, header.size))
        return "its debug information lies outside of it";
    if (header.scratch_bytes > SCRATCH_LIMIT)
        return "it wants too much scratch memory";
    return NULL;
}

/* Older kernels do not know MFD_EXEC, and refuse what they do not know. */
static int create_memory_file(void)
{
    int file = memfd_create("teeny-kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
    if (file < 0 && errno == EINVAL)
        file = memfd_create("teeny-kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return file;
}

static int fill_and_seal(int file, const teeny_bytes *bytes)
{
    int error = teeny_write(file, bytes->data, bytes->size);
    if (error)
        return error;
    int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    return fcntl(file, F_ADD_SEALS, seals) < 0 ? errno : 0;
}

int teeny_image_map(const teeny_bytes *bytes, teeny_image *out_image)
{
    struct cpu_image_header header;
    memcpy(&header, bytes->data, sizeof header);
    int file = create_memory_file();
    if (file < 0)
        return errno;
    int error = fill_and_seal(file, bytes);
    void *mapping = MAP_FAILED;
    if (!error) {
        mapping = mmap(NULL, bytes->size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
        error = mapping == MAP_FAILED ? errno : 0;
    }
    close(file);
    if (error)
        return error;
    *out_image = (teeny_image){
        .mapping = mapping,
        .size = bytes->size,
        .scratch_bytes = header.scratch_bytes,
    };
    /* ISO C has no conversion from an object's address to a function's. */
    void *entry = (char *)mapping + header.entry_offset;
    memcpy(&out_image->entry, &entry, sizeof entry);
    if (header.debug_size)
        out_image->debugged = teeny_debugger_announce(
            (char *)mapping + header.debug_offset, header.debug_size, mapping);
    return 0;
}

teeny_status teeny_image_fail(int error, const char *kernel)
{
    return teeny_fail(error == ENOMEM ? TEENY_OUT_OF_MEMORY : TEENY_IO_FAILED,
        "the code of kernel `%s` could not be mapped for execution: %s", kernel, strerror(error));
}

void teeny_image_unmap(teeny_image *image)
{
    teeny_debugger_forget(image->debugged);
    if (image->mapping)
        munmap(image->mapping, image->size);
    *image = (teeny_image){0};
}
