// Variables that are set on some paths only and read only where they were set.
// RUN: kernel=k global=8
// ARG: buffer:bytes=32
// EXPECT 0: int=0,10,40,11,20,15,60,18
kernel void k(global int *out)
{
    const int i = get_global_id(0);
    int a, b;
    if (i % 2) a = i + 9;
    else b = i * 10;
    int last;
    for (int j = 0; j < 3; j++) {
        if (j == 1) { last = i; continue; }
        if (j == 2 && last > 2) last /= 2;
    }
    out[i] = i % 2 ? (i == 1 ? a : a - last * (i == 3 ? 1 : i == 5 ? 0 : 0)) : b / (i == 4 ? 2 : 1) * (i == 2 ? 2 : 1);
    if (i == 5) out[i] = a + 1;
    if (i == 7) out[i] = a + last - 1;
}
