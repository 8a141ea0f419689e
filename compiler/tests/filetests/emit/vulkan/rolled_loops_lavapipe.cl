// options: --tuning=lavapipe-rolled-loops
// The driver would copy the forty conditional stores sixteen times for the array, and LLVM would take 9.5 s.
// CHECK: OpLoopMerge ... DontUnroll
// CHECK: OpFunctionEnd
#define ONE(i) s += p[(s + n * i) & 4095]; if (s & 1 << (i & 7)) p[(s ^ i) & 4095] = s;
#define FIVE(i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4)
kernel void k(global uint *p) {
    uint x[16];
    uint s = get_global_id(0);
    for (int n = 0; n < 16; n++)
        x[n] = p[n] + s;
    for (int n = 0; n < 16; n++) {
        FIVE(0) FIVE(5) FIVE(10) FIVE(15) FIVE(20) FIVE(25) FIVE(30) FIVE(35)
        x[n] += s;
        s ^= x[n * 5 & 15];
    }
    p[s & 4095] = s;
}
