// The result is a vector that nothing returns for odd numbers; one lane is used.
// LAUNCH: global=8 local=8
// ARG: int=8
int3 corner(int x) {
    if (x % 2 == 0)
        return (int3)(x, x + 1, x + 2);
}
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int3 c = corner(i);
    out[i] = c.y;                                        // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int3 c = corner(i & ~1);
    out[i] = c.y;
}
