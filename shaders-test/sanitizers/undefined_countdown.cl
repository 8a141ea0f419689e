// A loop counts down and divides by its counter once more than it should.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int sum = 0;
    for (int k = get_global_id(0); k >= 0; k--)
        sum += 840 / k;                                  // FINDS division-by-zero
    out[get_global_id(0)] = sum;
}
kernel void right(global int *out) {
    int sum = 0;
    for (int k = get_global_id(0); k > 0; k--)
        sum += 840 / k;
    out[get_global_id(0)] = sum;
}
