// An array of four digits is filled with the digits of numbers of five.
// LAUNCH: global=16 local=16
// ARG: int=16
kernel void wrong(global int *out) {
    uchar digits[4];
    int count = 0;
    uint rest = get_global_id(0) * 1000;
    do {
        digits[count++] = rest % 10;                     // FINDS out-of-range
        rest /= 10;
    } while (rest != 0);
    out[get_global_id(0)] = digits[0] + count;
}
kernel void right(global int *out) {
    uchar digits[5];
    int count = 0;
    uint rest = get_global_id(0) * 1000;
    do {
        digits[count++] = rest % 10;
        rest /= 10;
    } while (rest != 0);
    out[get_global_id(0)] = digits[0] + count;
}
