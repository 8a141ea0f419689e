// Values of constant expressions, by C99's rules on a machine with 32-bit int and 64-bit long.
#define CHECK(name, condition) typedef char name[(condition) ? 1 : -1]
CHECK(promotion, sizeof((char)1 + (char)1) == 4 && sizeof(1 ? (char)1 : (char)2) == 4);
CHECK(literals, sizeof(2147483648) == 8 && sizeof(0x80000000) == 4 && sizeof(1l) == 8 && sizeof('a') == 4);
CHECK(unsigned_wins, -1 > 0u && -1l < 0u);
CHECK(division, -7 / 2 == -3 && -7 % 2 == -1 && 7u / 2 == 3);
CHECK(wrapping, (uchar)300 == 44 && (char)200 == -56 && 0u - 1 == 0xffffffff);
CHECK(shifts, 1 << 33 == 2 && -8 >> 1 == -4 && 0x80000000u >> 31 == 1 && (1l << 33) == 8589934592);
CHECK(logic, (1 && 0) == 0 && (2 || 0) == 1 && !5 == 0); // warning: logical not is only applied to the left hand side of this comparison
CHECK(floats, 0.1f != 0.1 && (int)1.9f == 1 && 1 / 2.0f == 0.5f && 16777216.0f + 1.0f == 16777216.0f);
CHECK(nan_and_inf, NAN != NAN && INFINITY > 3.0e38f && -INFINITY < 0);
CHECK(ternary, (1 ? 2 : 3u) == 2u && (0 ? 1.0f : 2) == 2.0f);
CHECK(hex_float, 0x1.8p1f == 3.0f && 0x1p-1 == 0.5);
CHECK(lanes, vec_step(float3) == 4 && vec_step(int2) == 2 && vec_step(char) == 1);
enum { FIRST, SECOND, TENTH = 9, NEXT };
CHECK(enumerators, SECOND == 1 && NEXT == 10);
constant int from_initializer[] = { 1, 2, [9] = 3 };
CHECK(array_size, sizeof(from_initializer) / sizeof(from_initializer[0]) == 10);
constant char text[] = "four";
CHECK(string_size, sizeof(text) == 5 && sizeof("") == 1);
void f(void) {
  const int n = 3;
  int a[n * 2];
  CHECK(folded, sizeof(a) == 24);
}
