// options: --addressing=logical
// clang: not asked, since it knows no logical addressing
// The host cannot know the numbers of descriptors that pointers in memory have.
struct row { global const int *values; int length; };
kernel void sums(global const struct row *rows, global int *out) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < rows[i].length; j++)
    sum += rows[i].values[j]; // error: with logical addressing, the host cannot store pointers in buffers, and no kernel of this program stores the one that is used here: pass the buffer as an argument and store an index, or use '--addressing physical64'
  out[i] = sum;
}
// ---
// error: with logical addressing, the host cannot store pointers in buffers, and no kernel of this program stores the one that is used here: pass the buffer as an argument and store an index, or use '--addressing physical64'
//  --> test.cl:9:12
//   |
// 9 |     sum += rows[i].values[j];
//   |            ^^^^^^^^^^^^^^^^^
