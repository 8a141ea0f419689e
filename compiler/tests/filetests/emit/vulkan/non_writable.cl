// options: --workarounds=none --tuning=nvidia-non-writable
// Loads of 'constant' memory, and through 'restrict' parameters that nothing is written through, are of a 'NonWritable'
// member, and are merged over stores.
// CHECK: OpMemberDecorate ... 0 NonWritable
// CHECK-NOT: NonWritable
// CHECK: OpFunction
// CHECK: OpConvertUToPtr
// CHECK: OpAccessChain
// CHECK: OpLoad ... Aligned 4
// CHECK: OpConvertUToPtr
// CHECK: OpAccessChain
// CHECK: OpLoad ... Aligned 4
// CHECK: OpStore
// CHECK-NOT: OpLoad
// CHECK: OpFunctionEnd
kernel void merged(global float *out, constant float *factors, const global float *restrict in) {
    size_t i = get_global_id(0);
    out[i] = factors[1] * in[i];
    out[i + 1] = factors[1] + in[i];
}
// Of these the last two parameters may be written.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void written(global float *out, const global float *in, global float *restrict last) {
    last[0] = last[0] + 1;
    out[0] = in[0];
}
// A pointer of unknown origin may be made of the parameter.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void unknown(global float *out, global float *restrict in, global ulong *addresses) {
    *(global float *)addresses[0] = 1;
    out[0] = in[0];
}
