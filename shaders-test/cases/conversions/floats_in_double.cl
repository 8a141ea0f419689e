// Floats in expressions of double, as literals without suffix make them, whose results are floats or comparisons: sums,
// differences and products that are exactly those of float, and such as are not.
// RUN: kernel=mixed global=8 local=4
// ARG: buffer:float=0.1,0.5,-2.75,1e-7,3e38,16777216,0.3,-0.0
// ARG: buffer:float=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:int=0,0,0,0,0,0,0,0
// EXPECT: pocl
kernel void mixed(global float *x, global float *results, global int *flags)
{
    size_t item = get_global_id(0);
    float a = x[item], b = x[7 - item];
    results[5 * item] = a * 0.5;
    results[5 * item + 1] = 1.0 - a;
    results[5 * item + 2] = a * 0.1;
    results[5 * item + 3] = (double)a * b + 0.25;
    results[5 * item + 4] = (double)a + (double)b;
    flags[item] = (a < 0.1) | (a <= 0.1) << 1 | (a > 0.1) << 2 | (a >= 0.1) << 3 | (a == 0.1) << 4 | (a != 0.1) << 5
        | (a < 0.5) << 6 | ((double)a < (double)b) << 7 | (0.3 <= a) << 8 | (a * 2.0 > 1.0) << 9;
}
