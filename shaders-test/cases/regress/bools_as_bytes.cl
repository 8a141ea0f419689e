// The bytes of integers that are the results of comparisons, compared with zero.
// RUN: kernel=bytes global=4 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:char=-128,-128,5,7,-1,7,0,127
// EXPECT 0: uint=4294967295,4294967040,0,4294967295,4294967040,4294967040,255,4294967040,4294967295,4294967040,0,4294967295,4294967295,4294967295,0,4294967295
kernel void bytes(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    int x = in[i].x, y = in[i].y;
    out += i * 4;
    out[0] = as_uint(!as_uchar4(x > 0));
    out[1] = as_uint(as_char4(x != 0) == (char4)0);
    out[2] = as_uint(as_uchar4((x > 0) & (y > 0)) > (uchar4)0);
    out[3] = as_uint(!as_char4((x > 0) & (y > 0)));
}
