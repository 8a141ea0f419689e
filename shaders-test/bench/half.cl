// Halves: as storage everywhere, and as numbers where the device computes with them.

kernel void storage(global const half *in, global half *out, float by)
{
    size_t i = get_global_id(0);
    vstore_half4(vload_half4(i, in) * by + 1.0f, i, out);
}
