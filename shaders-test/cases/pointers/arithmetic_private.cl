// Private arrays indexed at run time, through pointers that move, passed down and compared.
// RUN: kernel=k global=4
// ARG: buffer:bytes=96
// EXPECT: pocl
static int sum(const int *from, const int *to)
{
    int s = 0;
    while (from != to)
        s += *from++;
    return s;
}
static void rotate_left(int *v, int n)
{
    int first = v[0];
    for (int i = 0; i + 1 < n; i++)
        v[i] = v[i + 1];
    v[n - 1] = first;
}
kernel void k(global int *out)
{
    const int g = get_global_id(0);
    int v[8];
    for (int i = 0; i < 8; i++)
        v[i] = i * i;
    global int *o = out + g * 6;
    o[0] = sum(v, v + 8);
    o[1] = sum(v + g, &v[g + 3]);
    rotate_left(v + g, 3);
    o[2] = v[g];
    int *p = &v[7 - g];
    o[3] = p - v;
    *(p - 1) += 100;
    o[4] = p[-1];
    int m[3][4] = { { 1 }, { 2, 3 }, { 4, 5, 6 } };
    int (*row)[4] = m + g % 3;
    (*row)[3] = 9;
    o[5] = row[0][3] + m[2][g & 1] * 10 + m[g % 3][2] * 100;
}
