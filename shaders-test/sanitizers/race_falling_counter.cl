// The values of a structure are moved up; in the wrong kernel, the last one to the next structure.
// LAUNCH: global=64 local=32
// ARG: int=520
struct trail { int count, last[7]; };
kernel void wrong(global struct trail *trails) {
    int i = get_global_id(0);
    trails[i].count = i;                                 // FINDS global-race
    for (int k = 7; k > 0; k--)
        trails[i].last[k] = 1000 * i + k;                // FINDS global-race
}
kernel void right(global struct trail *trails) {
    int i = get_global_id(0);
    trails[i].count = i;
    for (int k = 6; k > 0; k--)
        trails[i].last[k] = trails[i].last[k - 1];
}
