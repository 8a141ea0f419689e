// Pointers and 'size_t' of 32 bits: sizes, layouts, macros and the types of expressions. The numbers are those of clang-15
// with '-target spir'.
// OPTIONS: --address-bits=32 -cl-std=CL2.0
// SKIP opencl: the driver's addresses have 64 bits
// SKIP reference: the driver's addresses have 64 bits
// RUN: kernel=sizes global=1
// ARG: buffer:bytes=136
// EXPECT 0: uint=4,4,4,4,4,4,4,4,8,4,4,8,12,16,8,32,4,8,4,4,4,4,8,4,32,4,4,4,1,0,4294967295,2147483647,12,1
// RUN: kernel=ids global=6 local=3 offset=2
// ARG: buffer:bytes=144
// EXPECT 0: uint=2,0,6,3,0,2,3,1,6,3,0,2,4,2,6,3,0,2,5,0,6,3,1,2,6,1,6,3,1,2,7,2,6,3,1,2
// RUN: kernel=wraps global=1
// ARG: buffer:uint=10,11,12,13
// ARG: buffer:bytes=32
// EXPECT 1: uint=4294967295,4294967292,12,11,1,4294967293,0,4294967295

struct row {
    global int *values;
    int length;
};
struct wide {
    char first;
    global int *pointer;
    long last;
};
struct nested {
    struct row row;
    local float *more;
};
union either {
    global int *pointer;
    ulong number;
};

kernel void sizes(global uint *out)
{
    const uint sizes[] = {
        sizeof(size_t), sizeof(ptrdiff_t), sizeof(intptr_t), sizeof(uintptr_t),
        sizeof(void *), sizeof(global int *), sizeof(local float4 *), sizeof(constant char *),
        sizeof(struct row), __alignof__(struct row), __alignof__(global int *), sizeof(union either),
        sizeof(struct nested), sizeof(struct wide), __builtin_offsetof(struct wide, last), sizeof(global int *[8]),
        __builtin_offsetof(struct wide, pointer), __builtin_offsetof(struct nested, more), sizeof(get_global_id(0)), sizeof(sizeof(int)),
        sizeof(out - out), sizeof(&out[1] - out), sizeof(long), sizeof(atomic_size_t),
        sizeof(size_t[8]), sizeof(atomic_uintptr_t), sizeof(atomic_ptrdiff_t), sizeof(out),
#ifdef __SPIR32__
        1,
#else
        0,
#endif
#ifdef __SPIR64__
        1,
#else
        0,
#endif
        __SIZE_MAX__, __PTRDIFF_MAX__, __POINTER_WIDTH__ - 20, (size_t)-1 == 0xffffffffu,
    };
    for (int i = 0; i < 34; i++) out[i] = sizes[i];
}

kernel void ids(global uint *out)
{
    size_t id = get_global_id(0);
    global uint *row = out + (id - get_global_offset(0)) * 6;
    row[0] = id;
    row[1] = get_local_id(0);
    row[2] = get_global_size(0);
    row[3] = get_local_size(0);
    row[4] = get_group_id(0);
    row[5] = get_num_groups(0);
}

// 'size_t' is unsigned and wraps at 2^32.
kernel void wraps(global const uint *in, global uint *out)
{
    size_t zero = get_global_id(0);
    size_t huge = zero - 1;
    ulong wide = huge;
    out[0] = (uint)wide;
    out[1] = (uint)(wide * 4);
    global const uint *third = in + 3;
    out[2] = third[(ptrdiff_t)huge];
    out[3] = third[-(ptrdiff_t)(zero + 2)];
    out[4] = huge > (size_t)zero;
    ptrdiff_t back = in - third;
    out[5] = (uint)back;
    out[6] = wide >> 32;
    out[7] = (uint)(huge / 1);
}
