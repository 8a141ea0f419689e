// The positions in a ring of eight slots are taken modulo nine.
// LAUNCH: global=16 local=16
// ARG: int=16
#define SLOTS 8
kernel void wrong(global int *out) {
    int ring[SLOTS] = { 0 }, head = get_global_id(0), sum = 0;
    for (int n = 0; n < 20; n++) {
        head = (head + 1) % (SLOTS + 1);
        ring[head] += n;                                 // FINDS out-of-range
    }
    for (int k = 0; k < SLOTS; k++)
        sum += k * ring[k];
    out[get_global_id(0)] = sum;
}
kernel void right(global int *out) {
    int ring[SLOTS] = { 0 }, head = get_global_id(0), sum = 0;
    for (int n = 0; n < 20; n++) {
        head = (head + 1) % SLOTS;
        ring[head] += n;
    }
    for (int k = 0; k < SLOTS; k++)
        sum += k * ring[k];
    out[get_global_id(0)] = sum;
}
