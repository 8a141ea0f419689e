// Atomic objects that only one work-item has, which generic pointers may point to, and values that are read without a function.
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
// RUN: kernel=alone global=8 local=4
// ARG: buffer:int=0,0,0,0,0,0,0,0
// ARG: buffer:int=5,6
// EXPECT 0: int=121,125,129,133,137,141,145,149
// EXPECT 1: int=13,14
// RUN: kernel=values global=1
// ARG: buffer:int=4,0,7,0,7
// ARG: buffer:int=0,0,0,0,0,0,0,0
// EXPECT 1: int=4,7,14,1,2,9,3,1

int twice(volatile atomic_int *p, int by) { return atomic_fetch_add(p, by) + atomic_fetch_add(p, by); }

kernel void alone(global int *out, global atomic_int *shared_sums) {
    int id = (int)get_global_id(0), lid = (int)get_local_id(0);
    atomic_int mine;
    atomic_uint more[2];
    atomic_flag flag;
    atomic_init(&mine, id);
    atomic_init(&more[1], 100u);
    atomic_flag_clear(&flag);
    int sum = atomic_fetch_add(&mine, 3);
    sum += atomic_fetch_sub_explicit(&mine, 1, memory_order_relaxed, memory_scope_work_item);
    sum += twice(&mine, 2);
    sum += (int)atomic_fetch_max(&more[1], 101u);
    int expected = id + 6;
    sum += atomic_compare_exchange_strong(&mine, &expected, 50) ? 1 : 1000;
    sum += atomic_compare_exchange_weak(&mine, &expected, 8) ? 1000 : 0;
    sum += atomic_exchange(&mine, 2) == 50 && expected == 50 ? 1 : 1000;
    sum += atomic_flag_test_and_set(&flag) ? 1000 : 1;
    sum += atomic_flag_test_and_set(&flag) ? 1 : 1000;
    sum += atomic_load(&more[1]) == 101u ? 7 : 1000;
    atomic_store(&mine, 1);
    sum += atomic_load_explicit(&mine, memory_order_acquire);
    twice(lid < 2 ? (volatile atomic_int *)&mine : (volatile atomic_int *)&shared_sums[lid - 2], 2);
    out[id] = sum;
}

int given(int value) { return value; }

kernel void values(global atomic_int *p, global int *out) {
    int first = p[0];
    out[0] = first;
    out[1] = given(p[2]);
    out[2] = (int)p[2] * 2;
    out[3] = p[1] ? 0 : 1;
    if (p[0])
        out[4] = 2;
    int list[] = {p[2], 9};
    out[5] = list[1];
    for (; p[2]; atomic_store(&p[2], 0))
        out[6] = 3;
    out[p[4]] = 1;
}
