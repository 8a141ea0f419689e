// Texels are written with the coordinate of the next work-item.
// LAUNCH: global=16 local=16
// ARG: image=16
kernel void wrong(write_only image2d_t image) {
    int i = get_global_id(0);
    write_imagef(image, (int2)(i + 1, 0), (float4)(1));  // FINDS out-of-range
}
kernel void right(write_only image2d_t image) {
    int i = get_global_id(0);
    write_imagef(image, (int2)((i + 1) % 16, 0), (float4)(1));
}
