// options: --emulate=int64 --sanitize=race
// clang: not asked, since it has no such sanitizer
// The marks of accesses are made by atomic operations on 64 bits.
kernel void k(global int *a) { a[get_global_id(0)] = 1; } // error: the sanitizer 'race' needs a device with 64-bit integers and atomics: they cannot be emulated
// ---
// error: the sanitizer 'race' needs a device with 64-bit integers and atomics: they cannot be emulated
//  --> test.cl:4:13
//   |
// 4 | kernel void k(global int *a) { a[get_global_id(0)] = 1; }
//   |             ^
