// Functions that change an atomic object take no pointer to one that is constant (clang warns of the same lines).
// options: -cl-std=CL2.0
kernel void k(global const atomic_int *a, global const atomic_flag *f, global volatile atomic_int *v, global int *o) {
  int e = 0;
  atomic_store(a, 1); // warning: passing 'const __global _Atomic(int) *' to parameter of type 'volatile __global _Atomic(int) *' discards qualifiers
  o[0] = atomic_fetch_add(a, 1); // warning: passing 'const __global _Atomic(int) *' to parameter of type 'volatile __global _Atomic(int) *' discards qualifiers
  o[1] = atomic_compare_exchange_strong(a, &e, 2); // warning: passing 'const __global _Atomic(int) *' to parameter of type 'volatile __global _Atomic(int) *' discards qualifiers
  atomic_flag_clear(f); // warning: passing 'const __global _Atomic(int) *' to parameter of type 'volatile __global _Atomic(int) *' discards qualifiers
  atomic_store(v, 1);
}
