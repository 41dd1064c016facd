/* The cases: the examples at their own sizes, then what is worth a look beside them. */
#include "cases.h"

// clang-format off
#define ADD(n) {1, n, 0}, launch_add, loop_add, 12.0 * (n), "GB/s", ELEMENT_F32, n
#define ROWS(rows, columns, name)                                                                  \
    {rows, columns, 0}, launch_##name, loop_##name,                                                \
    8.0 * (rows) * (columns), "GB/s", ELEMENT_F32, (rows) * (columns)
#define PRODUCT(m, n, k, name, loop, element)                                                      \
    {m, n, k}, launch_##name, loop,                                                                \
    2.0 * (m) * (n) * (k), "GFlop/s", element, (m) * (n)
#define HALVES(m, n, k, name) PRODUCT(m, n, k, name, loop_matmul_half, ELEMENT_F16)
#define SINGLES(n) PRODUCT(n, n, n, matmul, loop_matmul, ELEMENT_F32)
#define ATTENTION(heads, length)                                                                   \
    {heads, length, 64}, launch_attention, loop_attention,                                         \
    256.0 * (heads) * (length) * (length), "GFlop/s", ELEMENT_F16, (heads) * (length) * 64
#define HISTOGRAM(n) {1, n, 100}, launch_histogram, loop_histogram, n, "G/s", ELEMENT_I32, 100
// clang-format on

const struct bench_case bench_cases[] = {
    {"vector add 10000001", ADD(10000001)},
    {"softmax 4001 x 781", ROWS(4001, 781, softmax)},
    {"layernorm 2003 x 1531", ROWS(2003, 1531, layernorm)},
    {"matmul, pointers, f16", HALVES(1000, 712, 520, matmul_pointers)},
    {"matmul, tensors, f16", HALVES(1000, 712, 520, matmul_tensors)},
    {"attention 3 x 701 x 64", ATTENTION(3, 701)},
    {"histogram 1000003", HISTOGRAM(1000003)},
    {"vector add 65536", ADD(65536)},
    {"softmax 2048 x 4096", ROWS(2048, 4096, softmax)},
    {"softmax 64 x 4096", ROWS(64, 4096, softmax)},
    {"softmax 2048 x 1003", ROWS(2048, 1003, softmax)},
    {"layernorm 2048 x 4096", ROWS(2048, 4096, layernorm)},
    {"layernorm 64 x 4096", ROWS(64, 4096, layernorm)},
    {"layernorm 2048 x 1003", ROWS(2048, 1003, layernorm)},
    {"matmul 512, f32", SINGLES(512)},
    {"matmul 1000, f32", SINGLES(1000)},
    {"matmul 1024, f32", SINGLES(1024)},
};
const int bench_case_count = sizeof bench_cases / sizeof *bench_cases;
