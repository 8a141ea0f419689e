// The length modifiers of OpenCL C 3.1 for size_t and ptrdiff_t.
// OPTIONS: -cl-std=CL3.1
// SKIP reference: the driver has OpenCL C 3.0
// SKIP opencl: the driver's OpenCL 1.2 does not print them
// RUN: kernel=k global=1
// ARG: long=-1099511627776
// PRINTS: 18446742974197923840 -1099511627776 ffffff0000000000 [   -1099511627776] 0xffffff0000000000
// PRINTS: 8 4294967296

kernel void k(long a)
{
    size_t size = a;
    ptrdiff_t difference = a;
    printf("%zu %td %zx [%17zd] %#tx\n", size, difference, size, difference, size);
    printf("%zu %ti\n", sizeof(void *), (ptrdiff_t)1 << 32);
}
