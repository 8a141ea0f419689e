// Logarithm to base 2 in a pair of floats, for powers and gamma.
//
// Separate from the double version, since one polynomial from the cubic term on is precise enough here.

// log2 of a finite x > 0 given by its bits, with a relative error of 2^-33: returns the head (12 bits), *tail the rest.
float __clforge_log2_pair_f32(uint ix, float *tail)
{
    int e = -127;
    if (ix < 0x00800000u) { // denormal: normalised as an integer
        ix = as_uint((float)ix);
        e = -127 - 149;
    }
    ix += 0x3f800000u - 0x3f3504f3u;
    float k = (float)((int)(ix >> 23) + e);
    float m = as_float((ix & 0x007fffffu) + 0x3f3504f3u);
    // s = (m-1)/(m+1) as a pair: the quotient, and its remainder divided again
    float f = m - 1.0f;
    float d = m + 1.0f;
    float rd = 1.0f / d;
    float sh = __clforge_head_f32(f * rd);
    float dh = __clforge_head_f32(d);
    float dl = m - (dh - 1.0f);
    float sl = ((f - sh * dh) - sh * dl) * rd;
    float s = sh + sl;
    float z = s * s;
    // log2(m) = 2/ln2*s + s^3*p; 2/ln2 = ch + cl with 12 bits in ch
    // relative error 2^-36.2 on [0, 0.1716]
    float p = 0x1.ec709ep-1f + z * (0x1.2776e8p-1f + z * (0x1.a5cad6p-2f + z * 0x1.5902a6p-2f));
    float h = sh * 0x1.714p1f;
    float l = (sl * 0x1.714p1f + s * 0x1.47652cp-11f) + s * z * p;
    float t = k + h;
    l += h - (t - k);
    h = __clforge_head_f32(t + l);
    *tail = (t - h) + l;
    return h;
}
