// White is scaled by 256, and a byte ends at 255.
// LAUNCH: global=9 local=9
// ARG: int=9
kernel void wrong(global uchar *out) {
    float white = get_global_id(0) / 8.0f;
    out[get_global_id(0)] = (uchar)(white * 256.0f);     // FINDS conversion-range
}
kernel void right(global uchar *out) {
    float white = get_global_id(0) / 8.0f;
    out[get_global_id(0)] = (uchar)(white * 255.9f);
}
