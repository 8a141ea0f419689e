// C11's _Alignas and _Static_assert, and labels of a block alone.
// RUN: kernel=k global=1
// ARG: buffer:int=3
// ARG: buffer:bytes=64
// EXPECT: pocl
_Static_assert(sizeof(int) == 4, "int has 32 bits");
struct s { char a; _Alignas(16) int b; char _Alignas(long) c; _Static_assert(1, ""); };
constant _Alignas(8) char text[] = "abc";
kernel void k(global const int *in, global int *out)
{
    _Alignas(32) char bytes[3] = {1, 2, 3};
    int _Alignas(0) plain = 5;
    struct s x = {1, 2, 3};
    _Static_assert(_Alignof(struct s) == 16, "aligned");
    out[0] = sizeof(struct s); out[1] = _Alignof(struct s);
    out[2] = (ulong)bytes % 32 + bytes[in[0] - 1]; out[3] = plain + x.b + x.c;
    out[4] = (ulong)text % 8 + text[in[0] - 2];
    int turns = 0;
    for (int i = 0; i < in[0]; i++) {
        __label__ again, done;
        int j = i;
    again:
        turns += 10;
        if (j-- == 0) goto done;
        goto again;
    done:
        turns++;
    }
    { __label__ done; goto done; done: turns *= 2; }
    goto done;
    turns = 0;
done:
    out[5] = turns;
}
