// A structure is passed to a function before all of its members are set.
// LAUNCH: global=8 local=8
// ARG: int=8
typedef struct { int2 size; int channels; } format;
int bytes_of(format f) {
    return f.size.x * f.size.y * f.channels;
}
kernel void wrong(global int *out) {
    format f;
    f.size = (int2)(4, get_global_id(0));
    out[get_global_id(0)] = bytes_of(f);                 // FINDS uninitialized
}
kernel void right(global int *out) {
    format f;
    f.size = (int2)(4, get_global_id(0));
    f.channels = 3;
    out[get_global_id(0)] = bytes_of(f);
}
