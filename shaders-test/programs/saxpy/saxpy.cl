/* y <- alpha * x + y on float4, once plainly and once as a grid-stride loop. */
#ifndef VECTOR
#define VECTOR float4
#endif

typedef VECTOR vec_t;

kernel void saxpy(const float alpha, global const vec_t *restrict x, global vec_t *restrict y)
{
    const size_t i = get_global_id(0);
    y[i] = alpha * x[i] + y[i];
}

kernel void saxpy_strided(const float alpha, global const vec_t *restrict x, global vec_t *restrict y, uint count)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        y[i] = mad((vec_t)(alpha), x[i], y[i]);
}
