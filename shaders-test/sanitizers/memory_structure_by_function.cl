// A function that sets a structure is called for some work-items only.
// LAUNCH: global=8 local=8
// ARG: int=8
struct s { int a, b; };
void set(struct s *p, int v) {
    p->a = v;
    p->b = v;
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    struct s x;
    if (i > 2)
        set(&x, i);
    out[i] = x.a + x.b;                                  // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    struct s x;
    set(&x, i);
    out[i] = x.a + x.b;
}
