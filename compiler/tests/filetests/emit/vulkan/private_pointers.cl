// Accesses are private to a work-item where a kernel has nothing that could order those of another before them; volatile ones
// never are.
// CHECK: OpLoad ... Aligned 4
// CHECK: OpLoad ... Volatile|Aligned|NonPrivatePointer 4
// CHECK: OpStore ... Aligned 4
kernel void k(global int *o, global const int *i, volatile global int *flag) {
    o[0] = i[0] + flag[0];
}
