/* What the lanes of a warp do together on the emu device: shuffles, votes, barriers. Each lane
 * waits; when all do, the operation takes the operands of all and writes the results of all. */
#include "runtime/emu/emu.h"

/* ---- Waiting --------------------------------------------------------------------------------- */

#define WAITS(name, op)                                                                            \
    void teeny_emu_##name(struct emu_thread *thread, const char *place, uint64_t *words)           \
    {                                                                                              \
        teeny_emu_wait(thread, op, place, words);                                                  \
    }

WAITS(barrier, NV_BARRIER)
WAITS(warp_barrier, NV_WARP_BARRIER)
WAITS(shuffle_xor, NV_SHUFFLE_XOR)
WAITS(shuffle_idx, NV_SHUFFLE_IDX)
WAITS(shuffle_up, NV_SHUFFLE_UP)
WAITS(shuffle_down, NV_SHUFFLE_DOWN)
WAITS(vote_ballot, NV_VOTE_BALLOT)
WAITS(vote_any, NV_VOTE_ANY)
WAITS(vote_all, NV_VOTE_ALL)
WAITS(mma_m16n8k16_f16, NV_MMA_M16N8K16_F16)
WAITS(mma_m16n8k16_bf16, NV_MMA_M16N8K16_BF16)

/* ---- Shuffles -------------------------------------------------------------------------------- */

/* The lane that a lane takes its value from. */
typedef unsigned source_lane(unsigned lane, uint32_t operand);

static unsigned source_xor(unsigned lane, uint32_t operand)
{
    return lane ^ (operand % TEENY_EMU_LANES);
}

static unsigned source_idx(unsigned lane, uint32_t operand)
{
    (void)lane;
    return operand % TEENY_EMU_LANES;
}

static unsigned source_up(unsigned lane, uint32_t operand)
{
    unsigned distance = operand % TEENY_EMU_LANES;
    return lane < distance ? lane : lane - distance;
}

static unsigned source_down(unsigned lane, uint32_t operand)
{
    unsigned distance = operand % TEENY_EMU_LANES;
    return lane + distance >= TEENY_EMU_LANES ? lane : lane + distance;
}

static void shuffle(teeny_emu_thread *lanes, source_lane *source)
{
    uint64_t values[TEENY_EMU_LANES];
    for (unsigned i = 0; i < TEENY_EMU_LANES; i++)
        values[i] = lanes[i].words[0];
    for (unsigned i = 0; i < TEENY_EMU_LANES; i++)
        lanes[i].words[0] = values[source(i, (uint32_t)lanes[i].words[1])];
}

static void shuffle_xor(teeny_emu_thread *lanes)
{
    shuffle(lanes, source_xor);
}

static void shuffle_idx(teeny_emu_thread *lanes)
{
    shuffle(lanes, source_idx);
}

static void shuffle_up(teeny_emu_thread *lanes)
{
    shuffle(lanes, source_up);
}

static void shuffle_down(teeny_emu_thread *lanes)
{
    shuffle(lanes, source_down);
}

/* ---- Votes ----------------------------------------------------------------------------------- */

static uint32_t ballot(const teeny_emu_thread *lanes)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < TEENY_EMU_LANES; i++)
        bits |= (uint32_t)(lanes[i].words[0] & 1) << i;
    return bits;
}

static void give_all(teeny_emu_thread *lanes, uint64_t result)
{
    for (unsigned i = 0; i < TEENY_EMU_LANES; i++)
        lanes[i].words[0] = result;
}

static void vote_ballot(teeny_emu_thread *lanes)
{
    give_all(lanes, ballot(lanes));
}

static void vote_any(teeny_emu_thread *lanes)
{
    give_all(lanes, ballot(lanes) != 0);
}

static void vote_all(teeny_emu_thread *lanes)
{
    give_all(lanes, ballot(lanes) == UINT32_MAX);
}

/* ---- The table ------------------------------------------------------------------------------- */

bool teeny_emu_meet(teeny_emu_thread *lanes, enum nv_op op)
{
    static teeny_emu_meeting *const meetings[NV_OP_COUNT] = {
        [NV_SHUFFLE_XOR] = shuffle_xor,
        [NV_SHUFFLE_IDX] = shuffle_idx,
        [NV_SHUFFLE_UP] = shuffle_up,
        [NV_SHUFFLE_DOWN] = shuffle_down,
        [NV_VOTE_BALLOT] = vote_ballot,
        [NV_VOTE_ANY] = vote_any,
        [NV_VOTE_ALL] = vote_all,
        [NV_LDMATRIX_X1] = teeny_emu_meet_ldmatrix,
        [NV_LDMATRIX_X2] = teeny_emu_meet_ldmatrix,
        [NV_LDMATRIX_X4] = teeny_emu_meet_ldmatrix,
        [NV_LDMATRIX_X1_TRANS] = teeny_emu_meet_ldmatrix_trans,
        [NV_LDMATRIX_X2_TRANS] = teeny_emu_meet_ldmatrix_trans,
        [NV_LDMATRIX_X4_TRANS] = teeny_emu_meet_ldmatrix_trans,
        [NV_MMA_M16N8K16_F16] = teeny_emu_meet_mma_f16,
        [NV_MMA_M16N8K16_BF16] = teeny_emu_meet_mma_bf16,
    };
    if (meetings[op])
        meetings[op](lanes);
    return meetings[op] != NULL;
}
