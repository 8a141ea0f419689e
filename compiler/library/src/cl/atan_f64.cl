// Arc tangent of double: atan, atanpi, and what atan2 needs.
//
// A minimax polynomial up to tan(pi/8), from there atan(u/v) = pi/4 + atan((u-v)/(u+v)) (NIST Digital Library of
// Mathematical Functions, 4.24), with one division in all. Of its own beside that of float, for which one polynomial up
// to 1 is short enough.
//
// Greatest measured errors in ulp: atan 1.7, atanpi 2.1.

// p of atan(t) = t + t^3*p for 0 <= t <= tan(pi/8), z = t^2; relative error of atan 2^-59.4.
double __clforge_atan_polynomial_f64(double z)
{
    return -0x1.555555555553dp-2 + z * (0x1.999999999586dp-3 + z * (-0x1.24924922ad6edp-3 +
        z * (0x1.c71c70e613401p-4 + z * (-0x1.745cf8dcacc2cp-4 + z * (0x1.3b11191f75b4cp-4 +
        z * (-0x1.10ebb86a779eap-4 + z * (0x1.df0f4dc533861p-5 + z * (-0x1.9cd2cc3bca9b5p-5 +
        z * (0x1.37d5d6ce4a661p-5 - z * 0x1.256ae1c819cccp-6)))))))));
}

// atan(y/x) of magnitudes given by their bits (none nan, not both zero or inf): in [0, pi/2].
double __clforge_atan2_quadrant_f64(ulong iy, ulong ix)
{
    bool steep = iy > ix;
    ulong a = steep ? ix : iy;
    ulong b = steep ? iy : ix;
    if (b == 0x7ff0000000000000ul)
        return steep ? 0x1.921fb54442d18p0 : 0.0;
    double u = as_double(a);
    double v = as_double(b);
    if (b < 0x0370000000000000ul) { // below 2^-968: denormals as integers, the others scaled
        u = a < 0x0010000000000000ul ? (double)a * 0x1p-950 : u * 0x1p124;
        v = b < 0x0010000000000000ul ? (double)b * 0x1p-950 : v * 0x1p124;
    } else if (b >= 0x7f00000000000000ul) { // u + v must not overflow
        u *= 0x1p-64;
        v *= 0x1p-64;
    }
    // atan(u/v) = pi/4 + atan((u-v)/(u+v)) above tan(pi/8)
    bool large = u > v * 0x1.a827999fcef32p-2;
    double t = (large ? u - v : u) / (large ? u + v : v);
    double z = t * t;
    double p = t * z * __clforge_atan_polynomial_f64(z);
    // the low parts of pi/4 and pi/2
    if (large && !steep)
        return 0x1.921fb54442d18p-1 + (t + (p + 0x1.1a62633145c07p-55));
    if (large)
        return 0x1.921fb54442d18p-1 - (t + (p - 0x1.1a62633145c07p-55));
    return steep ? 0x1.921fb54442d18p0 - (t + (p - 0x1.1a62633145c07p-54)) : t + p;
}

double __clforge_atan_f64(double x)
{
    double a = fabs(x);
    bool large = a > 0x1.a827999fcef32p-2; // tan(pi/8)
    bool steep = a > 0x1.3504f333f9de6p1; // tan(3*pi/8)
    // atan(a), pi/4 + atan((a-1)/(a+1)), or pi/2 + atan(-1/a)
    double t = (steep ? -1.0 : large ? a - 1.0 : a) / (steep ? a : large ? a + 1.0 : 1.0);
    double high = steep ? 0x1.921fb54442d18p0 : large ? 0x1.921fb54442d18p-1 : 0.0;
    double z = t * t;
    // with the low part of the multiple of pi/4
    double rest = t * z * __clforge_atan_polynomial_f64(z) + high * 0x1.678afae35cdd1p-55;
    return copysign(high + (t + rest), x);
}

double __clforge_atanpi_f64(double x)
{
    return __clforge_atan_f64(x) * 0x1.45f306dc9c883p-2;
}
