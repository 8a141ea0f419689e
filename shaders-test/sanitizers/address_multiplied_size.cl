// The product of a row and a pitch wraps around in 16 bits and is negative.
// LAUNCH: global=8 local=8
// ARG: int=4096
kernel void wrong(global int *a) {
    short pitch = 8192, row = get_global_id(0);
    short at = row * pitch;
    a[at / 16] = row;                                    // FINDS out-of-range
}
kernel void right(global int *a) {
    short pitch = 8192, row = get_global_id(0);
    int at = row * pitch;
    a[at / 16] = row;
}
