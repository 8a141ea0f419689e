// RUN: kernel=k global=1
// ARG: buffer:int=5,1,2
// ARG: buffer:bytes=104
// EXPECT 1: int=13,11,21,31,-2,1870,4,111,114,100,0,604,20,-2,7,42,3,6,27,5,5,262147,64,110,22,5601
// Elements of flexible array members, casts to unions, names of functions.

struct tail { int count; short values[]; };
struct named { char first; char text[]; };
struct nested { int x, y; struct { int a, b; } pairs[]; };

constant struct tail three = {3, {10, 20, 30}};
constant struct tail elided = {2, -1, -2};
constant struct tail chosen = {.values = {[1] = 7, 8}, .count = 1};
constant struct tail none = {4};
constant struct named word = {'w', "ord"};
constant struct nested deep = {1, 2, {{3, 4}, {.b = 6}}};
constant struct tail *constant table[] = {&three, &elided, &chosen};

union number { int i; float f; float4 v; struct pair { short a, b; } pair; };
constant union number seven = (union number)7;

union number halved(float x) { return (union number)(x * 0.5f); }
int low(union number n) { return n.pair.a; }

int letters(constant char *text) {
    int n = 0;
    while (text[n]) n++;
    return n;
}

constant char *plain(int a, global float *b) { return __PRETTY_FUNCTION__; }
int none_at_all(void) { return sizeof(__PRETTY_FUNCTION__); }

kernel void k(global int *in, global int *out) {
    int at = 0;
    out[at++] = sizeof(three) + sizeof(struct named) + sizeof(deep);
    for (int i = 0; i < 3; i++) out[at++] = three.values[i] + in[1];
    out[at++] = elided.values[in[1]];
    out[at++] = chosen.values[0] + 10 * chosen.values[in[1]] + 100 * chosen.values[2] + 1000 * chosen.count;
    out[at++] = none.count;
    for (int i = 0; i < 4; i++) out[at++] = word.text[i];
    out[at++] = deep.pairs[in[1]].b * 100 + deep.pairs[in[1]].a * 10 + deep.pairs[0].b;
    for (int i = 0; i < 3; i++) out[at++] = table[i]->values[in[1]];
    constant struct tail inside = {1, {41, 42}};
    out[at++] = inside.values[in[1]];
    struct tail copy = three;
    out[at++] = copy.count;
    out[at++] = ((union number)(in[0] + 1)).i;
    out[at++] = (int)halved(in[0]).f * 10 + seven.i;
    union number n = (union number)(float4)(1, 2, 3, in[0]);
    out[at++] = (int)n.v.w;
    out[at++] = low((union number)(0x70000 + in[0]));
    struct pair p = {3, 4};
    n = (union number)p;
    out[at++] = n.i;
    out[at++] = letters(plain(0, 0));
    out[at++] = plain(0, 0)[4];
    out[at++] = none_at_all();
    out[at++] = letters(__PRETTY_FUNCTION__) * 100 + letters(__func__);
}
