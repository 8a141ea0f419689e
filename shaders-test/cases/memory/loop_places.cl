// Places that a loop loads and stores again and again: sums behind a pointer, with and without an iteration, whose other operand
// may be the same place; several members of a structure; sums in local memory; a place that is stored under a condition, or read
// when the loop is left; loops that are tested at their end, and one in another.
// RUN: kernel=places global=8 local=4
// ARG: buffer:int=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
// ARG: buffer:int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: int=5
// EXPECT: pocl
// SKIP sanitized: 'in' is changed behind a barrier that orders local memory only, which is a race
typedef struct { int sum, product; uint bits; } totals;

kernel void places(global int *in, global int *out, int times)
{
    size_t item = get_global_id(0), me = get_local_id(0);
    global totals *total = (global totals *)(out + 8);
    local int shared[4];
    local totals of_group[4];
    shared[me] = in[item];
    of_group[me].sum = of_group[me].product = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // The item's own place; nothing of global memory is loaded besides.
    for (int k = 0; k < (int)item % 4; k++)
        out[item] += shared[k] * times;
    // Of which the first iterations read what it stores.
    if (item == 0)
        for (int k = 0; k < 8; k++)
            in[3] += in[k] * (k + 1);
    if (item == 1) {
        int k = 0;
        do {
            total[0].sum += k * times;
            total[0].product = total[0].product * 3 + k;
            if (k & 1)
                total[0].bits |= 1u << k;
        } while (++k < times);
    }
    if (item == 2)
        for (int row = 0; row < times; row++) {
            for (int k = 0; k <= row; k++)
                total[1].sum += row ^ k;
            total[1].product -= total[1].sum;
        }
    for (int k = 0; k < times; k++) {
        of_group[me].sum += shared[k & 3];
        of_group[me].product ^= of_group[me].sum << k;
    }
    int k = 0;
    while (of_group[me].sum > 0) {
        of_group[me].sum -= times;
        k++;
    }
    out[16 + item] = of_group[me].sum + of_group[me].product * 100 + k;
    // In a loop that is left in the middle.
    for (int j = 0; j < times; j++) {
        out[24 + item] += j;
        if (out[24 + item] > (int)item)
            break;
    }
}
