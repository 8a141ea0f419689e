// A member of a structure in local memory is not set by the work-item that prepares it.
// LAUNCH: global=64 local=32
// ARG: int=64
struct box { int left, right, top, bottom; };
kernel void wrong(global int *out) {
    local struct box box;
    int l = get_local_id(0);
    if (l == 0) {
        box.left = 1;
        box.right = 9;
        box.top = get_group_id(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= box.left && l < box.right)
        out[get_global_id(0)] = l * (box.bottom - box.top); // FINDS uninitialized
}
kernel void right(global int *out) {
    local struct box box;
    int l = get_local_id(0);
    if (l == 0) {
        box.left = 1;
        box.right = 9;
        box.top = box.bottom = get_group_id(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= box.left && l < box.right)
        out[get_global_id(0)] = l * (box.bottom - box.top);
}
