// Layouts, members of places and of values, copies, initialisers and compound literals (6.2.1, C99 6.5.2.3, 6.7.8).
typedef struct {
  char tag;
  float4 v;
  short list[3];
} Item;
struct Pair {
  Item *first;
  union {
    int i;
    float f;
  };
} __attribute__((packed));
enum Sign { MINUS = -1, PLUS = 1 };
Item make(short x) {
  Item item = {.tag = 'a', .list = {[1] = x}};
  Item zero = {1, (float4)(2.0f)};
  return item;
}
enum Sign use(struct Pair pair, global const Item *items) {
  *pair.first = items[2];
  pair.i = make(1).list[2];
  pair = (struct Pair){pair.first, {3}};
  return pair.f < items->v.y ? MINUS : PLUS;
}
// ---
// Record $0 'Item' size 48 align 16
//   Field tag 'char' offset 0
//   Field v 'float4' offset 16
//   Field list 'short[3]' offset 32
//
// Record $1 'struct Pair' size 12 align 1
//   Field first '__private Item *' offset 0
//   Field 'union (unnamed $2)' offset 8
//
// Record $2 'union (unnamed $2)' size 4 align 4
//   Field i 'int' offset 0
//   Field f 'float' offset 0
//
// Enumeration $0 'enum Sign' underlying 'int'
//
// Function #0 make 'Item (short)'
//   Parameter %0 x '__private short' align 2
//   PrivateVariable %1 item '__private Item' align 16
//   PrivateVariable %2 zero '__private Item' align 16
//   body
//     Declare %1 item
//       Parts
//         offset 0
//           Int 'char' 97
//         offset 34
//           Load 'short'
//             PrivateVariable '__private short' lvalue %0 x
//     Declare %2 zero
//       Constant size 48
//         0: 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
//         16: 00 00 00 40 00 00 00 40 00 00 00 40 00 00 00 40
//     Return
//       Load 'Item'
//         PrivateVariable '__private Item' lvalue %1 item
//
// Function #1 use 'enum Sign (struct Pair, const __global Item *)'
//   callees #0 make
//   Parameter %0 pair '__private struct Pair' align 1
//   Parameter %1 items 'const __global Item *__private' align 8
//   PrivateVariable %2 '__private struct Pair' align 1
//   body
//     Assign 'Item'
//       Deref '__private Item' lvalue
//         Load '__private Item *'
//           Field '__private Item *__private' lvalue .first
//             PrivateVariable '__private struct Pair' lvalue %0 pair
//       Load 'Item'
//         Deref 'const __global Item' lvalue
//           PointerAdd 'const __global Item *' '+'
//             Load 'const __global Item *'
//               PrivateVariable 'const __global Item *__private' lvalue %1 items
//             Int 'int' 2
//     Assign 'int'
//       Field '__private int' lvalue .i
//         Field '__private union (unnamed $2)' lvalue .(unnamed 1)
//           PrivateVariable '__private struct Pair' lvalue %0 pair
//       Convert 'int' <Arithmetic>
//         Load 'short'
//           Deref '__private short' lvalue
//             PointerAdd '__private short *' '+'
//               AddressOf '__private short *'
//                 Field '__private short[3]' lvalue .list
//                   Temporary '__private Item' lvalue
//                     Call 'Item' #0 make
//                       Int 'short' 1
//               Int 'int' 2
//     Assign 'struct Pair'
//       PrivateVariable '__private struct Pair' lvalue %0 pair
//       Load 'struct Pair'
//         CompoundLiteral '__private struct Pair' lvalue %2
//           Parts
//             offset 0
//               Load '__private Item *'
//                 Field '__private Item *__private' lvalue .first
//                   PrivateVariable '__private struct Pair' lvalue %0 pair
//             offset 8
//               Int 'int' 3
//     Return
//       Convert 'enum Sign' <Arithmetic>
//         Conditional 'int'
//           Convert 'bool' <Arithmetic>
//             Binary 'int' '<'
//               Load 'float'
//                 Field '__private float' lvalue .f
//                   Field '__private union (unnamed $2)' lvalue .(unnamed 1)
//                     PrivateVariable '__private struct Pair' lvalue %0 pair
//               Load 'float'
//                 Lanes 'const __global float' lvalue .s1
//                   Field 'const __global float4' lvalue .v
//                     Deref 'const __global Item' lvalue
//                       Load 'const __global Item *'
//                         PrivateVariable 'const __global Item *__private' lvalue %1 items
//           Int 'int' -1
//           Int 'int' 1
