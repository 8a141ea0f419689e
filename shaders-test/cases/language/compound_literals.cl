// Compound literals of structures, arrays and scalars.
// RUN: kernel=k global=2
// ARG: buffer:bytes=24
// SKIP reference: clang 15 loses the address space of a compound literal of array type
// EXPECT 0: int=6,30,4,7,31,4
typedef struct { int x, y; } point;
static int add(point p) { return p.x + p.y; }
static int total(const int *v) { return v[0] + v[1] + v[2]; }
kernel void k(global int *out)
{
    const int i = get_global_id(0);
    out[i * 3] = add((point){ 1 + i, 5 });
    out[i * 3 + 1] = total((int[3]){ 10 + i, 20 });
    point p = (point){ .y = 4 };
    out[i * 3 + 2] = p.x + p.y;
}
