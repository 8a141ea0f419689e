// Reductions and scans of sub-groups on every type, against loops over what all work-items contribute.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
// RUN: kernel=uniform global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=non_uniform global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=bits global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=logical global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=clustered global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=clustered_bits global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=some_active global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
// Sums and products of these are exact in every type.
#define VALUE(T, i) ((T)(1 + (((i) * 5 + 3) >> 1) % 2))
#define PATTERN(T, i) ((T)((i) * 0x9e3779b97f4a7c15ul >> 3))

// COUNTS says which work-items of the sub-group take part.
#define TRY(T, PREFIX, NAME, OP, IDENTITY, V, COUNTS)                                                                  \
    {                                                                                                                  \
        T all = IDENTITY, upto = IDENTITY, before = IDENTITY;                                                          \
        for (uint j = 0; j < size; j++) {                                                                              \
            T w = V(T, j);                                                                                             \
            if (COUNTS(j)) {                                                                                           \
                all = (T)OP(all, w);                                                                                   \
                upto = j <= id ? (T)OP(upto, w) : upto;                                                                \
                before = j < id ? (T)OP(before, w) : before;                                                           \
            }                                                                                                          \
        }                                                                                                              \
        bad += PREFIX##reduce_##NAME(V(T, id)) != all;                                                                 \
        bad += PREFIX##scan_inclusive_##NAME(V(T, id)) != upto;                                                        \
        bad += PREFIX##scan_exclusive_##NAME(V(T, id)) != before;                                                      \
    }
#define TRY_CLUSTER(T, NAME, OP, IDENTITY, V, SIZE)                                                                    \
    {                                                                                                                  \
        T all = IDENTITY;                                                                                              \
        for (uint j = id & ~(SIZE - 1u); j <= (id | (SIZE - 1u)); j++)                                                 \
            all = (T)OP(all, V(T, j));                                                                                 \
        bad += sub_group_clustered_reduce_##NAME(V(T, id), SIZE) != all;                                               \
    }
#define EVERY(j) 1
#define BEGIN const uint id = get_sub_group_local_id(), size = get_sub_group_size(); int bad = 0;
#define END out[get_global_id(0)] = bad;

#define ALL_OF(DO)                                                                                                     \
    DO(char, CHAR_MIN, CHAR_MAX) DO(uchar, 0, UCHAR_MAX) DO(short, SHRT_MIN, SHRT_MAX) DO(ushort, 0, USHRT_MAX)        \
    DO(int, INT_MIN, INT_MAX) DO(uint, 0, UINT_MAX) DO(long, LONG_MIN, LONG_MAX) DO(ulong, 0, ULONG_MAX)
#define ALL_TYPES(DO)                                                                                                  \
    ALL_OF(DO) DO(half, -(half)INFINITY, (half)INFINITY) DO(float, -INFINITY, INFINITY)                                \
    DO(double, -(double)INFINITY, (double)INFINITY)

#define UNIFORM(T, LEAST, MOST)                                                                                        \
    TRY(T, sub_group_, add, ADD, 0, VALUE, EVERY)                                                                      \
    TRY(T, sub_group_, min, MIN, MOST, VALUE, EVERY) TRY(T, sub_group_, max, MAX, LEAST, VALUE, EVERY)
kernel void uniform(global int *out) { BEGIN ALL_TYPES(UNIFORM) END }

#define NON_UNIFORM(T, LEAST, MOST)                                                                                    \
    TRY(T, sub_group_non_uniform_, add, ADD, 0, VALUE, EVERY) TRY(T, sub_group_non_uniform_, mul, MUL, 1, VALUE, EVERY) \
    TRY(T, sub_group_non_uniform_, min, MIN, MOST, VALUE, EVERY)                                                       \
    TRY(T, sub_group_non_uniform_, max, MAX, LEAST, VALUE, EVERY)
kernel void non_uniform(global int *out) { BEGIN ALL_TYPES(NON_UNIFORM) END }

#define BITS(T, LEAST, MOST)                                                                                           \
    TRY(T, sub_group_non_uniform_, and, AND, (T)-1, PATTERN, EVERY)                                                    \
    TRY(T, sub_group_non_uniform_, or, OR, 0, PATTERN, EVERY) TRY(T, sub_group_non_uniform_, xor, XOR, 0, PATTERN, EVERY)
kernel void bits(global int *out) { BEGIN ALL_OF(BITS) END }

#define TRUTH(T, i) ((T)((i) % 3 == 1 ? 7 : 0))
#define SURE(T, i) ((T)4)
#define LAND(a, b) ((a) && (b))
#define LOR(a, b) ((a) || (b))
#define LXOR(a, b) (!(a) != !(b))
#define FEW(j) ((j) % 4 != 0)
kernel void logical(global int *out) {
    BEGIN
    TRY(int, sub_group_non_uniform_, logical_and, LAND, 1, TRUTH, EVERY)
    TRY(int, sub_group_non_uniform_, logical_and, LAND, 1, SURE, EVERY)
    TRY(int, sub_group_non_uniform_, logical_or, LOR, 0, TRUTH, EVERY)
    TRY(int, sub_group_non_uniform_, logical_xor, LXOR, 0, TRUTH, EVERY)
    END
}

#define CLUSTERED(T, LEAST, MOST)                                                                                      \
    TRY_CLUSTER(T, add, ADD, 0, VALUE, 4) TRY_CLUSTER(T, mul, MUL, 1, VALUE, 2)                                        \
    TRY_CLUSTER(T, min, MIN, MOST, VALUE, 2) TRY_CLUSTER(T, max, MAX, LEAST, VALUE, 4)
kernel void clustered(global int *out) { BEGIN ALL_TYPES(CLUSTERED) END }

#define CLUSTERED_BITS(T, LEAST, MOST)                                                                                 \
    TRY_CLUSTER(T, and, AND, (T)-1, PATTERN, 2) TRY_CLUSTER(T, or, OR, 0, PATTERN, 4)                                  \
    TRY_CLUSTER(T, xor, XOR, 0, PATTERN, 1)
kernel void clustered_bits(global int *out) {
    BEGIN
    ALL_OF(CLUSTERED_BITS)
    TRY_CLUSTER(int, logical_and, LAND, 1, TRUTH, 2)
    TRY_CLUSTER(int, logical_or, LOR, 0, TRUTH, 2)
    TRY_CLUSTER(int, logical_xor, LXOR, 0, TRUTH, 4)
    END
}

// Only active work-items count.
#define TRY_FEW(T, LEAST, MOST) TRY(T, sub_group_non_uniform_, add, ADD, 0, VALUE, FEW)
kernel void some_active(global int *out) {
    BEGIN
    if (FEW(id)) {
        TRY_FEW(int, 0, 0)
        TRY_FEW(float, 0, 0)
        TRY(uint, sub_group_non_uniform_, or, OR, 0, PATTERN, FEW)
        int all = 0;
        for (uint j = id & ~3u; j <= (id | 3u); j++)
            all += FEW(j) ? VALUE(int, j) : 0;
        bad += sub_group_clustered_reduce_add(VALUE(int, id), 4) != all;
        bad += sub_group_non_uniform_all(id != 4) == 0;
        bad += sub_group_non_uniform_any(id == 4) != 0;
        bad += sub_group_non_uniform_any(id == 1) == 0;
        bad += sub_group_non_uniform_all(id == 1) != 0;
        bad += sub_group_non_uniform_all_equal(id % 4 == 0 ? id : 5u) == 0;
        bad += (sub_group_elect() != 0) != (id == 1);
        bad += sub_group_broadcast_first(id) != 1;
    }
    END
}
