// Each volatile load of local memory is a load, after a barrier that no driver reads it before.
// CHECK: OpMemoryBarrier
// CHECK: OpLoad
// CHECK: OpMemoryBarrier
// CHECK: OpLoad
// CHECK: OpMemoryBarrier
// CHECK: OpLoad
kernel void k(global int *o) {
    volatile local int flag;
    flag = o[0];
    o[1] = flag - flag + flag;
}
