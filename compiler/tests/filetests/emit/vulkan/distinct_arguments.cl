// options: --workarounds=none --tuning=nvidia-non-writable --distinct-arguments
// What is only read through a parameter is a 'NonWritable' member.
// CHECK: OpMemberDecorate ... 0 NonWritable
// CHECK: OpFunction
// CHECK: OpConvertUToPtr
// CHECK: OpAccessChain
// CHECK: OpLoad ... Aligned 4
// CHECK: OpStore
// CHECK-NOT: OpLoad
// CHECK: OpFunctionEnd
kernel void merged(global int *out, global const int *in) {
    out[0] = in[1];
    out[1] = in[1];
}
// This kernel writes through both.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void written(global int *a, global int *b) {
    a[0] = b[0];
    b[0] = 1;
}
// This one reads through a pointer of unknown origin.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void unknown(global int *out, global const int *in, global const ulong *addresses) {
    out[0] = in[0] + *(global int *)addresses[0];
}
// Another work-group may have written what this one reads after it has seen the flag.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void flag(global int *out, global const int *in, global int *flag) {
    if (atomic_or(flag, 0))
        out[0] = in[0];
}
// The image may be of the buffer.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void image(global int *out, global const int *in, write_only image2d_t to) {
    out[0] = in[0];
}
// The flag may be set by another work-group, too.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void spin(global int *out, global const int *in, volatile global const int *flag) {
    int before = in[0];
    while (!*flag)
        ;
    out[0] = before + in[0];
}
// The index is an address, which may be that of the second parameter.
// CHECK: OpConvertUToPtr
// CHECK-NOT: OpAccessChain
// CHECK: OpFunctionEnd
kernel void address(global int *out, global const int *in, ulong address) {
    int before = in[0];
    ((global int *)0)[address / 4] = before + 1;
    out[0] = in[0];
}
