// Arc tangent of a quotient, of float and double: atan2, atan2pi.
//
// The quadrant's arc tangent (`atan2_quadrant`), and from pi where x is negative; pi has two parts.
//
// Greatest measured errors in ulp (float / double where they differ): atan2 2.3 / 1.6, atan2pi 3.1 / 2.3.

real FN(atan2)(real y, real x)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    if (ix > INF_BITS || iy > INF_BITS)
        return as_real(NAN_BITS);
    real p;
    if (iy == B(0))
        p = R(0.0);
    else if (ix == INF_BITS)
        p = iy == INF_BITS ? QUARTER_PI : R(0.0);
    else
        p = FN(atan2_quadrant)(iy, ix);
    if (ux >> SIGN_POSITION != B(0))
        p = PI - LESS_PI_LOW(p);
    return as_real(as_bits(p) | (uy & SIGN_MASK));
}

real FN(atan2pi)(real y, real x)
{
    bits ux = as_bits(x);
    bits uy = as_bits(y);
    bits ix = ux & MAGNITUDE_MASK;
    bits iy = uy & MAGNITUDE_MASK;
    if (ix > INF_BITS || iy > INF_BITS)
        return as_real(NAN_BITS);
    real p;
    if (iy == B(0))
        p = R(0.0);
    else if (ix == INF_BITS)
        p = iy == INF_BITS ? R(0.25) : R(0.0);
    else if (iy == INF_BITS || ix == B(0))
        p = R(0.5);
    else
        p = FN(atan2_quadrant)(iy, ix) * ONE_OVER_PI;
    if (ux >> SIGN_POSITION != B(0))
        p = R(1.0) - p;
    return as_real(as_bits(p) | (uy & SIGN_MASK));
}
