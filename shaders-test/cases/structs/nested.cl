// Structures in structures in arrays, initialised with and without inner braces and designators.
// RUN: kernel=k global=3
// ARG: buffer:bytes=120
// EXPECT: pocl
typedef struct { int x, y; } point;
typedef struct { point corner[2]; struct { char tag; float weight; } info; } box;
kernel void k(global int *out)
{
    const int i = get_global_id(0);
    box boxes[3] = {
        { { { 1, 2 }, { 3, 4 } }, { 'a', 1.5f } },
        { { 5, 6, 7, 8 }, 'b', 2.5f },
        { .info = { .weight = 3.5f, .tag = 'c' }, .corner[1] = { .y = 9 } },
    };
    boxes[i].corner[i & 1].x += 50;
    point *p = &boxes[i].corner[1];
    p->y++;
    (p - 1)->y = -1;
    box copy = boxes[i];
    copy.corner[0] = copy.corner[1];
    global int *o = out + i * 10;
    o[0] = boxes[i].corner[0].x; o[1] = boxes[i].corner[0].y;
    o[2] = boxes[i].corner[1].x; o[3] = boxes[i].corner[1].y;
    o[4] = boxes[i].info.tag; o[5] = (int)(boxes[i].info.weight * 2);
    o[6] = copy.corner[0].x; o[7] = copy.corner[0].y;
    o[8] = sizeof(box); o[9] = (int)((char *)&copy.info.weight - (char *)&copy);
}
