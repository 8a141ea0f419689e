// The functions of cl_khr_int64_…_atomics and their 32-bit forms, also in local memory that other types see.
// NEEDS: shaderInt64
// SKIP reference: PoCL 3.1 has no 64-bit atomics in local memory
// RUN: kernel=old global=1
// ARG: buffer:long=0,0,0,0
// ARG: buffer:int=0,0,0,0
// ARG: buffer:int=-1,-1,-1,-1
// EXPECT 2: int=0,0,0,0
// RUN: kernel=punned global=32 local=32
// ARG: buffer:ulong=0,0,0,0,0
// EXPECT 0: ulong=137438953504,32,496,4575657221408423968,0x0000002000000020
#define TRY(CALL, OLD, NEW) bad += (CALL) != (OLD) || *p != (NEW);
#define OLD(POINTER)                                                                                                   \
    {                                                                                                                  \
        POINTER;                                                                                                       \
        *p = 5;                                                                                                        \
        TRY(atom_add(p, 3), 5, 8) TRY(atom_sub(p, 10), 8, -2) TRY(atom_inc(p), -2, -1) TRY(atom_dec(p), -1, -2)        \
        TRY(atom_min(p, 4), -2, -2) TRY(atom_max(p, 12), -2, 12) TRY(atom_or(p, 3), 12, 15)                            \
        TRY(atom_and(p, 6), 15, 6) TRY(atom_xor(p, -1), 6, -7) TRY(atom_xchg(p, 9), -7, 9)                             \
        TRY(atom_cmpxchg(p, 8, 1), 9, 9) TRY(atom_cmpxchg(p, 9, 1), 9, 1)                                              \
    }
kernel void old(volatile global long *l, volatile global int *i, global int *out) {
    local long ll;
    local int li;
    int bad = 0;
    OLD(volatile global long *p = l)
    out[0] = bad;
    OLD(volatile global int *p = i)
    out[1] = bad;
    OLD(local long *p = &ll)
    out[2] = bad;
    OLD(local int *p = &li)
    out[3] = bad;
}

// The same words as longs, ints, floats and bytes.
kernel void punned(global ulong *out) {
    local ulong words[5];
    local uint *ints = (local uint *)words;
    uint id = get_local_id(0);
    if (id < 5)
        words[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&ints[0]);
    atomic_add(&ints[1], 1u);
    atom_add(&words[1], 1ul);
    atom_max(&words[2], (ulong)id * 16);
    atom_inc(&words[3]);
    if (id < 4)
        ((local uchar *)words)[32 + id] = id == 0 ? 32 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        ((local float *)words)[7] = 1.0f;
        ((local ushort *)words)[18] = (ushort)((local uchar *)words)[32];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < 5)
        out[id] = words[id];
}
