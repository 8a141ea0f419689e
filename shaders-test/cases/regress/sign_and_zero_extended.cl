// A lane that one use wants sign-extended and, through another vector, a second one zero-extended, and the reverse.
// RUN: kernel=k global=1
// ARG: buffer:ushort=45377,5,45377,3
// ARG: buffer:int=0,0,0,0
// EXPECT 1: int=-20159,1418,13,-2520
kernel void k(global const ushort4 *p, global int *o) {
    ushort4 v = p[0];
    o[0] = (short)v.x;
    o[1] = ((ushort4)(0, 0, 0, v.x) >> (ushort4)(0, 0, 0, v.y)).w;
    short4 s = as_short4(v);
    o[2] = (ushort)s.z / 3465;
    o[3] = ((short4)(0, 0, 0, s.z) >> (short4)(0, 0, 0, s.w)).w;
}
