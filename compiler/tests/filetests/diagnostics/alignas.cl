// -cl-std=CL1.2
struct s { _Alignas(2) int less; }; // error: requested alignment is less than minimum alignment of 4 for type 'int'
kernel void k(global int *out)
{
    _Alignas(12) int odd; // error: requested alignment is not a power of 2
    _Alignas(out[0]) int computed; // error: '_Alignas' attribute requires an integer constant
    { __label__ inner; inner: goto inner; }
    goto inner; // error: use of undeclared label 'inner'
    { __label__ missing; goto missing; } // error: use of undeclared label 'missing'
}
// ---
// error: requested alignment is less than minimum alignment of 4 for type 'int'
//  --> test.cl:2:12
//   |
// 2 | struct s { _Alignas(2) int less; };
//   |            ^^^^^^^^^^^
//
// error: requested alignment is not a power of 2
//  --> test.cl:5:5
//   |
// 5 |     _Alignas(12) int odd;
//   |     ^^^^^^^^^^^^
//
// error: '_Alignas' attribute requires an integer constant
//  --> test.cl:6:14
//   |
// 6 |     _Alignas(out[0]) int computed;
//   |              ^^^^^^
//
// error: use of undeclared label 'missing'
//  --> test.cl:9:31
//   |
// 9 |     { __label__ missing; goto missing; }
//   |                               ^^^^^^^
//
// error: use of undeclared label 'inner'
//  --> test.cl:8:10
//   |
// 8 |     goto inner;
//   |          ^^^^^
