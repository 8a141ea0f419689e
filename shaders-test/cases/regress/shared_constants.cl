// A negative constant that is a mask of bits and a signed operand elsewhere.
// RUN: kernel=masks global=4 local=4
// ARG: buffer:int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-1,7,0,127
// EXPECT 0: int=1,3,2,-127,0,4,1,-128,0,3,0,0,0,4,0,0
kernel void masks(global int *out, global const char2 *in)
{
    uint i = get_global_id(0);
    char2 signs = in[i] >> (char2)1 & (char2)(CHAR_MIN);
    char2 quotients = in[i] / (char2)(CHAR_MIN);
    out += i * 4;
    out[0] = all(signs);
    out[1] = signs.x < 0 ? 3 : 4;
    out[2] = quotients.x + quotients.y;
    out[3] = signs.y + quotients.x;
}
