// The elements that are kept are counted with a plain increment.
// LAUNCH: global=128 local=64
// ARG: int=1
// ARG: int=128
kernel void wrong(global int *count, global int *kept) {
    int i = get_global_id(0);
    if (i % 3 != 1) {
        int at = (*count)++;                             // FINDS global-race
        kept[at] = i;                                    // FINDS global-race
    }
}
kernel void right(global int *count, global int *kept) {
    int i = get_global_id(0);
    if (i % 3 != 1) {
        int at = atomic_inc(count);
        kept[at] = i;
    }
}
