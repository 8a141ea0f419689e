// An unsigned index wraps around below zero, so that the test for a negative index never holds.
// LAUNCH: global=16 local=16
// ARG: int=32
kernel void wrong(global int *a) {
    uint i = get_global_id(0), left = i - 1;
    if (left >= 0)
        a[16 + i] = a[left];                             // FINDS out-of-range
}
kernel void right(global int *a) {
    int i = get_global_id(0), left = i - 1;
    if (left >= 0)
        a[16 + i] = a[left];
}
