// Exchanges and blocks of memory of sub-groups as Intel's extensions have them (cl_intel_subgroups, _char, _short, _long,
// cl_intel_subgroup_local_block_io, cl_intel_subgroup_buffer_prefetch), for sub-groups of any size that are full.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
// RUN: kernel=exchanges global=64 local=64
// ARG: buffer:int=100..164
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=blocks global=64 local=64
// ARG: buffer:int=100..164
// ARG: buffer:bytes=8192
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=narrow_blocks global=64 local=64
// ARG: buffer:int=100..164
// ARG: buffer:bytes=8192
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

#define VALUE(T, i) ((T)(3 + (i) * 7))
#define EXCHANGE(T, LAST)                                                                                              \
    {                                                                                                                  \
        T v = (T)(0), w = (T)(0), r;                                                                                   \
        v.s0 = id * 2, v.LAST = id + 1, w.s0 = id + 50, w.LAST = id + 51;                                              \
        r = intel_sub_group_shuffle(v, (id * 3 + 1) % size);                                                           \
        bad += r.LAST != (id * 3 + 1) % size + 1;                                                                      \
        r = intel_sub_group_shuffle_xor(v, 3);                                                                         \
        bad += (id ^ 3) < size && (r.s0 != (id ^ 3) * 2 || r.LAST != (id ^ 3) + 1);                                    \
        r = intel_sub_group_shuffle_down(v, w, 2);                                                                     \
        bad += size > 1 && r.LAST != (id + 2 < size ? id + 3 : id + 2 - size + 51);                                    \
        r = intel_sub_group_shuffle_up(v, w, 2);                                                                       \
        bad += size > 1 && r.LAST != (id >= 2 ? id - 2 + 51 : id + size - 2 + 1);                                      \
    }
#define SCALAR(T)                                                                                                      \
    bad += intel_sub_group_shuffle(VALUE(T, id), (id + 1) % size) != VALUE(T, (id + 1) % size);                        \
    bad += intel_sub_group_shuffle_down((T)id, (T)(id + 60), 1) != (T)(id + 1 < size ? id + 1 : 60);                   \
    bad += intel_sub_group_shuffle_up((T)id, (T)(id + 60), 1) != (T)(id ? id + 59 : size - 1);
kernel void exchanges(global int *out) {
    const uint id = get_sub_group_local_id(), size = get_sub_group_size();
    int bad = 0;
    SCALAR(char) SCALAR(uchar) SCALAR(short) SCALAR(ushort) SCALAR(int) SCALAR(uint) SCALAR(long) SCALAR(ulong)
    SCALAR(half) SCALAR(float) SCALAR(double)
    EXCHANGE(char2, s1) EXCHANGE(short4, s3) EXCHANGE(int8, s7) EXCHANGE(ulong3, s2) EXCHANGE(float16, sf)
    out[get_global_id(0)] = bad;
}

// Component i of work-item j is number i * size + j of the block.
#define BLOCK(T, N, SUFFIX, MEMORY)                                                                                    \
    {                                                                                                                  \
        for (uint i = 0; i < N; i++) MEMORY.T##s[start * N + i * size + id] = i * size + id + 5;                       \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                \
        union { T##N v; T s[N]; } u;                                                                                   \
        u.v = intel_sub_group_block_read##SUFFIX(MEMORY.T##s + start * N);                                             \
        for (uint i = 0; i < N; i++) bad += u.s[i] != (T)(i * size + id + 5);                                          \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                \
        intel_sub_group_block_write##SUFFIX(MEMORY.T##s + start * N, u.v + (T)1);                                      \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                \
        for (uint i = 0; i < N; i++) bad += MEMORY.T##s[start * N + i * size + id] != (T)(i * size + id + 6);          \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                \
    }
#define uint1 uint
#define uchar1 uchar
#define ushort1 ushort
#define ulong1 ulong
#define BLOCKS(MEMORY)                                                                                                 \
    BLOCK(uint, 1, , MEMORY) BLOCK(uint, 2, 2, MEMORY) BLOCK(uint, 4, 4, MEMORY) BLOCK(uint, 8, 8, MEMORY)             \
    BLOCK(uint, 1, _ui, MEMORY) BLOCK(uint, 2, _ui2, MEMORY) BLOCK(uint, 4, _ui4, MEMORY)                              \
    BLOCK(uint, 8, _ui8, MEMORY) BLOCK(ulong, 1, _ul, MEMORY) BLOCK(ulong, 2, _ul2, MEMORY)                            \
    BLOCK(ulong, 4, _ul4, MEMORY) BLOCK(ulong, 8, _ul8, MEMORY)
#define NARROW_BLOCKS(MEMORY)                                                                                          \
    BLOCK(uchar, 1, _uc, MEMORY) BLOCK(uchar, 2, _uc2, MEMORY) BLOCK(uchar, 4, _uc4, MEMORY)                           \
    BLOCK(uchar, 8, _uc8, MEMORY) BLOCK(uchar, 16, _uc16, MEMORY) BLOCK(ushort, 1, _us, MEMORY)                        \
    BLOCK(ushort, 2, _us2, MEMORY) BLOCK(ushort, 4, _us4, MEMORY) BLOCK(ushort, 8, _us8, MEMORY)                       \
    BLOCK(ushort, 16, _us16, MEMORY)
#define PLACES                                                                                                         \
    const uint id = get_sub_group_local_id(), size = get_sub_group_size();                                             \
    const uint start = get_sub_group_id() * get_max_sub_group_size();                                                  \
    local ulong shared[512];                                                                                           \
    struct { global uint *uints; global uchar *uchars; global ushort *ushorts; global ulong *ulongs; } g =             \
        {(global uint *)memory, (global uchar *)memory, (global ushort *)memory, memory};                              \
    struct { local uint *uints; local uchar *uchars; local ushort *ushorts; local ulong *ulongs; } l =                 \
        {(local uint *)shared, (local uchar *)shared, (local ushort *)shared, shared};                                 \
    int bad = 0;
kernel void blocks(global int *out, global ulong *memory) {
    PLACES
    intel_sub_group_block_prefetch_ui(g.uints), intel_sub_group_block_prefetch_ui2(g.uints);
    intel_sub_group_block_prefetch_ui4(g.uints), intel_sub_group_block_prefetch_ui8(g.uints);
    intel_sub_group_block_prefetch_ul(g.ulongs), intel_sub_group_block_prefetch_ul2(g.ulongs);
    intel_sub_group_block_prefetch_ul4(g.ulongs), intel_sub_group_block_prefetch_ul8(g.ulongs);
    BLOCKS(g) BLOCKS(l)
    out[get_global_id(0)] = bad;
}
kernel void narrow_blocks(global int *out, global ulong *memory) {
    PLACES
    intel_sub_group_block_prefetch_uc(g.uchars), intel_sub_group_block_prefetch_uc2(g.uchars);
    intel_sub_group_block_prefetch_uc4(g.uchars), intel_sub_group_block_prefetch_uc8(g.uchars);
    intel_sub_group_block_prefetch_uc16(g.uchars), intel_sub_group_block_prefetch_us(g.ushorts);
    intel_sub_group_block_prefetch_us2(g.ushorts), intel_sub_group_block_prefetch_us4(g.ushorts);
    intel_sub_group_block_prefetch_us8(g.ushorts), intel_sub_group_block_prefetch_us16(g.ushorts);
    NARROW_BLOCKS(g) NARROW_BLOCKS(l)
    out[get_global_id(0)] = bad;
}
