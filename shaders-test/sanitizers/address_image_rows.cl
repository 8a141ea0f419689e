// The coordinates of an image of one row are swapped.
// LAUNCH: global=8 local=8
// ARG: image=8
// ARG: image=8
kernel void wrong(read_only image2d_t from, write_only image2d_t to) {
    int x = get_global_id(0), y = 0;
    float4 texel = read_imagef(from, (int2)(x, y));
    write_imagef(to, (int2)(y, x), texel);               // FINDS out-of-range
}
kernel void right(read_only image2d_t from, write_only image2d_t to) {
    int x = get_global_id(0), y = 0;
    float4 texel = read_imagef(from, (int2)(x, y));
    write_imagef(to, (int2)(x, y), texel);
}
