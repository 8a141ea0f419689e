// Inverse trigonometric functions of double: asin, acos, atan, atan2 and the same over pi.

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
    // atan(t) = t + t^3*p, relative error 2^-59.4 on [0, 0.41422]
    double p = -0x1.555555555553dp-2 + z * (0x1.999999999586dp-3 + z * (-0x1.24924922ad6edp-3 +
        z * (0x1.c71c70e613401p-4 + z * (-0x1.745cf8dcacc2cp-4 + z * (0x1.3b11191f75b4cp-4 +
        z * (-0x1.10ebb86a779eap-4 + z * (0x1.df0f4dc533861p-5 + z * (-0x1.9cd2cc3bca9b5p-5 +
        z * (0x1.37d5d6ce4a661p-5 - z * 0x1.256ae1c819cccp-6)))))))));
    p = t * z * p;
    // the low parts of pi/4 and pi/2
    if (large && !steep)
        return 0x1.921fb54442d18p-1 + (t + (p + 0x1.1a62633145c07p-55));
    if (large)
        return 0x1.921fb54442d18p-1 - (t + (p - 0x1.1a62633145c07p-55));
    return steep ? 0x1.921fb54442d18p0 - (t + (p - 0x1.1a62633145c07p-54)) : t + p;
}

double __clforge_atan_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    double p = __clforge_atan2_quadrant_f64(ix, 0x3ff0000000000000ul);
    return as_double(as_ulong(p) | (ux & 0x8000000000000000ul));
}

double __clforge_atanpi_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul)
        return as_double(ux | 0x0008000000000000ul);
    double p = 0.5;
    if (ix < 0x7ff0000000000000ul)
        p = __clforge_atan2_quadrant_f64(ix, 0x3ff0000000000000ul) * 0x1.45f306dc9c883p-2;
    return as_double(as_ulong(p) | (ux & 0x8000000000000000ul));
}

double __clforge_atan2_f64(double y, double x)
{
    ulong ux = as_ulong(x);
    ulong uy = as_ulong(y);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong iy = uy & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    double p;
    if (iy == 0ul)
        p = 0.0;
    else if (ix == 0x7ff0000000000000ul)
        p = iy == 0x7ff0000000000000ul ? 0x1.921fb54442d18p-1 : 0.0;
    else
        p = __clforge_atan2_quadrant_f64(iy, ix);
    if (ux >> 63 != 0ul)
        p = 0x1.921fb54442d18p1 - (p - 0x1.1a62633145c07p-53);
    return as_double(as_ulong(p) | (uy & 0x8000000000000000ul));
}

double __clforge_atan2pi_f64(double y, double x)
{
    ulong ux = as_ulong(x);
    ulong uy = as_ulong(y);
    ulong ix = ux & 0x7ffffffffffffffful;
    ulong iy = uy & 0x7ffffffffffffffful;
    if (ix > 0x7ff0000000000000ul || iy > 0x7ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    double p;
    if (iy == 0ul)
        p = 0.0;
    else if (ix == 0x7ff0000000000000ul)
        p = iy == 0x7ff0000000000000ul ? 0.25 : 0.0;
    else if (iy == 0x7ff0000000000000ul || ix == 0ul)
        p = 0.5;
    else
        p = __clforge_atan2_quadrant_f64(iy, ix) * 0x1.45f306dc9c883p-2;
    if (ux >> 63 != 0ul)
        p = 1.0 - p;
    return as_double(as_ulong(p) | (uy & 0x8000000000000000ul));
}

// asin(s) = s + s*asin_kernel(s*s) for 0 <= s <= 1/2.
double __clforge_asin_kernel_f64(double z)
{
    // asin(s) = s + s*z*p with z = s^2, relative error 2^-59.8 on [0, 0.5001]
    double p = 0x1.5555555555577p-3 + z * (0x1.333333332e11p-4 + z * (0x1.6db6db7214efbp-5 +
        z * (0x1.f1c71a93b97e6p-6 + z * (0x1.6e8bdf08f86c7p-6 + z * (0x1.1c49ed2358958p-6 +
        z * (0x1.ca1fe269e4f33p-7 + z * (0x1.75829a846a38p-7 + z * (0x1.614e1adcfed5p-7 +
        z * (0x1.e4dccf5c9225ap-9 + z * (0x1.63f635db39ec8p-6 + z * (-0x1.58825c8773d44p-6 +
        z * 0x1.0b72061fc0f39p-5)))))))))));
    return z * p;
}

double __clforge_asin_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x3ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    if (ix < 0x3e40000000000000ul) // |x| < 2^-27
        return x;
    double a = as_double(ix);
    bool large = ix > 0x3fe0000000000000ul;
    // asin(a) = pi/2 - 2*asin(sqrt((1-a)/2))
    double z = large ? 0.5 - 0.5 * a : a * a;
    double s = large ? sqrt(z) : a;
    double p = s * __clforge_asin_kernel_f64(z);
    p = large ? 0x1.921fb54442d18p0 - (2.0 * (s + p) - 0x1.1a62633145c07p-54) : s + p;
    return as_double(as_ulong(p) | (ux & 0x8000000000000000ul));
}

double __clforge_acos_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x3ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    double a = as_double(ix);
    bool large = ix > 0x3fe0000000000000ul;
    double z = large ? 0.5 - 0.5 * a : a * a;
    double s = large ? sqrt(z) : a;
    double p = s * __clforge_asin_kernel_f64(z);
    if (!large) { // pi/2 - asin(x)
        s = ux >> 63 != 0ul ? -s : s;
        p = ux >> 63 != 0ul ? -p : p;
        return 0x1.921fb54442d18p0 - (s + (p - 0x1.1a62633145c07p-54));
    }
    p = 2.0 * (s + p);
    return ux >> 63 != 0ul ? 0x1.921fb54442d18p1 - (p - 0x1.1a62633145c07p-53) : p;
}

double __clforge_asinpi_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x3ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    double a = as_double(ix);
    bool large = ix > 0x3fe0000000000000ul;
    double z = large ? 0.5 - 0.5 * a : a * a;
    double s = large ? sqrt(z) : a;
    double p = s + s * __clforge_asin_kernel_f64(z);
    p = large ? 0.5 - p * 0x1.45f306dc9c883p-1 : p * 0x1.45f306dc9c883p-2;
    return as_double(as_ulong(p) | (ux & 0x8000000000000000ul));
}

double __clforge_acospi_f64(double x)
{
    ulong ux = as_ulong(x);
    ulong ix = ux & 0x7ffffffffffffffful;
    if (ix > 0x3ff0000000000000ul)
        return as_double(0x7ff8000000000000ul);
    double a = as_double(ix);
    bool large = ix > 0x3fe0000000000000ul;
    double z = large ? 0.5 - 0.5 * a : a * a;
    double s = large ? sqrt(z) : a;
    double p = s + s * __clforge_asin_kernel_f64(z);
    if (!large)
        return ux >> 63 != 0ul ? 0.5 + p * 0x1.45f306dc9c883p-2 : 0.5 - p * 0x1.45f306dc9c883p-2;
    p *= 0x1.45f306dc9c883p-1;
    return ux >> 63 != 0ul ? 1.0 - p : p;
}
