// The width of a bucket is rounded down to zero where there are fewer values than buckets.
// LAUNCH: global=32 local=8
// ARG: int=32
#define BUCKETS 16
kernel void wrong(global int *out) {
    int i = get_global_id(0), range = i;
    int width = range / BUCKETS;
    out[i] = i / width;                                  // FINDS division-by-zero
}
kernel void right(global int *out) {
    int i = get_global_id(0), range = i;
    int width = (range + BUCKETS) / BUCKETS;
    out[i] = i / width;
}
