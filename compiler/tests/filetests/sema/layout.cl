// Sizes and offsets as clang has them for spir64.
#define CHECK(name, condition) typedef char name[(condition) ? 1 : -1]
#define OFFSET(type, member) ((ulong)&((private struct type *)0)->member)
struct Mixed { char a; float3 b; short c[3]; double d; char e; };
CHECK(mixed_size, sizeof(struct Mixed) == 64);
CHECK(mixed_b, __builtin_offsetof(struct Mixed, b) == 16);
CHECK(mixed_c, __builtin_offsetof(struct Mixed, c) == 32);
CHECK(mixed_c1, __builtin_offsetof(struct Mixed, c[1]) == 34);
CHECK(mixed_d, __builtin_offsetof(struct Mixed, d) == 40);
CHECK(mixed_e, __builtin_offsetof(struct Mixed, e) == 48);
struct __attribute__((packed)) Packed { char a; float3 b; short c; };
CHECK(packed_size, sizeof(struct Packed) == 19);
CHECK(packed_align, __alignof__(struct Packed) == 1);
struct __attribute__((aligned(32))) Aligned { int a; };
CHECK(aligned_size, sizeof(struct Aligned) == 32);
struct Member { char a; int b __attribute__((aligned(16))); char c __attribute__((packed)); };
CHECK(member_size, sizeof(struct Member) == 32);
CHECK(member_c, __builtin_offsetof(struct Member, c) == 20);
union Either { char c[5]; int i; struct { short s; long l; } n; };
CHECK(either_size, sizeof(union Either) == 16);
struct Anonymous { int a; union { int b; float c; struct { char d, e; }; }; int f; };
CHECK(anonymous_e, __builtin_offsetof(struct Anonymous, e) == 5);
CHECK(anonymous_size, sizeof(struct Anonymous) == 12);
CHECK(vector3, sizeof(float3) == 16 && sizeof(char3) == 4 && sizeof(double3) == 32 && __alignof__(short3) == 8);
CHECK(vector16, sizeof(double16) == 128 && sizeof(uchar16) == 16);
CHECK(pointers, sizeof(global int *) == 8 && sizeof(size_t) == 8 && sizeof(bool) == 1);
CHECK(array_of_vectors, sizeof(float3[3]) == 48);
CHECK(empty, sizeof(struct { }) == 0);
enum Small { ONE = 1 };
enum Negative { MINUS = -1 };
CHECK(enums, sizeof(enum Small) == 4 && (enum Small)-1 > 0 && (enum Negative)-1 < 0);
