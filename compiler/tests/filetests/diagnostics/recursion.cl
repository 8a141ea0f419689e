int odd(int n);
int even(int n) { return n ? odd(n - 1) : 1; } // error: recursion is not allowed in OpenCL: 'even' calls itself
int odd(int n) { return n ? even(n - 1) : 0; }
int nobody_calls(int n) { return nobody_calls(n); }
int nowhere(int n); // error: function 'nowhere' is called but has no definition
kernel void k(global int *g) { g[0] = even(3) + nowhere(1); }
