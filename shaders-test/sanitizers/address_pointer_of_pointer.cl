// A function moves the caller's pointer past the end by a pointer to it.
// LAUNCH: global=8 local=8
// ARG: int=32
// ARG: int=8
int take(global const int **from) {
    int value = **from;                                  // FINDS out-of-range
    *from += 9;
    return value;
}
kernel void wrong(global const int *in, global int *out) {
    global const int *at = in + get_global_id(0);
    int sum = take(&at);
    for (int k = 1; k < 4; k++)
        sum += take(&at);
    out[get_global_id(0)] = sum;
}
kernel void right(global const int *in, global int *out) {
    global const int *at = in + get_global_id(0);
    int sum = take(&at);
    for (int k = 1; k < 3; k++)
        sum += take(&at);
    out[get_global_id(0)] = sum;
}
