// The sum of a cube of local memory starts before all of its layers are there.
// LAUNCH: global=4,4,8 local=4,4,4
// ARG: int=128
kernel void wrong(global int *out) {
    local int cube[4][4][4];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    cube[z][y][x] = x + 4 * y + 16 * z;                  // FINDS local-race
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += cube[k][y][x];                            // FINDS local-race
    out[get_global_id(2) * 16 + y * 4 + x] = sum;
}
kernel void right(global int *out) {
    local int cube[4][4][4];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    cube[z][y][x] = x + 4 * y + 16 * z;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += cube[k][y][x];
    out[get_global_id(2) * 16 + y * 4 + x] = sum;
}
