// Bins in global memory are counted up without atomics.
// LAUNCH: global=256 local=64
// ARG: int=16
kernel void wrong(global uint *bins) {
    uint value = get_global_id(0) * 7;
    bins[value % 16] += 1;                               // FINDS global-race
}
kernel void right(global uint *bins) {
    uint value = get_global_id(0) * 7;
    atomic_add(&bins[value % 16], 1u);
}
