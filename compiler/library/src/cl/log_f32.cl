// Logarithms of float: log, log2, log10, log1p, logb, ilogb.
//
// x = 2^k*m with m in [sqrt(1/2), sqrt(2)) and f = m - 1 exact; log(1+f) is c*f plus a correction with c a
// short constant (1, 1 and 1/2), so that no table and no division is needed and the rounding error of the
// correction counts for little (J.-M. Muller et al., "Handbook of Floating-Point Arithmetic", chapter 10).

// The bits of m in [sqrt(1/2), sqrt(2)) for a positive finite x, given by its bits; *k receives the exponent.
uint __clforge_log_reduce_f32(uint ix, int *k)
{
    int e = -127;
    if (ix < 0x00800000u) { // denormal: normalised as an integer, as the device may flush it
        ix = as_uint((float)ix);
        e = -127 - 149;
    }
    ix += 0x3f800000u - 0x3f3504f3u;
    *k = (int)(ix >> 23) + e;
    return (ix & 0x007fffffu) + 0x3f3504f3u;
}

// log of zero, a negative number, inf or nan.
float __clforge_log_special_f32(uint ux)
{
    if ((ux & 0x7fffffffu) > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    if ((ux & 0x7fffffffu) == 0u)
        return as_float(0xff800000u);
    return ux >> 31 != 0u ? as_float(0x7fc00000u) : as_float(ux);
}

float __clforge_log_f32(float x)
{
    uint ux = as_uint(x);
    if (ux - 1u >= 0x7f7fffffu)
        return __clforge_log_special_f32(ux);
    int e;
    float f = as_float(__clforge_log_reduce_f32(ux, &e)) - 1.0f;
    float k = (float)e;
    // log(1+f) = f + f^2*p, relative error 2^-27.8 on [-0.2929, 0.41422]
    float p = -0x1.fffff8p-2f + f * (0x1.55555p-2f + f * (-0x1.000432p-2f + f * (0x1.99a41ap-3f +
        f * (-0x1.5425c4p-3f + f * (0x1.226dfcp-3f + f * (-0x1.0f3fa8p-3f +
        f * (0x1.0860d4p-3f - f * 0x1.38472ep-4f)))))));
    // the high part of ln2 has 15 bits
    return k * 0x1.62e4p-1f + (f + (f * f * p + k * 0x1.7f7d1cp-20f));
}

float __clforge_log2_f32(float x)
{
    uint ux = as_uint(x);
    if (ux - 1u >= 0x7f7fffffu)
        return __clforge_log_special_f32(ux);
    int k;
    float f = as_float(__clforge_log_reduce_f32(ux, &k)) - 1.0f;
    // log2(1+f) = f + f*p, relative error 2^-26.5 on [-0.2929, 0.41422]
    float p = 0x1.c551dap-2f + f * (-0x1.71547p-1f + f * (0x1.ec7034p-2f + f * (-0x1.715a9ep-2f +
        f * (0x1.278ce8p-2f + f * (-0x1.eacafap-3f + f * (0x1.a15df2p-3f + f * (-0x1.8567c4p-3f +
        f * (0x1.85651ap-3f - f * 0x1.dcd4cp-4f))))))));
    return (float)k + (f + f * p);
}

float __clforge_log10_f32(float x)
{
    uint ux = as_uint(x);
    if (ux - 1u >= 0x7f7fffffu)
        return __clforge_log_special_f32(ux);
    int e;
    float f = as_float(__clforge_log_reduce_f32(ux, &e)) - 1.0f;
    float k = (float)e;
    // log10(1+f) = f/2 + f*p, relative error 2^-26.7 on [-0.2929, 0.41422]
    float p = -0x1.0d213ap-4f + f * (-0x1.bcb7aap-3f + f * (0x1.287a4p-3f + f * (-0x1.bcbefep-4f +
        f * (0x1.63ddf8p-4f + f * (-0x1.277cc8p-4f + f * (0x1.f6e2c2p-5f + f * (-0x1.d52cdcp-5f +
        f * (0x1.d33fcap-5f - f * 0x1.1ca024p-5f))))))));
    return k * 0x1.344p-2f + (0.5f * f + (f * p + k * 0x1.3509f8p-18f));
}

float __clforge_log1p_f32(float x)
{
    uint ux = as_uint(x);
    uint ix = ux & 0x7fffffffu;
    if (ix < 0x33800000u) // |x| < 2^-24: x itself, which keeps zeros and denormals
        return x;
    if (ix > 0x7f800000u)
        return as_float(ux | 0x00400000u);
    if (ux >= 0xbf800000u) // x <= -1
        return as_float(ux == 0xbf800000u ? 0xff800000u : 0x7fc00000u);
    if (ux == 0x7f800000u)
        return x;
    float u = 1.0f + x;
    // what 1 + x lost; nothing where u is that large
    float c = ix < 0x3f800000u ? x - (u - 1.0f) : 1.0f - (u - x);
    int e;
    uint um = as_uint(u);
    uint im = __clforge_log_reduce_f32(um, &e);
    float f = as_float(im) - 1.0f;
    float k = (float)e;
    // the correction, scaled as f is: 2^-e, as bits; below any place of the result when e is large
    float s = e > 100 ? 0.0f : as_float((uint)(127 - e) << 23);
    c = c * s;
    if (e == 0) {
        c = 0.0f;
        f = x;
    }
    // log(1+f) = f + f^2*p, relative error 2^-27.8 on [-0.2929, 0.41422]
    float p = -0x1.fffff8p-2f + f * (0x1.55555p-2f + f * (-0x1.000432p-2f + f * (0x1.99a41ap-3f +
        f * (-0x1.5425c4p-3f + f * (0x1.226dfcp-3f + f * (-0x1.0f3fa8p-3f +
        f * (0x1.0860d4p-3f - f * 0x1.38472ep-4f)))))));
    // log(1+f+c) = log(1+f) + c/(1+f)
    float t = f * f * p + (c - c * f) + k * 0x1.7f7d1cp-20f;
    return k * 0x1.62e4p-1f + (f + t);
}

float __clforge_logb_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return as_float(ix > 0x7f800000u ? ix | 0x00400000u : ix);
    if (ix == 0u)
        return as_float(0xff800000u);
    if (ix < 0x00800000u)
        return (float)(-118 - (int)clz(ix));
    return (float)((int)(ix >> 23) - 127);
}

// FP_ILOGB0 is INT_MIN, FP_ILOGBNAN is INT_MAX.
int __clforge_ilogb_f32(float x)
{
    uint ix = as_uint(x) & 0x7fffffffu;
    if (ix >= 0x7f800000u)
        return 0x7fffffff;
    if (ix == 0u)
        return (int)0x80000000u;
    if (ix < 0x00800000u)
        return -118 - (int)clz(ix);
    return (int)(ix >> 23) - 127;
}
