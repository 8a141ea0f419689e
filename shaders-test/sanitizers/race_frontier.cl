// Work-items of a breadth-first search write the distance of shared neighbours, each its own.
// LAUNCH: global=64 local=16
// ARG: int=80
kernel void wrong(global int *distance) {
    int node = get_global_id(0);
    for (int edge = 1; edge < 4; edge++)
        if (distance[node + edge] == 0)                  // FINDS global-race
            distance[node + edge] = node % 5 + edge;     // FINDS global-race
}
kernel void right(global int *distance) {
    int node = get_global_id(0);
    for (int edge = 1; edge < 4; edge++)
        atomic_cmpxchg(&distance[node + edge], 0, node % 5 + edge);
}
