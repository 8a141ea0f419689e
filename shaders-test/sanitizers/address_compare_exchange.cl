// A hash table is probed linearly past its last slot.
// LAUNCH: global=16 local=16
// ARG: int=16
kernel void wrong(global int *table) {
    int key = get_global_id(0) + 1, slot = key % 4 + 12;
    while (slot < 20 && atomic_cmpxchg(&table[slot], 0, key) != 0) // FINDS out-of-range
        slot++;
}
kernel void right(global int *table) {
    int key = get_global_id(0) + 1, slot = key % 4 + 12;
    for (int n = 0; n < 16 && atomic_cmpxchg(&table[slot % 16], 0, key) != 0; n++)
        slot++;
}
