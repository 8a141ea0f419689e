// The search for the smallest element compares with a variable that has no value yet.
// LAUNCH: global=8 local=8
// ARG: int=32
// ARG: int=8
kernel void wrong(global const int *in, global int *where) {
    int least, at = 0, i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        int value = in[4 * i + k] - k;
        if (value < least) {                             // FINDS uninitialized
            least = value;
            at = k;
        }
    }
    where[i] = at;
}
kernel void right(global const int *in, global int *where) {
    int least = INT_MAX, at = 0, i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        int value = in[4 * i + k] - k;
        if (value < least) {
            least = value;
            at = k;
        }
    }
    where[i] = at;
}
