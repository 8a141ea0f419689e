// Nodes are put at the head of a list with a read and a write of the head.
// LAUNCH: global=64 local=16
// ARG: int=64
// ARG: int=1
kernel void wrong(global int *next, global int *head) {
    int i = get_global_id(0);
    next[i] = *head;                                     // FINDS global-race
    *head = i + 1;                                       // FINDS global-race
}
kernel void right(global int *next, global int *head) {
    int i = get_global_id(0);
    next[i] = atomic_xchg(head, i + 1);
}
