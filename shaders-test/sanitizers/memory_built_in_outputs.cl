// Functions that return a second result by a pointer write it, and one of them is called under a condition.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0), exponent;
    float whole, cosine, x = i * 0.7f;
    float a = modf(x, &whole) + sincos(x, &cosine);
    if (i > 2)
        a += frexp(x, &exponent);
    out[i] = a + whole + cosine + exponent;              // FINDS uninitialized
}
kernel void right(global float *out) {
    int i = get_global_id(0), exponent;
    float whole, cosine, x = i * 0.7f;
    float a = modf(x, &whole) + sincos(x, &cosine);
    a += frexp(x, &exponent);
    out[i] = a + whole + cosine + exponent;
}
