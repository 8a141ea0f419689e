// Kernels with which the costs of the runtime are measured.

kernel void nothing(void)
{
}

kernel void increment(global uint *a)
{
    a[get_global_id(0)] += 1;
}
