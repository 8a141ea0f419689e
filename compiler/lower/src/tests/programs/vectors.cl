int lanes(int4 v) { return v.x + v.y * 10 + v.z * 100 + v.w * 1000; }
int3 three(int a) { int3 v = (int3)(a, a + 1, a + 2); v.yz += v.xy; return v; }
int test(int x) {
    int4 v = (int4)(1, 2, 3, 4);
    v.xz = v.zx;
    v.s3 = x;
    v[1] += 5;
    v[x & 3] *= 2;
    int s = lanes(v);
    int8 e = (int8)(v, v.wzyx);
    e.even = (int4)(7);
    e.hi.lo = (int2)(x, -x);
    s += e.s0 + e.s1 * 3 + e.s4 * 5 + e.s5 * 7 + e.s7 * 11;
    int4 m = v > (int4)(3);
    s += lanes(m) * -1 + lanes(m ? v : -v) + lanes((v < 100) && !(v == 3)) + lanes(~m);
    int3 t = three(x);
    t++;
    s += t.x + t.y * 2 + t.z * 3;
    uchar4 b = as_uchar4(0x01020304);
    b >>= (uchar4)(1, 9, 2, 0);
    s += b.x + b.y * 2 + b.z * 4 + b.w * 8;
    struct { char tag; int3 v[2]; } r;
    r.v[1] = t;
    r.v[1].y = 3;
    r.v[0] = r.v[1].zyx;
    s += r.v[0].x + r.v[0].z + r.v[0].y + (int)sizeof(r);
    float2 f = (float2)(1.5f, x) * 2.0f;
    f.y /= 4;
    s += (int)(f.x + f.y) + (int)(x > 2 ? f : f.yx).x;
    short2 h = (short2)(-1, 3) << (short2)(1, 17);
    return s + h.x + h.y + as_int(as_float(x)) + as_int4(as_float3(v.xyz)).y;
}
