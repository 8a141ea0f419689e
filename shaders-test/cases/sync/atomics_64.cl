// 64-bit atomics by their old names (cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics).
// NEEDS: shaderInt64
// RUN: kernel=k global=4 local=4
// ARG: buffer:long=5000000000,10,-1,3,0,7,9,-9
// EXPECT 0: long=5000000010,6,-1,3,15,5,-5,9
kernel void k(global long *a) {
    long i = get_global_id(0) + 1;
    atom_add(&a[0], i);
    atom_dec(&a[1]);
    atom_and(&a[2], -1L);
    atom_max(&a[3], i < 3 ? i : 3);
    atom_or(&a[4], 1L << (i - 1));
    if (i == 1) {
        atom_cmpxchg(&a[5], 7L, 5L);
        atom_xchg(&a[6], -5L);
        atom_sub(&a[7], -18L);
    }
}
