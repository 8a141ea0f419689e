// The end of a line is not set, two levels down in a structure.
// LAUNCH: global=8 local=8
// ARG: int=8
struct point { float x, y; };
struct line { struct point from, to; };
struct picture { int id; struct line lines[2]; };
kernel void wrong(global float *out) {
    struct picture p;
    int i = get_global_id(0);
    for (int k = 0; k < 2; k++) {
        p.lines[k].from.x = p.lines[k].from.y = i;
        p.lines[k].to.x = k;
    }
    out[i] = p.lines[1].from.x + p.lines[1].to.y;        // FINDS uninitialized
}
kernel void right(global float *out) {
    struct picture p;
    int i = get_global_id(0);
    for (int k = 0; k < 2; k++) {
        p.lines[k].from.x = p.lines[k].from.y = i;
        p.lines[k].to.y = k;
    }
    out[i] = p.lines[1].from.x + p.lines[1].to.y;
}
