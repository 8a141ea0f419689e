// Vectors of three are stored four elements apart.
// LAUNCH: global=8 local=8
// ARG: int=24
kernel void wrong(global float *points) {
    int i = get_global_id(0);
    vstore3((float3)(i, 2 * i, 1), 0, points + 4 * i);   // FINDS out-of-range
}
kernel void right(global float *points) {
    int i = get_global_id(0);
    vstore3((float3)(i, 2 * i, 1), 0, points + 3 * i);
}
