// -cl-std=CL1.2
struct s { _Alignas(2) int less; }; // error: requested alignment is less than minimum alignment of 4 for type 'int'
kernel void k(global int *out)
{
    _Alignas(3) int odd; // error: requested alignment is not a power of 2
    _Alignas(out[0]) int computed; // error: '_Alignas' attribute requires an integer constant
    { __label__ inner; inner: goto inner; }
    goto inner; // error: use of undeclared label 'inner'
    { __label__ missing; goto missing; } // error: use of undeclared label 'missing'
}
// ---
