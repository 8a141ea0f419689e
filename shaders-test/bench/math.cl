// Calls of mathematical functions, built with several options.

kernel void powers(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i], y = 0.5f;
    for (int k = 0; k < 32; k++)
        y = pow(x + y, 0.25f + y * 0.125f);
    out[i] = y;
}

kernel void sines(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < 32; k++)
        x = sin(x) * cos(x * 0.5f) + 1.5f;
    out[i] = x;
}

kernel void exponentials(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < 32; k++)
        x = log(exp(x * 0.25f) + 1.0f) + 0.5f;
    out[i] = x;
}

kernel void roots(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i] + 1.0f;
    for (int k = 0; k < 64; k++)
        x = sqrt(x + 1.0f) / (x * 0.25f + 0.5f) + rsqrt(x + 0.5f);
    out[i] = x;
}

kernel void arcs(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < 16; k++)
        x = atan2(x, 0.75f) + acos(x * 0.25f) * 0.5f + tanh(x);
    out[i] = x;
}

kernel void multiply_adds(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i], y = x * 0.5f;
    for (int k = 0; k < 4096; k++) {
        x = fma(y, -0.5f, x);
        y = fma(x, 0.5f, y);
    }
    out[i] = x + y;
}

// One call for option pricing: logarithm, root, exponential and the normal distribution.
kernel void black_scholes(global const float *price, global const float *strike, global float *call, global float *put)
{
    size_t i = get_global_id(0);
    float s = price[i], k = strike[i], t = 1.5f, rate = 0.02f, v = 0.3f;
    float root = sqrt(t);
    float d1 = (log(s / k) + (rate + 0.5f * v * v) * t) / (v * root);
    float d2 = d1 - v * root;
    float n1 = 0.5f * erfc(-d1 * M_SQRT1_2_F), n2 = 0.5f * erfc(-d2 * M_SQRT1_2_F);
    float discount = exp(-rate * t);
    call[i] = s * n1 - k * discount * n2;
    put[i] = k * discount * (1.0f - n2) - s * (1.0f - n1);
}
