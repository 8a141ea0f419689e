// The arrays of a structure follow each other, and the first one is one element shorter than its index runs.
// LAUNCH: global=64 local=16
// ARG: int=128
struct all { int first[63]; int second[65]; };
kernel void wrong(global int *a) {
    global struct all *all = (global struct all *)a;
    int i = get_global_id(0);
    a[i] = i;                                            // FINDS global-race
    all->second[i] = -i;                                 // FINDS global-race
}
kernel void right(global int *a) {
    global struct all *all = (global struct all *)a;
    int i = get_global_id(0);
    a[i] = i;
    all->second[i + 1] = -i;
}
