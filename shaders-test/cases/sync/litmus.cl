// Litmus tests of the memory model: what a release made visible is seen by the acquire that reads from it, and sequentially
// consistent accesses have one order. The forbidden outcomes are counted.
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver's compiler has no generic address space, which its header needs
// SKIP opencl: PoCL 3.1 lacks mem_fence when it is given SPIR-V
// RUN: kernel=message_passing global=512 local=8
// ARG: buffer:bytes=2048
// ARG: buffer:bytes=2048
// ARG: buffer:int=0,0,0,0
// EXPECT 2: int=0,0,0,0
// RUN: kernel=message_by_fences global=512 local=8
// ARG: buffer:bytes=2048
// ARG: buffer:bytes=2048
// ARG: buffer:int=0,0,0,0
// EXPECT 2: int=0,0,0,0
// RUN: kernel=store_buffering global=65536 local=8
// ARG: buffer:bytes=262144
// ARG: buffer:bytes=262144
// ARG: buffer:int=0,0,0,0
// EXPECT 2: int=0,0,0,0
// RUN: kernel=store_buffering_by_fences global=65536 local=8
// ARG: buffer:bytes=262144
// ARG: buffer:bytes=262144
// ARG: buffer:int=0,0,0,0
// EXPECT 2: int=0,0,0,0
// RUN: kernel=within_group global=64 local=16
// ARG: buffer:int=0,0,0,0
// EXPECT 0: int=0,0,0,0

// Partners are in different work-groups.
kernel void message_passing(global int *data, global atomic_int *flags, global atomic_int *forbidden) {
    size_t id = get_global_id(0), half_size = get_global_size(0) / 2, pair = id % half_size;
    if (id < half_size) {
        data[pair] = (int)pair + 1;
        atomic_store_explicit(&flags[pair], 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(&flags[pair], memory_order_acquire, memory_scope_device) == 1) {
        if (data[pair] != (int)pair + 1)
            atomic_fetch_add(&forbidden[0], 1);
    }
}

kernel void message_by_fences(global atomic_int *data, global atomic_int *flags, global atomic_int *forbidden) {
    size_t id = get_global_id(0), half_size = get_global_size(0) / 2, pair = id % half_size;
    if (id < half_size) {
        atomic_store_explicit(&data[pair], 7, memory_order_relaxed);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_store_explicit(&flags[pair], 1, memory_order_relaxed);
    } else if (atomic_load_explicit(&flags[pair], memory_order_relaxed) == 1) {
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        if (atomic_load_explicit(&data[pair], memory_order_relaxed) != 7)
            atomic_fetch_add(&forbidden[0], 1);
    }
}

// Both may not miss the other's store; who misses says so, and the second one to say so counts.
kernel void store_buffering(global atomic_int *x, global atomic_int *y, global atomic_int *forbidden) {
    size_t id = get_global_id(0), half_size = get_global_size(0) / 2, pair = id % half_size;
    int missed;
    if (id < half_size) {
        atomic_store(&x[pair], 1);
        missed = atomic_load(&y[pair]) == 0;
    } else {
        atomic_store(&y[pair], 1);
        missed = atomic_load(&x[pair]) == 0;
    }
    if (missed && atomic_fetch_add(&x[half_size + pair], 1) == 1)
        atomic_fetch_add(&forbidden[0], 1);
}

kernel void store_buffering_by_fences(global atomic_int *x, global atomic_int *y, global atomic_int *forbidden) {
    size_t id = get_global_id(0), half_size = get_global_size(0) / 2, pair = id % half_size;
    int first = id < half_size;
    atomic_store_explicit(first ? &x[pair] : &y[pair], 1, memory_order_relaxed);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    int missed = atomic_load_explicit(first ? &y[pair] : &x[pair], memory_order_relaxed) == 0;
    if (missed && atomic_fetch_add(&x[half_size + pair], 1) == 1)
        atomic_fetch_add(&forbidden[0], 1);
}

kernel void within_group(global atomic_int *forbidden) {
    local int data[16];
    local atomic_int flags[16], x[8], y[8], misses[8];
    size_t id = get_local_id(0), pair = id % 8;
    atomic_init(&flags[id], 0);
    data[id] = 0;
    atomic_init(&x[pair], 0);
    atomic_init(&y[pair], 0);
    atomic_init(&misses[pair], 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int missed = 0, lost = 0;
    if (id < 8) {
        data[pair] = 9;
        atomic_store_explicit(&flags[pair], 1, memory_order_release, memory_scope_work_group);
        atomic_store(&x[pair], 1);
        missed = atomic_load(&y[pair]) == 0;
    } else {
        if (atomic_load_explicit(&flags[pair], memory_order_acquire, memory_scope_work_group) == 1)
            lost = data[pair] != 9;
        atomic_store(&y[pair], 1);
        missed = atomic_load(&x[pair]) == 0;
    }
    if (missed && atomic_fetch_add(&misses[pair], 1) == 1)
        atomic_fetch_add(&forbidden[0], 1);
    if (lost)
        atomic_fetch_add(&forbidden[1], 1);
}
