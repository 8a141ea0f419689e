// Heat flows between the slices of a volume in place.
// LAUNCH: global=4,4,8 local=4,4,2
// ARG: int=128
// ARG: int=128
kernel void wrong(global int *heat, global int *next) {
    int slice = 16, z = get_global_id(2), at = (z * 4 + get_global_id(1)) * 4 + get_global_id(0);
    int below = z > 0 ? heat[at - slice] : 100;          // FINDS global-race
    heat[at] += (below - heat[at]) / 2 + z + 1;          // FINDS global-race
}
kernel void right(global int *heat, global int *next) {
    int slice = 16, z = get_global_id(2), at = (z * 4 + get_global_id(1)) * 4 + get_global_id(0);
    int below = z > 0 ? heat[at - slice] : 100;
    next[at] = heat[at] + (below - heat[at]) / 2 + z + 1;
}
