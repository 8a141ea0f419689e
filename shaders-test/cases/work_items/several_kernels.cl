// Two kernels of one program, one calling what the other calls too.
// RUN: kernel=first global=4
// ARG: buffer:bytes=16
// EXPECT 0: int=0,1,4,9
// RUN: kernel=second global=4
// ARG: buffer:int=1,1,1,1
// ARG: int=5
// EXPECT 0: int=6,7,10,15
int square(int x) { return x * x; }
__kernel void first(__global int *out) { out[get_global_id(0)] = square(get_global_id(0)); }
kernel void second(global int *out, int add)
{
    out[get_global_id(0)] += square(get_global_id(0)) + add;
}
