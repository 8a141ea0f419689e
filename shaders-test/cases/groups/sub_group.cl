// Functions of sub-groups, whatever their size.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0..4
// EXPECT 0: int=4095,4095,4095,4095
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
kernel void k(global int *out) {
    int id = (int)get_sub_group_local_id(), size = (int)get_sub_group_size();
    int first = sub_group_broadcast(id, 0), ok = 0;
    ok |= (sub_group_reduce_add(id) == size * (size - 1) / 2) << 0;
    ok |= (sub_group_scan_inclusive_add(1) == id + 1) << 1;
    ok |= (sub_group_scan_exclusive_add(1u) == (uint)id) << 2;
    ok |= (sub_group_reduce_max(id) == size - 1) << 3;
    ok |= (sub_group_reduce_min(-1.5f * id) == -1.5f * (size - 1)) << 4;
    ok |= (first == 0) << 5;
    ok |= (sub_group_all(id >= 0) && !sub_group_any(id < 0)) << 6;
    uint4 odd = sub_group_ballot(id & 1);
    ok |= (sub_group_ballot_bit_count(odd) == (uint)size / 2) << 7;
    ok |= (sub_group_inverse_ballot(odd) == (id & 1)) << 8;
    uint4 lower = get_sub_group_lt_mask();
    ok |= (popcount(lower.x) + popcount(lower.y) == (id < 64 ? id : 64)) << 9;
    ok |= (sub_group_broadcast_first(id) == 0) << 10;
    ok |= (sub_group_non_uniform_all_equal(7) != 0) << 11;
    out[get_global_id(0)] = ok;
}
