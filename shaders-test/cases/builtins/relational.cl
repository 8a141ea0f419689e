// Relational functions on scalars and vectors of both floating types, with NaNs, infinities and zeros, and denormals of
// doubles.
// RUN: kernel=floats global=8
// ARG: buffer:uint=0x3f800000,0x7fc00000,0x80000000,0x00800000,0x7f800000,0xff800000,0x80800000,0x7f7fffff
// ARG: buffer:uint=0x3f800001,0x3f800000,0x00000000,0x00800000,0x7fc00000,0x7f800000,0x00000000,0xff800000
// ARG: buffer:bytes=2048
// EXPECT: pocl
// RUN: kernel=doubles global=8
// ARG: buffer:ulong=0x3ff0000000000000,0x7ff8000000000000,0x8000000000000000,1,0x7ff0000000000000,0xfff0000000000000,0x8000000000000001,0x7fefffffffffffff
// ARG: buffer:ulong=0x3ff0000000000001,0x3ff0000000000000,0,1,0x7ff8000000000000,0x7ff0000000000000,0,0xfff0000000000000
// ARG: buffer:bytes=4096
// EXPECT: pocl
// RUN: kernel=selections global=1
// ARG: buffer:bytes=512
// EXPECT: pocl
#define ALL(T, N, I)                                                                                                   \
    {                                                                                                                  \
        const int i = get_global_id(0);                                                                                \
        T x = a[i], y = b[i];                                                                                          \
        T##4 v = vload4(i / 4, a), w = (T##4)(y, b[7 - i], x, 1);                                                      \
        o += i * 32;                                                                                                   \
        o[0] = isequal(x, y); o[1] = isnotequal(x, y); o[2] = isgreater(x, y); o[3] = isgreaterequal(x, y);            \
        o[4] = isless(x, y); o[5] = islessequal(x, y); o[6] = islessgreater(x, y); o[7] = isfinite(x);                 \
        o[8] = isinf(x); o[9] = isnan(x); o[10] = isnormal(x); o[11] = isordered(x, y); o[12] = isunordered(x, y);     \
        o[13] = signbit(x); o[14] = any(isequal(v, w)); o[15] = all(isordered(v, w));                                  \
        I##4 sum = isequal(v, w) + 2 * isnotequal(v, w) + 4 * isgreater(v, w) + 8 * isgreaterequal(v, w)               \
            + 16 * isless(v, w) + 32 * islessequal(v, w) + 64 * islessgreater(v, w) + 128 * isordered(v, w)            \
            + 256 * isunordered(v, w);                                                                                 \
        vstore4(sum, 4, o);                                                                                            \
        vstore4(isfinite(v) + 2 * isinf(v) + 4 * isnan(v) + 8 * isnormal(v) + 16 * signbit(v), 5, o);                  \
    }
kernel void floats(global const float *a, global const float *b, global int *o) ALL(float, 4, int)
kernel void doubles(global const double *a, global const double *b, global long *o) ALL(double, 4, long)

kernel void selections(global int *o) {
    const int4 a = (int4)(1, -2, 3, 0x0f0f0f0f), b = (int4)(-1, 5, 6, 0x33333333);
    vstore4(select(a, b, (int4)(0, -1, 1, INT_MIN)), 0, o);
    vstore4(select(a, b, (uint4)(0x7fffffff, 0x80000000, 0, 0xffffffff)), 1, o);
    vstore4(bitselect(a, b, (int4)(0, -1, 0x0f, 0x0000ffff)), 2, o);
    vstore4(as_int4(bitselect((float4)(1, -2, 3, 4), (float4)(-5, 6, 7, 8), (float4)(-0.0f, NAN, 0, -0.0f))), 3, o);
    vstore4(as_int4(select((float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8), (int4)(-1, 0, INT_MIN, INT_MAX))), 4, o);
    vstore4(convert_int4(select((char4)(1, 2, 3, 4), (char4)(5, 6, 7, 8), (uchar4)(128, 127, 255, 1))), 5, o);
    vstore2(select((long2)(1, 2), (long2)(3, 4), (long2)(LONG_MIN, LONG_MAX)), 12, (global long *)o);
    vstore2(bitselect((ulong2)(1, 2), (ulong2)(8, 9), (ulong2)(8, -1)), 13, (global ulong *)o);
    o[60] = select(7, 8, 0);
    o[61] = select((short)7, (short)8, (short)256);
    o[62] = any((short3)(1, 2, 3)) + 2 * any((short3)(1, -2, 3)) + 4 * all((long2)(-1, -2)) + 8 * all((char2)(-1, 1));
    o[63] = any(-1) + 2 * all(1) + 4 * any((long)LONG_MIN) + 8 * all((char)-128);
    o[64] = isnan(nan(0u)) + 2 * isnan(nan((ulong)123)) + 4 * (int)all(isnan(nan((uint4)(1, 2, 3, 4))) == -1);
}
