// hypot of float: the square root of the sum of squares, scaled away from overflow and underflow.
//
// Separate from the double version, since a device may flush denormals of float, so that they are scaled as integers.
//
// Greatest measured error in ulp: hypot 1.5.

// By the bits of the magnitudes: all but what needs no scaling.
float __clforge_hypot_unusual_f32(uint ix, uint iy)
{
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

float __clforge_hypot_f32(float x, float y)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    uint iy = as_uint(y) & 0x7fffffffu;
    float r = sqrt(x * x + y * y);
    // the larger one from 2^-40 to 2^61; what the square of the other loses then is below the last place
    uint a = ix > iy ? ix : iy;
    if (a - 0x2b800000u >= 0x5e000000u - 0x2b800000u || ix == 0u || iy == 0u)
        r = __clforge_hypot_unusual_f32(ix, iy);
    return r;
}
