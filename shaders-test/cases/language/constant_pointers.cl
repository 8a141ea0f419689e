// Constants of pointers: null through several casts, offsets from null, addresses and differences of them, compound literals
// outside of functions, variables that a block declares before the file does. Expected values are computed by hand.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=1
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9
// EXPECT 0: int=1,1,1,8,2,1,1,0,7,9,4,1,1,16,5,3

struct record { int first; float second; int third[4]; };
constant int numbers[4] = {1, 2, 3, 4};
constant int other = 5;
constant int *constant through_long = (constant int *)(long)(void *)0;
constant int *constant chain = (constant int *)(constant char *)(constant float *)0;
constant long as_number = (long)(void *)0;
constant long offset = (long)&((struct record *)0)->third;
constant long element = (long)&((struct record *)0)->third[2];
constant long difference = &numbers[3] - &numbers[1];
constant int *constant after_comma = (0, (constant int *)0);
constant bool nulls_equal = (void *)0 == (void *)0;
constant bool objects_equal = &numbers[0] == &other;
constant struct record *constant literal = &(constant struct record){7, 2.0f, {1, 9, 3, 4}};
constant int *constant elements = (constant int[]){2, 4, 6};
constant ulong address = (ulong)(numbers + 1);

int of_block(void) {
    extern constant int later;
    return later;
}
constant int later = 3;

kernel void k(global int *out) {
    int at = 0;
    out[at++] = through_long == 0;
    out[at++] = chain == 0;
    out[at++] = as_number == 0;
    out[at++] = (int)offset;
    out[at++] = (int)difference;
    out[at++] = after_comma == 0;
    out[at++] = nulls_equal;
    out[at++] = objects_equal;
    out[at++] = literal->first;
    out[at++] = literal->third[1];
    out[at++] = elements[1];
    out[at++] = (ulong)numbers + 4 == address;
    out[at++] = as_ulong(out) == (ulong)out;
    out[at++] = (int)element;
    out[at++] = *__builtin_astype(as_uint2(&other), constant int *);
    out[at++] = of_block();
}
