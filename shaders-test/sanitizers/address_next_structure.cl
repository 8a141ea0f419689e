// The number of edges of a node is taken from the node behind it, which the last node does not have.
// LAUNCH: global=8 local=8
// ARG: int=24
struct node { int first_edge, edges; float weight; };
kernel void wrong(global struct node *nodes) {
    int i = get_global_id(0);
    nodes[i].edges = nodes[i + 1].first_edge - nodes[i].first_edge; // FINDS out-of-range
}
kernel void right(global struct node *nodes) {
    int i = get_global_id(0);
    int end = i + 1 < 8 ? nodes[i + 1].first_edge : 24;
    nodes[i].edges = end - nodes[i].first_edge;
}
