// What may be fused is `mad`; nothing else may be.
// target: opencl2.0
// CHECK: OpExecutionMode ... ContractionOff
// CHECK: OpExtInst ... mad
kernel void k(global float *o, float x, float y, float z) { o[0] = x * y + z; }
