// A table of structures has five lines, and six kinds refer to it.
// LAUNCH: global=8 local=8
// ARG: int=8
constant struct { int sides; float area; } shapes[5] = { { 3, 0.4f }, { 4, 1 }, { 5, 1.7f }, { 6, 2.6f }, { 8, 4.8f } };
kernel void wrong(global float *out) {
    int i = get_global_id(0);
    out[i] = shapes[i % 6].area * 2;                     // FINDS out-of-range
}
kernel void right(global float *out) {
    int i = get_global_id(0);
    out[i] = shapes[i % 5].area * 2;
}
