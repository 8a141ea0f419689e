// Vectors of negatives of narrow integers, among them of the least, that are widened or compared.
// RUN: kernel=negated global=4 local=4
// ARG: buffer:int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:char=-128,-128,5,-128,-128,7,-1,3
// ARG: buffer:short=-32768,-32768,5,-32768,-32768,7,-1,3
// ARG: uint=0
// EXPECT 0: int=-1920,-491520,4,4,11,1,-16,-1305,-327705,4,4,11,1,-16,-710,-163910,4,4,11,1,-1,-25,-25,3,3,14,3,-1
int number(int4 v)
{
    return v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}

int turns(char x, uint place)
{
    char kept[2] = {0, 1};
    int turns = 0;
    for (;; turns++) {
        if (all(-(char16)kept[0]) && turns)
            break;
        if (turns == 3)
            break;
        kept[place] = ~(char)((uchar)1 - (uchar)(x + 2));
    }
    return turns;
}

kernel void negated(global int *out, global const char2 *chars, global const short2 *shorts, uint place)
{
    uint i = get_global_id(0);
    char a = chars[i].x, b = chars[i].y;
    short c = shorts[i].x, d = shorts[i].y;
    out += i * 7;
    out[0] = number(convert_int4(-(char4)(a, b, a, b)));
    out[1] = number(convert_int4(-(short4)(c, d, c, d)));
    out[2] = select((char4)3, (char4)4, -(char4)a).z;
    out[3] = select((short4)3, (short4)4, -(short4)c).z;
    out[4] = number(-convert_int4(-(char4)(a, b, a + b, b) < (char4)0));
    out[5] = turns(a, place);
    out[6] = convert_long4(-(char4)b).y >> 3;
}
