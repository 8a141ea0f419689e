// A chain of 1,201 conditions, as code generators write them; SPIR-V has 1,023 levels of nesting.
// RUN: kernel=k global=8
// ARG: buffer:int=0,31,32,99,777,1199,1200,-5
// ARG: buffer:bytes=32
// EXPECT 1: int=1,218,225,694,5440,8394,-1,-2
#define ARM(n) else if (x == (n)) { y = (n) * 7; y += 1; }
#define ARMS10(n) ARM(n + 0) ARM(n + 1) ARM(n + 2) ARM(n + 3) ARM(n + 4) ARM(n + 5) ARM(n + 6) ARM(n + 7) ARM(n + 8) ARM(n + 9)
#define ARMS100(n) ARMS10(n) ARMS10(n + 10) ARMS10(n + 20) ARMS10(n + 30) ARMS10(n + 40) \
    ARMS10(n + 50) ARMS10(n + 60) ARMS10(n + 70) ARMS10(n + 80) ARMS10(n + 90)
kernel void k(global const int *in, global int *out)
{
    int i = get_global_id(0), x = in[i], y = -1;
    if (x < 0) y = -2;
    ARMS100((0)) ARMS100((100)) ARMS100((200)) ARMS100((300)) ARMS100((400)) ARMS100((500))
    ARMS100((600)) ARMS100((700)) ARMS100((800)) ARMS100((900)) ARMS100((1000)) ARMS100((1100))
    out[i] = y;
}
