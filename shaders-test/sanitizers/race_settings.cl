// One work-item of the launch prepares the settings that all others read.
// LAUNCH: global=128 local=32
// ARG: int=4
// ARG: int=128
typedef struct { int scale, shift; } settings;
kernel void wrong(global settings *s, global int *out) {
    if (get_global_id(0) == 70) {
        s->scale = 3;                                    // FINDS global-race
        s->shift = 1;                                    // FINDS global-race
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0) * s->scale >> s->shift; // FINDS global-race
}
kernel void right(global settings *s, global int *out) {
    settings mine = { 3, 1 };
    if (get_global_id(0) == 70)
        *s = mine;
    out[get_global_id(0)] = get_global_id(0) * mine.scale >> mine.shift;
}
