// Pointers of 32 bits in private memory and in the program's data, generic pointers, integers of pointers.
// OPTIONS: --address-bits=32 -cl-std=CL2.0
// SKIP opencl: the driver's addresses have 64 bits
// SKIP translated: casts of pointers to pointers of 32 bits are not supported
// SKIP reference: the driver's addresses have 64 bits
// RUN: kernel=tables global=4
// ARG: buffer:int=1,2,3,4
// ARG: buffer:int=10,20,30,40
// ARG: buffer:int=100,200,300,400
// ARG: buffer:bytes=16
// EXPECT 3: int=12,300,12,3
// RUN: kernel=generic_pointers global=4 local=4
// ARG: buffer:int=1,2,3,4
// ARG: buffer:bytes=16
// EXPECT 1: int=101,12,3,104
// RUN: kernel=numbers global=1
// ARG: buffer:int=1,2,3,4
// ARG: buffer:int=10,20,30,40
// ARG: buffer:bytes=72
// EXPECT 2: int=3,1,0,2,20,1,1,3,7,1,0,-2,1,1,5,1,21,1
// RUN: kernel=program_scope global=3
// ARG: buffer:bytes=12
// EXPECT 0: int=31,12,33

// An array of pointers that is indexed by what is only known when the kernel runs.
kernel void tables(global int *a, global int *b, global int *c, global int *out)
{
    int i = get_global_id(0);
    global int *table[4] = { a, b, c, a + 1 };
    global int **end = table + 4;
    out[i] = *table[(i + 1) & 3] + end[-1 - i][i & 1];
}

int read(int *pointer)
{
    return *pointer;
}

// The address space of a generic pointer is in its bits, also in memory.
kernel void generic_pointers(global int *in, global int *out)
{
    int i = get_local_id(0);
    local int shared[4];
    int own[4];
    shared[i] = in[i] + 10;
    for (int j = 0; j < 4; j++) own[j] = in[j] + 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *table[4];
    table[0] = own;
    table[1] = shared;
    table[2] = in;
    table[3] = own;
    volatile int at = i;
    int *chosen = table[at];
    out[i] = read(chosen + i);
    if (to_local(chosen) != 0 && i != 1) out[i] = -1;
    if (to_global(chosen) == 0 && i == 2) out[i] = -2;
}

kernel void numbers(global int *a, global int *b, global int *out)
{
    int one = get_global_size(0), object = 7;
    out[0] = (global int *)((uintptr_t)a + 8 * one) - a + 1;
    out[1] = (uintptr_t)a != (uintptr_t)b;
    out[2] = ((uintptr_t)(a + 1) & 3);
    out[3] = ((uintptr_t)(a + 2) - (uintptr_t)a) / sizeof(int);
    uintptr_t bits = (uintptr_t)(b + one);
    out[4] = *(global int *)bits;
    out[5] = (ulong)bits == (ulong)(b + 1);
    out[6] = ((ulong)bits >> 32) == 0;
    out[7] = *(global int *)((intptr_t)a + 2 * sizeof(int));
    uintptr_t own = (uintptr_t)&object;
    out[8] = *(int *)own;
    out[9] = own != 0;
    out[10] = (uintptr_t)(global int *)0;
    out[11] = a - (a + 2 * one);
    out[12] = a + 1 > a;
    out[13] = (global char *)b + 4 == (global char *)(b + one);
    int *p = &object, **pp = &p;
    **pp -= 2;
    out[14] = object;
    out[15] = (uint)(intptr_t)(a + 1) - (uint)(intptr_t)a == 4;
    union { global int *pointer; uint bits; } both = { .pointer = b };
    both.bits += 4;
    out[16] = *both.pointer + 1;
    out[17] = sizeof(both) == 4;
}

constant int first[3] = { 1, 2, 3 }, second[3] = { 31, 32, 33 };
constant int *constant rows[3] = { second, first + 1, second + 2 };

kernel void program_scope(global int *out)
{
    int i = get_global_id(0);
    out[i] = *rows[i] + (i == 1 ? 10 : 0);
}
