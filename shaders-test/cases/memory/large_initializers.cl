// Large objects of which a few elements are not constants: elements that override others in either order, pointers, and records.
// RUN: kernel=k global=8
// ARG: buffer:bytes=1024
// ARG: int=7
// EXPECT: pocl
#define FOUR(x) x, x + 1, x + 2, x + 3
#define SIXTEEN(x) FOUR(x), FOUR(x + 4), FOUR(x + 8), FOUR(x + 12)
#define MANY(x) SIXTEEN(x), SIXTEEN(x + 16), SIXTEEN(x + 32), SIXTEEN(x + 48)
struct entry { short a; int b; float c; };
constant int numbers[4] = { 3, 1, 4, 1 };
kernel void k(global int *out, int n)
{
    const int id = get_global_id(0);
    int table[320] = { MANY(0), n + id, MANY(100), MANY(200), MANY(300), [5] = id, [7] = n, [7] = 77, [300] = -1 };
    const struct entry entries[100] = { [0 ... 96] = { 1, 2, 0.5f }, [50] = { 3, n, 2.5f }, [98] = { .c = id } };
    constant int *pointers[258] = { [0 ... 255] = 0, [3] = numbers + 2, [3] = &numbers[1] };
    int sum = 0, weighted = 0;
    for (int i = 0; i < 320; i++) sum = sum * 3 + table[i ^ (id & 1)];
    for (int i = 0; i < 100; i++) weighted += (i + 1) * (entries[i].a + entries[i].b + (int)(entries[i].c * 2));
    global int *o = out + id * 4;
    o[0] = sum; o[1] = weighted; o[2] = *pointers[3 + (id & 0)] + (pointers[id + 8] == 0); o[3] = table[64 + (id >> 3)];
}
