// Numbers in all spellings, with their types.
// RUN: kernel=k global=1
// ARG: buffer:bytes=128
// EXPECT: pocl
kernel void k(global long *out)
{
    out[0] = 0x7fffffff + 0u;
    out[1] = 4294967295;
    out[2] = sizeof(4294967295) + sizeof(0xffffffff) * 10 + sizeof(1UL) * 100;
    out[3] = 0xffffffff > 0;
    out[4] = 1.5e3f + .5f * 2 + 0x1p4f;
    out[5] = sizeof(1.0f) + sizeof('a') * 10;
    out[6] = 0xFFFFFFFFFFFFFFFFUL >> 60;
    out[7] = -2147483648 < 0;
    out[8] = '\'' + '\\' + '\0' + '\101';
    out[9] = 1e-3f * 1e6f;
    out[10] = INT_MAX + (long)CHAR_BIT + UCHAR_MAX;
    out[11] = FLT_MAX > 3e38f && FLT_EPSILON < 2e-7f;
    out[12] = (long)(M_PI_F * 1000);
    out[13] = MAXFLOAT < INFINITY;
    out[14] = true + false * 2;
    out[15] = LONG_MIN + SHRT_MIN;
}
