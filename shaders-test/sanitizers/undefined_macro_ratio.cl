// A macro divides by its second argument, whatever that is.
// LAUNCH: global=8,4 local=8,4
// ARG: int=32
#define RATIO(part, whole) (100 * (part) / (whole))
kernel void wrong(global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[8 * y + x] = RATIO(x, x * y);                    // FINDS division-by-zero
}
kernel void right(global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[8 * y + x] = RATIO(x, x * y + 1);
}
