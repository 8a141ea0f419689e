// Operators on float, with exact results.
// RUN: kernel=k global=4
// ARG: buffer:float=1.5,-2.25,8,0.125
// ARG: buffer:float=0.5,4,-2,0.125
// ARG: buffer:bytes=256
// EXPECT: pocl
kernel void k(global const float *a, global const float *b, global float *out)
{
    const int i = get_global_id(0);
    const float x = a[i], y = b[i];
    global float *o = out + i * 16;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x / y;
    o[4] = -x;
    o[5] = x < y;
    o[6] = x >= y;
    o[7] = x == y;
    o[8] = x != y;
    o[9] = !x;
    o[10] = x && y;
    float c = x;
    c += y; c *= 2.0f; c -= 1; c /= 4;
    o[11] = c;
    o[12] = c++;
    o[13] = --c;
    o[14] = x > 0 ? x : y;
    o[15] = (int)x + 0.5f;
}
