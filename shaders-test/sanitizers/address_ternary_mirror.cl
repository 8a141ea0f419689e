// An index behind the right border is mirrored at the width, not at the last element.
// LAUNCH: global=16 local=8
// ARG: int=16
// ARG: int=16
kernel void wrong(global const float *line, global float *out) {
    int i = get_global_id(0), r = i + 3;
    out[i] = line[r >= 16 ? 32 - r : r];                 // FINDS out-of-range
}
kernel void right(global const float *line, global float *out) {
    int i = get_global_id(0), r = i + 3;
    out[i] = line[r >= 16 ? 31 - r : r];
}
