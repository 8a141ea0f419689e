// Linear ids and enqueued sizes, with an offset and groups that the range does not fill.
// OPTIONS: -cl-std=CL2.0
// SKIP reference: OpenCL 1.2 has none of these functions
// SKIP opencl: OpenCL 1.2 has none of these functions
// RUN: kernel=k global=5,3,2 local=2,2,2 offset=3,1,4
// ARG: buffer:ulong=0..60
// EXPECT 0: ulong=0,2220,1,2221,2,2220,3,2221,4,2220,5,2222,6,2223,7,2222,8,2223,9,2221,10,2220,11,2221,12,2220,13,2221,14,2220,15,2224,16,2225,17,2224,18,2225,19,2222,20,2226,21,2227,22,2226,23,2227,24,2223,25,2222,26,2223,27,2222,28,2223,29,2221
kernel void k(global ulong *out) {
    size_t id = get_global_linear_id();
    out[2 * id] = id;
    size_t enqueued = get_enqueued_local_size(0) * 1000 + get_enqueued_local_size(1) * 100 + get_enqueued_local_size(2) * 10;
    out[2 * id + 1] = enqueued + get_local_linear_id() + (get_enqueued_local_size(3) == 1 ? 0 : 5000);
}
