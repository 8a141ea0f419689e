// Radix-2 decimation-in-time FFT, one transform of 2^log_n points a work-group, in local memory.

#define CMUL(a, b) ((float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x))

static uint reverse_bits(uint v, uint bits)
{
    v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
    v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
    v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
    v = ((v >> 8) & 0x00ff00ffu) | ((v & 0x00ff00ffu) << 8);
    v = (v >> 16) | (v << 16);
    return v >> (32 - bits);
}

static void butterfly(__local float2 *a, __local float2 *b, float2 twiddle)
{
    const float2 t = CMUL(*b, twiddle);
    const float2 u = *a;
    *a = u + t;
    *b = u - t;
}

__kernel void fft(__global const float2 *in, __global float2 *out, const uint log_n, const int inverse,
                  __local float2 *work)
{
    const uint n = 1u << log_n;
    const uint lid = get_local_id(0), lanes = get_local_size(0);
    in += get_group_id(0) * n;
    out += get_group_id(0) * n;

    for (uint i = lid; i < n; i += lanes)
        work[reverse_bits(i, log_n)] = in[i];

    const float sign = inverse ? 1.0f : -1.0f;
    for (uint stage = 0; stage < log_n; ++stage) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint half_size = 1u << stage;
        for (uint i = lid; i < n / 2; i += lanes) {
            const uint j = i & (half_size - 1);
            const uint top = ((i >> stage) << (stage + 1)) + j;
            float c;
            const float s = sincos(sign * M_PI_F * (float)j / (float)half_size, &c);
            butterfly(&work[top], &work[top + half_size], (float2)(c, s));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const float scale = inverse ? 1.0f / (float)n : 1.0f;
    for (uint i = lid; i < n; i += lanes)
        out[i] = work[i] * scale;
}
