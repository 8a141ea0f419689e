// Lanes of vectors of bytes, sign-extended, that unsigned operations take.
// RUN: kernel=lanes global=4 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:char=-72,-109,-58,124,-1,-128,5,-2,127,-77,-9,-83,-81,15,-100,-3
// ARG: buffer:uint=1,3,10,255
// EXPECT 0: uint=4294967224,0,1333788672,1123549184,0,124,1333788672,4294967238,1431655765,4294967294,1084227584,1333788672,0,1431655764,1333788672,3,12,4294967287,1333788672,1333788672,0,429496721,1123942400,429496735,16843008,4294967281,1333788672,1333788672,17825792,16843008,1333788672,16843164
kernel void lanes(global uint *out, global const char4 *in, global const uint *divisors)
{
    uint i = get_global_id(0), n = divisors[i];
    char4 v = in[i], same = as_char4(((global const uint *)in)[i]);
    local char4 kept[4];
    kept[i ^ 1] = in[i ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out += i * 8;
    out[0] = (uint)v.x / n;
    out[1] = -((uint)v.y % n);
    out[2] = as_uint((float)(uint)v.z);
    out[3] = as_uint((float)(ulong)(uint)v.w);
    out[4] = (n << 20) / (uint)v.y;
    out[5] = (uint)same.w / n;
    out[6] = as_uint((float)(uint)same.x);
    uint z = kept[i].z;
    out[7] = z / n + z % n;
}
