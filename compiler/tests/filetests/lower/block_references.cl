// Pointers, images and samplers that a block captures are named with their bytes: they have no bits.
// options: -cl-std=CL3.0
kernel void k(global int *sum, int n, read_only image2d_t from, sampler_t by)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        *sum = n + read_imagei(from, by, (float2)(0)).x;
    });
}
// ---
