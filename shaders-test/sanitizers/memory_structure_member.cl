// One member of a structure is not set before the structure is copied and used.
// LAUNCH: global=8 local=8
// ARG: int=8
struct ray { float origin, direction, length; };
kernel void wrong(global float *out) {
    struct ray ray, copy;
    int i = get_global_id(0);
    ray.origin = i;
    ray.direction = 2;
    copy = ray;
    out[i] = copy.origin + copy.direction * copy.length; // FINDS uninitialized
}
kernel void right(global float *out) {
    struct ray ray, copy;
    int i = get_global_id(0);
    ray.origin = i;
    ray.direction = 2;
    ray.length = 10;
    copy = ray;
    out[i] = copy.origin + copy.direction * copy.length;
}
