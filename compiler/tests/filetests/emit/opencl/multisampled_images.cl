// cl_khr_gl_msaa_sharing: each read names a sample.
// target: opencl2.0
// options: -cl-std=CL2.0
// CHECK: OpTypeImage ... ReadOnly
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageRead ... Sample
// CHECK: OpImageQuerySamples
// CHECK: OpImageQuerySize
#ifndef cl_khr_gl_msaa_sharing
#error the target has it
#endif
#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable
kernel void k(read_only image2d_msaa_t a, read_only image2d_array_msaa_t b, read_only image2d_msaa_depth_t c,
              read_only image2d_array_msaa_depth_t d, global float4 *f, global int4 *i, global uint4 *u) {
    int2 at = (int2)(1, 2);
    int4 in_layer = (int4)(1, 2, 3, 0);
    f[0] = read_imagef(a, at, 3);
    i[0] = read_imagei(a, at, 2);
    u[0] = read_imageui(a, at, 1);
    f[1] = read_imagef(b, in_layer, 3);
    i[1] = read_imagei(b, in_layer, 2);
    u[1] = read_imageui(b, in_layer, 1);
    f[2].x = read_imagef(c, at, 0);
    f[2].y = read_imagef(d, in_layer, 0);
    i[2].x = get_image_num_samples(a) + get_image_num_samples(b) + get_image_num_samples(d);
    i[2].y = get_image_width(a) + get_image_height(b) + get_image_dim(c).x + (int)get_image_array_size(d);
    i[2].z = get_image_channel_order(a) + get_image_channel_data_type(c);
}
