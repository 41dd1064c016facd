/* TEENY_FOR_EACH(M, (a, b, c)) expands to M(a) M(b) M(c), for 1 to 32 elements. */
#ifndef TEENY_FOREACH_H
#define TEENY_FOREACH_H

#define TEENY_FOR_EACH(M, list) TEENY_FOR_EACH_(M, TEENY_UNWRAP list)
#define TEENY_UNWRAP(...) __VA_ARGS__
#define TEENY_FOR_EACH_(M, ...) TEENY_FOR_EACH__(TEENY_COUNT(__VA_ARGS__), M, __VA_ARGS__)
#define TEENY_FOR_EACH__(n, M, ...) TEENY_FOR_EACH___(n, M, __VA_ARGS__)
#define TEENY_FOR_EACH___(n, M, ...) TEENY_EACH_##n(M, __VA_ARGS__)

#define TEENY_COUNT(...)                                                                           \
    TEENY_COUNT_(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,  \
        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TEENY_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,   \
    a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, n, ...)             \
    n

#define TEENY_EACH_1(M, a) M(a)
#define TEENY_EACH_2(M, a, ...) M(a) TEENY_EACH_1(M, __VA_ARGS__)
#define TEENY_EACH_3(M, a, ...) M(a) TEENY_EACH_2(M, __VA_ARGS__)
#define TEENY_EACH_4(M, a, ...) M(a) TEENY_EACH_3(M, __VA_ARGS__)
#define TEENY_EACH_5(M, a, ...) M(a) TEENY_EACH_4(M, __VA_ARGS__)
#define TEENY_EACH_6(M, a, ...) M(a) TEENY_EACH_5(M, __VA_ARGS__)
#define TEENY_EACH_7(M, a, ...) M(a) TEENY_EACH_6(M, __VA_ARGS__)
#define TEENY_EACH_8(M, a, ...) M(a) TEENY_EACH_7(M, __VA_ARGS__)
#define TEENY_EACH_9(M, a, ...) M(a) TEENY_EACH_8(M, __VA_ARGS__)
#define TEENY_EACH_10(M, a, ...) M(a) TEENY_EACH_9(M, __VA_ARGS__)
#define TEENY_EACH_11(M, a, ...) M(a) TEENY_EACH_10(M, __VA_ARGS__)
#define TEENY_EACH_12(M, a, ...) M(a) TEENY_EACH_11(M, __VA_ARGS__)
#define TEENY_EACH_13(M, a, ...) M(a) TEENY_EACH_12(M, __VA_ARGS__)
#define TEENY_EACH_14(M, a, ...) M(a) TEENY_EACH_13(M, __VA_ARGS__)
#define TEENY_EACH_15(M, a, ...) M(a) TEENY_EACH_14(M, __VA_ARGS__)
#define TEENY_EACH_16(M, a, ...) M(a) TEENY_EACH_15(M, __VA_ARGS__)
#define TEENY_EACH_17(M, a, ...) M(a) TEENY_EACH_16(M, __VA_ARGS__)
#define TEENY_EACH_18(M, a, ...) M(a) TEENY_EACH_17(M, __VA_ARGS__)
#define TEENY_EACH_19(M, a, ...) M(a) TEENY_EACH_18(M, __VA_ARGS__)
#define TEENY_EACH_20(M, a, ...) M(a) TEENY_EACH_19(M, __VA_ARGS__)
#define TEENY_EACH_21(M, a, ...) M(a) TEENY_EACH_20(M, __VA_ARGS__)
#define TEENY_EACH_22(M, a, ...) M(a) TEENY_EACH_21(M, __VA_ARGS__)
#define TEENY_EACH_23(M, a, ...) M(a) TEENY_EACH_22(M, __VA_ARGS__)
#define TEENY_EACH_24(M, a, ...) M(a) TEENY_EACH_23(M, __VA_ARGS__)
#define TEENY_EACH_25(M, a, ...) M(a) TEENY_EACH_24(M, __VA_ARGS__)
#define TEENY_EACH_26(M, a, ...) M(a) TEENY_EACH_25(M, __VA_ARGS__)
#define TEENY_EACH_27(M, a, ...) M(a) TEENY_EACH_26(M, __VA_ARGS__)
#define TEENY_EACH_28(M, a, ...) M(a) TEENY_EACH_27(M, __VA_ARGS__)
#define TEENY_EACH_29(M, a, ...) M(a) TEENY_EACH_28(M, __VA_ARGS__)
#define TEENY_EACH_30(M, a, ...) M(a) TEENY_EACH_29(M, __VA_ARGS__)
#define TEENY_EACH_31(M, a, ...) M(a) TEENY_EACH_30(M, __VA_ARGS__)
#define TEENY_EACH_32(M, a, ...) M(a) TEENY_EACH_31(M, __VA_ARGS__)

#endif
