/* Matrices of a warp on the emu device: ldmatrix and mma, in the fragments that PTX describes.
 *
 * In an 8x8 matrix of 16-bit elements, lane l holds elements 2 (l % 4) and 2 (l % 4) + 1 of row
 * l / 4, in one register. A fragment is one such matrix a register; of a 16x16 one the registers
 * are: top left, bottom left, top right, bottom right.
 */
#include "runtime/emu/emu.h"

#include <string.h>

enum { MATRIX = 8, ROW_BYTES = 16 };

/* ---- ldmatrix -------------------------------------------------------------------------------- */

/* Each lane checks the row that it points to; then all read. */
static void load_matrices(
    struct emu_thread *base, enum nv_op op, unsigned count, const char *place, uint64_t *words)
{
    teeny_emu_thread *thread = teeny_emu_thread_of(base);
    if (thread->number % TEENY_EMU_LANES < count * MATRIX)
        teeny_emu_access_shared(thread, place, words[0], ROW_BYTES, TEENY_ACCESS_READ_WRITTEN);
    teeny_emu_wait(base, op, place, words);
}

#define LDMATRIX(name, op, count)                                                                  \
    void teeny_emu_ldmatrix_##name(struct emu_thread *thread, const char *place, uint64_t *words)  \
    {                                                                                              \
        load_matrices(thread, op, count, place, words);                                            \
    }

LDMATRIX(x1, NV_LDMATRIX_X1, 1)
LDMATRIX(x2, NV_LDMATRIX_X2, 2)
LDMATRIX(x4, NV_LDMATRIX_X4, 4)
LDMATRIX(x1_trans, NV_LDMATRIX_X1_TRANS, 1)
LDMATRIX(x2_trans, NV_LDMATRIX_X2_TRANS, 2)
LDMATRIX(x4_trans, NV_LDMATRIX_X4_TRANS, 4)

static unsigned count_of(enum nv_op op)
{
    if (op == NV_LDMATRIX_X4 || op == NV_LDMATRIX_X4_TRANS)
        return 4;
    return op == NV_LDMATRIX_X2 || op == NV_LDMATRIX_X2_TRANS ? 2 : 1;
}

static void meet_ldmatrix(teeny_emu_thread *lanes, bool is_transposed)
{
    unsigned count = count_of(lanes[0].op);
    uint16_t matrices[4][MATRIX][MATRIX];
    for (unsigned i = 0; i < count * MATRIX; i++)
        memcpy(matrices[i / MATRIX][i % MATRIX], (const void *)(uintptr_t)lanes[i].words[0],
            ROW_BYTES);
    for (unsigned lane = 0; lane < TEENY_EMU_LANES; lane++) {
        unsigned row = lane / 4, column = 2 * (lane % 4);
        for (unsigned m = 0; m < count; m++) {
            uint32_t low = is_transposed ? matrices[m][column][row] : matrices[m][row][column];
            uint32_t high =
                is_transposed ? matrices[m][column + 1][row] : matrices[m][row][column + 1];
            lanes[lane].words[m] = low | high << 16;
        }
    }
}

void teeny_emu_meet_ldmatrix(teeny_emu_thread *lanes)
{
    meet_ldmatrix(lanes, false);
}

void teeny_emu_meet_ldmatrix_trans(teeny_emu_thread *lanes)
{
    meet_ldmatrix(lanes, true);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef float to_float(uint16_t bits);

static float float_of_bits(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static float float_of_bf16(uint16_t bits)
{
    return float_of_bits((uint32_t)bits << 16);
}

/* 5 bits of exponent become 8, 10 of mantissa 23; a subnormal is its mantissa times 2^-24. */
static float float_of_f16(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
    if (exponent == 0) {
        float size = (float)mantissa * 0x1p-24f;
        return sign ? -size : size;
    }
    exponent = exponent == 0x1f ? 0xff : exponent + 112;
    return float_of_bits(sign | exponent << 23 | mantissa << 13);
}

/* ---- mma ------------------------------------------------------------------------------------- */

enum { M = 16, N = 8, K = 16, A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4 };

struct operands {
    float a[M][K], b[N][K], c[M][N]; /* b by columns */
};

static void read_lane(const teeny_emu_thread *thread, to_float *convert, struct operands *operands)
{
    unsigned lane = thread->number % TEENY_EMU_LANES;
    unsigned group = lane / 4, pair = 2 * (lane % 4);
    const uint64_t *words = thread->words;
    for (unsigned r = 0; r < A_REGISTERS; r++)
        for (unsigned h = 0; h < 2; h++)
            operands->a[group + r % 2 * MATRIX][pair + r / 2 * MATRIX + h] =
                convert((uint16_t)(words[r] >> 16 * h));
    for (unsigned r = 0; r < B_REGISTERS; r++)
        for (unsigned h = 0; h < 2; h++)
            operands->b[group][pair + r * MATRIX + h] =
                convert((uint16_t)(words[A_REGISTERS + r] >> 16 * h));
    for (unsigned r = 0; r < C_REGISTERS; r++)
        operands->c[group + r / 2 * MATRIX][pair + r % 2] =
            float_of_bits((uint32_t)words[A_REGISTERS + B_REGISTERS + r]);
}

/* The hardware's sum is a little less exact than this one, which rounds once. */
static uint32_t element(const struct operands *operands, unsigned row, unsigned column)
{
    double sum = operands->c[row][column];
    for (unsigned k = 0; k < K; k++)
        sum += (double)operands->a[row][k] * operands->b[column][k];
    float rounded = (float)sum;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static void meet_mma(teeny_emu_thread *lanes, to_float *convert)
{
    struct operands operands;
    for (unsigned lane = 0; lane < TEENY_EMU_LANES; lane++)
        read_lane(&lanes[lane], convert, &operands);
    for (unsigned lane = 0; lane < TEENY_EMU_LANES; lane++)
        for (unsigned r = 0; r < C_REGISTERS; r++)
            lanes[lane].words[r] =
                element(&operands, lane / 4 + r / 2 * MATRIX, 2 * (lane % 4) + r % 2);
}

void teeny_emu_meet_mma_f16(teeny_emu_thread *lanes)
{
    meet_mma(lanes, float_of_f16);
}

void teeny_emu_meet_mma_bf16(teeny_emu_thread *lanes)
{
    meet_mma(lanes, float_of_bf16);
}
