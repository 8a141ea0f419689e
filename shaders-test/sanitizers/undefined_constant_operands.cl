// Both operands are constants that are put together by macros.
// LAUNCH: global=8 local=8
// ARG: int=8
#define MARGIN 4
#define INNER (8 - 2 * MARGIN)
kernel void wrong(global int *out) {
    int size = INNER;
    out[get_global_id(0)] = 100 / size;                  // FINDS division-by-zero
}
kernel void right(global int *out) {
    int size = INNER + 1;
    out[get_global_id(0)] = 100 / size;
}
