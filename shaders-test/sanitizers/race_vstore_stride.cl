// Vectors of four are stored two elements apart.
// LAUNCH: global=64 local=32
// ARG: int=256
kernel void wrong(global float *a) {
    int i = get_global_id(0);
    vstore4((float4)(i, i + 1, i - 2, -i), 0, a + 2 * i); // FINDS global-race
}
kernel void right(global float *a) {
    int i = get_global_id(0);
    vstore4((float4)(i, i + 1, i - 2, -i), 0, a + 4 * i);
}
