// Functions of whole work-groups (OpenCL C 2.0).

kernel void work_group(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint value = in[i] & 0xffff;
    uint sum = work_group_reduce_add(value), before = work_group_scan_exclusive_add(value);
    out[i] = sum ^ before + work_group_broadcast(value, 3);
}
