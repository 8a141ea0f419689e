// Texels are moved to the left, the first one to a negative coordinate.
// LAUNCH: global=8 local=8
// ARG: image=8
// ARG: image=8
kernel void wrong(read_only image2d_t from, write_only image2d_t to) {
    int2 at = (int2)((int)get_global_id(0), 0), left = (int2)(1, 0);
    write_imagef(to, at - left, read_imagef(from, at));  // FINDS out-of-range
}
kernel void right(read_only image2d_t from, write_only image2d_t to) {
    int2 at = (int2)((int)get_global_id(0), 0), left = (int2)(1, 0);
    if (at.x > 0)
        write_imagef(to, at - left, read_imagef(from, at));
}
