// Every operator on every integer type; each type's results in 16 slots of a long.
// RUN: kernel=k global=4
// ARG: buffer:int=7,-3,100,-128
// ARG: buffer:int=3,2,-7,5
// ARG: buffer:bytes=4096
// EXPECT: pocl
#define OPS(T)                                                                          \
    {                                                                                   \
        const T x = (T)a[i], y = (T)b[i], z = (T)(y == 0 ? 1 : y);                      \
        *o++ = (T)(x + y); *o++ = (T)(x - y); *o++ = (T)(x * y); *o++ = (T)(x / z);     \
        *o++ = (T)(x % z); *o++ = (T)(x & y); *o++ = (T)(x | y); *o++ = (T)(x ^ y);     \
        *o++ = (T)(x << (y & 7)); *o++ = (T)(x >> (y & 7)); *o++ = (T)~x; *o++ = (T)-x; \
        *o++ = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3;                  \
        *o++ = (x == y) | (x != y) << 1 | (x && y) << 2 | (x || y) << 3 | !x << 4;      \
        *o++ = +x; *o++ = x ? y : z;                                                    \
    }

kernel void k(global const int *a, global const int *b, global long *out)
{
    const int i = get_global_id(0);
    global long *o = out + i * 128;
    OPS(char) OPS(uchar) OPS(short) OPS(ushort) OPS(int) OPS(uint) OPS(long) OPS(ulong)
}
// SKIP sanitized: lavapipe takes minutes to compile it with all checks
