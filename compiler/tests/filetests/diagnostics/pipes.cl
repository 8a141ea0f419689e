// options: -cl-std=CL2.0
// target: opencl2.0
kernel void k(read_only pipe int in, write_only pipe int out, pipe float4 unqualified, global int *g) {
  int v; float f; reserve_id_t id;
  pipe int variable; // error: type 'read_only pipe int' can only be used as a function parameter in OpenCL
  read_pipe(g, &v); // error: first argument to 'read_pipe' must be a pipe type
  read_pipe(out, &v); // error: invalid pipe access modifier (expecting read_only)
  write_pipe(in, &v); // error: invalid pipe access modifier (expecting write_only)
  read_pipe(in, &f); // error: invalid argument type to function 'read_pipe' (expecting 'int *' having 'float *')
  read_pipe(in); // error: too few arguments to function call, expected 2 or 4, have 1
  read_pipe(in, id, 1, v); // error: invalid argument type to function 'read_pipe' (expecting 'int *' having 'int')
  reserve_read_pipe(in, &v); // error: invalid argument type to function 'reserve_read_pipe' (expecting 'unsigned int' having 'int *')
  commit_read_pipe(in, v); // error: passing 'int' to parameter of incompatible type 'reserve_id_t'
  get_pipe_num_packets(); // error: too few arguments to function call, expected 1, have 0
  read_pipe(in, id, 1u, &v);
  g[0] = get_pipe_max_packets(unqualified);
}
kernel void both(read_write pipe int p) { } // error: access qualifier 'read_write' cannot be used with pipes
// ---
// error: type 'read_only pipe int' can only be used as a function parameter in OpenCL
//  --> test.cl:5:12
//   |
// 5 |   pipe int variable;
//   |            ^^^^^^^^
//
// error: first argument to 'read_pipe' must be a pipe type
//  --> test.cl:6:13
//   |
// 6 |   read_pipe(g, &v);
//   |             ^
//
// error: invalid pipe access modifier (expecting read_only)
//  --> test.cl:7:13
//   |
// 7 |   read_pipe(out, &v);
//   |             ^^^
//
// error: invalid pipe access modifier (expecting write_only)
//  --> test.cl:8:14
//   |
// 8 |   write_pipe(in, &v);
//   |              ^^
//
// error: invalid argument type to function 'read_pipe' (expecting 'int *' having 'float *')
//  --> test.cl:9:17
//   |
// 9 |   read_pipe(in, &f);
//   |                 ^^
//
// error: too few arguments to function call, expected 2 or 4, have 1
//   --> test.cl:10:3
//    |
// 10 |   read_pipe(in);
//    |   ^^^^^^^^^
//
// error: invalid argument type to function 'read_pipe' (expecting 'int *' having 'int')
//   --> test.cl:11:24
//    |
// 11 |   read_pipe(in, id, 1, v);
//    |                        ^
//
// error: invalid argument type to function 'reserve_read_pipe' (expecting 'unsigned int' having 'int *')
//   --> test.cl:12:25
//    |
// 12 |   reserve_read_pipe(in, &v);
//    |                         ^^
//
// error: passing 'int' to parameter of incompatible type 'reserve_id_t'
//   --> test.cl:13:24
//    |
// 13 |   commit_read_pipe(in, v);
//    |                        ^
//
// error: too few arguments to function call, expected 1, have 0
//   --> test.cl:14:3
//    |
// 14 |   get_pipe_num_packets();
//    |   ^^^^^^^^^^^^^^^^^^^^
//
// error: access qualifier 'read_write' cannot be used with pipes
//   --> test.cl:18:34
//    |
// 18 | kernel void both(read_write pipe int p) { }
//    |                                  ^^^
