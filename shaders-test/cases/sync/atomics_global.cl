// Every 32-bit atomic function on global memory.
// RUN: kernel=k global=64 local=16
// ARG: buffer:int=0,100,1000,-1,0,0,0x7fffffff,-1,0,7
// ARG: buffer:uint=5,0xfffffffe,0,0xffffffff
// ARG: buffer:float=1
// EXPECT 0: int=64,36,1063,0,63,63,-5,-64,0,8
// EXPECT 1: uint=0,0xffffffff,63,0
// EXPECT 2: float=2
kernel void k(volatile global int *v, volatile global uint *u, volatile global float *f)
{
    const int i = get_global_id(0);
    atomic_inc(&v[0]);
    atomic_dec(&v[1]);
    atomic_max(&v[2], 1000 + i);
    atomic_and(v + 3, i);
    atomic_or(v + 4, i);
    atomic_max(&v[5], i);
    atomic_min(v + 6, i - 5);
    if (i < 6) atomic_xor(v + 7, 1 << i);
    if (i == 6) atomic_xor(v + 7, 0);
    atomic_add(&v[8], i < 32 ? 1 : -1);
    if (i == 5) atomic_cmpxchg(&v[9], 7, 8);
    if (i == 9) atomic_cmpxchg(&v[9], 6, 9);
    atomic_sub(u, i == 0 ? 5 : 0);
    atomic_max(u + 1, 0xffffffffu - i);
    atomic_max(u + 2, (uint)i);
    atomic_min(u + 3, (uint)i);
    if (i == 0) atomic_xchg(f, 2.0f);
}
