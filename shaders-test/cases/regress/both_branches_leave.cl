// Both branches of an `if` go to the end of the loop, which shows when `always` is known; the `switch` is unreachable then.
// RUN: kernel=k global=4 local=4
// ARG: buffer:uint=0,1,2,3
// ARG: ushort=5
// EXPECT 0: uint=3,4,5,6
// EXPECT: pocl
kernel void k(global uint *out, ushort q)
{
    uint h = out[get_global_id(0)];
    ulong values[2] = {0, q};
    int always = 1;
    for (int round = 0;;) {
        if (++round > 3)
            break;
        h += 1;
        {
            if (values[1] != 0) {
                if (always)
                    goto next;
            } else {
                if (always)
                    goto next;
            }
            switch (q & 7) {
            case 3:
                break;
            default: {
                if (h != 5)
                    h += 100;
            never:;
            }
            case 1:
                h += 10;
            }
        }
    next:;
    }
    out[get_global_id(0)] = h;
}
