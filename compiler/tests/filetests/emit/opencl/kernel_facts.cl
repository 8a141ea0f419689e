// Attributes are execution modes, numbered as the SPIR-V specification numbers vector types; argument types and
// qualifiers are strings, as LLVM's SPIR-V translator writes them.
// target: opencl2.2
// options: -cl-std=CL2.0
// CHECK: OpCapability SubgroupDispatch
// CHECK: OpExecutionMode ... LocalSize 8 4 2
// CHECK: OpExecutionMode ... VecTypeHint 262149
// CHECK: OpExecutionMode ... SubgroupSize 16
// CHECK: OpExecutionMode ... LocalSizeHint 8 1 1
// CHECK: OpExecutionMode ... VecTypeHint 3
// CHECK: OpString "kernel_arg_type.first.int*,float4*,uint*,image2d_t,sampler_t,Record,real,uchar,short,int,"
// CHECK: OpString "kernel_arg_type_qual.first.restrict const,volatile,const,,,,,,,pipe,"
// CHECK: OpString "kernel_arg_type.second.void*,Record*,"
// CHECK: OpString "kernel_arg_type_qual.second.,,"
// CHECK: FuncParamAttr NoAlias
// CHECK: Volatile
// CHECK: FuncParamAttr ByVal
// CHECK: FuncParamAttr Zext
// CHECK: FuncParamAttr Sext
typedef struct {
    int a;
} Record;
typedef float real;
__attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(float4)))
__attribute__((intel_reqd_sub_group_size(16))) kernel void
first(global const int *restrict a, local volatile float4 *b, constant uint *c, read_only image2d_t d, sampler_t e,
      Record f, real g, unsigned char h, short i, read_only pipe int j) {}

__attribute__((work_group_size_hint(8, 1, 1))) __attribute__((vec_type_hint(long))) kernel void
second(global void *a, global Record *b) {}
