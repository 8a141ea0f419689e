/* What `enqueue_il.c` runs: kernels that enqueue blocks with captured values, images, local memory, events and ranges of one to
   three dimensions, and pipes. */
typedef struct { int a[3]; short b; } record;

void descend(global int *out, int depth)
{
    atomic_add(out, depth);
    if (depth) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{ descend(out, depth - 1); });
}

kernel void family(global int *out, int n, global ulong *times)
{
    queue_t queue = get_default_queue();
    clk_event_t first, second, third;
    record captured = { { n, 2 * n, 3 * n }, (short)(n + 1) };
    ndrange_t range = ndrange_1D((size_t)n);
    int failed = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, 0, NULL, &first, ^{
        int i = (int)get_global_id(0);
        out[i] = i * captured.a[1] + captured.b;
    });
    void (^add)(void) = ^{ out[get_global_id(0)] += 7; };
    failed |= enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2, n - 4, 2), 1, &first, &second, add);
    void (^reverse)(local void *, local void *) = ^(local void *a, local void *b) {
        local int *numbers = (local int *)a, *copies = (local int *)b;
        int i = (int)get_local_id(0), size = (int)get_local_size(0);
        numbers[i] = out[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        copies[size - 1 - i] = numbers[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[n + get_global_id(0)] = copies[i];
    };
    failed |= enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n, 4), 1, &second, &third, reverse, 4 * sizeof(int), 16u);
    size_t two[2] = { 4, 2 }, groups[2] = { 2, 1 }, three[3] = { 2, 2, 2 }, ones[3] = { 1, 1, 1 }, from[3] = { 1, 2, 3 };
    failed |= enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(two, groups), ^{
        out[2 * n + get_global_id(0) + 4 * get_global_id(1)] = (int)(get_group_id(0) + 10 * get_local_size(0) + 100 * get_group_id(1));
    });
    failed |= enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(from, three, ones), ^{
        int x = (int)get_global_id(0) - 1, y = (int)get_global_id(1) - 2, z = (int)get_global_id(2) - 3;
        out[2 * n + 8 + x + 2 * y + 4 * z] = (int)(get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2));
    });
    clk_event_t both[2] = { third, create_user_event() }, marker;
    failed |= enqueue_marker(queue, 2, both, &marker);
    failed |= enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), 1, &marker, NULL, ^{ out[2 * n + 16] = out[n]; });
    retain_event(both[1]);
    set_user_event_status(both[1], CL_COMPLETE);
    capture_event_profiling_info(first, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    out[2 * n + 17] = failed;
    out[2 * n + 18] = is_valid_event(marker) + 2 * is_valid_event(both[1]);
    descend(out + 2 * n + 19, n > 3 ? 3 : 0);
    release_event(first);
    release_event(second);
    release_event(third);
    release_event(marker);
    release_event(both[1]);
    release_event(both[1]);
}

kernel void sizes(global int *out, int n)
{
    void (^plain)(void) = ^{ out[0] = n; };
    void (^with_local)(local void *) = ^(local void *memory) { ((local int *)memory)[0] = n; };
    out[0] = (int)get_kernel_work_group_size(plain);
    out[1] = (int)get_kernel_work_group_size(with_local);
    out[2] = (int)get_kernel_preferred_work_group_size_multiple(plain);
#ifdef cl_khr_subgroups
    out[3] = (int)get_kernel_sub_group_count_for_ndrange(ndrange_1D(64, 16), plain);
    out[4] = (int)get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(64, 16), plain);
#endif
}

kernel void pictures(read_only image2d_t picture, sampler_t by, global int *out, queue_t queue)
{
    long more = 40;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
        int i = (int)get_global_id(0);
        out[i] = read_imagei(picture, by, (int2)(i & 1, i >> 1)).x;
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
            out[4 + i] = read_imagei(picture, by, (int2)(1 - (i & 1), i >> 1)).x + (int)more;
        });
    });
}

int take(read_only pipe int numbers, int *number) { return read_pipe(numbers, number); }

kernel void put(write_only pipe int numbers, global int *out)
{
    int i = (int)get_global_id(0), number = 3 * i;
    if (write_pipe(numbers, &number)) atomic_inc(out);
}

kernel void put_two(write_only pipe int numbers, global int *out)
{
    reserve_id_t two = reserve_write_pipe(numbers, 2);
    if (!is_valid_reserve_id(two)) return;
    for (uint k = 0; k < 2; ++k) {
        int number = 100 * (int)(k + 1);
        if (write_pipe(numbers, two, k, &number)) atomic_inc(out);
    }
    commit_write_pipe(numbers, two);
}

kernel void get(read_only pipe int numbers, global int *out)
{
    int number = 0;
    int failed = get_global_id(0) & 1 ? take(numbers, &number) : read_pipe(numbers, &number);
    atomic_add(out + 1, failed ? 0 : number);
    atomic_add(out + 2, failed ? 1 : 0);
    if (get_global_id(0) == 0) out[3] = (int)get_pipe_max_packets(numbers);
}

kernel void put_groups(write_only pipe int2 pairs, global int *out)
{
    reserve_id_t all = work_group_reserve_write_pipe(pairs, (uint)get_local_size(0));
    if (!is_valid_reserve_id(all)) return;
    int2 pair = (int2)((int)get_global_id(0), 7);
    if (write_pipe(pairs, all, (uint)get_local_id(0), &pair)) atomic_inc(out);
    work_group_commit_write_pipe(pairs, all);
}

kernel void get_groups(read_only pipe int2 pairs, global int *out)
{
    reserve_id_t all = work_group_reserve_read_pipe(pairs, (uint)get_local_size(0));
    if (!is_valid_reserve_id(all)) return;
    int2 pair;
    if (read_pipe(pairs, all, (uint)get_local_id(0), &pair)) atomic_inc(out);
    else out[1 + pair.x] = pair.x + pair.y;
    work_group_commit_read_pipe(pairs, all);
}
