// Error functions of float: erf, erfc.

// erf(x) for 0 <= x <= 1.
float __clforge_erf_small_f32(float x)
{
    float z = x * x;
    // erf(x) = x + x*p, relative error 2^-29.3 on [0, 1]
    float p = 0x1.06eba8p-3f + z * (-0x1.81273ep-2f + z * (0x1.ce2cf2p-4f + z * (-0x1.b7f88cp-6f +
        z * (0x1.540172p-8f + z * (-0x1.a3d812p-11f + z * 0x1.4917a4p-14f)))));
    return x + x * p;
}

// erfc(x) for 1/2 <= x < 10.2: exp(-x^2) times a polynomial in (x-c)/(x+c) over 1 + 2*x (M. M. Shepherd,
// J. G. Laframboise, "Chebyshev Approximation of (1+2x)exp(x^2)erfc x in 0 <= x < inf", Math. Comp. 36, 1981).
float __clforge_erfc_large_f32(float x)
{
    float t = (x - 2.25f) / (x + 2.25f);
    // relative error 2^-24.3 on [-0.6364, 0.6387]
    float p = 0x1.455efp0f + t * (-0x1.c39bc2p-4f + t * (-0x1.0bd608p-3f + t * (0x1.527808p-3f +
        t * (-0x1.54828cp-4f + t * (0x1.737ce4p-7f + t * (0x1.07c958p-7f +
        t * (-0x1.2952fep-9f - t * 0x1.02318ep-10f)))))));
    p /= 1.0f + 2.0f * x;
    // x^2 = h + l, h exact
    float a = as_float(as_uint(x) & 0xfffff000u);
    float h = a * a;
    float l = (x - a) * (x + a);
    float k = rint(h * -0x1.715476p0f);
    float r = ((-h - k * 0x1.62ep-1f) - k * 0x1.0bfbe8p-15f) - l;
    return __clforge_scale_f32(p * __clforge_exp_kernel_f32(r), (int)k);
}

float __clforge_erf_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    float y;
    if (ix >= 0x40800000u) { // |x| >= 4
        if (ix > 0x7f800000u)
            return as_float(ux | 0x00400000u);
        y = 1.0f;
    } else if (ix >= 0x3f800000u) {
        y = 1.0f - __clforge_erfc_large_f32(as_float(ix));
    } else if (ix < 0x38000000u) { // |x| < 2^-15: without the small terms, which the device may flush
        return x * 0x1.20dd76p0f;
    } else {
        y = __clforge_erf_small_f32(as_float(ix));
    }
    return as_float(as_uint(y) | (ux & 0x80000000u));
}

float __clforge_erfc_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix >= 0x41230000u) { // |x| >= 10.1875
        if (ix > 0x7f800000u)
            return as_float(ux | 0x00400000u);
        return ux >> 31 != 0u ? 2.0f : 0.0f;
    }
    if (ix < 0x3f000000u) {
        float y = __clforge_erf_small_f32(as_float(ix));
        return ux >> 31 != 0u ? 1.0f + y : 1.0f - y;
    }
    float y = __clforge_erfc_large_f32(as_float(ix));
    return ux >> 31 != 0u ? 2.0f - y : y;
}
