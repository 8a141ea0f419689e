// target: opencl1.2
// The format and what %s prints are bytes in UniformConstant memory; a float is passed as a double, a vector as it is.
// CHECK: OpTypePointer UniformConstant
// CHECK: OpFConvert
// CHECK: OpBitcast
// CHECK: OpExtInst ... printf
kernel void k(float a, float2 b)
{
    printf("%f %v2hlf %s\n", a, b, "text");
}
