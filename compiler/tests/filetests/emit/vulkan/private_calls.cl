// options: --workarounds=nvidia-private-calls
// The array that 'add' and 'twice' access is a variable of the kernel, and both get a pointer to it.
// CHECK-NOT: OpTypePointer ... Private
// CHECK: OpFunction ... None
// CHECK: OpVariable ... Function
// CHECK: OpFunctionCall
// CHECK: OpFunctionCall
// CHECK: OpFunctionEnd
// CHECK: OpFunction ... DontInline
// CHECK: OpFunctionParameter
// CHECK: OpFunctionParameter
// CHECK: OpFunctionParameter
// CHECK: OpFunctionCall
// CHECK: OpFunctionCall
// CHECK: OpFunctionEnd
// CHECK: OpFunction ... DontInline
// CHECK: OpFunctionParameter
// CHECK: OpFunctionParameter
// CHECK: OpFunctionParameter
// CHECK-NOT: OpFunctionParameter
__attribute__((noinline)) void add(int *array, int n) { array[n & 15] += n; }

__attribute__((noinline)) void twice(int *array, int n) {
    add(array, n);
    add(array, array[n & 7]);
}

kernel void calls(global int *out, int n) {
    int array[16];
    for (int i = 0; i < 16; i++)
        array[i] = out[i];
    twice(array, n);
    twice(array, out[0]);
    out[get_global_id(0)] = array[n & 3];
}
