// Nodes of a list in private memory: the last one has no next one.
// LAUNCH: global=8 local=8
// ARG: int=8
struct node {
    int value;
    struct node *next;
};
kernel void wrong(global int *out) {
    int i = get_global_id(0), sum = 0;
    struct node nodes[3] = { { 1, &nodes[1] }, { 2, &nodes[2] }, { 3, 0 } };
    struct node *node = nodes;
    for (int k = 0; k <= i % 4; k++) {
        sum += node->value;                              // FINDS null-pointer, out-of-range
        node = k < 3 ? node->next : node;
    }
    out[i] = sum;
}
kernel void right(global int *out) {
    int i = get_global_id(0), sum = 0;
    struct node nodes[3] = { { 1, &nodes[1] }, { 2, &nodes[2] }, { 3, 0 } };
    for (struct node *node = nodes; node; node = node->next)
        sum += node->value;
    out[i] = sum + i;
}
