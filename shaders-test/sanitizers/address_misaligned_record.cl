// A record with a member of eight bytes lies behind a header of four.
// LAUNCH: global=4 local=4
// ARG: int=40
// ARG: int=4
struct record { long time; int value, spare; };
kernel void wrong(global int *file, global int *out) {
    int i = get_global_id(0);
    global struct record *records = (global struct record *)(file + 1);
    out[i] = records[i].time > 5;                        // FINDS misaligned
}
kernel void right(global int *file, global int *out) {
    int i = get_global_id(0);
    global struct record *records = (global struct record *)(file + 2);
    out[i] = records[i].time > 5;
}
