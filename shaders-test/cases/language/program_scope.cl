// Variables of program scope and static ones of functions keep their values from launch to launch of work-items.
// OPTIONS: -cl-std=CL3.0
// RUN: kernel=k global=1
// ARG: buffer:int=0..6
// EXPECT 0: int=5,6,2,101,102,40
// SKIP reference: the driver lacks program-scope variables
global int counter = 5;
global int *global pointer = &counter;
global int zero[3];
constant int table[2] = { 40, 50 };

int next(void) {
    static int calls = 100;
    return ++calls;
}

kernel void k(global int *out) {
    out[0] = counter++;
    out[1] = *pointer;
    zero[1] += 2;
    out[2] = zero[0] + zero[1] + zero[2];
    out[3] = next();
    out[4] = next();
    out[5] = table[0];
}
