// The bits of nodes that were visited share words.
// LAUNCH: global=128 local=32
// ARG: int=8
kernel void wrong(global uint *visited) {
    uint node = get_global_id(0) * 5 % 256;
    if (!(visited[node / 32] & 1u << node % 32))         // FINDS global-race
        visited[node / 32] |= 1u << node % 32;           // FINDS global-race
}
kernel void right(global uint *visited) {
    uint node = get_global_id(0) * 5 % 256;
    atomic_or(&visited[node / 32], 1u << node % 32);
}
