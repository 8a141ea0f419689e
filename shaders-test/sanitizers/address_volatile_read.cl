// A register of a device that is read for its effect lies behind the buffer.
// LAUNCH: global=1 local=1
// ARG: int=4
kernel void wrong(volatile global int *device) {
    device[0] = 1;
    device[4];                                           // FINDS out-of-range
}
kernel void right(volatile global int *device) {
    device[0] = 1;
    device[3];
}
