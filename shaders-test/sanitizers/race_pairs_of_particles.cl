// Each work-item pushes its particle and the one that it collides with.
// LAUNCH: global=64 local=32
// ARG: int=128
struct particle { int place, speed; };
kernel void wrong(global struct particle *p) {
    int i = get_global_id(0), other = (i + 1) % 64, push = i % 5 + 1;
    p[i].speed += push;                                  // FINDS global-race
    p[other].speed -= push;                              // FINDS global-race
}
kernel void right(global struct particle *p) {
    int i = get_global_id(0), other = (i + 1) % 64, push = i % 5 + 1;
    atomic_add(&p[i].speed, push);
    atomic_sub(&p[other].speed, push);
}
