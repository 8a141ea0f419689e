// An enqueued block that captures images and a sampler: its kernel gets them as arguments behind the block's object, whose
// bytes 24, 32 and 40 have their numbers. The record has the positions of the enqueuing kernel's arguments there.
// options: -cl-std=CL3.0
kernel void k(global int *sum, write_only image2d_t to, read_only image2d_t from, sampler_t by)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        *sum = 1;
        write_imagef(to, (int2)(0), read_imagef(from, by, (float2)(0)));
    });
}
