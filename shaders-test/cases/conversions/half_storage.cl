// Halves: stored and loaded in every way, and arithmetic on them.
// RUN: kernel=storage global=1
// ARG: buffer:float=1.0,-2.5,65504,0.1,3,4,5,6
// ARG: buffer:bytes=48
// ARG: buffer:bytes=32
// EXPECT 1: ushort=15360,49408,31743,11878,15360,49408,31743,11878,16896,17408,17664,17920,15360,49408,31743,0,11878,11879,0,0,0,0,0,0
// EXPECT 2: float=1,-2.5,65504,0.0999755859375,3,4,5,0
// RUN: kernel=arithmetic global=1
// ARG: buffer:ushort=15360,16384,0,0,0,0
// EXPECT 0: ushort=15360,16384,16896,47104,14336,1
// SKIP reference: the driver has no half arithmetic
kernel void storage(global const float *in, global half *h, global float *out) {
    for (int i = 0; i < 4; i++) vstore_half(in[i], i, h);
    vstore_half4(vload4(0, in), 1, h);
    vstore_half4(vload4(1, in), 2, h);
    vstorea_half3(vload3(0, in), 3, h);
    vstore_half_rtz(0.1f, 16, h);
    vstore_half_rtp(0.1f, 17, h);
    vstore4(vload_half4(0, h), 0, out);
    vstore3(vload_half3(0, h + 8), 0, out + 4);
}

// 1 + 2 = 3; 1 - 2 * 0.75 = -0.5; 1 / 2 = 0.5; a comparison gives an int.
kernel void arithmetic(global half *h) {
    half a = h[0], b = h[1];
    h[2] = a + b;
    h[3] = a - b * 0.75h;
    h[4] = a / b;
    global ushort *bits = (global ushort *)h;
    bits[5] = (ushort)(a < b);
}
