// Very short loops without accesses of memory, of lengths that arguments give: around those of groups of four, of both signs of
// the step, of more than one step at a time, and of floating sums, whose order counts.
// RUN: kernel=k global=4
// ARG: buffer:bytes=160
// ARG: uint=0
// EXPECT: pocl
// RUN: kernel=k global=4
// ARG: buffer:bytes=160
// ARG: uint=1
// EXPECT: pocl
// RUN: kernel=k global=4
// ARG: buffer:bytes=160
// ARG: uint=3
// EXPECT: pocl
// RUN: kernel=k global=4
// ARG: buffer:bytes=160
// ARG: uint=4
// EXPECT: pocl
// RUN: kernel=k global=4
// ARG: buffer:bytes=160
// ARG: uint=7
// EXPECT: pocl
// RUN: kernel=k global=4
// ARG: buffer:bytes=160
// ARG: uint=1002
// EXPECT: pocl
kernel void k(global uint *out, uint n)
{
    const uint id = get_global_id(0);
    uint x = id;
    for (uint i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
    out[id * 10] = x;
    x = id;
    for (uint i = 0; i < n; i++) x = x * 3 + i;
    out[id * 10 + 1] = x;
    for (int i = n; i > 0; i--) x += i * i ^ x;
    out[id * 10 + 2] = x;
    float sum = 0, term = 1;
    for (uint i = 0; i < n; i++) { sum += term; term *= 0.99f; }
    out[id * 10 + 3] = as_uint(sum);
    out[id * 10 + 4] = as_uint(term);
    for (uint i = 1; i <= n; i += 2) x = (x ^ i) * 7;
    out[id * 10 + 5] = x;
    for (uint i = n; i != 0; i--) x = (x << 1) - i;
    out[id * 10 + 6] = x;
    ulong wide = id;
    for (ulong i = 0xFFFFFFFFFFFFFFFFu - n; i < 0xFFFFFFFFFFFFFFFFu; i++) wide = wide * 31 + i;
    out[id * 10 + 7] = (uint)(wide >> 32);
    // Of different lengths for the work-items.
    for (uint i = 0; i < n + id; i++) x = x * 5 + 1;
    out[id * 10 + 8] = x;
    // Two ways out.
    for (uint i = 0; i < n; i++) { x += x >> 3; if (x & 64) break; }
    out[id * 10 + 9] = x;
}
