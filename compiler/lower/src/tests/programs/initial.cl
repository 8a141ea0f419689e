constant int table[5] = { 3, 1, 4, 1, 5 };
constant char *constant names[2] = { "ab", "xyz" };
int test(int x) {
    int a[7] = { x, 2, [4] = x * 2, 6 };
    const unsigned k[90] = { 1, 5, 9, [50] = 77, [89] = 1 };
    int dense[80] = { 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,
        37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,
        75,76,77,78,79,80 };
    char text[] = "hello";
    char wide[301] = { 1, 2 };
    struct { int a; float f[2]; char c; } m[30] = { [7] = { 5, { 1.5f, 2.5f }, 'x' }, [29].c = 1 };
    int s = 0;
    for (int i = 0; i < 7; i++) s = s * 3 + a[i];
    for (int i = 0; i < 90; i++) s += (int)k[i] * i;
    for (int i = 0; i < 80; i++) s ^= dense[i] * x;
    for (int i = 0; i < 6; i++) s += text[i] * i;
    for (int i = 0; i < 301; i++) s += wide[i] * (i + 1);
    for (int i = 0; i < 30; i++) s += m[i].a + (int)(m[i].f[0] * 2) + (int)m[i].f[1] + m[i].c * i;
    s += table[x & 3] * 1000 + names[x & 1][1] + (int)sizeof(text);
    int b[2][3] = { { 1 }, { x, 5 } };
    return s + b[0][0] + b[1][0] * 2 + b[1][1] * 3 + b[1][2] + ((int[]){ 4, x, 6 })[1];
}
