// -cl-std=CL2.0 --target opencl2.0
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
