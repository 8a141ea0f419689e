// The strings are in the reflection and in no other data; a record is an atomic addition and stores. Numbers of
// instructions: 1 is the kernel, 38 a format, 40 the buffer.
// CHECK: OpString "k"
// CHECK: OpString "text"
// CHECK: OpString "%s %d\n"
// CHECK-NOT: OpString "7465787400
// CHECK: OpAtomicLoad
// CHECK: OpAtomicIAdd
// CHECK: OpExtInst ... 1 ...
// CHECK: OpExtInst ... 38 ...
// CHECK: OpExtInst ... 38 ...
// CHECK: OpExtInst ... 38 ...
// CHECK: OpExtInst ... 40 ...
kernel void k(int a)
{
    printf("%s %d\n", "text", a);
}
