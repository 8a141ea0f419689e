// A counter of steps is kept as a float and grows beyond the unsigned short that shows it.
// LAUNCH: global=8 local=8
// ARG: int=4
kernel void wrong(global ushort *out) {
    float time = get_global_id(0);
    int steps = 0;
    while (time < 200000 && steps < 12) {
        time = time * 4 + 1;
        steps++;
    }
    out[get_global_id(0)] = time;                        // FINDS conversion-range
}
kernel void right(global ushort *out) {
    float time = get_global_id(0);
    int steps = 0;
    while (time < 10000 && steps < 12) {
        time = time * 4 + 1;
        steps++;
    }
    out[get_global_id(0)] = time;
}
