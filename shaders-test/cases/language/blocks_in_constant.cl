// Block variables in constant memory, at program scope and in a kernel, by a typedef and by a declarator, and copies of them.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=1 local=1
// ARG: buffer:int=0..7
// EXPECT 0: int=6,11,9,8,6,5,11
// SKIP reference: the driver has no blocks
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
typedef int (^Operation)(int);

constant Operation next = ^(int i) { return i + 1; };
int (^constant doubled)(int) = ^(int i) { return 2 * i + 1; };

kernel void k(global int *out) {
    constant Operation squared = ^(int i) { return i * i; };
    static constant Operation less = ^(int i) { return i - 1; };
    constant Operation same = next;
    Operation copy = doubled;
    out[0] = next(5);                                           // 6
    out[1] = doubled(5);                                        // 11
    out[2] = squared(3);                                        // 9
    out[3] = less(9);                                           // 8
    out[4] = same(5);                                           // 6
    void (^inside)(void) = ^{ out[5] = squared(2) + less(1) + next(0); };
    inside();                                                   // 4 + 0 + 1
    out[6] = copy(5);                                           // 11
}
