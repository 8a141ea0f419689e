// Work-group functions (OpenCL C 6.15.18) through local memory: two elements for each work-item.

// All work-items write their value, then each takes the one a power of two before it, until all before are in.
// What is read and what is written are different halves of the scratch memory, so that a step needs one barrier. The first
// barrier keeps an earlier use of the memory apart from this one.
#define LINEAR_ID (get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)))
#define GROUP_SIZE (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define ADD(a, b) ((a) + (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define SCAN(T, OP)                                                                                            \
    const uint id = (uint)LINEAR_ID, size = (uint)GROUP_SIZE;                                                  \
    SYNC;                                                                                                      \
    s[id] = x;                                                                                                 \
    SYNC;                                                                                                      \
    uint half_at = 0;                                                                                          \
    for (uint step = 1; step < size; step <<= 1) {                                                             \
        x = id >= step ? OP(s[half_at + id - step], x) : x;                                                    \
        half_at = size - half_at;                                                                              \
        s[half_at + id] = x;                                                                                   \
        SYNC;                                                                                                  \
    }
#define REDUCE(T, OP) { SCAN(T, OP) return s[half_at + size - 1]; }
#define INCLUSIVE(T, OP) { SCAN(T, OP) return x; }
#define EXCLUSIVE(T, OP, IDENTITY) { SCAN(T, OP) return id > 0 ? s[half_at + id - 1] : IDENTITY; }
#define BROADCAST { SYNC; if (LINEAR_ID == id) s[0] = x; SYNC; return s[0]; }

int __clforge_work_group_reduce_add_i32(int x, local int *s) REDUCE(int, ADD)
int __clforge_work_group_scan_inclusive_add_i32(int x, local int *s) INCLUSIVE(int, ADD)
int __clforge_work_group_scan_exclusive_add_i32(int x, local int *s) EXCLUSIVE(int, ADD, (int)0)
long __clforge_work_group_reduce_add_i64(long x, local long *s) REDUCE(long, ADD)
long __clforge_work_group_scan_inclusive_add_i64(long x, local long *s) INCLUSIVE(long, ADD)
long __clforge_work_group_scan_exclusive_add_i64(long x, local long *s) EXCLUSIVE(long, ADD, (long)0)
half __clforge_work_group_reduce_add_f16(half x, local half *s) REDUCE(half, ADD)
half __clforge_work_group_scan_inclusive_add_f16(half x, local half *s) INCLUSIVE(half, ADD)
half __clforge_work_group_scan_exclusive_add_f16(half x, local half *s) EXCLUSIVE(half, ADD, (half)0)
float __clforge_work_group_reduce_add_f32(float x, local float *s) REDUCE(float, ADD)
float __clforge_work_group_scan_inclusive_add_f32(float x, local float *s) INCLUSIVE(float, ADD)
float __clforge_work_group_scan_exclusive_add_f32(float x, local float *s) EXCLUSIVE(float, ADD, (float)0)
double __clforge_work_group_reduce_add_f64(double x, local double *s) REDUCE(double, ADD)
double __clforge_work_group_scan_inclusive_add_f64(double x, local double *s) INCLUSIVE(double, ADD)
double __clforge_work_group_scan_exclusive_add_f64(double x, local double *s) EXCLUSIVE(double, ADD, (double)0)
int __clforge_work_group_reduce_min_i32(int x, local int *s) REDUCE(int, MIN)
int __clforge_work_group_scan_inclusive_min_i32(int x, local int *s) INCLUSIVE(int, MIN)
int __clforge_work_group_scan_exclusive_min_i32(int x, local int *s) EXCLUSIVE(int, MIN, INT_MAX)
uint __clforge_work_group_reduce_min_u32(uint x, local uint *s) REDUCE(uint, MIN)
uint __clforge_work_group_scan_inclusive_min_u32(uint x, local uint *s) INCLUSIVE(uint, MIN)
uint __clforge_work_group_scan_exclusive_min_u32(uint x, local uint *s) EXCLUSIVE(uint, MIN, UINT_MAX)
long __clforge_work_group_reduce_min_i64(long x, local long *s) REDUCE(long, MIN)
long __clforge_work_group_scan_inclusive_min_i64(long x, local long *s) INCLUSIVE(long, MIN)
long __clforge_work_group_scan_exclusive_min_i64(long x, local long *s) EXCLUSIVE(long, MIN, LONG_MAX)
ulong __clforge_work_group_reduce_min_u64(ulong x, local ulong *s) REDUCE(ulong, MIN)
ulong __clforge_work_group_scan_inclusive_min_u64(ulong x, local ulong *s) INCLUSIVE(ulong, MIN)
ulong __clforge_work_group_scan_exclusive_min_u64(ulong x, local ulong *s) EXCLUSIVE(ulong, MIN, ULONG_MAX)
half __clforge_work_group_reduce_min_f16(half x, local half *s) REDUCE(half, MIN)
half __clforge_work_group_scan_inclusive_min_f16(half x, local half *s) INCLUSIVE(half, MIN)
half __clforge_work_group_scan_exclusive_min_f16(half x, local half *s) EXCLUSIVE(half, MIN, (half)INFINITY)
float __clforge_work_group_reduce_min_f32(float x, local float *s) REDUCE(float, MIN)
float __clforge_work_group_scan_inclusive_min_f32(float x, local float *s) INCLUSIVE(float, MIN)
float __clforge_work_group_scan_exclusive_min_f32(float x, local float *s) EXCLUSIVE(float, MIN, INFINITY)
double __clforge_work_group_reduce_min_f64(double x, local double *s) REDUCE(double, MIN)
double __clforge_work_group_scan_inclusive_min_f64(double x, local double *s) INCLUSIVE(double, MIN)
double __clforge_work_group_scan_exclusive_min_f64(double x, local double *s) EXCLUSIVE(double, MIN, (double)INFINITY)
int __clforge_work_group_reduce_max_i32(int x, local int *s) REDUCE(int, MAX)
int __clforge_work_group_scan_inclusive_max_i32(int x, local int *s) INCLUSIVE(int, MAX)
int __clforge_work_group_scan_exclusive_max_i32(int x, local int *s) EXCLUSIVE(int, MAX, INT_MIN)
uint __clforge_work_group_reduce_max_u32(uint x, local uint *s) REDUCE(uint, MAX)
uint __clforge_work_group_scan_inclusive_max_u32(uint x, local uint *s) INCLUSIVE(uint, MAX)
uint __clforge_work_group_scan_exclusive_max_u32(uint x, local uint *s) EXCLUSIVE(uint, MAX, 0u)
long __clforge_work_group_reduce_max_i64(long x, local long *s) REDUCE(long, MAX)
long __clforge_work_group_scan_inclusive_max_i64(long x, local long *s) INCLUSIVE(long, MAX)
long __clforge_work_group_scan_exclusive_max_i64(long x, local long *s) EXCLUSIVE(long, MAX, LONG_MIN)
ulong __clforge_work_group_reduce_max_u64(ulong x, local ulong *s) REDUCE(ulong, MAX)
ulong __clforge_work_group_scan_inclusive_max_u64(ulong x, local ulong *s) INCLUSIVE(ulong, MAX)
ulong __clforge_work_group_scan_exclusive_max_u64(ulong x, local ulong *s) EXCLUSIVE(ulong, MAX, 0ul)
half __clforge_work_group_reduce_max_f16(half x, local half *s) REDUCE(half, MAX)
half __clforge_work_group_scan_inclusive_max_f16(half x, local half *s) INCLUSIVE(half, MAX)
half __clforge_work_group_scan_exclusive_max_f16(half x, local half *s) EXCLUSIVE(half, MAX, -(half)INFINITY)
float __clforge_work_group_reduce_max_f32(float x, local float *s) REDUCE(float, MAX)
float __clforge_work_group_scan_inclusive_max_f32(float x, local float *s) INCLUSIVE(float, MAX)
float __clforge_work_group_scan_exclusive_max_f32(float x, local float *s) EXCLUSIVE(float, MAX, -INFINITY)
double __clforge_work_group_reduce_max_f64(double x, local double *s) REDUCE(double, MAX)
double __clforge_work_group_scan_inclusive_max_f64(double x, local double *s) INCLUSIVE(double, MAX)
double __clforge_work_group_scan_exclusive_max_f64(double x, local double *s) EXCLUSIVE(double, MAX, -(double)INFINITY)
int __clforge_work_group_reduce_mul_i32(int x, local int *s) REDUCE(int, MUL)
int __clforge_work_group_scan_inclusive_mul_i32(int x, local int *s) INCLUSIVE(int, MUL)
int __clforge_work_group_scan_exclusive_mul_i32(int x, local int *s) EXCLUSIVE(int, MUL, (int)1)
long __clforge_work_group_reduce_mul_i64(long x, local long *s) REDUCE(long, MUL)
long __clforge_work_group_scan_inclusive_mul_i64(long x, local long *s) INCLUSIVE(long, MUL)
long __clforge_work_group_scan_exclusive_mul_i64(long x, local long *s) EXCLUSIVE(long, MUL, (long)1)
half __clforge_work_group_reduce_mul_f16(half x, local half *s) REDUCE(half, MUL)
half __clforge_work_group_scan_inclusive_mul_f16(half x, local half *s) INCLUSIVE(half, MUL)
half __clforge_work_group_scan_exclusive_mul_f16(half x, local half *s) EXCLUSIVE(half, MUL, (half)1)
float __clforge_work_group_reduce_mul_f32(float x, local float *s) REDUCE(float, MUL)
float __clforge_work_group_scan_inclusive_mul_f32(float x, local float *s) INCLUSIVE(float, MUL)
float __clforge_work_group_scan_exclusive_mul_f32(float x, local float *s) EXCLUSIVE(float, MUL, (float)1)
double __clforge_work_group_reduce_mul_f64(double x, local double *s) REDUCE(double, MUL)
double __clforge_work_group_scan_inclusive_mul_f64(double x, local double *s) INCLUSIVE(double, MUL)
double __clforge_work_group_scan_exclusive_mul_f64(double x, local double *s) EXCLUSIVE(double, MUL, (double)1)
int __clforge_work_group_reduce_and_i32(int x, local int *s) REDUCE(int, AND)
int __clforge_work_group_scan_inclusive_and_i32(int x, local int *s) INCLUSIVE(int, AND)
int __clforge_work_group_scan_exclusive_and_i32(int x, local int *s) EXCLUSIVE(int, AND, (int)-1)
long __clforge_work_group_reduce_and_i64(long x, local long *s) REDUCE(long, AND)
long __clforge_work_group_scan_inclusive_and_i64(long x, local long *s) INCLUSIVE(long, AND)
long __clforge_work_group_scan_exclusive_and_i64(long x, local long *s) EXCLUSIVE(long, AND, (long)-1)
int __clforge_work_group_reduce_or_i32(int x, local int *s) REDUCE(int, OR)
int __clforge_work_group_scan_inclusive_or_i32(int x, local int *s) INCLUSIVE(int, OR)
int __clforge_work_group_scan_exclusive_or_i32(int x, local int *s) EXCLUSIVE(int, OR, (int)0)
long __clforge_work_group_reduce_or_i64(long x, local long *s) REDUCE(long, OR)
long __clforge_work_group_scan_inclusive_or_i64(long x, local long *s) INCLUSIVE(long, OR)
long __clforge_work_group_scan_exclusive_or_i64(long x, local long *s) EXCLUSIVE(long, OR, (long)0)
int __clforge_work_group_reduce_xor_i32(int x, local int *s) REDUCE(int, XOR)
int __clforge_work_group_scan_inclusive_xor_i32(int x, local int *s) INCLUSIVE(int, XOR)
int __clforge_work_group_scan_exclusive_xor_i32(int x, local int *s) EXCLUSIVE(int, XOR, (int)0)
long __clforge_work_group_reduce_xor_i64(long x, local long *s) REDUCE(long, XOR)
long __clforge_work_group_scan_inclusive_xor_i64(long x, local long *s) INCLUSIVE(long, XOR)
long __clforge_work_group_scan_exclusive_xor_i64(long x, local long *s) EXCLUSIVE(long, XOR, (long)0)
ushort __clforge_work_group_broadcast_i16(ushort x, size_t id, local ushort *s) BROADCAST
uint __clforge_work_group_broadcast_i32(uint x, size_t id, local uint *s) BROADCAST
ulong __clforge_work_group_broadcast_i64(ulong x, size_t id, local ulong *s) BROADCAST
