// Pointers without an address space whose space follows from their sources.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0..8
// ARG: buffer:int=1,2,3,4
// ARG: local:bytes=16
// EXPECT 0: int=1121,1131,1141,1151,143,143,145,141
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

void bump(int *p) { (*p)++; }

kernel void k(global int *out, global int *in, local int *scratch) {
    int mine[4] = {10, 20, 30, 40};
    int id = get_local_id(0);
    scratch[id] = in[id] * 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = sum(in, 4) + sum(scratch, 4) + sum(mine, 4);
    int *cursor = mine;
    for (int i = 0; i < id; i++)
        cursor++;
    int *other = id & 1 ? mine : mine + 1;
    bump(cursor);
    bump(other);
    out[id] = total + *cursor;
    out[id + 4] = mine[0] + 2 * mine[1] + 3 * mine[2];
}
