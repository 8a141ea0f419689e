// The size of an image in bytes.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int width = 20000 * (i + 1), height = 20000;
    out[i] = width * height / 1024;                      // FINDS signed-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int width = 20000 * (i + 1), height = 20000;
    out[i] = (long)width * height / 1024;
}
