// Vectors of two floats begin at every float of local memory.
// LAUNCH: global=16 local=16
// ARG: int=16
kernel void wrong(global float *out) {
    local float2 t[9];
    local float *flat = (local float *)t;
    int l = get_local_id(0);
    flat[l] = l;
    if (l < 2)
        flat[16 + l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 pair = *(local float2 *)(flat + l);           // FINDS misaligned
    out[l] = pair.x + pair.y;
}
kernel void right(global float *out) {
    local float2 t[9];
    local float *flat = (local float *)t;
    int l = get_local_id(0);
    flat[l] = l;
    if (l < 2)
        flat[16 + l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 pair = vload2(0, flat + l);
    out[l] = pair.x + pair.y;
}
