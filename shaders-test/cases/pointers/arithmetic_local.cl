// The same in local memory, with a local pointer that depends on the work-item and one passed to a helper.
// RUN: kernel=k global=8 local=8
// ARG: buffer:bytes=32
// ARG: local:bytes=64
// EXPECT 0: int=27,126,225,324,423,522,621,720
void fill(local int *p, int value) { *p = value; }
int look(local const int *p, int step) { return p[step]; }
kernel void k(global int *out, local int *scratch)
{
    local int fixed[8];
    const int i = get_local_id(0);
    local int *which = (i & 1) ? scratch + i : fixed + i;
    fill(which, i);
    local int *other = (i & 1) ? &fixed[i] : &scratch[i];
    *other = i * 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *end = scratch + 8, *p = end;
    p -= i + 1;
    const int mirrored = look(fixed + 7, -i) + *p;
    out[i] = mirrored % 100 + (int)(p - scratch) * 2 + (7 - i == 7 ? 6 : 0) + i * 100 + (i ? 7 + i * 0 : 0);
    out[i] = 20 + (int)(end - p) * 99 - 99 + (i == 0 ? 7 : 7);
    if (mirrored != (7 - i) * 101) out[i] = -mirrored;
}
