// Prefix and postfix forms on scalars, members, elements and pointers.
// RUN: kernel=k global=1
// ARG: buffer:int=10,20,30,40
// ARG: buffer:bytes=56
// EXPECT 0: int=11,19,30,41
// EXPECT 1: int=10,11,20,20,19,19,5,7,30,40,40,2,1,-1
struct pair { int a, b; };
kernel void k(global int *v, global int *out)
{
    out[0] = v[0]++;
    out[1] = v[0];
    out[2] = v[1]--;
    out[3] = v[1] + 1;
    out[4] = v[1];
    int i = 1;
    out[5] = v[i++];
    struct pair p = { 5, 6 };
    out[6] = p.a++;
    out[7] = ++p.b;
    global int *q = v + i;
    out[8] = *q++;
    out[9] = (*q)++;
    out[10] = --*q, ++*q;
    out[11] = i;
    uchar c = 0;
    c--;
    out[12] = c == 255;
    int2 w = (int2)(0, 0);
    w.y--;
    out[13] = w.y;
}
