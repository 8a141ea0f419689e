// Every pipe function; packet sizes and alignments are the last operands.
// target: opencl2.0
// options: -cl-std=CL2.0
// CHECK: OpCapability Pipes
// CHECK: OpTypePipe ... ReadOnly
// CHECK: OpTypePipe ... WriteOnly
// CHECK: OpWritePipe
// CHECK: OpReserveReadPipePackets
// CHECK: OpIsValidReserveId
// CHECK: OpReservedReadPipe
// CHECK: OpCommitReadPipe
// CHECK: OpReserveWritePipePackets
// CHECK: OpReservedWritePipe
// CHECK: OpCommitWritePipe
// CHECK: OpGroupReserveReadPipePackets
// CHECK: OpGroupCommitReadPipe
// CHECK: OpGroupReserveWritePipePackets
// CHECK: OpGroupCommitWritePipe
// CHECK: OpGroupReserveReadPipePackets
// CHECK: OpGroupCommitReadPipe
// CHECK: OpGroupReserveWritePipePackets
// CHECK: OpGroupCommitWritePipe
// CHECK: OpGetNumPipePackets
// CHECK: OpGetMaxPipePackets
// CHECK: OpReadPipe
typedef struct { int a; float4 b; } Packet;

static int pass_on(read_only pipe int in, global int *out) { return read_pipe(in, out); }

kernel void k(read_only pipe int in, __write_only pipe Packet out, global int *result) {
    Packet packet = {1, (float4)(2.0f)};
    result[0] = pass_on(in, result + 1);
    result[2] = write_pipe(out, &packet);
    reserve_id_t id = reserve_read_pipe(in, 4);
    if (is_valid_reserve_id(id)) {
        int value;
        read_pipe(in, id, 3, &value);
        commit_read_pipe(in, id);
        result[3] = value;
    }
    reserve_id_t written = reserve_write_pipe(out, 2u);
    write_pipe(out, written, 0, &packet);
    commit_write_pipe(out, written);
    id = work_group_reserve_read_pipe(in, 4);
    work_group_commit_read_pipe(in, id);
    id = work_group_reserve_write_pipe(out, 4);
    work_group_commit_write_pipe(out, id);
    id = sub_group_reserve_read_pipe(in, 4);
    sub_group_commit_read_pipe(in, id);
    id = sub_group_reserve_write_pipe(out, 4);
    sub_group_commit_write_pipe(out, id);
    reserve_id_t none = CLK_NULL_RESERVE_ID;
    result[4] = get_pipe_num_packets(in) + get_pipe_max_packets(out) + is_valid_reserve_id(none);
}
