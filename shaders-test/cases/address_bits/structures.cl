// Pointers of 32 bits in the structures of a buffer, which one work-item stores and another loads.
// OPTIONS: --address-bits=32
// SKIP opencl: the driver's addresses have 64 bits
// SKIP translated: an argument that points to pointers of 32 bits is not supported
// SKIP reference: the driver's addresses have 64 bits
// RUN: kernel=stored global=2 local=2
// ARG: buffer:int=5,6,7,8
// ARG: buffer:bytes=64
// ARG: buffer:bytes=16
// EXPECT 2: int=16,7,14,5
struct row {
    global int *values;
    int length;
};

kernel void stored(global int *in, global struct row *rows, global int *out)
{
    int i = get_local_id(0);
    rows[i].values = in + 2 * i;
    rows[i].length = sizeof(struct row) + i;
    rows[i + 2].values = i ? in : 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    struct row other = rows[1 - i];
    out[2 * i] = other.values[1] + other.length - (i ? 0 : 1);
    if (rows[2].values == 0 && rows[3].values != 0) out[2 * i + 1] = other.values[i ? 0 : 0];
}
