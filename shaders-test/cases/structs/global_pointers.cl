// Structures in global memory through pointers, members' addresses handed to helpers, copies in all directions.
// RUN: kernel=k global=4
// ARG: buffer:int=1,10,100,0,2,20,200,0,3,30,300,0,4,40,400,0
// ARG: buffer:bytes=64
// EXPECT 0: int=2,10,100,1,3,20,200,2,4,30,300,3,5,40,400,4
// EXPECT 1: int=100,10,2,0,200,20,3,1,300,30,4,2,400,40,5,3
typedef struct { int a, b, c; int mark; } record;
void bump(global int *p) { (*p)++; }
void reverse(record *r)
{
    int t = r->a;
    r->a = r->c;
    r->c = t;
}
kernel void k(global record *in, global record *out)
{
    const int i = get_global_id(0);
    global record *r = &in[i];
    bump(&r->a);
    r->mark = i + 1;
    record local_copy = *r;
    reverse(&local_copy);
    local_copy.mark--;
    out[i] = local_copy;
}
