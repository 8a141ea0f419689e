// Roots of float: cbrt, rsqrt, hypot.

// Halley's iteration, which triples the number of right digits, from a polynomial estimate.
float __clforge_cbrt_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x7f800000u || ix == 0u)
        return ix > 0x7f800000u ? as_float(ux | 0x00400000u) : x;
    uint e = ix >> 23;
    if (e == 0u) { // denormal: normalised as an integer
        ix = as_uint((float)ix);
        e = (ix >> 23) - 149u;
    }
    e += 173u; // x = m*2^j*2^(3*(q-100))
    uint q = e / 3u;
    uint j = e - 3u * q;
    float m = as_float((ix & 0x007fffffu) | 0x3f800000u);
    // relative error 2^-13.7 on [1, 2]
    float t = 0x1.1b0ba8p-1f + m * (0x1.2c9a46p-1f + m * (-0x1.4dc31ep-3f + m * 0x1.7a8d5ep-6f));
    t *= j == 0u ? 1.0f : j == 1u ? 0x1.428a3p0f : 0x1.965feap0f;
    m = as_float((ix & 0x007fffffu) | ((127u + j) << 23));
    t = as_float(as_uint(t) & 0xfffff000u); // 12 bits, so that the square is exact
    float u = m / (t * t);
    t = t + t * ((u - t) / ((t + t) + u));
    return as_float(as_uint(t * as_float((q + 27u) << 23)) | (ux & 0x80000000u));
}

float __clforge_rsqrt_f32(float x)
{
    return 1.0f / sqrt(x);
}

float __clforge_hypot_f32(float x, float y)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    uint iy = as_uint(y) & 0x7fffffffu;
    if (ix == 0x7f800000u || iy == 0x7f800000u)
        return as_float(0x7f800000u);
    if (ix > 0x7f800000u || iy > 0x7f800000u)
        return as_float(0x7fc00000u);
    uint a = ix > iy ? ix : iy;
    uint b = ix > iy ? iy : ix;
    if (b == 0u)
        return as_float(a);
    // scaled away from overflow and underflow of the squares
    bool large = a > 0x5e000000u, small = a < 0x2b800000u;
    float up = large ? 0x1p-70f : small ? 0x1p+100f : 1.0f;
    float down = large ? 0x1p+70f : small ? 0x1p-100f : 1.0f;
    // denormals as integers, lest they are lost
    float u = a < 0x00800000u ? (float)a * 0x1p-49f : as_float(a) * up;
    float v = b < 0x00800000u && small ? (float)b * 0x1p-49f : as_float(b) * up;
    return sqrt(u * u + v * v) * down;
}
