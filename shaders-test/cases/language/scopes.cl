// Shadowing of variables, type names and parameters; enumerations; tags and typedefs of one name.
// RUN: kernel=k global=1
// ARG: buffer:bytes=40
// EXPECT 0: int=1,2,3,1,7,5,40,6,9,16
typedef int number;
enum colour { RED = 1, GREEN, BLUE = RED + 5 };
struct number { int inside; };
static int twice(int number) { return number * 2; }
kernel void k(global int *out)
{
    number x = 1;
    out[0] = x;
    {
        int x = 2;
        out[1] = x;
        for (int x = 3; x < 4; x++) out[2] = x;
    }
    out[3] = x;
    struct number s = { 7 };
    out[4] = s.inside;
    {
        float number = 2.5f;
        out[5] = number * 2;
    }
    typedef number length[10];
    out[6] = sizeof(length);
    enum colour c = BLUE;
    out[7] = c;
    enum { RED = 9 };
    out[8] = RED;
    out[9] = twice(8);
}
