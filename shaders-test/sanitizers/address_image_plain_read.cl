// A read without a sampler is not clamped at the left border.
// LAUNCH: global=16 local=16
// ARG: image=16
// ARG: int=16
kernel void wrong(read_only image2d_t image, global float *out) {
    int x = get_global_id(0);
    float sum = 0;
    for (int k = -1; k <= 0; k++)
        sum += read_imagef(image, (int2)(x + k, 0)).x;   // FINDS out-of-range
    out[x] = sum;
}
kernel void right(read_only image2d_t image, global float *out) {
    int x = get_global_id(0);
    float sum = 0;
    for (int k = -1; k <= 0; k++)
        sum += read_imagef(image, (int2)(max(x + k, 0), 0)).x;
    out[x] = sum;
}
