// options: --tuning=none
// Sixteen copies of twenty loads are too many for an array to become values.
// CHECK: OpVariable ... Function$
#define LOADS(i) (p[i] ^ p[i + 2] ^ p[i + 4] ^ p[i + 6] ^ p[i + 8])
kernel void k(global int *p, int n) {
    int sums[16];
    for (int i = 0; i < 16; i++)
        sums[i] = LOADS(i * n) + LOADS(i * n + 101) + LOADS(i * n + 202) + LOADS(i * n + 303);
    int product = 1;
    for (int i = 0; i < 16; i++)
        product *= sums[i];
    p[0] = product;
}
