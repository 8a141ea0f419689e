// Numbers a little above the greatest half are rounded up to infinity, and negative ones are not.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global half *out) {
    int i = get_global_id(0);
    vstore_half_rtp(65500.0f + i, i, out);               // FINDS not-finite
}
kernel void right(global half *out) {
    int i = get_global_id(0);
    vstore_half_rtp(-65504.0f - i, i, out);
}
