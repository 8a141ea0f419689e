// The launch is rounded up to whole work-groups, and the kernel does not test for the end of the image.
// LAUNCH: global=16,16 local=8,8
// ARG: int=100
kernel void wrong(global int *pixels) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 10)
        pixels[10 * y + x] = x * y;                      // FINDS out-of-range
}
kernel void right(global int *pixels) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 10 && y < 10)
        pixels[10 * y + x] = x * y;
}
