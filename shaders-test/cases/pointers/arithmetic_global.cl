// Pointer arithmetic, differences, comparisons and casts in global memory.
// RUN: kernel=k global=1
// ARG: buffer:int=0,10,20,30,40,50,60,70
// ARG: buffer:bytes=72
// EXPECT 1: long=50,3,1,0,20,1,60,-4,1000
kernel void k(global int *v, global long *out)
{
    global int *p = v + 2, *q = &v[5];
    out[0] = *q;
    out[1] = q - p;
    out[2] = p < q;
    out[3] = p == q;
    out[4] = *(int global *)((global char *)q - 12);
    out[5] = (p + 3) == q && p != q && q >= p;
    p += 3;
    out[6] = p[1];
    int back = -4;
    p -= -back;
    out[7] = p - q;
    p[back + 4] = 1000;
    out[8] = v[1];
}
