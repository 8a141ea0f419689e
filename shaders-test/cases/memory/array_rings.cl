// Private arrays whose indices are constants once loops are unrolled: rings, permutations from a constant table, elements that
// an inner loop moves, conditions that change on the way, loops with several counters, and one that is also left early.
// RUN: kernel=rings global=8 local=4
// ARG: buffer:uint=1,2,3,4,5,6,7,8
// ARG: uint=3
// EXPECT: pocl
constant uchar order[6][8] = {
    { 0, 1, 2, 3, 4, 5, 6, 7 }, { 3, 1, 4, 0, 5, 7, 2, 6 }, { 7, 6, 5, 4, 3, 2, 1, 0 },
    { 2, 0, 6, 1, 7, 3, 5, 4 }, { 0, 1, 2, 3, 4, 5, 6, 7 }, { 3, 1, 4, 0, 5, 7, 2, 6 }
};
constant uint start = 0x9e3779b9;

kernel void rings(global uint *data, uint times)
{
    uint item = data[get_global_id(0)];
    uint ring[16], state[8], message[8];
    for (int k = 0; k < 8; k++) {
        state[k] = start + item * (k + 1);
        message[7 - k] = item ^ start >> k;
    }
    for (uint round = 0; round < times; round++) {
        for (int k = 0; k < 16; k++)
            ring[k] = state[k & 7] ^ item << k;
        for (int k = 0; k < 60; k++) {
            if (k >= 16)
                ring[k & 15] += rotate(ring[k - 2 & 15], 13u) ^ ring[k - 7 & 15];
            uint added = state[7] + ring[k & 15] + (k < 20 ? state[1] & state[2] : state[1] ^ state[2]);
            for (int m = 7; m > 0; m--)
                state[m] = state[m - 1];
            state[0] = added;
        }
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < 8; k += 2) {
                state[k] += message[order[r][k]];
                state[k + 1] ^= message[order[r][k + 1]] * (uint)(r + 1);
            }
        for (int up = 0, down = 7; up < down; up++, down--) {
            uint kept = state[up];
            state[up] = state[down];
            state[down] = kept;
        }
    }
    uint sum = 0;
    for (int k = 0; k < 8; k++) {
        if (state[k] % 11 == 0)
            break;
        sum = sum * 31 + state[k] + message[k];
    }
    data[get_global_id(0)] = sum;
}
