// options: --emulate=int64
// clang: not asked, since it knows no emulation
// Two atomic operations on 32 bits are not one on 64.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void count(global ulong *sum, global const uint *values) {
  atom_add(sum, (ulong)values[get_global_id(0)]); // error: atomic operations on 64 bits need a device with 64-bit integers and atomics: they cannot be emulated
}
// ---
// error: atomic operations on 64 bits need a device with 64-bit integers and atomics: they cannot be emulated
//  --> test.cl:6:3
//   |
// 6 |   atom_add(sum, (ulong)values[get_global_id(0)]);
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
