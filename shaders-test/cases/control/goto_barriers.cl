// Barriers beside jumps: in loops that 'goto' makes, before and behind a loop that is entered in its middle.
// SKIP reference: PoCL 3.1 crashes on them
// RUN: kernel=loops global=8 local=4
// ARG: buffer:bytes=32
// ARG: local:bytes=16
// EXPECT 0: int=10,10,10,10,26,26,26,26
// RUN: kernel=entered global=8 local=4
// ARG: buffer:bytes=32
// ARG: local:bytes=16
// EXPECT 0: int=34,58,80,56,34,58,80,56
kernel void loops(global int *out, local int *shared)
{
    int l = get_local_id(0), n = get_local_size(0), step = 1;
    shared[l] = get_global_id(0) + 1;
again:
    barrier(CLK_LOCAL_MEM_FENCE);
    if (step < n) {
        int other = shared[(l + step) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[l] += other;
        step *= 2;
        goto again;
    }
    out[get_global_id(0)] = shared[l];
}

kernel void entered(global int *out, local int *shared)
{
    int l = get_local_id(0), i = l, x = 0;
    shared[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l & 1) goto middle;
head:
    x += 1;
    i++;
middle:
    x += 3;
    i += 2;
    if (i < 9) goto head;
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] = x * (l + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[l] + shared[(l + 1) % 4];
}
