/* What the two files of cases share. */
#ifndef TEENY_TESTS_CONFORM_CASES_H
#define TEENY_TESTS_CONFORM_CASES_H

#include "families.h"
#include "values.h"

/* The next argument: an array of these numbers. */
struct array *case_integers(
    struct trial *trial, enum element_id element, size_t count, const int *values);

/* Expects a small integer, as the array's element. */
void case_expect(struct array *out, size_t at, int value);

/* Rows of public reports, of kernel and trial case_NUMBER: on types of their own, or on T. */
#define CASE(number, text, elements_, ...)                                                         \
    {.family = "cases",                                                                            \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_case_##number,                                                     \
        .elements = elements_,                                                                     \
        .run = case_##number,                                                                      \
        .no_types = true,                                                                          \
        __VA_ARGS__},
#define TYPED(number, text, elements_)                                                             \
    {.family = "cases",                                                                            \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_case_##number,                                                     \
        .elements = elements_,                                                                     \
        .run = case_##number,                                                                      \
        .only_t = true},

#endif
