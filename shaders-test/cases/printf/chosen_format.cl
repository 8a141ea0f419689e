// A format chosen while the kernel runs: each work-item prints by its own.
// RUN: kernel=k global=1
// ARG: int=1
// PRINTS: one 1 7
// PRINTS: many 3
// PRINTS: none
// PRINTS: odd 3
kernel void k(int n)
{
    int x = 6;
    for (int i = 0; i < 4; i += n) {
        if (i == 0) printf(n == 1 ? "one %d %d\n" : "other %d %d\n", n, ++x);
        if (i == 1) printf(n > 1 ? "few %d\n" : n == 0 ? "zero %d\n" : "many %d\n", 3);
        if (i == 2) printf(n ? "none\n" : "some\n");
        if (i == 3) printf((i & 1) ? "odd %d\n" : "even %d\n", i);
    }
}
