// Every function of C11's atomics with every order, on 32 and 64 bits, in global and local memory.
// NEEDS: shaderInt64
// OPTIONS: -cl-std=CL2.0
// SKIP reference: the driver's compiler has no generic address space, which its header needs
// RUN: kernel=one global=1
// ARG: buffer:int=7,7,7,7
// ARG: buffer:long=7,7,7,7
// ARG: buffer:int=-1,-1,-1,-1
// EXPECT 2: int=0,0,0,0
// RUN: kernel=many global=64 local=16
// ARG: buffer:uint=0,0,0xffffffff,100,0xffffffff,0,0,0
// ARG: buffer:ulong=0,0,0xffffffffffffffff,100,0xffffffffffffffff,0,0,0
// ARG: buffer:int=-1,-1,-1,-1
// EXPECT 0: uint=2016,63,0,36,4294967232,63,0,64
// EXPECT 1: ulong=2016,63,0,36,18446744073709551552,63,0,64
// EXPECT 2: int=0,0,0,0

#define ORDERS(DO)                                                                                                     \
    DO(memory_order_relaxed) DO(memory_order_acquire) DO(memory_order_release) DO(memory_order_acq_rel)                \
    DO(memory_order_seq_cst)
#define TRY(CALL, OLD, NEW) bad += (CALL) != (OLD) || atomic_load_explicit(p, memory_order_relaxed) != (NEW);
#define RMW(ORDER)                                                                                                     \
    atomic_store_explicit(p, 5, memory_order_relaxed);                                                                 \
    TRY(atomic_exchange_explicit(p, -6, ORDER), 5, -6)                                                                 \
    TRY(atomic_fetch_add_explicit(p, 10, ORDER), -6, 4)                                                                \
    TRY(atomic_fetch_sub_explicit(p, 9, ORDER, memory_scope_device), 4, -5)                                            \
    TRY(atomic_fetch_min_explicit(p, 3, ORDER, memory_scope_work_group), -5, -5)                                       \
    TRY(atomic_fetch_max_explicit(p, 12, ORDER), -5, 12)                                                               \
    TRY(atomic_fetch_or_explicit(p, 3, ORDER), 12, 15)                                                                 \
    TRY(atomic_fetch_and_explicit(p, 6, ORDER, memory_scope_all_svm_devices), 15, 6)                                   \
    TRY(atomic_fetch_xor_explicit(p, -1, ORDER, memory_scope_work_item), 6, -7)                                        \
    expected = -7;                                                                                                     \
    TRY(atomic_compare_exchange_strong_explicit(p, &expected, 20, ORDER, memory_order_relaxed), true, 20)              \
    bad += expected != -7;                                                                                             \
    TRY(atomic_compare_exchange_strong_explicit(p, &expected, 30, ORDER, memory_order_relaxed, memory_scope_device),   \
        false, 20)                                                                                                     \
    bad += expected != 20;                                                                                             \
    while (!atomic_compare_exchange_weak_explicit(p, &expected, 40, ORDER, memory_order_relaxed)) {}                   \
    expected = 1;                                                                                                      \
    TRY(atomic_compare_exchange_weak_explicit(p, &expected, 50, ORDER, memory_order_relaxed, memory_scope_device),     \
        false, 40)                                                                                                     \
    bad += expected != 40;
#define PLAIN                                                                                                          \
    atomic_init(p, 5);                                                                                                 \
    bad += atomic_load(p) != 5;                                                                                        \
    atomic_store(p, 6);                                                                                                \
    TRY(atomic_exchange(p, 7), 6, 7) TRY(atomic_fetch_add(p, 1), 7, 8) TRY(atomic_fetch_sub(p, 10), 8, -2)             \
    TRY(atomic_fetch_min(p, -9), -2, -9) TRY(atomic_fetch_max(p, 6), -9, 6) TRY(atomic_fetch_or(p, 9), 6, 15)          \
    TRY(atomic_fetch_and(p, 5), 15, 5) TRY(atomic_fetch_xor(p, 4), 5, 1)                                               \
    expected = 0;                                                                                                      \
    TRY(atomic_compare_exchange_strong(p, &expected, 9), false, 1)                                                     \
    TRY(atomic_compare_exchange_strong(p, &expected, 9), true, 9)                                                      \
    TRY(atomic_compare_exchange_weak(p, &expected, 3), false, 9)                                                       \
    bad += expected != 9;
#define LOADS_AND_STORES                                                                                               \
    atomic_store_explicit(p, 1, memory_order_relaxed);                                                                 \
    atomic_store_explicit(p, 2, memory_order_release, memory_scope_device);                                            \
    bad += atomic_load_explicit(p, memory_order_acquire) != 2;                                                         \
    atomic_store_explicit(p, 3, memory_order_seq_cst);                                                                 \
    bad += atomic_load_explicit(p, memory_order_seq_cst, memory_scope_work_group) != 3;
#define ALL(T, POINTER)                                                                                                \
    {                                                                                                                  \
        T expected;                                                                                                    \
        POINTER;                                                                                                       \
        PLAIN LOADS_AND_STORES ORDERS(RMW)                                                                             \
    }

kernel void one(volatile global atomic_int *i, volatile global atomic_long *l, global int *out) {
    local atomic_int li;
    local atomic_long ll;
    local atomic_flag f;
    int bad = 0;
    ALL(int, volatile global atomic_int *p = i)
    out[0] = bad;
    ALL(long, volatile global atomic_long *p = l)
    out[1] = bad;
    ALL(int, local atomic_int *p = &li)
    ALL(long, local atomic_long *p = &ll)
    out[2] = bad;
    atomic_flag_clear(&f);
    bad += atomic_flag_test_and_set(&f) || !atomic_flag_test_and_set(&f);
    atomic_flag_clear_explicit(&f, memory_order_release);
    bad += atomic_flag_test_and_set_explicit(&f, memory_order_acquire);
    atomic_flag_clear_explicit(&f, memory_order_relaxed, memory_scope_work_group);
    bad += atomic_flag_test_and_set_explicit(&f, memory_order_acq_rel, memory_scope_work_group);
    out[3] = bad;
}

// All work-items at once, unsigned.
#define COUNT(T, P)                                                                                                    \
    atomic_fetch_add(&P[0], (T)id);                                                                                    \
    atomic_fetch_max(&P[1], (T)id);                                                                                    \
    atomic_fetch_min(&P[2], (T)id);                                                                                    \
    atomic_fetch_sub(&P[3], (T)1);                                                                                     \
    atomic_fetch_and(&P[4], ~(T)id);                                                                                   \
    atomic_fetch_or(&P[5], (T)id);                                                                                     \
    atomic_fetch_xor(&P[6], (T)id);                                                                                    \
    for (T old = atomic_load(&P[7]); !atomic_compare_exchange_weak(&P[7], &old, old + 1);) {}
kernel void many(global atomic_uint *i, global atomic_ulong *l, global int *out) {
    uint id = get_global_id(0);
    COUNT(uint, i)
    COUNT(ulong, l)
    if (id < 4)
        out[id] = 0;
}
