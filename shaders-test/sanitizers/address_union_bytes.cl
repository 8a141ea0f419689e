// The bytes of four words are sixteen.
// LAUNCH: global=16 local=16
// ARG: int=16
union words { uint word[4]; uchar byte[16]; };
kernel void wrong(global uint *out) {
    union words u = { { 1, 2, 3, 4 } };
    uint i = get_global_id(0), sum = 0;
    for (uint k = i; k < i + 2; k++)
        sum += u.byte[k];                                // FINDS out-of-range
    out[i] = sum;
}
kernel void right(global uint *out) {
    union words u = { { 1, 2, 3, 4 } };
    uint i = get_global_id(0), sum = 0;
    for (uint k = i; k < min(i + 2, 16u); k++)
        sum += u.byte[k];
    out[i] = sum;
}
