/* Metadata: what is read, and that nothing malformed is. */
#include "runtime/metadata.h"

#include "support.h"

static const char good[] = "teeny metadata 1\n"
                           "kernel = vector_add\n"
                           "target = sm_90a\n"
                           "resolved = sm_90a\n"
                           "entry = vector_add_entry\n"
                           "num-warps = 8\n"
                           "shared-bytes = 49152\n"
                           "arguments-bytes = 32\n"
                           "parameter = 0 8 pointer out\n"
                           "parameter = 24 4 i32 n\n"
                           "meta = BLOCK 1024\n"
                           "meta = LOW -3\n"
                           "type = T f16\n"
                           "something = new\n";

static void test_every_field(void **state)
{
    (void)state;
    teeny_metadata metadata;
    const char *problem;
    int64_t value;
    assert_true(teeny_metadata_parse(good, strlen(good), &metadata, &problem));
    assert_string_equal(metadata.kernel, "vector_add");
    assert_string_equal(metadata.target, "sm_90a");
    assert_string_equal(metadata.resolved, "sm_90a");
    assert_string_equal(metadata.entry, "vector_add_entry");
    assert_int_equal(metadata.num_warps, 8);
    assert_int_equal(metadata.shared_bytes, 49152);
    assert_int_equal(metadata.arguments_bytes, 32);
    assert_int_equal(metadata.parameters_end, 28);
    assert_true(teeny_metadata_meta(&metadata, "BLOCK", &value));
    assert_int_equal(value, 1024);
    assert_true(teeny_metadata_meta(&metadata, "LOW", &value));
    assert_int_equal(value, -3);
    assert_false(teeny_metadata_meta(&metadata, "NONE", &value));
    teeny_metadata_free(&metadata);
}

/* `good` with one line replaced, or dropped where `line` is "". */
static void expect_refusal(const char *key, const char *line)
{
    char text[1024] = "";
    teeny_metadata metadata;
    const char *problem = NULL;
    for (const char *at = good; *at;) {
        size_t length = strcspn(at, "\n") + 1;
        if (strncmp(at, key, strlen(key)) == 0)
            strcat(text, line);
        else
            strncat(text, at, length);
        at += length;
    }
    if (teeny_metadata_parse(text, strlen(text), &metadata, &problem))
        fail_msg("accepted:\n%s", text);
    assert_non_null(problem);
}

static void test_malformed_lines_are_refused(void **state)
{
    (void)state;
    expect_refusal("teeny metadata", "teeny metadata 2\n");
    expect_refusal("kernel", "");
    expect_refusal("kernel", "kernel = \n");
    expect_refusal("entry", "");
    expect_refusal("num-warps", "num-warps = many\n");
    expect_refusal("num-warps", "num-warps = -1\n");
    expect_refusal("num-warps", "num-warps = 4 \n");
    expect_refusal("num-warps", "num-warps = 65\n");
    expect_refusal("num-warps", "num-warps = 99999999999999999999\n");
    expect_refusal("shared-bytes", "shared-bytes = 4294967296\n");
    expect_refusal("arguments-bytes", "arguments-bytes = 16\n");
    expect_refusal("arguments-bytes", "arguments-bytes 32\n");
    expect_refusal("parameter = 24", "parameter = 4 4 i32 n\n");
    expect_refusal("parameter = 24", "parameter = x 4 i32 n\n");
    expect_refusal("parameter = 24", "parameter = 24\n");
    expect_refusal("meta = BLOCK", "meta = BLOCK\n");
    expect_refusal("meta = BLOCK", "meta = BLOCK 12x\n");
    expect_refusal("meta = BLOCK", "meta = BLOCK 99999999999999999999\n");
}

/* Cut anywhere, the text is refused, or is cut behind a line with all that is needed before it. */
static void test_no_prefix_is_misread(void **state)
{
    (void)state;
    for (size_t size = 0; size < strlen(good); size++) {
        char *copy = malloc(size + 1); /* exactly as long, for the sanitizer to watch */
        memcpy(copy, good, size);
        copy[size] = '\0';
        teeny_metadata metadata;
        const char *problem;
        if (teeny_metadata_parse(copy, size, &metadata, &problem)) {
            assert_non_null(strstr(copy, "arguments-bytes = 32\n"));
            assert_int_equal(copy[size - 1], '\n');
            teeny_metadata_free(&metadata);
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_malformed_lines_are_refused),
        cmocka_unit_test(test_no_prefix_is_misread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
