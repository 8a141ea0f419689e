// A temporary variable is declared local where it was meant to be private.
// LAUNCH: global=64 local=32
// ARG: int=64
kernel void wrong(global int *out) {
    local int temporary;
    temporary = get_global_id(0) * 3;                    // FINDS local-race
    out[get_global_id(0)] = temporary + 1;               // FINDS local-race
}
kernel void right(global int *out) {
    int temporary;
    temporary = get_global_id(0) * 3;
    out[get_global_id(0)] = temporary + 1;
}
