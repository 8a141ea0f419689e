// Operators on vectors of every width and element size, with a scalar on either side.
// RUN: kernel=k global=2
// ARG: buffer:bytes=1024
// EXPECT: pocl
#define SUM4(v) ((v).x + (v).y * 3 + (v).z * 5 + (v).w * 7)
kernel void k(global int *out)
{
    const int g = get_global_id(0) + 1;
    global int *o = out + get_global_id(0) * 16;
    char4 c = (char4)(g, 2, -3, 100);
    c += c; c = c * (char)3 - (char4)(1);
    o[0] = SUM4(convert_int4(c));
    ushort4 u = (ushort4)(g, 65535, 7, 9) + (ushort)2;
    o[1] = SUM4(convert_int4(u));
    int4 i = (int4)(g, -20, 30, 7) / 3 % 5;
    o[2] = SUM4(i);
    i = 100 - i; i <<= 2; i ^= 0x55; i = ~i & 0xff;
    o[3] = SUM4(i);
    long4 l = (long4)(g, 1L << 40, -5, 6) >> 1;
    o[4] = (int)SUM4(l);
    float4 f = 2.0f * (float4)(g, 2, 3, 4) - 0.5f;
    f /= (float4)(2, 4, 8, 16);
    o[5] = (int)(SUM4(f) * 64);
    int8 w = (int8)(1, 2, 3, 4, 5, 6, 7, 8) * g;
    w = w.hi.xyzwxyzw - w;
    o[6] = SUM4(w.lo) + SUM4(w.hi) * 11;
    uchar16 b = (uchar16)(250) + (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    o[7] = b.s0 + b.s5 * 2 + b.s6 * 3 + b.sf * 5;
    float3 h = (float3)(1, 2, g) + (float3)(3);
    h = -h;
    o[8] = (int)(h.x + h.y * 10 + h.z * 100);
    int2 n = !((int2)(0, g));
    o[9] = n.x + n.y * 10;
    i++; --i; i++;
    o[10] = i.x;
    i = 1; i += (int4)(1, 2, 3, 4);
    o[11] = SUM4(i);
}
