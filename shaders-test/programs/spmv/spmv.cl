// y = A x for a sparse matrix in compressed sparse row form: one row a work-item, and one row a group of LANES.

typedef struct {
    uint rows;
    float alpha, beta;
} spmv_args;

__kernel void spmv_scalar(__global const uint *row_start, __global const uint *column, __global const float *value,
                          __global const float *x, __global float *y, const spmv_args args)
{
    const uint row = get_global_id(0);
    if (row >= args.rows) return;
    float sum = 0;
    for (uint k = row_start[row], end = row_start[row + 1]; k != end; k++)
        sum = fma(value[k], x[column[k]], sum);
    y[row] = args.alpha * sum + args.beta * y[row];
}

#define LANES 16
#define ROWS_PER_GROUP 4

__kernel void spmv_vector(__global const uint *row_start, __global const uint *column, __global const float *value,
                          __global const float *x, __global float *y, const spmv_args args)
{
    local volatile float partial[ROWS_PER_GROUP][LANES];
    const uint lane = get_local_id(0);
    const uint slot = get_local_id(1);
    const uint row = get_global_id(1);

    float sum = 0;
    if (row < args.rows) {
        const uint end = row_start[row + 1];
        for (uint k = row_start[row] + lane; k < end; k += LANES)
            sum += value[k] * x[column[k]];
    }
    partial[slot][lane] = sum;
    for (uint width = LANES / 2; width; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < width)
            partial[slot][lane] += partial[slot][lane + width];
    }
    if (lane == 0 && row < args.rows)
        y[row] = args.alpha * partial[slot][0] + args.beta * y[row];
}
