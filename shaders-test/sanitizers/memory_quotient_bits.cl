// remquo and lgamma_r write what their pointers point to, and fract is given the wrong variable.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global float *out) {
    int i = get_global_id(0), bits, sign;
    float below, above;
    float a = remquo(i + 0.5f, 2.0f, &bits) + lgamma_r(i + 1.5f, &sign) + fract(i * 0.3f, &below);
    out[i] = a + bits + sign + above;                    // FINDS uninitialized
}
kernel void right(global float *out) {
    int i = get_global_id(0), bits, sign;
    float below;
    float a = remquo(i + 0.5f, 2.0f, &bits) + lgamma_r(i + 1.5f, &sign) + fract(i * 0.3f, &below);
    out[i] = a + bits + sign + below;
}
