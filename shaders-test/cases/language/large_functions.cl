// Functions with pointers that are too large to be copied to each call: they are called, also from another function, with objects
// of private and local memory.
// RUN: kernel=k global=32 local=16
// ARG: buffer:uint=1..33
// ARG: buffer:bytes=1024
// EXPECT: pocl
#define R(x, y, z, i) x = rotate(y ^ z, (uint)(i)) + x * 5;
#define R4(i) R(x, y, z, i) R(y, z, w, i + 1) R(z, w, x, i + 2) R(w, x, y, i + 3)
#define R16(i) R4(i) R4(i + 4) R4(i + 8) R4(i + 12)
#define R64(i) R16(i) R16(i + 1) R16(i + 2) R16(i + 3)

void mix(uint *a, const uint *b)
{
    uint x = a[0] + b[0], y = a[1] + b[1], z = a[2] + b[2], w = a[3] + b[3];
    R64(1) R64(3) R64(5) R64(7) R64(9) R64(11) R64(12)
    a[0] = x, a[1] = y, a[2] = z, a[3] = w;
}

void mix_local(local uint *a, const uint *b, uint *count)
{
    uint x = a[0] + b[3], y = a[1] + b[2], z = a[2] + b[1], w = a[3] + b[0];
    R64(2) R64(4) R64(6) R64(8) R64(10) R64(13) R64(14)
    a[0] = x, a[1] = y, a[2] = z, a[3] = w;
    *count += x & 1;
}

__attribute__((noinline)) uint twice(uint *a, const uint *b, local uint *shared)
{
    uint count = 0;
    mix(a, b);
    mix_local(shared, a, &count);
    mix(a, b + 4);
    mix_local(shared, b, &count);
    return count;
}

kernel void k(global const uint *in, global uint *out)
{
    uint i = get_global_id(0);
    local uint shared[16 * 8];
    local uint *own = shared + get_local_id(0) * 8;
    uint a[8], b[8], other[4] = {7, 5, 3, 1};
    for (uint n = 0; n < 8; n++) {
        a[n] = in[i] * (n + 1);
        b[n] = in[i] + n;
        own[n] = i ^ n;
    }
    uint count = twice(a, b, own);
    if (i & 1)
        mix(a, b);
    else
        mix(b, a);
    count += twice(b, a, own);
    for (uint n = 0; n < 3; n++)
        mix(a, other);
    mix(own[0] & 1 ? a : b, other);
    mix(b, other);
    mix_local(own, a, &count);
    mix_local(own + 4, b, &count);
    mix_local(own + 2, other, &count);
    mix_local(own, b, &count);
    uint sum = count;
    for (uint n = 0; n < 8; n++)
        sum = sum * 31 + a[n] + b[n] * 3 + own[n] * 7 + other[n & 3];
    out[i] = sum;
    out[i + 32] = a[i & 7];
}
