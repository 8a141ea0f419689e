// A stencil of five points reads above the first row, and its test of the border has "or" for "and".
// LAUNCH: global=8,8 local=8,8
// ARG: int=64
// ARG: int=64
#define WIDTH 8
kernel void wrong(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1), at = y * WIDTH + x;
    if ((x > 0 && x < 7) || (y > 0 && y < 7)) {
        int up = in[at - WIDTH];                         // FINDS out-of-range
        int down = in[at + WIDTH];                       // FINDS out-of-range
        out[at] = up + down + in[at - 1] + in[at + 1] - 4 * in[at];
    }
}
kernel void right(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1), at = y * WIDTH + x;
    if (x > 0 && x < 7 && y > 0 && y < 7) {
        int up = in[at - WIDTH];
        int down = in[at + WIDTH];
        out[at] = up + down + in[at - 1] + in[at + 1] - 4 * in[at];
    }
}
