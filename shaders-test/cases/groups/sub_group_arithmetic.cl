// Reductions and scans of sub-groups, against loops over what all work-items contribute.
// OPTIONS: -cl-std=CL3.0
// SKIP shuffled: lavapipe compiles its many loops of shuffles for minutes
// SKIP reference: the driver has no sub-group functions
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
// RUN: kernel=uniform global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=non_uniform_add global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=non_uniform_mul global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=non_uniform_min global=16 local=16
// ARG: buffer:int=100..116
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: kernel=non_uniform_max global=16 local=16
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

// Every operation is done on some types, and every type by some operation.

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
// A cluster larger than the sub-group is undefined.
#define TRY_CLUSTER(T, NAME, OP, IDENTITY, V, SIZE)                                                                    \
    if (SIZE <= get_max_sub_group_size()) {                                                                            \
        T all = IDENTITY;                                                                                              \
        for (uint j = id & ~(SIZE - 1u); j <= (id | (SIZE - 1u)); j++)                                                 \
            all = (T)OP(all, V(T, j));                                                                                 \
        bad += sub_group_clustered_reduce_##NAME(V(T, id), SIZE) != all;                                               \
    }
#define EVERY(j) 1
#define BEGIN const uint id = get_sub_group_local_id(), size = get_sub_group_size(); int bad = 0;
#define END out[get_global_id(0)] = bad;

#define INFINITE(T) ((T)INFINITY)
kernel void uniform(global int *out) {
    BEGIN
    TRY(char, sub_group_, add, ADD, 0, VALUE, EVERY) TRY(ulong, sub_group_, add, ADD, 0, VALUE, EVERY)
    TRY(half, sub_group_, add, ADD, 0, VALUE, EVERY) TRY(double, sub_group_, add, ADD, 0, VALUE, EVERY)
    TRY(uchar, sub_group_, min, MIN, UCHAR_MAX, PATTERN, EVERY) TRY(int, sub_group_, min, MIN, INT_MAX, PATTERN, EVERY)
    TRY(float, sub_group_, min, MIN, INFINITY, VALUE, EVERY) TRY(short, sub_group_, max, MAX, SHRT_MIN, PATTERN, EVERY)
    TRY(uint, sub_group_, max, MAX, 0, PATTERN, EVERY) TRY(double, sub_group_, max, MAX, -INFINITE(double), VALUE, EVERY)
    END
}

#define NON_UNIFORM(T, NAME, OP, IDENTITY, V) TRY(T, sub_group_non_uniform_, NAME, OP, IDENTITY, V, EVERY)
kernel void non_uniform_add(global int *out) {
    BEGIN
    NON_UNIFORM(uchar, add, ADD, 0, PATTERN) NON_UNIFORM(short, add, ADD, 0, PATTERN)
    NON_UNIFORM(int, add, ADD, 0, PATTERN) NON_UNIFORM(long, add, ADD, 0, PATTERN)
    NON_UNIFORM(float, add, ADD, 0, VALUE)
    END
}
kernel void non_uniform_mul(global int *out) {
    BEGIN
    NON_UNIFORM(char, mul, MUL, 1, VALUE) NON_UNIFORM(ushort, mul, MUL, 1, PATTERN)
    NON_UNIFORM(uint, mul, MUL, 1, PATTERN) NON_UNIFORM(half, mul, MUL, 1, VALUE)
    NON_UNIFORM(double, mul, MUL, 1, VALUE)
    END
}
kernel void non_uniform_min(global int *out) {
    BEGIN
    NON_UNIFORM(char, min, MIN, CHAR_MAX, PATTERN) NON_UNIFORM(ushort, min, MIN, USHRT_MAX, PATTERN)
    NON_UNIFORM(long, min, MIN, LONG_MAX, PATTERN) NON_UNIFORM(half, min, MIN, INFINITE(half), VALUE)
    END
}
kernel void non_uniform_max(global int *out) {
    BEGIN
    NON_UNIFORM(uchar, max, MAX, 0, PATTERN) NON_UNIFORM(int, max, MAX, INT_MIN, PATTERN)
    NON_UNIFORM(ulong, max, MAX, 0, PATTERN) NON_UNIFORM(float, max, MAX, -INFINITY, VALUE)
    END
}

kernel void bits(global int *out) {
    BEGIN
    NON_UNIFORM(char, and, AND, -1, PATTERN) NON_UNIFORM(ulong, and, AND, -1, PATTERN)
    NON_UNIFORM(ushort, or, OR, 0, PATTERN) NON_UNIFORM(int, or, OR, 0, PATTERN)
    NON_UNIFORM(short, xor, XOR, 0, PATTERN) NON_UNIFORM(uint, xor, XOR, 0, PATTERN)
    END
}

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

kernel void clustered(global int *out) {
    BEGIN
    TRY_CLUSTER(char, add, ADD, 0, PATTERN, 4) TRY_CLUSTER(ulong, add, ADD, 0, PATTERN, 2)
    TRY_CLUSTER(half, add, ADD, 0, VALUE, 4) TRY_CLUSTER(short, mul, MUL, 1, PATTERN, 2)
    TRY_CLUSTER(double, mul, MUL, 1, VALUE, 4) TRY_CLUSTER(uchar, min, MIN, UCHAR_MAX, PATTERN, 2)
    TRY_CLUSTER(float, min, MIN, INFINITY, VALUE, 4) TRY_CLUSTER(long, max, MAX, LONG_MIN, PATTERN, 4)
    TRY_CLUSTER(half, max, MAX, -INFINITE(half), VALUE, 2) TRY_CLUSTER(uint, max, MAX, 0, PATTERN, 1)
    END
}

kernel void clustered_bits(global int *out) {
    BEGIN
    TRY_CLUSTER(char, and, AND, -1, PATTERN, 2) TRY_CLUSTER(ulong, and, AND, -1, PATTERN, 4)
    TRY_CLUSTER(short, or, OR, 0, PATTERN, 4) TRY_CLUSTER(uint, xor, XOR, 0, PATTERN, 2)
    TRY_CLUSTER(int, logical_and, LAND, 1, TRUTH, 2)
    TRY_CLUSTER(int, logical_or, LOR, 0, TRUTH, 2)
    TRY_CLUSTER(int, logical_xor, LXOR, 0, TRUTH, 4)
    END
}

// Only active work-items count.
kernel void some_active(global int *out) {
    BEGIN
    if (FEW(id)) {
        TRY(float, sub_group_non_uniform_, add, ADD, 0, VALUE, FEW)
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
