// Atomics on halves (cl_ext_float_atomics): neighbours in one word are left alone.
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver's compiler has no halves
// SKIP opencl: PoCL 3.1 has no halves
// RUN: kernel=halves global=32 local=32
// ARG: buffer:ushort=0,0x3c00,0x7bff,0xfbff,0,0x1234,0,0x4321
// ARG: buffer:int=-1,-1,-1,-1
// EXPECT 0: ushort=0x5000,0xcfc0,0xc200,0x4f00,0x3c00,0x1234,0x5000,0x4321
// EXPECT 1: int=0,0,0,0
kernel void halves(global atomic_half *h, global int *out) {
    local half l[2];
    uint id = get_global_id(0);
    if (id == 0) {
        l[0] = 0.0h;
        l[1] = 7.0h;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&h[0], 1.0h);
    atomic_fetch_sub(&h[1], 1.0h);
    atomic_fetch_min(&h[2], (half)id - 3.0h);
    atomic_fetch_max_explicit(&h[3], (half)id - 3.0h, memory_order_relaxed);
    atomic_fetch_add_explicit((local atomic_half *)&l[0], 1.0h, memory_order_relaxed, memory_scope_work_group);
    int bad = 0;
    if (id == 0) {
        atomic_store(&h[4], 1.0h);
        bad += atomic_exchange(&h[4], 2.0h) != 1.0h || atomic_load(&h[4]) != 2.0h;
        atomic_store_explicit(&h[4], 1.0h, memory_order_release);
        bad += atomic_load_explicit(&h[4], memory_order_acquire) != 1.0h;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        atomic_store(&h[6], l[0]);
        bad += l[1] != 7.0h;
    }
    if (id < 4)
        out[id] = bad;
}
