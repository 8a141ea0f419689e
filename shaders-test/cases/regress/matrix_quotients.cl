// Quotients of cooperative matrices, of which some are negative: on NVIDIA 580.159 those were -0. The first work-item of the
// reference driver, which has no matrices, computes the same.
// OPTIONS: -cl-std=CL3.0
// SKIP opencl: the driver has no cooperative matrices
// RUN: kernel=quotients global=32 local=32
// ARG: buffer:float=0..256
// ARG: buffer:bytes=1024
// EXPECT: pocl
// RUN: kernel=quotients_of_halves global=32 local=32
// ARG: buffer:float=0..256
// ARG: buffer:bytes=512
// EXPECT: pocl
// RUN: kernel=rows_of_bytes global=32 local=32
// ARG: buffer:random=256,9
// ARG: buffer:bytes=256
// EXPECT: pocl

#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))

// All quotients are exact.
kernel void quotients(global const float *in, global float *out)
{
#ifdef cl_khr_cooperative_matrix
    float MATRIX(16, 16, ACCUMULATOR) x = coop_mat_load(in, ROWS, 16), y;
    y = coop_mat_init(-4);
    float MATRIX(16, 16, ACCUMULATOR) one = coop_mat_init(1);
    for (uint i = 0; i < coop_mat_length(y); i++) if (i & 1) y[i] = 2;
    x = (x + one) / y;
    // What each component was divided by depends on its place, which is the device's choice.
    for (uint i = 0; i < coop_mat_length(x); i++) if (x[i] > 0) x[i] *= -0.5f;
    coop_mat_store(out, x, ROWS, 16);
#else
    if (get_global_id(0) == 0) for (int i = 0; i < 256; i++) out[i] = (in[i] + 1) / -4;
#endif
}

// Quotients of halves are rounded to the nearest.
kernel void quotients_of_halves(global const float *in, global half *out)
{
#ifdef cl_khr_cooperative_matrix
    float MATRIX(16, 16, ACCUMULATOR) x = coop_mat_load(in, ROWS, 16), shift;
    shift = coop_mat_init(1.25f);
    half MATRIX(16, 16, ACCUMULATOR) y, z = (half MATRIX(16, 16, ACCUMULATOR))(x + shift);
    y = coop_mat_init(-3);
    coop_mat_store(out, y / z, ROWS, 16);
#else
    if (get_global_id(0) == 0) for (int i = 0; i < 256; i++) vstore_half(-3 / (in[i] + 1.25f), i, out);
#endif
}

// The second half of a matrix of 32 rows of 8 bytes was not stored.
kernel void rows_of_bytes(global const char *in, global char *out)
{
#ifdef cl_khr_cooperative_matrix
    char MATRIX(32, 8, B) m;
    m = coop_mat_load(in, ROWS, 8);
    coop_mat_store(out, m, ROWS, 8);
#else
    if (get_global_id(0) == 0) for (int i = 0; i < 256; i++) out[i] = in[i];
#endif
}
