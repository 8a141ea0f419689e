// Lanes of quotients and remainders of vectors that stand behind others in a vector of four.
// RUN: kernel=divided global=4 local=4
// ARG: buffer:uint=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: uint=740960775,7,2055,9,5,1,0,0,2752775,202116103,202115079,33686025,5,1,71,0,1392661767,404232199,404228103,67372041,5,1,142,0,19529735,623191303,623183879,101058057,5,1,214,0
kernel void divided(global uint *out, global const char2 *in)
{
    uint i = get_global_id(0);
    char x = in[i].x, y = in[i].y;
    char number = (char)(i * 37);
    out += i * 8;
    *(global uchar4 *)&out[0] = (uchar4)(7, as_uchar3((char3)(x, y, x ^ 5)) / (uchar)3);
    *(global char4 *)&out[1] = (char4)(7, (char3)number / (char)3);
    *(global char4 *)&out[2] = (char4)(7, 8, (char2)number / (char)3);
    *(global char4 *)&out[3] = (char4)(9, (char3)number % (char)7);
    *(global int4 *)&out[4] = (int4)(5, ((int3)(INT_MIN, (int)i * 1000, 1) >> 1) / (int3)(-790000001, 7, 3));
}
