// Lanes of a vector are set one by one; one is left out.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *a) {
    float4 v;
    v.x = 1;
    v.yz = (float2)(2, 3);
    a[get_global_id(0)] = dot(v, (float4)(1));           // FINDS uninitialized
}
kernel void right(global float *a) {
    float4 v;
    v.x = 1;
    v.yz = (float2)(2, 3);
    a[get_global_id(0)] = v.x + v.y + v.z;
}
