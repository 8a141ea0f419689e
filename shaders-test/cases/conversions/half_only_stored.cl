// Kernels without arithmetic on halves, which need no feature for it: ties, denormals and infinities, by IEEE 754.
// RUN: kernel=store global=8
// ARG: buffer:float=1,1.00048828125,1.00146484375,65520,-65519,5.9604644775390625e-08,8.94069671630859375e-08,2.98023223876953125e-08
// ARG: buffer:bytes=16
// EXPECT 1: ushort=15360,15360,15362,31744,64511,1,2,0
// RUN: kernel=load global=2
// ARG: buffer:ushort=15360,1,1023,31743,33791,64512,32769,0
// ARG: buffer:bytes=32
// EXPECT 1: float=1,5.9604644775390625e-08,6.0975551605224609375e-05,65504,-6.0975551605224609375e-05,-inf,-5.9604644775390625e-08,0
// RUN: kernel=constants global=1
// ARG: buffer:bytes=8
// EXPECT 0: ushort=15360,49152,16896,0
kernel void store(global const float *in, global half *h) {
    size_t i = get_global_id(0);
    vstore_half(in[i], i, h);
}

kernel void load(global const half *h, global float *out) {
    size_t i = get_global_id(0);
    vstore4(vload_half4(i, h), i, out);
}

kernel void constants(global half *h) {
    vstore_half2((float2)(1.0f, -2.0f), 0, h);
    vstore_half_rte(3.0f, 2, h);
}
