// Arithmetic of halves.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void multiply_adds(global const half4 *in, global half4 *out)
{
    size_t i = get_global_id(0);
    half4 x = in[i], y = x * (half)0.5f;
    for (int k = 0; k < 512; k++) {
        x = fma(y, (half4)(-0.5f), x);
        y = fma(x, (half4)(0.5f), y);
    }
    out[i] = x + y;
}
