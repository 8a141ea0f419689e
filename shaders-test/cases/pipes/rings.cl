// Pipes as rings in a buffer, whose first words are the number of packets that it holds, their bytes, the packets written and
// read, those that there is room for, and those that can be read; packets follow at byte 128. Expected values are computed by
// hand from that.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no pipes
// SKIP opencl: the driver's OpenCL 1.2 has no pipes
// RUN: kernel=write global=1
// ARG: buffer:int=4,4,6,5,3,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,50,51,52,53
// ARG: buffer:int=9,9,9,9,9,9,9
// EXPECT 0: int=4,4,9,5,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,102,51,100,101
// EXPECT 1: int=0,0,0,-1,4,4,1
// RUN: kernel=read global=1
// ARG: buffer:int=4,4,6,3,1,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,50,51,52,53
// ARG: buffer:int=9,9,9,9,9,9,9,9,9
// EXPECT 0: int=4,4,6,6,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,50,51,52,53
// EXPECT 1: int=0,53,0,50,0,51,-1,7,0
// RUN: kernel=reserve global=1
// ARG: buffer:int=4,4,7,6,3,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,50,51,52,53
// ARG: buffer:int=4,4,7,6,3,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,60,61,62,63
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9
// EXPECT 0: int=4,4,10,6,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,200,201,52,53
// EXPECT 1: int=4,4,7,7,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,60,61,62,63
// EXPECT 2: int=1,0,0,-1,0,1,62,-1,0,0
// RUN: kernel=groups global=24 local=12
// ARG: buffer:int=32,4,0,0,32,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 1: int=24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24,24
// RUN: kernel=records global=1
// ARG: buffer:int=2,32,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// ARG: buffer:int=2,3,2,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,298630058,13090
// ARG: buffer:int=9,9,9
// EXPECT 0: int=2,32,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,1065353216,1073741824,1077936128,1082130432,0,0,0,0,0,0,0,0
// EXPECT 2: int=0,11189196,1122867

kernel void write(write_only pipe int p, global int *codes)
{
    for (int i = 0; i < 4; i++) {
        int value = 100 + i;
        codes[i] = write_pipe(p, &value);
    }
    codes[4] = get_pipe_num_packets(p);
    codes[5] = get_pipe_max_packets(p);
    codes[6] = !is_valid_reserve_id(reserve_write_pipe(p, 1));
}

kernel void read(read_only pipe int p, global int *values)
{
    for (int i = 0; i < 3; i++) values[2 * i] = read_pipe(p, values + 2 * i + 1);
    int none = 7;
    values[6] = read_pipe(p, &none);
    values[7] = none;
    values[8] = get_pipe_num_packets(p);
}

static int is_valid(reserve_id_t id) { return is_valid_reserve_id(id); }

kernel void reserve(write_only pipe int to, read_only pipe int from, global int *out)
{
    reserve_id_t ids[2] = {reserve_write_pipe(to, 3), CLK_NULL_RESERVE_ID};
    out[0] = is_valid(ids[0]) + 2 * is_valid(ids[1]);
    for (int i = 1; i >= 0; i--) {
        int value = 200 + i;
        out[2 - i] = write_pipe(to, ids[0], i + 1, &value);
    }
    int value = 8;
    out[3] = write_pipe(to, ids[0], 3, &value);
    value = 53;
    out[4] = write_pipe(to, ids[0], 0, &value);
    commit_write_pipe(to, ids[0]);
    reserve_id_t id = reserve_read_pipe(from, 1);
    out[5] = is_valid(id);
    int read = 0;
    read_pipe(from, id, 0, &read);
    out[6] = read;
    out[7] = read_pipe(from, id, 1, &read);
    commit_read_pipe(from, id);
    out[8] = is_valid(reserve_read_pipe(from, 1));
    out[9] = get_pipe_num_packets(from);
}

// Each work-group reserves a packet a work-item; a value of the group says that nobody else has it.
kernel void groups(write_only pipe int p, global int *out)
{
    reserve_id_t id = work_group_reserve_write_pipe(p, (uint)get_local_size(0));
    int value = get_global_id(0) + 1;
    int code = write_pipe(p, id, (uint)get_local_id(0), &value);
    work_group_commit_write_pipe(p, id);
    out[get_global_id(0)] = work_group_reduce_add(code == 0) * (is_valid_reserve_id(id) ? 2 : 0);
}

typedef struct { int c; float4 f; } record;
typedef struct { uchar b[3]; } uchar3_bytes;

kernel void records(write_only pipe record to, read_only pipe uchar3_bytes from, global int *out)
{
    record r = {7, (float4)(1, 2, 3, 4)};
    out[0] = write_pipe(to, &r);
    for (int i = 0; i < 2; i++) {
        uchar3_bytes bytes;
        read_pipe(from, &bytes);
        out[i + 1] = bytes.b[0] << 16 | bytes.b[1] << 8 | bytes.b[2];
    }
}
