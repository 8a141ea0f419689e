// c[i] = a[i] + b[i], the first kernel everybody writes. The host rounds the global size up, so the tail is guarded.

__kernel void vector_add(__global const float *a, __global const float *b, __global float *c, const int n)
{
    int i = get_global_id(0);
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
