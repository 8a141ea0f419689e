// Arithmetic and functions of doubles.

kernel void multiply_adds(global const double *in, global double *out)
{
    size_t i = get_global_id(0);
    double x = in[i], y = x * 0.5;
    for (int k = 0; k < 1024; k++) {
        x = fma(y, -0.5, x);
        y = fma(x, 0.5, y);
    }
    out[i] = x + y;
}

kernel void functions(global const double *in, global double *out)
{
    size_t i = get_global_id(0);
    double x = in[i];
    for (int k = 0; k < 8; k++)
        x = sin(x) + exp(x * -0.5);
    out[i] = x;
}

kernel void powers(global const double *in, global double *out)
{
    size_t i = get_global_id(0);
    double x = in[i] + 0.5;
    for (int k = 0; k < 4; k++)
        x = pow(x, 0.75) + log(x + 1.0);
    out[i] = x;
}

kernel void scale(global const double *x, global double *y, double by)
{
    size_t i = get_global_id(0);
    y[i] = x[i] * by + 1.0;
}

kernel void roots(global const double *in, global double *out)
{
    size_t i = get_global_id(0);
    double x = in[i] + 1.0;
    for (int k = 0; k < 16; k++)
        x = sqrt(x + 1.0) / (x * 0.25 + 0.5) + rsqrt(x + 0.5);
    out[i] = x;
}

// Floats are added up as doubles, each of which is a conversion.
kernel void sums(global const float *in, global double *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    double sum = 0.0;
    for (int k = 0; k < 64; k++) {
        sum += x;
        x = x * 0.75f + 0.25f;
    }
    out[i] = sum;
}
