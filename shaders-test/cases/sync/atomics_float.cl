// Atomic arithmetic on floats, doubles and halves (cl_ext_float_atomics), in global and local memory.
// NEEDS: shaderInt64
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver's compiler lacks cl_ext_float_atomics
// RUN: kernel=floats global=64 local=16
// ARG: buffer:float=0,100,1e30,-1e30,-5,0,0,0
// ARG: buffer:double=0,100,1e30,-1e30,-5,0,0,0
// EXPECT 0: float=2016,36,-3,60,-5,96,0,0
// EXPECT 1: double=2016,36,-3,60,-5,96,0,0
// RUN: kernel=special global=1
// ARG: buffer:uint=0x7fc00000,0x7fc00000,0x3f800000,0x3f800000,0,0x7f800000,0xff800000,0x00000001
// ARG: buffer:int=-1,-1,-1,-1
// ARG: uint=1
// EXPECT 0: uint=0x40000000,0x40000000,0x3f800000,0x3f800000,0x41200000,0xff800000,0x7f800000,0x40e00000
// EXPECT 1: int=0,0,0,0

#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp32_global_atomic_add)
#error the extension's macros are missing
#endif
#define COUNT(T, P, L)                                                                                                 \
    if (get_local_id(0) == 0)                                                                                          \
        L = 0;                                                                                                         \
    work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
    atomic_fetch_add(&P[0], (T)id);                                                                                    \
    atomic_fetch_sub_explicit(&P[1], (T)1, memory_order_relaxed);                                                      \
    atomic_fetch_min(&P[2], (T)id - 3);                                                                                \
    atomic_fetch_max_explicit(&P[3], (T)id - 3, memory_order_acq_rel, memory_scope_device);                            \
    atomic_fetch_min_explicit(&P[4], (T)id, memory_order_seq_cst);                                                     \
    atomic_fetch_add((local atomic_##T *)&L, (T)1.5);                                                                  \
    work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
    if (get_local_id(0) == 0)                                                                                          \
        atomic_fetch_add_explicit(&P[5], L, memory_order_relaxed, memory_scope_device);
kernel void floats(global atomic_float *f, global atomic_double *d) {
    local float lf;
    local double ld;
    uint id = get_global_id(0);
    COUNT(float, f, lf)
    COUNT(double, d, ld)
}

// A NaN is less and greater than nothing; infinities are values like others, and denormals where a device keeps them, else
// any of them may be zeros.
kernel void special(global atomic_float *f, global int *out, uint one) {
    int bad = 0;
    bad += !isnan(atomic_fetch_min(&f[0], 2.0f)) || !isnan(atomic_fetch_max(&f[1], 2.0f));
    bad += atomic_fetch_min(&f[2], NAN) != 1.0f || atomic_fetch_max(&f[3], NAN) != 1.0f;
    out[0] = bad;
    bad += atomic_exchange(&f[4], 10.0f) != 0.0f || atomic_load(&f[4]) != 10.0f;
    float expected = 11.0f;
    bad += atomic_compare_exchange_strong(&f[4], &expected, 12.0f) || expected != 10.0f;
    out[1] = bad;
    bad += atomic_fetch_min(&f[5], -INFINITY) != INFINITY || atomic_fetch_max(&f[6], INFINITY) != -INFINITY;
    out[2] = bad;
    atomic_fetch_add(&f[7], as_float(2));
    uint sum = as_uint(atomic_exchange(&f[7], 7.0f));
    bool keeps = as_uint(as_float(one) + as_float(one)) == 2;
    bad += keeps ? sum != 3 : sum > 3 && sum != 0x80000000;
    out[3] = bad;
}
