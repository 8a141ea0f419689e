// A queue that consists of a pointer and a length is used by all work-items of a group.
// LAUNCH: global=64 local=64
// ARG: int=64
// ARG: local=256
struct queue { local int *slots; local int *length; };
void push(struct queue q, int value) {
    q.slots[(*q.length)++] = value;                      // FINDS local-race
}
kernel void wrong(global int *out, local int *slots) {
    local int length;
    struct queue q = { slots, &length };
    if (get_local_id(0) == 0)
        length = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    push(q, get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = length;
}
kernel void right(global int *out, local int *slots) {
    local int length;
    struct queue q = { slots, &length };
    if (get_local_id(0) == 0) {
        length = 0;
        for (int k = 0; k < 64; k++)
            push(q, k);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = length + slots[get_local_id(0)];
}
