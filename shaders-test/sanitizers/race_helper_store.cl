// The functions that read and write a ring are given the same slot by neighbours.
// LAUNCH: global=64 local=32
// ARG: int=64
void push(global int *ring, int at, int value) {
    ring[at & 63] = value;                               // FINDS global-race
}
int peek(global int *ring, int at) {
    return ring[at & 63];                                // FINDS global-race
}
kernel void wrong(global int *ring) {
    int i = get_global_id(0);
    push(ring, i, peek(ring, i + 1) + i);
}
kernel void right(global int *ring) {
    int i = get_global_id(0);
    push(ring, i, peek(ring, i) + i);
}
