// hypot of double: the square root of the sum of squares, scaled away from overflow and underflow.
//
// Separate from the float version, since devices keep denormals of double, and the exponents alone decide the scale.
//
// Greatest measured error in ulp: hypot 1.2.

double __clforge_hypot_f64(double x, double y)
{
    ulong ix = as_ulong(x) & 0x7ffffffffffffffful;
    ulong iy = as_ulong(y) & 0x7ffffffffffffffful;
    if (ix == 0x7ff0000000000000ul || iy == 0x7ff0000000000000ul)
        return as_double(0x7ff0000000000000ul);
    if (ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    if (ix == 0ul || iy == 0ul)
        return as_double(ix | iy);
    uint a = (uint)((ix > iy ? ix : iy) >> 52);
    // scaled away from overflow and underflow of the squares
    double up = a > 1523u ? 0x1p-600 : a < 573u ? 0x1p+600 : 1.0;
    double down = a > 1523u ? 0x1p+600 : a < 573u ? 0x1p-600 : 1.0;
    double u = as_double(ix) * up;
    double v = as_double(iy) * up;
    return sqrt(u * u + v * v) * down;
}
