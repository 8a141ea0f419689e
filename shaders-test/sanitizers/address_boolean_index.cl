// The negation of a test is used as an index and is -1 for vectors.
// LAUNCH: global=8 local=8
// ARG: int=2
kernel void wrong(global int *counts) {
    int2 i = (int2)((int)get_global_id(0), 5);
    int2 less = i < 4;
    atomic_inc(&counts[less.x]);                         // FINDS out-of-range
}
kernel void right(global int *counts) {
    int2 i = (int2)((int)get_global_id(0), 5);
    int2 less = i < 4;
    atomic_inc(&counts[-less.x]);
}
