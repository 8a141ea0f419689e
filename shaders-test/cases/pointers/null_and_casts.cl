// Null pointers as arguments and values, pointers and integers, void pointers.
// RUN: kernel=k global=2
// ARG: buffer:int=5,6
// ARG: null
// ARG: buffer:bytes=48
// ARG: ulong=0x1234567898765432
// EXPECT 2: int=5,1,0,1,2,31,6,1,0,1,2,31
kernel void k(global int *a, global int *nothing, global int *out, ulong number)
{
    const int i = get_global_id(0);
    global int *o = out + i * 6;
    global void *any = a;
    o[0] = ((global int *)any)[i];
    o[1] = nothing == 0;
    o[2] = nothing ? 1 : 0;
    o[3] = !nothing && a;
    const size_t address = (size_t)(a + i);
    global int *back = (global int *)address;
    o[4] = (back == a + i) + (address % 4 == 0);
    int *p = 0;
    int seven = 7;
    if (!p) p = &seven;
    o[5] = *p;
    // Integers come back from pointers into any memory, those that are known too.
    o[5] += 8 * ((ulong)(void *)number == number && (ulong)(local char *)number == number);
    o[5] += 16 * ((ulong)(void *)0x1234567898765432 == number && (ulong)(local char *)0x1234567898765432 == number);
}
