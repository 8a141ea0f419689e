// The size of a parameter is that of a pointer, not of the caller's array.
// LAUNCH: global=8 local=8
// ARG: int=8
#define COUNT(array) (sizeof(array) / sizeof(array[0]))
int last_of(int values[1]) {
    return values[sizeof(values) / sizeof(int)];         // FINDS out-of-range
}
kernel void wrong(global int *out) {
    int values[1] = { get_global_id(0) };
    out[get_global_id(0)] = last_of(values);
}
kernel void right(global int *out) {
    int values[1] = { get_global_id(0) };
    out[get_global_id(0)] = values[COUNT(values) - 1];
}
