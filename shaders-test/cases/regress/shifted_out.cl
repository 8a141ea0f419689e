// A product whose bits are all shifted out: lavapipe knows that it is zero, and takes 0 * -0.0f for 0. Expected by hand.
// RUN: kernel=k global=4
// ARG: buffer:uint=0,0,0,0
// EXPECT 0: uint=0x80000000,0x80000000,0x80000000,0x80000000
kernel void k(global uint *out)
{
    uint id = (uint)get_global_id(0);
    float one = as_float(((0x80000000u * id) << 31) | 0x3f800000u);
    out[id] = as_uint((1.0f - one) * -0.0f);
}
