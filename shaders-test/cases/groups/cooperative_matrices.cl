// Cooperative matrices (cl_khr_cooperative_matrix). The reference driver has none: there the first work-item computes the same
// by loops.
// OPTIONS: -cl-std=CL3.0
// SKIP single: each work-item has whole matrices, which lavapipe compiles for minutes
// SKIP opencl: the driver has no cooperative matrices
// RUN: kernel=floats global=32 local=32
// ARG: buffer:float=0..128
// ARG: buffer:float=0..128
// ARG: buffer:float=0..256
// EXPECT: pocl
// RUN: kernel=halves global=64 local=32
// ARG: buffer:float=0..1024
// ARG: buffer:bytes=2048
// ARG: buffer:bytes=2048
// EXPECT: pocl
// RUN: kernel=bytes global=32 local=32
// ARG: buffer:random=512,3
// ARG: buffer:random=512,4
// ARG: buffer:random=1024,5
// EXPECT: pocl
// RUN: kernel=saturated global=32 local=32
// ARG: buffer:random=512,6
// ARG: buffer:random=512,7
// ARG: buffer:random=1024,8
// EXPECT: pocl
// RUN: kernel=odd_shapes global=32 local=32
// ARG: buffer:int=0..160
// ARG: buffer:int=0..240
// ARG: buffer:bytes=384
// EXPECT: pocl
// RUN: kernel=operators global=32 local=32
// ARG: buffer:float=0..256
// ARG: buffer:bytes=8192
// ARG: buffer:bytes=1024
// EXPECT: pocl
// RUN: kernel=components global=32 local=32
// ARG: buffer:float=0..256
// ARG: buffer:bytes=1024
// ARG: buffer:bytes=4
// EXPECT: pocl
// RUN: kernel=local_memory global=32 local=32
// ARG: buffer:float=0..512
// ARG: buffer:bytes=1024
// EXPECT: pocl
// RUN: kernel=tiles global=32 local=32
// ARG: buffer:float=0..2048
// ARG: buffer:bytes=4096
// ARG: buffer:bytes=4096
// ARG: uint=32
// EXPECT: pocl

#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))

#ifdef cl_khr_cooperative_matrix
typedef half MATRIX(16, 16, A) half_a;
typedef half MATRIX(16, 16, B) half_b;
typedef float MATRIX(16, 16, ACCUMULATOR) float_sum;
#else
#define FIRST if (get_global_id(0) == 0)
#endif

// Small, so that all sums are exact.
static float small(global const float *in, uint i) { return (int)in[i] % 31 - 15; }

// Writes as many halves, of the range of a work-group.
static void write_halves(global const float *in, global half *halves, uint count)
{
    uint first = get_group_id(0) * count;
    for (uint i = get_local_id(0); i < count; i += get_local_size(0)) vstore_half(small(in, first + i), first + i, halves);
    barrier(CLK_GLOBAL_MEM_FENCE);
}

// The left factor by rows, the right one by columns.
kernel void floats(global const float *a, global const float *b, global float *c)
{
#ifdef cl_khr_cooperative_matrix
    float MATRIX(16, 8, A) left;
    float MATRIX(8, 16, B) right;
    float_sum sum;
    left = coop_mat_load(a, ROWS, 8);
    right = coop_mat_load(b, COLUMNS, 8);
    sum = coop_mat_load(c, COLUMNS, 16);
    // All sub-groups of the work-group load before one stores.
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum = coop_mat_mulAdd(left, right, sum);
    coop_mat_store(c, sum, COLUMNS, 16);
#else
    FIRST for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) {
        float sum = c[j * 16 + i];
        for (int k = 0; k < 8; k++) sum += a[i * 8 + k] * b[j * 8 + k];
        c[j * 16 + i] = sum;
    }
#endif
}

// Two work-groups, each with factors and a result of its own; pointers to vectors.
kernel void halves(global const float *in, global half *factors, global float *c)
{
    write_halves(in, factors, 512);
    uint group = get_group_id(0);
#ifdef cl_khr_cooperative_matrix
    half_a left = coop_mat_load(factors + group * 512, ROWS, 16);
    half_b right = coop_mat_load((global half4 *)(factors + group * 512 + 256), ROWS, 4);
    float_sum sum = coop_mat_init(group);
    sum = coop_mat_mulAdd(left, right, sum);
    coop_mat_store((global float2 *)(c + group * 256), sum, ROWS, 8);
#else
    if (get_local_id(0) == 0) for (int i = 0; i < 256; i++) {
        float sum = group;
        for (int k = 0; k < 16; k++)
            sum += small(in, group * 512 + i / 16 * 16 + k) * small(in, group * 512 + 256 + k * 16 + i % 16);
        c[group * 256 + i] = sum;
    }
#endif
}

// Signed by unsigned.
kernel void bytes(global const char *a, global const uchar *b, global int *c)
{
#ifdef cl_khr_cooperative_matrix
    char MATRIX(16, 32, A) left;
    uchar MATRIX(32, 16, B) right;
    int MATRIX(16, 16, ACCUMULATOR) sum;
    left = coop_mat_load(a, ROWS, 32);
    right = coop_mat_load(b, ROWS, 16);
    sum = coop_mat_load(c, ROWS, 16);
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum = coop_mat_mulAdd(left, right, sum, CLK_COOPERATIVE_MATRIX_OPERAND_NONE);
    coop_mat_store(c, sum, ROWS, 16);
#else
    FIRST for (int i = 0; i < 256; i++) {
        uint sum = c[i];
        for (int k = 0; k < 32; k++) sum += (uint)(a[i / 16 * 32 + k] * b[k * 16 + i % 16]);
        c[i] = (int)sum;
    }
#endif
}

// Sums that reach the least and the greatest int.
kernel void saturated(global const char *a, global const char *b, global int *c)
{
#ifdef cl_khr_cooperative_matrix
    char MATRIX(16, 32, A) left;
    char MATRIX(32, 16, B) right;
    int MATRIX(16, 16, ACCUMULATOR) sum;
    left = coop_mat_load(a, ROWS, 32);
    right = coop_mat_load(b, ROWS, 16);
    sum = coop_mat_load(c, ROWS, 16);
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum = coop_mat_mulAdd(left, right, sum, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    coop_mat_store(c, sum, ROWS, 16);
#else
    FIRST for (int i = 0; i < 256; i++) {
        long sum = c[i];
        for (int k = 0; k < 32; k++) sum += a[i / 16 * 32 + k] * b[k * 16 + i % 16];
        c[i] = clamp(sum, (long)INT_MIN, (long)INT_MAX);
    }
#endif
}

// Eight rows, twenty columns of the left factor, twelve of the right one.
kernel void odd_shapes(global const int *a, global const int *b, global int *c)
{
#ifdef cl_khr_cooperative_matrix
    int MATRIX(8, 20, A) left;
    int MATRIX(20, 12, B) right;
    int MATRIX(8, 12, ACCUMULATOR) sum;
    left = coop_mat_load(a, COLUMNS, 8);
    right = coop_mat_load(b, ROWS, 12);
    sum = coop_mat_init(-5);
    sum = coop_mat_mulAdd(left, right, sum);
    coop_mat_store(c, sum, ROWS, 12);
#else
    FIRST for (int i = 0; i < 96; i++) {
        int sum = -5;
        for (int k = 0; k < 20; k++) sum += a[k * 8 + i / 12] * b[k * 12 + i % 12];
        c[i] = sum;
    }
#endif
}

#ifdef cl_khr_cooperative_matrix
static float_sum twice(float_sum m) { return m + m; }
#endif

kernel void operators(global const float *in, global float *out, global int *integers)
{
#ifdef cl_khr_cooperative_matrix
    float_sum m = coop_mat_load(in, ROWS, 16);
    float_sum one = coop_mat_init(1), n;
    typedef int MATRIX(16, 16, ACCUMULATOR) int_sum;
    typedef half MATRIX(16, 16, ACCUMULATOR) half_sum;
    coop_mat_store(out, m - one, ROWS, 16);
    coop_mat_store(out + 256, m * m, ROWS, 16);
    coop_mat_store(out + 512, m / (one + one), ROWS, 16);
    coop_mat_store(out + 768, -m * 3, ROWS, 16);
    n = twice(m);
    n += one;
    n *= 0.5f;
    coop_mat_store(out + 1024, n, ROWS, 16);
    n = in[3] == 3 ? m : one;
    coop_mat_store(out + 1280, n, COLUMNS, 16);
    half_sum halves = (half_sum)m;
    halves = halves * (half)0.25f;
    coop_mat_store(out + 1536, (float_sum)halves, ROWS, 16);
    int_sum i = (int_sum)(m - one);
    i = -i * i / (int_sum)(one * 2);
    coop_mat_store(integers, i, ROWS, 16);
    while (out[1792] < 3) {
        m = m + one;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_global_id(0) == 0) out[1792] += 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    coop_mat_store(out + 1792, m, ROWS, 16);
#else
    FIRST for (int i = 0; i < 256; i++) {
        float x = in[i];
        out[i] = x - 1;
        out[256 + i] = x * x;
        out[512 + i] = x / 2;
        out[768 + i] = -x * 3;
        out[1024 + i] = (2 * x + 1) * 0.5f;
        out[1280 + i] = in[i % 16 * 16 + i / 16];
        out[1536 + i] = x * 0.25f;
        int y = (int)(x - 1);
        integers[i] = -y * y / 2;
        out[1792 + i] = x + 3;
    }
#endif
}

// What a work-item changes are components of the matrix.
kernel void components(global const float *in, global float *out, global uint *count)
{
#ifdef cl_khr_cooperative_matrix
    float_sum m = coop_mat_load(in, ROWS, 16);
    uint length = coop_mat_length(m);
    for (uint i = 0; i < length; i++) {
        float x = m[i];
        m[i] = x * x + 1;
        m[i] += 2;
    }
    if (get_sub_group_id() == 0) atomic_add(count, length);
    coop_mat_store(out, m, ROWS, 16);
#else
    FIRST {
        for (int i = 0; i < 256; i++) out[i] = in[i] * in[i] + 1 + 2;
        *count = 256;
    }
#endif
}

kernel void local_memory(global const float *in, global float *out)
{
#ifdef cl_khr_cooperative_matrix
    local half factors[512];
    local float sums[256];
    for (uint i = get_local_id(0); i < 512; i += get_local_size(0)) factors[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    half_a a = coop_mat_load(factors, COLUMNS, 16);
    half_b b = coop_mat_load(factors + 256, ROWS, 16);
    float_sum sum = coop_mat_init(0);
    sum = coop_mat_mulAdd(a, b, sum);
    coop_mat_store(sums, sum, ROWS, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) out[i] = sums[i];
#else
    FIRST for (int i = 0; i < 256; i++) {
        float sum = 0;
        for (int k = 0; k < 16; k++) sum += in[k * 16 + i / 16] * in[256 + k * 16 + i % 16];
        out[i] = sum;
    }
#endif
}

// A work-group computes two by two tiles, with a loop over the factors.
kernel void tiles(global const float *in, global half *factors, global float *c, uint n)
{
    write_halves(in, factors, 2048);
#ifdef cl_khr_cooperative_matrix
    global const half *a = factors, *b = factors + n * n;
    float_sum sums[2][2];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) sums[i][j] = coop_mat_init(0);
    for (uint k = 0; k < n; k += 16) {
        half_a left[2];
        half_b right[2];
        for (int i = 0; i < 2; i++) {
            left[i] = coop_mat_load(a + i * 16 * n + k, ROWS, n);
            right[i] = coop_mat_load(b + k * n + i * 16, ROWS, n);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) sums[i][j] = coop_mat_mulAdd(left[i], right[j], sums[i][j]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) coop_mat_store(c + i * 16 * n + j * 16, sums[i][j], ROWS, n);
#else
    FIRST for (uint i = 0; i < n * n; i++) {
        float sum = 0;
        for (uint k = 0; k < n; k++) sum += small(in, i / n * n + k) * small(in, n * n + k * n + i % n);
        c[i] = sum;
    }
#endif
}
