// Beside a table that becomes a constant: loops in whose condition something is done, or that count what is used later, and an array
// of pointers one of which is replaced. Loops over arrays with a floating counter.
// RUN: kernel=k global=1 local=1
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: uint=2
// EXPECT 0: uint=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,15,1,192,2016
// EXPECT: pocl
constant int x = 1;
constant int *constant addresses[2] = { &x, &x };

kernel void k(global uint *out, uint n)
{
    const uint table[4] = { 1, 5, 7, 9 };
    uint i = 0, j = 0;
    do {
    } while (out[i] = 3u, ++i < 16u);
    do {
    } while (++j < 8u);
    out[16] = table[n & 3] + j;

    constant int *pointers[2];
    pointers[0] = addresses[0];
    pointers[1] = addresses[1];
    pointers[0] = 0;
    out[17] = pointers[n & 1] == 0;

    int sums[16] = { 0 }, others[16] = { 0 };
    for (float f = 0; f < 64.f; f += 1.f)
        sums[(int)f & 15] += (int)n + 1;
    float f = 0;
    for (int k = 0; k < 64; k++, f += 1.f)
        others[k & 15] += (int)f;
    uint sum = 0, other = 0;
    for (int k = 0; k < 16; k++) {
        sum += sums[k];
        other += others[k];
    }
    out[18] = sum;
    out[19] = other;
}
