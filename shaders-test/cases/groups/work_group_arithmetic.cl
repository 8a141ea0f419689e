// Reductions and scans of whole work-groups, against loops over what all work-items contribute.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no work-group functions
// SKIP opencl: the OpenCL driver has no work-group functions in SPIR-V
// RUN: kernel=numbers global=5,2 local=5,2
// ARG: buffer:int=100..110
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0
// RUN: kernel=products global=5,2 local=5,2
// ARG: buffer:int=100..110
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0
// RUN: kernel=bits global=5,2 local=5,2
// ARG: buffer:int=100..110
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0
// RUN: kernel=broadcasts global=2,3,2 local=2,3,2
// ARG: buffer:int=100..112
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define LAND(a, b) ((a) && (b))
#define LOR(a, b) ((a) || (b))
#define LXOR(a, b) (!(a) != !(b))
#define VALUE(T, i) ((T)(1 + (((i) * 5 + 3) >> 1) % 2))
#define PATTERN(T, i) ((T)((i) * 0x9e3779b97f4a7c15ul >> 3))
#define TRUTH(T, i) ((T)((i) % 3 == 1 ? 7 : 0))
#define SURE(T, i) ((T)4)
#define TRY(T, NAME, OP, IDENTITY, V)                                                                                  \
    {                                                                                                                  \
        T all = IDENTITY, upto = IDENTITY, before = IDENTITY;                                                          \
        for (uint j = 0; j < 10; j++) {                                                                                \
            T w = V(T, j);                                                                                             \
            all = (T)OP(all, w);                                                                                       \
            upto = j <= id ? (T)OP(upto, w) : upto;                                                                    \
            before = j < id ? (T)OP(before, w) : before;                                                               \
        }                                                                                                              \
        bad += work_group_reduce_##NAME(V(T, id)) != all;                                                              \
        bad += work_group_scan_inclusive_##NAME(V(T, id)) != upto;                                                     \
        bad += work_group_scan_exclusive_##NAME(V(T, id)) != before;                                                   \
    }
#define BEGIN const uint id = (uint)get_local_linear_id(); int bad = 0;
#define END out[id] = bad;
#define NUMBERS(T, LEAST, MOST) TRY(T, add, ADD, 0, VALUE) TRY(T, min, MIN, MOST, VALUE) TRY(T, max, MAX, LEAST, VALUE)
kernel void numbers(global int *out) {
    BEGIN
    NUMBERS(int, INT_MIN, INT_MAX) NUMBERS(ulong, 0, ULONG_MAX) NUMBERS(half, -(half)INFINITY, (half)INFINITY)
    TRY(uint, max, MAX, 0, PATTERN) TRY(long, min, MIN, LONG_MAX, PATTERN) TRY(float, max, MAX, -INFINITY, VALUE)
    TRY(double, add, ADD, 0, VALUE)
    END
}

#define PRODUCT(T) TRY(T, mul, MUL, 1, VALUE)
kernel void products(global int *out) {
    BEGIN
    PRODUCT(uint) PRODUCT(long) PRODUCT(half) PRODUCT(double)
    TRY(int, logical_and, LAND, 1, TRUTH) TRY(int, logical_and, LAND, 1, SURE)
    TRY(int, logical_or, LOR, 0, TRUTH) TRY(int, logical_xor, LXOR, 0, TRUTH)
    END
}

#define BITS(T) TRY(T, and, AND, (T)-1, PATTERN) TRY(T, or, OR, 0, PATTERN) TRY(T, xor, XOR, 0, PATTERN)
kernel void bits(global int *out) {
    BEGIN
    BITS(int) BITS(ulong)
    END
}

#define BROADCAST(T)                                                                                                   \
    bad += work_group_broadcast((T)(id + 1), 1, 2, 1) != (T)12;                                                        \
    bad += work_group_broadcast((T)(id + 1), 0, 1, 1) != (T)9;
kernel void broadcasts(global int *out) {
    BEGIN
    BROADCAST(int) BROADCAST(uint) BROADCAST(long) BROADCAST(ulong) BROADCAST(half) BROADCAST(float) BROADCAST(double)
    bad += work_group_all(id < 12) == 0 || work_group_all(id < 11) != 0;
    bad += work_group_any(id == 11) == 0 || work_group_any(id == 12) != 0;
    END
}
