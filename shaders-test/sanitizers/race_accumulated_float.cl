// Floats are added by a loop of compare-and-exchange, and one of the groups adds without it.
// LAUNCH: global=64 local=16
// ARG: int=1
void add(global float *sum, float x) {
    union { uint bits; float value; } old, new;
    do {
        old.bits = atomic_or((global uint *)sum, 0u);    // FINDS global-race
        new.value = old.value + x;
    } while (atomic_cmpxchg((global uint *)sum, old.bits, new.bits) != old.bits); // FINDS global-race
}
kernel void wrong(global float *sum) {
    if (get_group_id(0) != 2)
        add(sum, 1.0f);
    else
        *sum += 1.0f;                                    // FINDS global-race
}
kernel void right(global float *sum) {
    add(sum, 1.0f);
}
