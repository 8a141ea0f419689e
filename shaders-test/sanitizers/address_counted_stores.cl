// A row of local memory is written and copied in loops, in the wrong kernel beyond the end of the buffer.
// LAUNCH: global=32 local=32
// ARG: int=256
kernel void wrong(global int *out) {
    local int rows[32][9];
    int l = get_local_id(0);
    for (int k = 0; k < 9; k++)
        rows[l][k] = l * k;
    for (int k = 0; k < 9; k++)
        out[8 * l + k] = rows[l][k];                     // FINDS out-of-range
}
kernel void right(global int *out) {
    local int rows[32][9];
    int l = get_local_id(0);
    for (int k = 0; k < 9; k++)
        rows[l][k] = l * k;
    for (int k = 0; k < 8; k++)
        out[8 * l + k] = rows[l][k];
}
