// An address outside of all objects has no place in the data of a Vulkan module.
constant char x[4] = {1};
constant char *constant far = x + 0x7fffffffffffffffL; // error: an address in the initialiser of 'far' is out of range // clang: accepts, and leaves it undefined
kernel void k(global int *out) { out[0] = *far; }
// ---
// error: an address in the initialiser of 'far' is out of range
//  --> test.cl:3:25
//   |
// 3 | constant char *constant far = x + 0x7fffffffffffffffL;
//   |                         ^^^
