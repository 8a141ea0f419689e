// Infinities and NaN that are written in the program, or come from memory, are intended, and so is what is made of them.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    float least = INFINITY;
    least = min(least, 2.0f / i);                        // FINDS not-finite
    out[i] = isinf(least) ? NAN : least;
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    float least = INFINITY, none = NAN, given = as_float(0x7f800000 + (i >> 31));
    least = least * i + none;
    given = (given - given) * sqrt(-given) + log(given) + least + 1.0f / 0.0f;
    out[i] = isnan(given) ? -INFINITY : nan(3u);
}
