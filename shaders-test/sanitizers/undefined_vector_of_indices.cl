// Coordinates are rounded down to indices where a ray never meets the plane.
// LAUNCH: global=8,8 local=8,8
// ARG: int=64
kernel void wrong(global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    float2 hit = (float2)(x, 8) / (float)(y - 4);
    int2 cell = convert_int2_rtn(hit);                   // FINDS conversion-range
    out[8 * y + x] = cell.x < cell.y;
}
kernel void right(global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    float2 hit = (float2)(x, 8) / (float)(y - 8);
    int2 cell = convert_int2_rtn(hit);
    out[8 * y + x] = cell.x < cell.y;
}
