// A loop that was unrolled by four has no rest for a length that four does not divide.
// LAUNCH: global=1 local=1
// ARG: int=30
// ARG: int=1
kernel void wrong(global const int *a, global int *out) {
    int sum = 0;
    for (int k = 0; k < 30; k += 4) {
        sum += a[k] + a[k + 1];
        sum += a[k + 2] + a[k + 3];                      // FINDS out-of-range
    }
    out[0] = sum;
}
kernel void right(global const int *a, global int *out) {
    int sum = 0, k = 0;
    for (; k + 4 <= 30; k += 4) {
        sum += a[k] + a[k + 1];
        sum += a[k + 2] + a[k + 3];
    }
    for (; k < 30; k++)
        sum += a[k];
    out[0] = sum;
}
