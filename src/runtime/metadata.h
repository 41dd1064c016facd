/* What teenyc says about the code that it made: the `metadata` stage. */
#ifndef TEENY_RUNTIME_METADATA_H
#define TEENY_RUNTIME_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <teeny/compile.h>

/* Strings lie in `storage`. */
typedef struct teeny_metadata {
    char *storage;
    const char *kernel;
    const char *target;
    const char *resolved; /* the exact chip, or CPU with features */
    const char *entry;    /* the symbol */
    uint32_t num_warps;
    uint32_t shared_bytes;
    size_t arguments_bytes; /* of the packed struct */
    size_t parameters_end;  /* of its last field: what lies behind is padding */
    teeny_parameter *parameters;
    size_t parameter_count;
    teeny_meta_value *metas;
    size_t meta_count;
    bool out_of_memory; /* while it was read */
} teeny_metadata;

/* Reads metadata of version 1; keys that it does not know are passed over. On failure `out_problem`
 * gets a phrase that says what is wrong with it, and there is nothing to free; where memory is out,
 * which is nothing wrong with it, that is teeny_metadata_no_memory. */
extern const char teeny_metadata_no_memory[];
bool teeny_metadata_parse(
    const char *text, size_t size, teeny_metadata *out_metadata, const char **out_problem);

void teeny_metadata_free(teeny_metadata *metadata);

/* The value of a META name. */
bool teeny_metadata_meta(const teeny_metadata *metadata, const char *name, int64_t *out_value);

#endif
