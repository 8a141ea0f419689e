// What OpenCL C 3.1 has without an extension: its macros, saturated conversions of NaN, 'any' and 'all' by the most
// significant bits, bit operations, dot products; and rotations, shuffles and narrow types of sub-groups. The expected
// values follow from the text of the specification; of sub-groups differences from it are counted.
// OPTIONS: -cl-std=CL3.1
// SKIP reference: the driver has OpenCL C 3.0
// SKIP opencl: the OpenCL driver has no sub-group functions in SPIR-V
// RUN: kernel=scalars global=1
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9,9,9,9
// ARG: uint=2143289344
// EXPECT 0: int=310,0,0,0,0,127,1,0,0,1,0,-2147483648,171,20
// RUN: kernel=sub_groups global=32 local=32
// ARG: buffer:int=100..132
// EXPECT 0: int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

#if __OPENCL_C_VERSION__ != 310 || CL_VERSION_3_1 != 310 || __OPENCL_VERSION__ < 310 || !__opencl_c_subgroups
#error macros of OpenCL C 3.1
#endif

kernel void scalars(global int *out, uint nan_bits)
{
    float nan = as_float(nan_bits);
    out[0] = __OPENCL_C_VERSION__;
    out[1] = convert_int_sat(nan);
    out[2] = (int)convert_ulong_sat_rtp(nan);
    out[3] = convert_char4_sat((float4)(nan, 1, 2, 3)).x;
    out[4] = convert_short_sat_rte((double)nan);
    out[5] = convert_char_sat(1e9f + 0 * (float)nan_bits);
    out[6] = any((int3)(1, -2, 0));
    out[7] = any((int3)(1, 2, INT_MAX));
    out[8] = all((char2)(-1, 127));
    out[9] = all((long2)(-1, LONG_MIN));
    out[10] = bitfield_insert((int)nan_bits, 0, 0, 32);
    out[11] = bit_reverse((int)(nan_bits >> 30));
    out[12] = (int)bitfield_extract_unsigned(nan_bits + 0xab000u, 12, 8);
    out[13] = dot((char4)(1, -2, 3, -4), (char4)(4, 4, 4, -2 - (char)(nan_bits & 1))) + 4;
}

// All work-items compute the value: what one of them gets from another that does not is undefined.
#define CHECK(value, expected, holds) bad += (int)((value) != (expected)) & (int)(holds)

kernel void sub_groups(global int *out)
{
    int bad = 0;
    uint id = get_sub_group_local_id(), size = get_sub_group_size(), most = get_max_sub_group_size();
    CHECK(sub_group_rotate((short)(id + 5), 1), (short)((id + 1) % most + 5), (id + 1) % most < size);
    CHECK(sub_group_clustered_rotate((long)id, 1, 2u), (long)(id ^ 1), (id ^ 1) < size);
    CHECK(sub_group_shuffle((char)id, size - 1 - id), (char)(size - 1 - id), 1);
    CHECK(sub_group_shuffle_xor((double)id, 1u), (double)(id ^ 1), (id ^ 1) < size);
    CHECK(sub_group_shuffle_up(id, 1u), id - 1, id > 0);
    CHECK(sub_group_shuffle_down((float)id, 1u), (float)(id + 1), id + 1 < size);
    CHECK(sub_group_reduce_add((uchar)1), (uchar)size, 1);
    CHECK(sub_group_scan_exclusive_add((ushort)2), (ushort)(2 * id), 1);
    CHECK(all(sub_group_broadcast((short4)((short)id, 1, 2, 3), size - 1) == (short4)((short)(size - 1), 1, 2, 3)), 1, 1);
    out[get_global_id(0)] = bad;
}
