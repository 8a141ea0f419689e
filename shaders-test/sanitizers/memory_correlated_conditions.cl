// A variable is set and used under conditions that do not agree in one case.
// LAUNCH: global=16 local=8
// ARG: int=16
kernel void wrong(global int *out) {
    int i = get_global_id(0), x, sum = 0;
    for (int k = 0; k < 3; k++) {
        if (i > k)
            x = i * k;
        if (i >= k)
            sum += x;
    }
    out[i] = sum;                                        // FINDS uninitialized
}
kernel void right(global int *out) {
    int i = get_global_id(0), x, sum = 0;
    for (int k = 0; k < 3; k++) {
        if (i > k)
            x = i * k;
        if (i >= k + 1)
            sum += x;
    }
    out[i] = sum;
}
