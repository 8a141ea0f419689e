// A function fills a part of an array, and another one adds up all of it.
// LAUNCH: global=8 local=8
// ARG: int=8
void fill(int *t, int n, int value) {
    for (int k = 0; k < n; k++)
        t[k] = value + k;
}
int sum(const int *t, int n) {
    int s = 0;
    for (int k = 0; k < n; k++)
        s += t[k];
    return s;
}
kernel void wrong(global int *out) {
    int t[8], i = get_global_id(0);
    fill(t, i, i);
    out[i] = sum(t, 8);                                  // FINDS uninitialized
}
kernel void right(global int *out) {
    int t[8], i = get_global_id(0);
    fill(t, i, i);
    out[i] = sum(t, i);
}
