// Declarators of every shape, several in one line, static constants in functions, attributes.
// RUN: kernel=k global=3
// ARG: buffer:bytes=72
// EXPECT: pocl
typedef int triple[3];
typedef const constant int *table_ptr;
constant int primes[] = { 2, 3, 5, 7, 11 }, *constant second = &primes[1];
__attribute__((always_inline)) static int at(table_ptr t, unsigned i) { return t[i]; }
int many(unsigned a, unsigned char b, long unsigned c, signed short d) { return a + b + c + d; }
kernel void k(global int *restrict out)
{
    const int i = get_global_id(0);
    int a = i, *p = &a, b[2] = { i, *p + 1 }, **q = &p;
    triple t = { 7, 8, 9 };
    int (*row)[3] = &t;
    const int size __attribute__((unused)) = sizeof b;
    out[i * 6] = b[1] + **q;
    out[i * 6 + 1] = (*row)[i];
    out[i * 6 + 2] = at(primes, i + 2) + second[i];
    out[i * 6 + 3] = many(1u << 31, 300, 1UL << 33, 40000);
    out[i * 6 + 4] = size;
    unsigned u; unsigned long ul; long l; signed char sc;
    out[i * 6 + 5] = sizeof u + sizeof ul * 10 + sizeof l * 100 + sizeof sc * 1000;
}
