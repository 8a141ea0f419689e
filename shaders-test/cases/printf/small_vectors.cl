// Vectors that do not fill words.
// SKIP opencl: PoCL 3.1 takes vectors of less than 8 bytes from LLVM IR (clang's own too) in another form than its printf reads
// RUN: kernel=k global=1
// ARG: int=3
// PRINTS: 01,02,03,04 between 3
// PRINTS: -3,7 65532,8,9 3,2,1 -1,3 last 3

kernel void k(int three)
{
    printf("%02v4hhd between %d\n", (char4)(1, 2, three, 4), three);
    char2 a = (char2)(-three, 7);
    ushort3 b = (ushort3)(-three - 1, 8, 9);
    printf("%v2hhd %v3hu %v3hhu %v2hd last %d\n", a, b, (uchar3)(three, 2, 1), (short2)(-1, three), three);
}
