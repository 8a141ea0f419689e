// The levels of a tree are stored one after the other, and a level too many is visited.
// LAUNCH: global=8 local=8
// ARG: int=15
// ARG: int=8
kernel void wrong(global const int *tree, global int *out) {
    int node = 0, sum = 0, path = get_global_id(0);
    for (int level = 0; level < 5; level++) {
        sum += tree[node];                               // FINDS out-of-range
        node = 2 * node + 1 + ((path >> level) & 1);
    }
    out[path] = sum;
}
kernel void right(global const int *tree, global int *out) {
    int node = 0, sum = 0, path = get_global_id(0);
    for (int level = 0; level < 4; level++) {
        sum += tree[node];
        node = 2 * node + 1 + ((path >> level) & 1);
    }
    out[path] = sum;
}
