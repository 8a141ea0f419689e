// GNU C's built-in functions of C's library and others that PoCL lacks. Expected values are those of the C standard,
// computed by hand.
// SKIP reference: the driver has no C library, which clang calls, and no code for 'canonicalize'
// RUN: kernel=numbers global=1
// ARG: buffer:float=2.5,-3.5,10.0
// ARG: buffer:float=9,9,9,9,9,9,9
// ARG: buffer:int=9,9,9,9,9
// EXPECT 1: float=0.625,-0.5,-3.0,20.0,0.0,0.5,2.5
// EXPECT 2: int=2,2,-4,3,1
// RUN: kernel=memory global=1
// ARG: buffer:uchar=1,2,3,4,1,2,9,4
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9
// EXPECT 1: int=0,-1,1,0,3,2,3,4,0,8,0x20001

kernel void numbers(global const float *in, global float *f, global int *i) {
    int exponent, quotient;
    float whole;
    f[0] = __builtin_frexpf(in[0], &exponent);
    i[0] = exponent;
    f[1] = __builtin_modff(in[1], &whole);
    f[2] = whole;
    f[3] = __builtin_scalbnf(in[0], 3);
    f[4] = __builtin_scalblnf(in[0], -5000000000l);
    f[5] = __builtin_remquof(in[0], 2.0f, &quotient);
    i[1] = __builtin_lrintf(in[0]);
    i[2] = __builtin_lroundf(in[1]);
    i[3] = __builtin_ilogbf(in[2]);
    i[4] = quotient;
    f[6] = __builtin_canonicalizef(in[0]);
}

kernel void memory(global const uchar *in, global int *out) {
    int at = 0;
    out[at++] = __builtin_memcmp(in, in + 4, 2);
    out[at++] = __builtin_memcmp(in, in + 4, 4) < 0 ? -1 : 1;
    out[at++] = __builtin_memcmp(in + 4, in, 4) > 0;
    out[at++] = __builtin_bcmp(in, in + 4, in[1]) != 0;
    char text[6] = "abc";
    out[at++] = __builtin_strlen(text);
    out[at++] = __builtin_strlen("ab");
    uchar copy[8];
    uchar *end = __builtin_mempcpy(copy, in, 3);
    out[at++] = end - copy;
    __builtin_memcpy_inline(copy + 3, in + 3, 5);
    out[at++] = copy[3];
    __builtin_bzero(copy, 4);
    out[at++] = copy[3];
    out[at++] = copy[4] + copy[5] + copy[6] - 4;
    struct { ushort low, high; } parts = {1, 2};
    out[at++] = __builtin_astype(parts, int);
}
