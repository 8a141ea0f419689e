// Loops with a counter and another exit, one after the other: lavapipe 25.0.7 unrolls them and loses the counter's exit.
// Expected values by hand: 5 and 3 loops of 6 iterations each take 30 and 18 of 40.
// RUN: kernel=nested global=1
// ARG: buffer:ulong=0,0
// ARG: int=5
// EXPECT 0: ulong=2460682703191994957,10
// RUN: kernel=sequence global=1
// ARG: buffer:int=0,0
// ARG: int=5
// EXPECT 0: int=22,5
// RUN: kernel=jumps global=1
// ARG: buffer:int=0,0
// ARG: int=5
// EXPECT 0: int=22,5
kernel void nested(global ulong *out, int n)
{
    int fuel = 40;
    long a[16] = {8, 1, 2};
    for (int j = 117; j != 0; j /= 3) {
        for (int i = 6; i-- > 0;) {
            if (--fuel < 0)
                break;
            a[0] = n;
        }
        a[j % 16] ^= 7;
    }
    ulong h = 0;
    for (int z = 0; z < 16; z++)
        h = h * 31 + a[z];
    out[0] = h;
    out[1] = fuel;
}

#define LOOP(i) for (int i = 6; i-- > 0;) { if (--fuel < 0) break; x = n; }
kernel void sequence(global int *out, int n)
{
    int fuel = 40, x = 0;
    LOOP(i) LOOP(j) LOOP(k)
    out[0] = fuel;
    out[1] = x;
}

#define JUMP(label, next) i = 6; label: if (i-- > 0) { if (--fuel < 0) goto next; x = n; goto label; } next:
kernel void jumps(global int *out, int n)
{
    int fuel = 40, x = 0, i;
    JUMP(a, b) JUMP(c, d) JUMP(e, f)
    out[0] = fuel;
    out[1] = x;
}
