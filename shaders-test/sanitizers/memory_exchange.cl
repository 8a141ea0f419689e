// Two elements are exchanged by a third variable that was not set.
// LAUNCH: global=8 local=8
// ARG: int=16
kernel void wrong(global int2 *pairs) {
    int i = get_global_id(0), third;
    int2 p = pairs[i];
    if (p.x <= p.y) {
        p.x = p.y;
        p.y = third;
    }
    pairs[i] = p;                                        // FINDS uninitialized
}
kernel void right(global int2 *pairs) {
    int i = get_global_id(0), third;
    int2 p = pairs[i];
    if (p.x <= p.y) {
        third = p.x;
        p.x = p.y;
        p.y = third;
    }
    pairs[i] = p;
}
