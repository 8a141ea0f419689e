// Atomic objects in every address space, through generic pointers and otherwise; atomic_flag.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0,0,0,0
// ARG: buffer:int=0,0
// EXPECT 0: int=16,116,4,1
// EXPECT 1: int=10,1
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
void add(volatile atomic_int *p, int value) { atomic_fetch_add(p, value); }

__attribute__((noinline)) int fetch(volatile atomic_int *p, int value) {
    return atomic_fetch_add_explicit(p, value, memory_order_relaxed, memory_scope_work_group);
}

kernel void k(global int *out, global atomic_int *shared) {
    local atomic_int count;
    local atomic_flag flag;
    local int winners;
    int id = get_local_id(0);
    if (id == 0) {
        atomic_init(&count, 0);
        atomic_flag_clear(&flag);
        winners = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    add(&count, id);
    fetch(&count, id == 3 ? 10 : 0);
    fetch(shared, id);
    add(shared, id == 0 ? 4 : 0);
    if (!atomic_flag_test_and_set_explicit(&flag, memory_order_acq_rel, memory_scope_work_group))
        winners = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        out[0] = atomic_load_explicit(&count, memory_order_acquire, memory_scope_work_group);
        atomic_store_explicit(&count, 116, memory_order_release, memory_scope_work_group);
        out[1] = atomic_load(&count);
        out[2] = get_local_size(0);
        out[3] = winners;
        atomic_store(shared + 1, 1);
    }
}
