// options: --addressing=logical --address-bits=32 -cl-std=CL2.0
// clang: not asked, since its target would be another one
_Static_assert(sizeof(size_t) == 4 && sizeof(ptrdiff_t) == 4 && sizeof(uintptr_t) == 4 && sizeof(void *) == 4, "32 bits");
_Static_assert(sizeof(get_global_id(0)) == 4 && sizeof(sizeof(int)) == 4 && sizeof(long) == 8, "of expressions");
_Static_assert(sizeof(__SIZE_TYPE__) == 4 && sizeof(__PTRDIFF_TYPE__) == 4 && sizeof(__INTPTR_TYPE__) == 4, "macros");
_Static_assert(__SIZE_MAX__ == 0xffffffffu && __PTRDIFF_MAX__ == 0x7fffffff && __SIZEOF_POINTER__ == 4, "values");
#if defined(__SPIR64__) || defined(__LP64__) || defined(_LP64) || !defined(__SPIR32__) || !defined(__SPIR__)
#error the macros of clang's target spir
#endif
kernel void arguments(size_t n, global int *p) { p[0] = n; } // error: 'size_t' cannot be used as the type of a kernel parameter
kernel void k(global int *p) { p[0] = sizeof(p); }
struct s { char c; int a[4]; };
_Static_assert(__builtin_offsetof(struct s, a[0x40000000]) == 4 && __builtin_offsetof(struct s, a[-1]) == 0, "wrap");
struct large { char a[1UL << 32]; }; // error: array is too large (4294967296 elements)
// ---
// error: 'size_t' cannot be used as the type of a kernel parameter
//   --> test.cl:10:30
//    |
// 10 | kernel void arguments(size_t n, global int *p) { p[0] = n; }
//    |                              ^
//
// error: array is too large (4294967296 elements)
//   --> test.cl:14:23
//    |
// 14 | struct large { char a[1UL << 32]; };
//    |                       ^^^^^^^^^
