// Loops over generic pointers whose space is known at run time only, the same in every iteration or not. The expected
// numbers were computed on the host, from the lists that the pointers stand for.
// OPTIONS: -cl-std=CL2.0
// RUN: kernel=k global=32 local=8
// ARG: buffer:uint=0..96
// ARG: buffer:bytes=512
// EXPECT 1: uint=2487512833,1,0,0,2632993433,16,145480600,15582976,165029893,45,1972484356,14487328,3768651657,1132,1281138824,18983872,1189857541,36786,2997312004,15160224,1035515661,22,2842970124,16874048,2214685189,53,4022139652,15720224,1523570041,49,3331024504,21907776,448545549,2065,2256000012,32997472,2437336729,44519,4244791192,23269376,4264340485,18,1776827652,29860128,3572994953,65,1085482120,26670272,994200837,1461,2801655300,30533024,192270985,1590,1999725448,28075776,448545549,62704,2256000012,42202272,1327913337,18,3135367800,29594176,4156542733,157,1669029900,63743072,2241680025,1722,4049134488,30955776,4068683781,50702,1581170948,45232928,3377338249,30,889825416,34356672,4156542733,70,1669029900,74309472,3458441605,83,970928772,35549600,4156542733,2857,1669029900,72947872,1132256633,54827,2939711096,37280576,3569572621,94,1082059788,94488672,2046023321,101,3853477784,38642176,3569572621,205,1082059788,106303776,2237957253,1956,4045411716,41314400,3569572621,110416,1082059788,105055072,3262784901,37,775272068,43236000,3569572621,205,1082059788,103693472,936599929,2056,2744054392,44966976
// SKIP reference: the driver has no generic address space
// SKIP opencl: the driver's OpenCL 1.2 has no generic address space
uint sum(const uint *a, int count)
{
    uint sum = 1;
    for (int i = 0; i < count; i++) sum = sum * 31 + a[i];
    return sum;
}
#define H (in[id] * 2654435761u >> 9)
kernel void k(global uint *in, global uint *out)
{
    local uint shared[16];
    const uint id = get_global_id(0), item = get_local_id(0);
    uint own[8];
    for (int i = 0; i < 8; i++) own[i] = in[id + i] ^ i;
    shared[item] = in[id] * 3;
    shared[item + 8] = in[id] * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint *from = H % 3 == 0 ? (uint *)own : H % 3 == 1 ? (uint *)shared : (uint *)(in + id);
    uint *other = id & 1 ? (uint *)(in + 9) : (uint *)own;
    out[id * 4] = sum(from, 8);
    out[id * 4 + 1] = sum(from + 3, H & 3) + from[7];
    uint both = 0;
    for (uint *p = from; p < from + 8; p++) both = both * 31 + *p;
    out[id * 4 + 2] = both;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mixed = 0;
    for (int i = 0; i < 8; i++) { mixed = mixed * 7 + from[i] + other[7 - i]; uint *t = from; from = other; other = t; }
    out[id * 4 + 3] = mixed;
}
