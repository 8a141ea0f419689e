// A vector is loaded through a cast pointer that is not aligned.
// LAUNCH: global=8 local=8
// ARG: int=16
// ARG: int=16
kernel void wrong(global float *a, global float *b) {
    int i = get_global_id(0);
    b[i] = ((global float4 *)(a + i))->x;                // FINDS misaligned
}
kernel void right(global float *a, global float *b) {
    int i = get_global_id(0);
    b[i] = vload4(0, a + i).x + ((global float4 *)(a + 4 * (i & 1)))->x;
}
