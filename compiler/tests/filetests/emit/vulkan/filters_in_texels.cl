// Vulkan samples arrays with normalised coordinates only: the kernel filters two texels at their centres, unconditionally for a
// literal, and where the bits of the argument say so.
// CHECK: OpEntryPoint ... "literal"
// CHECK: OpFunction
// CHECK: OpImageSampleExplicitLod
// CHECK: OpImageSampleExplicitLod
// CHECK-NOT: OpImageSampleExplicitLod
// CHECK: OpFunctionEnd
// CHECK: OpFunction
// CHECK: OpBranchConditional
// CHECK: OpImageSampleExplicitLod
// CHECK: OpImageSampleExplicitLod
// CHECK: OpImageSampleExplicitLod
// CHECK: OpFunctionEnd
kernel void literal(read_only image1d_array_t a, global float4 *out) {
    out[0] = read_imagef(a, CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP, (float2)(1, 2));
}
kernel void argument(read_only image1d_array_t a, sampler_t s, global float4 *out) {
    out[0] = read_imagef(a, s, (float2)(1, 2));
}
