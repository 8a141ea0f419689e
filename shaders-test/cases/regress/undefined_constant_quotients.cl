// Quotients and remainders of constants in vectors, some of which OpenCL C does not define (6.3): the others are right, and
// the driver does not crash where it computes constants.
// SKIP reference: LLVM takes a kernel with such a quotient for undefined as a whole
// RUN: kernel=k global=1
// ARG: buffer:int=0,0,0,0,0,0
// EXPECT 0: int=-1073741824,-715827882,1,2,1,3
kernel void k(global int *out) {
    int4 least = INT_MIN, quotients = least / (int4)(-1, 2, 3, 0);
    int4 remainders = (int4)(INT_MIN, 7, 5, 9) % (int4)(-1, 0, 4, 7);
    uint4 large = (uint4)(1, 2, 3, 4) / (uint4)(0, 2, 0, 0);
    out[0] = quotients.y;
    out[1] = quotients.z;
    out[2] = remainders.z;
    out[3] = remainders.w;
    out[4] = large.y;
    volatile int unspecified = quotients.x + quotients.w + remainders.x + remainders.y + large.x + large.z;
    out[5] = unspecified == unspecified + 1 ? 0 : 3;
}
