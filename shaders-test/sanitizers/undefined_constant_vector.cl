// The least int in a vector of constants is divided by -1 in one lane.
// LAUNCH: global=8 local=8
// ARG: int=32
kernel void wrong(global int4 *out) {
    int4 least = INT_MIN, d = (int4)(-1, 2, 3, 4);
    out[get_global_id(0)] = least / d;                   // FINDS division-overflow
}
kernel void right(global int4 *out) {
    int4 least = INT_MIN, d = (int4)(1, 2, 3, 4);
    out[get_global_id(0)] = least / d;
}
