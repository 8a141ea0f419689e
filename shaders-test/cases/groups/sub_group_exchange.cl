// Broadcasts, shuffles, rotations, ballots and ids of sub-groups, of any size and with a last one that is not full. What
// comes from work-items that a sub-group lacks is undefined.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
// RUN: kernel=scalars global=64 local=64
// ARG: buffer:int=100..164
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=scalars global=24 local=12
// ARG: buffer:int=100..124
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=vectors global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=ballots global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=ballots global=24 local=12
// ARG: buffer:int=100..124
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=ids global=24 local=24
// ARG: buffer:int=100..124
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

#define BEGIN                                                                                                          \
    const uint id = get_sub_group_local_id(), size = get_sub_group_size(), most = get_max_sub_group_size();            \
    int bad = 0;
#define END out[get_global_id(0)] = bad;
#define VALUE(T, i) ((T)(3 + (i) * 7))
#define SCALAR(T)                                                                                                      \
    bad += sub_group_broadcast(VALUE(T, id), 1) != VALUE(T, 1) & size > 1;                                             \
    bad += sub_group_non_uniform_broadcast(VALUE(T, id), 2) != VALUE(T, 2) & size > 2;                                 \
    bad += sub_group_broadcast_first(VALUE(T, id)) != VALUE(T, 0);                                                     \
    bad += sub_group_non_uniform_all_equal(VALUE(T, id)) != 0 & size > 1;                                              \
    bad += sub_group_non_uniform_all_equal((T)(size + 1)) == 0;                                                        \
    bad += sub_group_shuffle(VALUE(T, id), (id * 3 + 1) % size) != VALUE(T, (id * 3 + 1) % size);                      \
    bad += sub_group_shuffle_xor(VALUE(T, id), 3) != VALUE(T, id ^ 3) & (id ^ 3) < size;                               \
    bad += sub_group_shuffle_up(VALUE(T, id), 2) != VALUE(T, id - 2) & id >= 2;                                        \
    bad += sub_group_shuffle_down(VALUE(T, id), 1) != VALUE(T, id + 1) & id + 1 < size;                                \
    bad += sub_group_rotate(VALUE(T, id), 3) != VALUE(T, (id + 3) % most) & (id + 3) % most < size;                    \
    bad += sub_group_rotate(VALUE(T, id), -1) != VALUE(T, (id + most - 1) % most)                                      \
        & (id + most - 1) % most < size;                                                                               \
    bad += sub_group_clustered_rotate(VALUE(T, id), 1, 4) != VALUE(T, (id & ~3u) | ((id + 1) & 3))                     \
        & (id | 3) < size;                                                                                             \
    bad += sub_group_clustered_rotate(VALUE(T, id), -1, 2) != VALUE(T, id ^ 1) & (id ^ 1) < size;
kernel void scalars(global int *out) {
    BEGIN
    SCALAR(char) SCALAR(uchar) SCALAR(short) SCALAR(ushort) SCALAR(int) SCALAR(uint) SCALAR(long) SCALAR(ulong)
    SCALAR(half) SCALAR(float) SCALAR(double)
    END
}

#define LANES(T) (VALUE(T, id) + (T)1)
#define VECTOR(T, LAST)                                                                                                \
    {                                                                                                                  \
        T v = (T)(id + 1), w;                                                                                          \
        v.LAST = id * 2;                                                                                               \
        w = sub_group_broadcast(v, 3);                                                                                 \
        bad += (w.s0 != 4 || w.LAST != 6) && size > 3;                                                                 \
        w = sub_group_non_uniform_broadcast(v, 1);                                                                     \
        bad += (w.s0 != 2 || w.LAST != 2) && size > 1;                                                                 \
    }
kernel void vectors(global int *out) {
    BEGIN
    VECTOR(char2, s1) VECTOR(uchar3, s2) VECTOR(short4, s3) VECTOR(ushort8, s7) VECTOR(int16, sf) VECTOR(uint2, s1)
    VECTOR(long3, s2) VECTOR(ulong4, s3) VECTOR(half8, s7) VECTOR(float16, sf) VECTOR(double2, s1)
    END
}

uint bits_of(uint4 ballot, uint i) {
    return (i < 32 ? ballot.x : i < 64 ? ballot.y : i < 96 ? ballot.z : ballot.w) >> (i & 31) & 1;
}

kernel void ballots(global int *out) {
    BEGIN
    uint4 third = sub_group_ballot(id % 3 == 1 ? 5 : 0), none = sub_group_ballot(0), all = sub_group_ballot(1);
    uint count = 0, before = 0, first = 99, last = 99;
    for (uint j = 0; j < size; j++) {
        uint set = j % 3 == 1;
        bad += bits_of(third, j) != set || bits_of(all, j) != 1 || bits_of(none, j) != 0;
        bad += (sub_group_ballot_bit_extract(third, j) != 0) != set;
        bad += bits_of(get_sub_group_eq_mask(), j) != (j == id) || bits_of(get_sub_group_ge_mask(), j) != (j >= id);
        bad += bits_of(get_sub_group_gt_mask(), j) != (j > id) || bits_of(get_sub_group_le_mask(), j) != (j <= id);
        bad += bits_of(get_sub_group_lt_mask(), j) != (j < id);
        count += set;
        before += j < id ? set : 0;
        first = set && first == 99 ? j : first;
        last = set ? j : last;
    }
    bad += sub_group_ballot_bit_count(third) != count || sub_group_ballot_bit_count(none) != 0;
    bad += sub_group_ballot_bit_count(all) != size;
    bad += sub_group_ballot_exclusive_scan(third) != before;
    bad += sub_group_ballot_inclusive_scan(third) != before + (id % 3 == 1);
    bad += count && (sub_group_ballot_find_lsb(third) != first || sub_group_ballot_find_msb(third) != last);
    bad += (sub_group_inverse_ballot(third) != 0) != (id % 3 == 1);
    // Bits beyond the greatest sub-group do not count.
    bad += sub_group_ballot_bit_count((uint4)(0xffffffff)) != most;
    bad += sub_group_all(id < size) == 0 || sub_group_all(id != 2) != (size <= 2) || sub_group_any(id == 2) != (size > 2);
    bad += sub_group_any(id == size) != 0 || (sub_group_elect() != 0) != (id == 0);
    END
}

kernel void ids(global int *out) {
    BEGIN
    local uint counts[64], seen[64];
    uint group = get_sub_group_id(), item = (uint)get_local_linear_id();
    counts[item] = 0;
    seen[item] = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[group], 1);
    atomic_add(&seen[group * get_max_sub_group_size() + id], 1);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    bad += counts[group] != size || seen[item] != 1;
    bad += group >= get_num_sub_groups() || size > get_max_sub_group_size() || id >= size;
    bad += get_enqueued_num_sub_groups() != get_num_sub_groups();
    bad += get_num_sub_groups() != (get_local_size(0) + get_max_sub_group_size() - 1) / get_max_sub_group_size();
    END
}
