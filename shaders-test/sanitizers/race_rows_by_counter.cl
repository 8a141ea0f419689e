// Each work-item writes a row in a loop; the rows are counted to one element too many.
// LAUNCH: global=64 local=32
// ARG: int=1040
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    for (int k = 0; k <= 16; k++)
        out[16 * i + k] = 100 * i + k;                   // FINDS global-race
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    for (int k = 0; k < 16; k++)
        out[16 * i + k] = 100 * i + k;
}
