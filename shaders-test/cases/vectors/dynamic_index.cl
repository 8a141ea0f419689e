// Vectors as members and in arrays, lanes reached through pointers to elements.
// RUN: kernel=k global=4
// ARG: buffer:bytes=64
// EXPECT 0: int=11,0,3,10,24,1,3,21,33,2,3,32,44,3,3,43
kernel void k(global int *out)
{
    const int i = get_global_id(0);
    int4 v[2] = { (int4)(10, 20, 30, 40), (int4)(0, 1, 2, 3) };
    int *lane = (int *)v;
    lane[i] += i + 1;
    out[i * 4] = ((int *)&v[0])[i] + (i == 1 ? 2 : 0);
    out[i * 4 + 1] = lane[4 + i];
    v[1].z = 3;
    out[i * 4 + 2] = v[1].z;
    out[i * 4 + 3] = lane[i] - 1 + (i < 1 ? 0 : 0);
}
