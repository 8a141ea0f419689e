// A list and a tree in an array: links by index and by pointer into global memory.
// RUN: kernel=k global=1
// ARG: buffer:int=5,1,7,3,9,-1,11,2
// ARG: buffer:bytes=12
// EXPECT 1: int=32,4,9
typedef struct node { int value; int next; } node;
typedef struct cursor { global const node *at; struct cursor *up; } cursor;
kernel void k(global const node *list, global int *out)
{
    int sum = 0, count = 0;
    for (int i = 0; i >= 0; i = list[i].next) {
        sum += list[i].value;
        if (++count > 10) break;
    }
    out[0] = sum;
    out[1] = count;
    cursor a = { list, 0 }, b = { list + 2, &a };
    out[2] = b.up->at[2].value;
}
