// The minimum and the maximum of two NaNs are NaNs, those of a NaN and a number the number, in objects of each width.
// NEEDS: shaderInt64
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver's compiler lacks cl_ext_float_atomics
// RUN: kernel=floats global=64
// ARG: buffer:uint=0,0x80000000,0x7fc00000,0xffc00001,0x7f800000,0xff800000,0x3f800000,0xbf800000
// ARG: buffer:float=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:float=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:int=0
// EXPECT 3: int=0
// RUN: kernel=doubles global=64
// ARG: buffer:ulong=0,0x8000000000000000,0x7ff8000000000000,0xfff8000000000001,0x7ff0000000000000,0xfff0000000000000,0x3ff0000000000000,0xbff0000000000000
// ARG: buffer:double=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:double=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:int=0
// EXPECT 3: int=0

#define CHECK(T, NAME, ATOMIC)                                                                                         \
    int differs_##T(T got, T first, T second, T number) {                                                              \
        if (isnan(first) && isnan(second))                                                                             \
            return !isnan(got);                                                                                        \
        return !(got == (isnan(first) ? second : isnan(second) ? first : number));                                     \
    }                                                                                                                  \
    kernel void NAME(global const T *values, global ATOMIC *least, global ATOMIC *greatest, global atomic_int *bad) {  \
        uint id = get_global_id(0);                                                                                    \
        T first = values[id % 8], second = values[id / 8];                                                             \
        atomic_store_explicit(&least[id], first, memory_order_relaxed);                                                \
        atomic_store_explicit(&greatest[id], first, memory_order_relaxed);                                             \
        T old = atomic_fetch_min_explicit(&least[id], second, memory_order_relaxed);                                   \
        atomic_fetch_max_explicit(&greatest[id], second, memory_order_relaxed);                                        \
        int wrong = differs_##T(atomic_load(&least[id]), first, second, first < second ? first : second);              \
        wrong |= differs_##T(atomic_load(&greatest[id]), first, second, first > second ? first : second);              \
        wrong |= isnan(old) ? !isnan(first) : !(old == first);                                                         \
        atomic_fetch_add(bad, wrong);                                                                                  \
    }
CHECK(float, floats, atomic_float)
CHECK(double, doubles, atomic_double)
