// An array of float3 has four floats for each vector, and the buffer has three.
// LAUNCH: global=8 local=8
// ARG: int=24
kernel void wrong(global float3 *points) {
    points[get_global_id(0)].y = 1.0f;                   // FINDS out-of-range
}
kernel void right(global float3 *points) {
    if (get_global_id(0) < 6)
        points[get_global_id(0)].y = 1.0f;
}
