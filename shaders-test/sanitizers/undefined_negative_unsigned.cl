// Negative numbers are converted to unsigned ones; those above -1 become zero.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global uint *out) {
    float x = get_global_id(0) * 0.5f - 2;
    out[get_global_id(0)] = (uint)x;                     // FINDS conversion-range
}
kernel void right(global uint *out) {
    float x = get_global_id(0) * 0.5f - 0.9f;
    out[get_global_id(0)] = (uint)x;
}
