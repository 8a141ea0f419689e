// A dynamic program fills its table by rows, and each row needs the one above from another work-item.
// LAUNCH: global=32 local=32
// ARG: int=1056
kernel void wrong(global int *table) {
    int x = get_global_id(0);
    for (int y = 1; y < 32; y++) {
        int a = table[(y - 1) * 33 + x], b = table[(y - 1) * 33 + x + 1]; // FINDS global-race
        table[y * 33 + x + 1] = max(a + x, b + y);       // FINDS global-race
    }
}
kernel void right(global int *table) {
    int x = get_global_id(0);
    for (int y = 1; y < 32; y++) {
        int a = table[(y - 1) * 33 + x], b = table[(y - 1) * 33 + x + 1];
        table[y * 33 + x + 1] = max(a + x, b + y);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
