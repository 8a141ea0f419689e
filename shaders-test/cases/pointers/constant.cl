// Tables at program scope in constant memory, of scalars, vectors, structures and two dimensions; pointers into them.
// RUN: kernel=k global=5
// ARG: buffer:bytes=160
// ARG: buffer:int=7,8,9,10,11
// EXPECT: pocl
#define N 5
typedef struct { short id; float weight; char name[4]; } entry;
constant int table[N] = { 3, 1, 4, 1, 5 };
__constant entry entries[] = { { 1, 0.5f, "ab" }, { 2, 1.5f, { 'x', 'y', 'z' } }, { -3, 2.5f } };
constant int4 lanes[2] = { (int4)(1, 2, 3, 4), (int4)(5) };
constant uchar grid[2][3] = { { 1, 2, 3 }, { 250, 251, 252 } };
constant float scale = 2.5f;
constant int derived = sizeof(table) / sizeof(table[0]) * N + (1 << 4);
int pick(constant int *t, int i) { return t[i]; }
kernel void k(global int *out, constant int *from_host)
{
    const int i = get_global_id(0);
    global int *o = out + i * 8;
    constant entry *e = entries + i % 3;
    o[0] = table[i];
    o[1] = e->id * 10 + e->name[1];
    o[2] = (int)(e->weight * scale);
    o[3] = lanes[i & 1].y + lanes[1].w;
    o[4] = grid[i & 1][i % 3];
    o[5] = pick(table, N - 1 - i) * 100 + pick(from_host, i);
    o[6] = derived;
    o[7] = *(&table[i]) + ("hello")[i];
}
