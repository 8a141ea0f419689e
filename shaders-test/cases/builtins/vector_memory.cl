// Vector loads and stores of every width and type through every address space, below their natural alignment.
// RUN: kernel=through_global global=1
// ARG: buffer:ulong=0x0123456789abcdef,0xfedcba9876543210,0x3ff123456789abcd,0x4008000000000000,5,6,7,8,9,10,11,12,13,14,15,16,17,18
// ARG: buffer:bytes=2048
// EXPECT: pocl
// RUN: kernel=through_others global=1
// ARG: buffer:ulong=0x0123456789abcdef,0xfedcba9876543210,0x3ff123456789abcd,0x4008000000000000,5,6,7,8,9,10,11,12,13,14,15,16,17,18
// ARG: buffer:ulong=0x1123456789abcdef,0xeedcba9876543210,0x3ff123456789abcd,0x4008000000000000,5,6,7,8,9,10,11,12,13,14,15,16,17,18
// ARG: buffer:bytes=2048
// EXPECT: pocl

#define COPY(T, N)                                                                                                     \
    vstore##N(vload##N(0, (global const T *)in + 1), 1, (global T *)out);                                              \
    out += (2 * N * sizeof(T) + 15) / 8 * 8;
kernel void through_global(global const ulong *in, global char *out) {
    COPY(char, 2) COPY(uchar, 3) COPY(short, 4) COPY(ushort, 8) COPY(int, 16) COPY(uint, 2) COPY(long, 3) COPY(ulong, 4)
    COPY(float, 8) COPY(float, 16) COPY(double, 2) COPY(char, 16) COPY(short, 3) COPY(ulong, 8) COPY(double, 4)
}

#define BETWEEN(T, N)                                                                                           \
    {                                                                                                                  \
        local T *l = (local T *)words;                                                                                 \
        T p[2 * N + 2];                                                                                                \
        vstore##N(vload##N(0, (constant T *)c + 1), 1, l + 1);                                                         \
        vstore##N(vload##N(1, l + 1), 0, p + 1);                                                                       \
        vstore##N(vload##N(0, (global const T *)in + 1), 1, p + 1);                                                    \
        vstore##N(vload##N(0, p + 1), 0, (global T *)out);                                                             \
        vstore##N(vload##N(1, p + 1), 1, (global T *)out);                                                             \
        out += 2 * N * sizeof(T);                                                                                      \
    }
kernel void through_others(global const ulong *in, constant ulong *c, global char *out) {
    local ulong words[64];
    BETWEEN(char, 3) out += 2; BETWEEN(short, 2) BETWEEN(int, 4) BETWEEN(float, 3) BETWEEN(uchar, 16)
    BETWEEN(uint, 8) BETWEEN(long, 2) BETWEEN(double, 8) BETWEEN(ushort, 8)
}
// SKIP sanitized: lavapipe takes minutes to compile it with all checks
