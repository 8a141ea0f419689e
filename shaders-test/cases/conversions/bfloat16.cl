// Conversions of `float` to bfloat16 and back (cl_intel_bfloat16_conversions), as scalars and vectors: ties, numbers that round to
// infinity, subnormal numbers, infinities, NaNs. Expected: the nearer of the neighbours by exact rational arithmetic.
// SKIP reference: the driver lacks the extension
// SKIP opencl: the OpenCL driver lacks the extension
// RUN: kernel=scalars global=32
// ARG: buffer:uint=0,2147483648,1065353216,1065385984,1065451520,1065385985,1065385983,3212869632,3212935168,2139095039,2139062271,2139095040,4286578688,2143289344,2139095041,4286653253,1,32768,98304,8388607,8388608,1078530011,3270961529,1051372203,1258291201,864026624,2130706431,2147516417,1065353215,1132396544,3351465984,305419896
// ARG: buffer:bytes=128
// ARG: buffer:bytes=128
// EXPECT 1: uint=0,32768,16256,16256,16258,16257,16256,49024,49026,32640,32639,32640,65408,32704,32704,65473,0,0,2,128,128,16457,49911,16043,19200,13184,32512,32769,16256,17279,51139,4660
// EXPECT 2: uint=0,2147483648,1065353216,1065353216,1065484288,1065418752,1065353216,3212836864,3212967936,2139095040,2139029504,2139095040,4286578688,2143289344,2143289344,4290838528,0,0,131072,8388608,8388608,1078525952,3270967296,1051394048,1258291200,864026624,2130706432,2147549184,1065353216,1132396544,3351445504,305397760
// RUN: kernel=vectors global=1
// ARG: buffer:uint=0,2147483648,1065353216,1065385984,1065451520,1065385985,1065385983,3212869632,3212935168,2139095039,2139062271,2139095040,4286578688,2143289344,2139095041,4286653253,1,32768,98304,8388607,8388608,1078530011,3270961529,1051372203,1258291201,864026624,2130706431,2147516417,1065353215,1132396544,3351465984,305419896
// ARG: buffer:bytes=128
// ARG: buffer:bytes=128
// EXPECT 1: uint=0,32768,16256,16256,16258,16257,16256,49024,49026,32640,32639,32640,65408,32704,32704,65473,0,0,2,128,128,16457,49911,16043,19200,13184,32512,32769,16256,17279,51139,4660
// EXPECT 2: uint=0,2147483648,1065353216,1065353216,1065484288,1065418752,1065353216,3212836864,3212967936,2139095040,2139029504,2139095040,4286578688,2143289344,2143289344,4290838528,0,0,131072,8388608,8388608,1078525952,3270967296,1051394048,1258291200,864026624,2130706432,2147549184,1065353216,1132396544,3351445504,305397760

kernel void scalars(global const uint *in, global uint *bits, global uint *floats) {
    size_t i = get_global_id(0);
    ushort b = intel_convert_bfloat16_as_ushort(as_float(in[i]));
    bits[i] = b;
    floats[i] = as_uint(intel_convert_as_bfloat16_float(b));
}

kernel void vectors(global const uint *in, global uint *bits, global uint *floats) {
    ushort2 b2 = intel_convert_bfloat162_as_ushort2(as_float2(vload2(0, in)));
    ushort3 b3 = intel_convert_bfloat163_as_ushort3(as_float3(vload3(0, in + 2)));
    ushort3 c3 = intel_convert_bfloat163_as_ushort3(as_float3(vload3(0, in + 5)));
    ushort8 b8 = intel_convert_bfloat168_as_ushort8(as_float8(vload8(0, in + 8)));
    ushort16 b16 = intel_convert_bfloat1616_as_ushort16(as_float16(vload16(0, in + 16)));
    vstore2(convert_uint2(b2), 0, bits);
    vstore3(convert_uint3(b3), 0, bits + 2);
    vstore3(convert_uint3(c3), 0, bits + 5);
    vstore8(convert_uint8(b8), 0, bits + 8);
    vstore16(convert_uint16(b16), 0, bits + 16);
    vstore2(as_uint2(intel_convert_as_bfloat162_float2(b2)), 0, floats);
    vstore3(as_uint3(intel_convert_as_bfloat163_float3(b3)), 0, floats + 2);
    vstore3(as_uint3(intel_convert_as_bfloat163_float3(c3)), 0, floats + 5);
    vstore8(as_uint8(intel_convert_as_bfloat168_float8(b8)), 0, floats + 8);
    vstore16(as_uint16(intel_convert_as_bfloat1616_float16(b16)), 0, floats + 16);
    // Of four, which are the same.
    ushort4 b4 = intel_convert_bfloat164_as_ushort4(as_float4(vload4(0, in + 28)));
    vstore4(convert_uint4(b4), 0, bits + 28);
    vstore4(as_uint4(intel_convert_as_bfloat164_float4(b4)), 0, floats + 28);
}
