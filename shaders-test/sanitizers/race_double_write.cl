// The work-items on both sides of a border compute its flux, with different signs.
// LAUNCH: global=64 local=32
// ARG: int=65
kernel void wrong(global float *flux) {
    int i = get_global_id(0);
    float q = i * 0.5f;
    flux[i] = q;                                         // FINDS global-race
    flux[i + 1] = -q - 1;                                // FINDS global-race
}
kernel void right(global float *flux) {
    int i = get_global_id(0);
    float q = i * 0.5f;
    flux[i] = q;
    if (i == 63)
        flux[i + 1] = -q - 1;
}
