// The product of the numbers up to 13 is too great.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0);
    int product = 1;
    for (int k = 2; k <= i + 6; k++)
        product *= k;                                    // FINDS signed-overflow
    out[i] = product;
}
kernel void right(global int *out) {
    int i = get_global_id(0);
    int product = 1;
    for (int k = 2; k <= i + 5; k++)
        product *= k;
    out[i] = product;
}
