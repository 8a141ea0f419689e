// Variables outside of private memory: initial bytes, pointers among them, strings, samplers, local memory (6.7).
constant int table[] = {1, -2, [5] = 0x01020304};
typedef struct {
  constant int *at;
  constant char *name;
  float weight;
} Entry;
constant Entry entries[2] = {{&table[2], "ab", 1.5f}, {table, 0, -0.0f}};
constant sampler_t nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant char blank[64] = {[40] = 7};
extern constant double elsewhere;
kernel void use(global int *out) {
  local int shared[8];
  local float one;
  int copy[4] = {5, 6};
  shared[0] = entries[1].at[0];
  out[0] = shared[0] + copy[1] + blank[0] + (int)elsewhere;
}
// ---
// Record $0 'Entry' size 24 align 8
//   Field at '__constant int *' offset 0
//   Field name '__constant char *' offset 8
//   Field weight 'float' offset 16
//
// ModuleVariable @0 table '__constant int[6]' align 4
//   Constant size 24
//     0: 01 00 00 00 fe ff ff ff 00 00 00 00 00 00 00 00
//     16: 00 00 00 00 04 03 02 01
//
// ModuleVariable @1 entries '__constant Entry[2]' align 8
//   Constant size 48
//     16: 00 00 c0 3f 00 00 00 00 00 00 00 00 00 00 00 00
//     32: 00 00 00 00 00 00 00 00 00 00 00 80 00 00 00 00
//     relocation 0: @0 table + 8
//     relocation 8: @2 + 0
//     relocation 24: @0 table + 0
//
// ModuleVariable @2 '__constant char[3]' align 1 internal string
//   Constant size 3
//     0: 61 62 00
//
// ModuleVariable @3 nearest '__constant sampler_t' align 8
//   Constant size 4 sampler
//     0: 15 00 00 00
//
// ModuleVariable @4 blank '__constant char[64]' align 1
//   Constant size 64
//     32: 00 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00
//
// ModuleVariable @5 elsewhere '__constant double' align 8 external
//
// ModuleVariable @6 shared '__local int[8]' align 4 internal owner #0 use
//
// ModuleVariable @7 one '__local float' align 4 internal owner #0 use
//
// Function #0 use 'void (__global int *)' kernel
//   KernelAttributes
//     KernelParameter out 'int*' __global
//   Parameter %0 out '__global int *__private' align 8
//   PrivateVariable %1 copy '__private int[4]' align 4
//   body
//     Declare %1 copy
//       Constant size 16
//         0: 05 00 00 00 06 00 00 00 00 00 00 00 00 00 00 00
//     Assign 'int'
//       Deref '__local int' lvalue
//         PointerAdd '__local int *' '+'
//           AddressOf '__local int *'
//             ModuleVariable '__local int[8]' lvalue @6 shared
//           Int 'int' 0
//       Load 'int'
//         Deref '__constant int' lvalue
//           PointerAdd '__constant int *' '+'
//             Load '__constant int *'
//               Field '__constant int *__constant' lvalue .at
//                 Deref '__constant Entry' lvalue
//                   PointerAdd '__constant Entry *' '+'
//                     AddressOf '__constant Entry *'
//                       ModuleVariable '__constant Entry[2]' lvalue @1 entries
//                     Int 'int' 1
//             Int 'int' 0
//     Assign 'int'
//       Deref '__global int' lvalue
//         PointerAdd '__global int *' '+'
//           Load '__global int *'
//             PrivateVariable '__global int *__private' lvalue %0 out
//           Int 'int' 0
//       Binary 'int' '+'
//         Binary 'int' '+'
//           Binary 'int' '+'
//             Load 'int'
//               Deref '__local int' lvalue
//                 PointerAdd '__local int *' '+'
//                   AddressOf '__local int *'
//                     ModuleVariable '__local int[8]' lvalue @6 shared
//                   Int 'int' 0
//             Load 'int'
//               Deref '__private int' lvalue
//                 PointerAdd '__private int *' '+'
//                   AddressOf '__private int *'
//                     PrivateVariable '__private int[4]' lvalue %1 copy
//                   Int 'int' 1
//           Convert 'int' <Arithmetic>
//             Load 'char'
//               Deref '__constant char' lvalue
//                 PointerAdd '__constant char *' '+'
//                   AddressOf '__constant char *'
//                     ModuleVariable '__constant char[64]' lvalue @4 blank
//                   Int 'int' 0
//         Convert 'int' <Arithmetic>
//           Load 'double'
//             ModuleVariable '__constant double' lvalue @5 elsewhere
