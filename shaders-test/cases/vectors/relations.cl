// Comparisons of vectors give 0 or -1 in elements of the same size; logic on vectors; any, all, select, bitselect.
// RUN: kernel=k global=1
// ARG: buffer:float=1,2,3,4
// ARG: buffer:float=4,2,1,4
// ARG: buffer:bytes=320
// EXPECT: pocl
kernel void k(global const float4 *a, global const float4 *b, global int4 *out)
{
    const float4 x = *a, y = *b;
    out[0] = x < y;
    out[1] = x == y;
    out[2] = x != y;
    out[3] = x <= y;
    const int4 p = convert_int4(x), q = convert_int4(y);
    out[4] = p > q;
    out[5] = (p > 1) && (q > 1);
    out[6] = (p > 3) || (q == 1);
    out[7] = !(p - 2);
    out[8] = (int4)(any(p > 3), all(p > 0), any(p > 9), all(p > 1));
    out[9] = select(p, q, x < y);
    out[10] = convert_int4(select(x, y, p > q));
    out[11] = bitselect(p, q, (int4)(0xff, 1, 2, 0));
    char4 c = (char4)(1, -1, 127, -128);
    out[12] = convert_int4(c > (char4)(0));
    out[13] = convert_int4(c == (char)-1);
    long2 l = (long2)(1, 2) < (long2)(2, 1);
    out[14] = (int4)(l.x == -1, l.y == 0, sizeof(l), 0);
    out[15] = p > q ? p : q;
    out[16] = isless(x, y);
    out[17] = (int4)(isless(1.0f, 2.0f), x.x < y.x, isequal(x.x, y.x), isnotequal(x.x, y.x));
}
