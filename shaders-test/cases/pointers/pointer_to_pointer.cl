// Pointers to private pointers, arrays of pointers, swapping buffers.
// RUN: kernel=k global=1
// ARG: buffer:int=1,2,3,4
// ARG: buffer:int=10,20,30,40
// ARG: buffer:bytes=20
// EXPECT 2: int=10,1,3,40,22
void swap(global int **a, global int **b)
{
    global int *t = *a;
    *a = *b;
    *b = t;
}
kernel void k(global int *a, global int *b, global int *out)
{
    global int *first = a, *second = b;
    swap(&first, &second);
    out[0] = first[0];
    out[1] = second[0];
    global int *both[2] = { a, b };
    out[2] = both[0][2];
    out[3] = *(both[1] + 3);
    int x = 1, y = 2, *p = &x, **pp = &p;
    **pp += 10;
    *pp = &y;
    **pp *= 10;
    out[4] = x + y - 9;
}
