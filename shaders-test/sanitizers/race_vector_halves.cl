// A vector is read, changed in one half and written as a whole, by two work-items.
// LAUNCH: global=128 local=32
// ARG: int=256
kernel void wrong(global float4 *v) {
    int i = get_global_id(0), at = i % 64;
    float4 x = v[at];                                    // FINDS global-race
    if (i < 64)
        x.lo = (float2)(i, 1);
    else
        x.hi = (float2)(2, i);
    v[at] = x;                                           // FINDS global-race
}
kernel void right(global float4 *v) {
    int i = get_global_id(0), at = i % 64;
    global float2 *halves = (global float2 *)v;
    halves[2 * at + (i >= 64)] = i < 64 ? (float2)(i, 1) : (float2)(2, i);
}
