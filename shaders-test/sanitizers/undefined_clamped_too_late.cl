// The integer is clamped, not the number that is converted to it.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    float x = (get_global_id(0) + 1) * 600.0f - 900.0f;
    uchar level = min((int)(uchar)x, 200);               // FINDS conversion-range
    out[get_global_id(0)] = level;
}
kernel void right(global int *out) {
    float x = (get_global_id(0) + 1) * 600.0f - 900.0f;
    uchar level = (uchar)clamp(x, 0.0f, 200.0f);
    out[get_global_id(0)] = level;
}
