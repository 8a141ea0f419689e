// Loops that work-items leave after different numbers of iterations, with barriers that all of them meet in the first one, as
// OpenCL C allows (6.15.8): on lavapipe work-items behind the first eight did not finish. Expected values by hand: what the
// work-item that is as far from the other end stored, and 100 for each iteration.
// SKIP reference: PoCL 3.1 does not end on some of them
// SKIP opencl: PoCL 3.1 lets work-items make other numbers of iterations of a loop with a barrier
// RUN: kernel=conditional global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=while_loop global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=do_loop global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=continues global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=switches global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=jumps global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=calls global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=twice global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=nested global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=copies global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=returns global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=returns_from_call global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
#define LAST 39

int step(local int *shared, int id, int i, int sum)
{
    if (i == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = shared[LAST - id];
    }
    return sum + 100;
}

kernel void conditional(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        if (i == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        }
        sum += 100;
    }
    out[id] = sum;
}

kernel void while_loop(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    int i = 0;
    while (true) {
        if (i == 0)
            barrier(CLK_LOCAL_MEM_FENCE);
        if (i == 0)
            sum += shared[LAST - id];
        sum += 100;
        if (++i > id)
            break;
    }
    out[id] = sum;
}

kernel void do_loop(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    int i = 0;
    do {
        if (i++ == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        }
        sum += 100;
    } while (i <= id);
    out[id] = sum;
}

kernel void continues(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        sum += 100;
        if (i != 0)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += shared[LAST - id];
    }
    out[id] = sum;
}

kernel void switches(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        switch (i) {
        case 0:
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        default:
            sum += 100;
        }
    }
    out[id] = sum;
}

kernel void jumps(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    int i = 0;
again:
    if (i == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = shared[LAST - id];
    }
    sum += 100;
    if (++i <= id)
        goto again;
    out[id] = sum;
}

kernel void calls(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++)
        sum = step(shared, id, i, sum);
    out[id] = sum;
}

kernel void twice(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        if (i == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        }
        sum += 100;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = shared[LAST - id];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = shared[LAST - id];
    out[id] = sum;
}

kernel void nested(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i <= id; i++) {
            if (i == 0) {
                barrier(CLK_LOCAL_MEM_FENCE);
                sum += shared[LAST - id] - j * shared[LAST - id];
            }
            sum += 50;
        }
    }
    out[id] = sum;
}

kernel void copies(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    local int copied[LAST + 1];
    for (int i = 0; i <= id; i++) {
        if (i == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            event_t event = async_work_group_copy(copied, out, LAST + 1, 0);
            wait_group_events(1, &event);
            sum = copied[LAST - id];
        }
        sum += 100;
    }
    out[id] = sum;
}

kernel void returns(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0;; i++) {
        if (i == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        }
        sum += 100;
        if (i == id) {
            out[id] = sum;
            return;
        }
    }
}

int sum_of(local int *shared, int id)
{
    int sum = 0;
    for (int i = 0;; i++) {
        if (i == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        }
        sum += 100;
        if (i == id)
            return sum;
    }
}

kernel void returns_from_call(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0);
    shared[id] = id;
    out[id] = sum_of(shared, id);
}
