// The remainder of the least int by -1 is no better defined than the quotient.
// LAUNCH: global=8 local=8
// ARG: int=8
kernel void wrong(global int *out) {
    int i = get_global_id(0), key = (int)(0x80000000u + (i & 4) * 16), size = i / 2 - 1;
    if (size != 0)
        out[i] = key % size;                             // FINDS division-overflow
}
kernel void right(global int *out) {
    int i = get_global_id(0), key = (int)(0x80000000u + (i & 4) * 16), size = i / 2 + 1;
    if (size != 0)
        out[i] = key % size;
}
