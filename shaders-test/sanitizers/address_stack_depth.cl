// The stack of a depth-first search is too small for the deepest paths.
// LAUNCH: global=16 local=16
// ARG: int=16
kernel void wrong(global int *visits) {
    int stack[4], top = 0, seen = 0;
    stack[top++] = 1;
    while (top > 0 && seen < 31) {
        int node = stack[--top];                         // FINDS out-of-range
        seen++;
        if (node > 0 && node < 16) {
            stack[top++] = 2 * node;
            stack[top++] = 2 * node + 1;                 // FINDS out-of-range
        }
    }
    visits[get_global_id(0)] = seen;
}
kernel void right(global int *visits) {
    int stack[5], top = 0, seen = 0;
    stack[top++] = 1;
    while (top > 0 && seen < 31) {
        int node = stack[--top];
        seen++;
        if (node > 0 && node < 16) {
            stack[top++] = 2 * node;
            stack[top++] = 2 * node + 1;
        }
    }
    visits[get_global_id(0)] = seen;
}
