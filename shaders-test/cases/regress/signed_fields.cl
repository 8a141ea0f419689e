// Narrow integers, extended with their sign, that unsigned operations take, beside the negative of a narrow integer.
// RUN: kernel=fields global=4 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:uint=305463173,2596044927,17280,4294938623
// ARG: buffer:uint=0,0,0,0
// EXPECT 0: uint=14,252645127,1333788672,14,252645127,1333788672,0,1333788672,4,1123418112,3,1123287040,2,5,1123942400,5,171797386,1333788544,18,1333788672,4,1124139008,18,1191116800,0,268435448,1333788672,0,1080,1183252480,3,1116078080,0,1124073472,15,1333788604,3,138547332,1333788672,6,138546407,1333788560,15,1333788672,1,1065353216,0,1189085184
// EXPECT 2: uint=0,65535,65534,65533
// EXPECT: pocl
kernel void fields(global uint *out, global const uint *in, global uint *negatives)
{
    uint i = get_global_id(0), a = in[i], divisor = a >> 28 | 16;
    negatives[i] ^= (ushort)-(ushort)get_local_id(0);
    uint narrow = (char)a, wider = (short)a, second = (char)(a >> 8);
    out += i * 12;
    out[0] = narrow % divisor;
    out[1] = narrow / divisor;
    out[2] = as_uint((float)narrow);
    out[3] = wider % divisor;
    out[4] = wider / divisor;
    out[5] = as_uint((float)wider);
    out[6] = second % divisor;
    out[7] = as_uint((float)second);
    out[8] = (uchar)-(char)a % divisor;
    out[9] = as_uint((float)(uchar)-(char)a);
    out[10] = ~narrow % divisor;
    out[11] = as_uint((float)~wider);
}
