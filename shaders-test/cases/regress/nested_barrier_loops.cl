// Loops of different lengths around loops of different lengths, with a barrier that all work-items meet in the first iteration of
// both, as OpenCL C allows (6.15.8): on lavapipe 22.3 work-items behind the first eight did not finish. Expected values by a C
// program that executes the kernel once for each work-item.
// SKIP reference: PoCL 3.1 lets work-items make other numbers of iterations of a loop with a barrier
// SKIP opencl: PoCL 3.1 lets work-items make other numbers of iterations of a loop with a barrier
// RUN: kernel=uniform_inner global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=139,238,337,436,535,634,733,832,931,1030,1129,1228,1327,1426,1525,1624,1723,1822,1921,2020,2119,2218,2317,2416,2515,2614,2713,2812,2911,3010,3109,3208,3307,3406,3505,3604,3703,3802,3901,4000
// RUN: kernel=divergent_inner global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=140,240,343,448,548,652,759,760,870,976,1078,1184,1299,1402,1520,1628,1732,1840,1963,2068,2194,2304,2410,2520,2651,2758,2892,3004,3112,3224,3363,3472,3614,3728,3838,3952,4099,4210,4360,4476
// RUN: kernel=in_branch global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=39,138,187,296,445,424,573,732,792,921,859,1068,1477,1747,2376,1544,2103,2522,3382,3861,2549,3158,4217,4937,6366,3534,4793,5762,7472,8551,4989,3368,3987,4607,5196,2744,3363,3982,4602,5191
// RUN: kernel=in_switch global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=46,53,66,112,178,316,315,540,853,1106,1564,1890,2132,3022,4052,4349,5127,6826,7133,9185,11879,10384,13435,16799,16863,20704,23496,22544,27850,33551,32024,36363,40874,35200,39816,44642,38338,43269,48410,30529
// RUN: kernel=in_call global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=39,38,37,36,540,640,740,840,1849,2050,2251,2452,3966,4268,4570,4872,6891,7294,7697,8100,10624,11128,11632,12136,15054,15659,16264,16869,20302,21008,21714,22420,26358,27165,27972,28779,33222,34130,35038,35946
// RUN: kernel=three_deep global=40 local=40
// ARG: buffer:int=0..40
// EXPECT 0: int=-172,-171,-170,-335,-334,-333,-498,-507,-517,-694,-713,-734,-824,-843,-864,-987,-1006,-1027,-1150,-1179,-1211,-1346,-1385,-1428,-1476,-1515,-1558,-1639,-1678,-1721,-1802,-1851,-1905,-1998,-2057,2010,2005,2064,2007,2002
#define LAST 39
kernel void uniform_inner(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        for (int j = 0; j < 3; j++) {
            if (i == 0 && j == 0) {
                barrier(CLK_LOCAL_MEM_FENCE);
                sum = shared[LAST - id];
            }
            sum += 100;
        }
        sum -= 200;
    }
    out[id] = sum;
}
kernel void divergent_inner(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        for (int j = 0; j <= id; j++) {
            if (i == 0 && j == 0) {
                barrier(CLK_LOCAL_MEM_FENCE);
                sum = shared[LAST - id];
            }
            if (j == id / 2 && i > 3) break;
            if (j % 3 == 1) continue;
            sum += 1;
        }
        if (i == 7) continue;
        sum += 100;
    }
    out[id] = sum;
}
kernel void in_branch(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        if (i % 2 == 0) {
            int k = 5 * i;
            if (i == 8) continue;
            for (int j = 0; j <= id % 5; j++) {
                if (i == 0 && j == 0) {
                    barrier(CLK_LOCAL_MEM_FENCE);
                    sum = shared[LAST - id];
                }
                sum += k;
                if (j == 3 && i == 6) { sum += 1; break; }
            }
            if (i > 20 && id > 30) break;
            sum += 2 * k;
        } else
            sum += 100;
    }
    out[id] = sum;
}
kernel void in_switch(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++) {
        int k = i * id;
        switch (i % 5) {
        case 0:
            for (int j = 0; j < 2 + id % 3; j++) {
                if (i == 0 && j == 0) {
                    barrier(CLK_LOCAL_MEM_FENCE);
                    sum = shared[LAST - id];
                }
                sum += k;
            }
            if (i == 10) continue;
        case 1:
            sum += 7;
            break;
        case 3:
            if (id == 39) break;
            sum += 11;
        default:
            if (i > 30) goto end;
            sum += k * 3;
        }
        sum += i;
    }
end:
    out[id] = sum;
}
int walk(local int *shared, int id, int i, int sum)
{
    for (int j = 0; ; j++) {
        if (i == 0 && j == 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum = shared[LAST - id];
        }
        if (j == id / 4) return sum + j;
        if (j == 5 && i == 9) return sum - j;
        sum += 100;
    }
}
kernel void in_call(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    for (int i = 0; i <= id; i++)
        sum = walk(shared, id, i, sum);
    out[id] = sum;
}
kernel void three_deep(global int *out)
{
    local int shared[LAST + 1];
    int id = get_local_id(0), sum = 0;
    shared[id] = id;
    int i = 0;
    do {
        int j = 0;
        while (j <= i % 4) {
            for (int k = 0; k < 3; k++) {
                if (i + j + k == 0) {
                    barrier(CLK_LOCAL_MEM_FENCE);
                    sum = shared[LAST - id];
                }
                if (j == 2 && k == id % 3) goto next;
                sum += k + 10;
                if (sum > 2000) { out[id] = sum; return; }
            }
next:
            j++;
        }
        sum += 100;
    } while (i++ < id / 3);
    out[id] = -sum;
}
