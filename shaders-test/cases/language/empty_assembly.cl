// Inline assembly without instructions, with which programs stop optimisers: its operands keep their values, and an input
// that is tied to an output is copied. Expected values are computed by hand.
// RUN: kernel=k global=1
// ARG: buffer:int=5,6,7,8
// ARG: buffer:int=9,9,9,9,9,9,9,9
// EXPECT 1: int=5,6,7,8,11,13,1069547520,2

__asm__("");

kernel void k(global const int *in, global int *out) {
    int x = in[0], y = in[1], z, w;
    float f = 1.5f;
    __asm__("");
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(x));
    out[0] = x;
    __asm__("" : "+r"(y) : "r"(x + y) : "cc", "memory");
    out[1] = y;
    __asm__("" : "=r"(z) : "0"(in[2]));
    out[2] = z;
    __asm__ volatile("\n" : [result] "=r"(w) : [from] "[result]"(in[3]));
    out[3] = w;
    // Inputs are read before outputs are written.
    __asm__("" : "=r"(x), "=r"(y) : "1"(x + y), "0"(y + z));
    out[4] = y;
    out[5] = x;
    __asm__("" : "+x"(f));
    out[6] = as_int(f);
    int at = 0;
    __asm__("" ::"r"(at++), "r"(at++));
    out[7] = at;
}
