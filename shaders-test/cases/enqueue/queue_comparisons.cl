// Queues compared with each other and with null, which clang accepts. Expected values are computed by hand.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no device enqueue
// SKIP opencl: the driver's OpenCL 1.2 has no device enqueue
// SKIP logical: device enqueue needs addresses
// SKIP sanitized: sanitizers do not know what enqueued kernels may access
// SKIP translated: modules for OpenCL with device enqueue are not read
// RUN: kernel=k global=1
// ARG: buffer:int=9,9,9,9,9,9,9
// EXPECT 0: int=1,0,0,1,1,1,0

kernel void k(global int *out) {
    queue_t none = NULL, other = 0;
    const queue_t queue = get_default_queue();
    out[0] = queue != 0;
    out[1] = 0 == queue;
    out[2] = queue == NULL;
    out[3] = queue == get_default_queue();
    out[4] = none == other;
    out[5] = (void *)0 == none;
    out[6] = none == queue;
}
