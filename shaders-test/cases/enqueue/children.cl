// Kernels that enqueue blocks, which run after them: captured values, local memory, events, markers, and blocks that
// enqueue others. Expected values are computed by hand.
// OPTIONS: -cl-std=CL3.0
// SKIP reference: the driver has no device enqueue
// SKIP opencl: the driver's OpenCL 1.2 has no device enqueue
// SKIP logical: device enqueue needs addresses
// SKIP sanitized: sanitizers do not know what enqueued kernels may access
// RUN: kernel=captures global=3
// ARG: buffer:int=9,9,9,9,9,9,9,9,9,9,9,9
// ARG: int=5
// EXPECT 0: int=0,10,-3,107,1,11,-3,108,2,12,-3,109
// RUN: kernel=locals global=2
// ARG: buffer:int=9,9,9,9,9,9,9,9
// EXPECT 0: int=6,2,2,2,8,4,4,4
// RUN: kernel=ranges global=1
// ARG: buffer:int=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// EXPECT 0: int=1,1,2,100,1012,24,3,2,4,10,20,30,3,2,4,0
// RUN: kernel=order global=1
// ARG: buffer:int=0,0,0,0,0,0
// EXPECT 0: int=4,1,2,3,0,0
// RUN: kernel=failed_event global=1
// ARG: buffer:int=0,0,0,0
// EXPECT 0: int=0,0,1,0
// RUN: kernel=descend global=1
// ARG: buffer:int=0,0,0,0,0,0,0,0
// ARG: int=7
// EXPECT 0: int=128,64,32,16,8,4,2,1
// RUN: kernel=recur global=1
// ARG: buffer:int=0
// ARG: int=40
// EXPECT 0: int=820
// RUN: kernel=queries global=1
// ARG: buffer:int=0,0,0,0,0
// EXPECT 0: int=1,1,1,1,1
// RUN: kernel=errors global=1
// ARG: buffer:int=0,0,0,0,0,0
// EXPECT 0: int=-101,-101,-101,-101,-101,-101

typedef struct { char c; int i[2]; float4 f; } record;

kernel void captures(global int *out, int n)
{
    const size_t id = get_global_id(0);
    record r = { 'a', { (int)id, -3 }, (float4)(1, 2, 3, 4) };
    short s = 107 + (short)id;
    int (^add)(int) = ^(int x) { return x + n; };
    const int sum = add(n) + (int)id;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        out[4 * id] = r.i[0];
        out[4 * id + 1] = r.f.w == 4 && r.c == 'a' ? sum : 0;
        out[4 * id + 2] = r.i[1];
        out[4 * id + 3] = s;
    });
}

kernel void locals(global int *out)
{
    const int id = (int)get_global_id(0);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 4), ^(local void *a, local void *b) {
        local int *x = a;
        local float4 *y = b;
        const int i = (int)get_local_id(0);
        x[i] = i + id;
        y[i] = (float4)(i);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[4 * id + i] = x[3 - i] + (int)y[(i + 3) & 3].w + id;
    }, 4 * sizeof(int), 4 * sizeof(float4));
}

kernel void ranges(global int *out)
{
    const queue_t queue = get_default_queue();
    const size_t global_size[3] = { 3, 2, 4 }, local_size[3] = { 3, 1, 2 }, offset[3] = { 10, 20, 30 };
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{ atomic_max(out, (int)get_work_dim()); atomic_max(out + 1, (int)get_global_id(0)); });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100, 1000, 10), ^{
        out[2] = get_local_size(0) == 10 ? 2 : 0;
        if (get_global_id(0) == 100) out[3] = (int)get_global_offset(0);
        atomic_max(out + 4, (int)get_global_id(0) - 87);
    });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(offset, global_size, local_size), ^{
        atomic_inc(out + 5);
        for (uint d = 0; d < 3; ++d) {
            atomic_max(out + 6 + d, (int)get_global_size(d));
            out[9 + d] = (int)get_global_offset(d);
            atomic_max(out + 12 + d, (int)get_global_id(d) - (int)get_global_offset(d) + 1);
        }
    });
}

kernel void order(global int *out)
{
    const queue_t queue = get_default_queue();
    clk_event_t start = create_user_event(), first, both[2], mark;
    // The last one is enqueued first: events decide.
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &start, &first, ^{ out[1] = ++out[0]; });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, &both[0], ^{ out[2] = ++out[0]; });
    both[1] = start;
    enqueue_marker(queue, 2, both, &mark);
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &mark, 0, ^{ out[3] = ++out[0]; ++out[0]; });
    out[4] = out[0];
    set_user_event_status(start, CL_COMPLETE);
    release_event(start);
    release_event(first);
    release_event(both[0]);
    release_event(mark);
}

kernel void failed_event(global int *out)
{
    const queue_t queue = get_default_queue();
    clk_event_t never = create_user_event(), after;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &never, &after, ^{ out[0] = 1; });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &after, 0, ^{ out[1] = 1; });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[2] = 1; });
    set_user_event_status(never, -1);
    release_event(never);
    release_event(after);
}

// Each level runs two of the next.
void level(global int *counts, int depth)
{
    atomic_inc(counts + depth);
    if (depth == 0) return;
    for (int i = 0; i < 2; ++i)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ level(counts, depth - 1); });
}

kernel void descend(global int *counts, int depth) { level(counts, depth); }

void add_all(global int *sum, int n)
{
    *sum += n;
    if (n > 0) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ add_all(sum, n - 1); });
}

kernel void recur(global int *sum, int n) { add_all(sum, n); }

kernel void queries(global int *out)
{
    void (^block)(void) = ^{ out[0] = 1; };
    const uint size = get_kernel_work_group_size(block), multiple = get_kernel_preferred_work_group_size_multiple(block);
    const ndrange_t range = ndrange_1D(2 * multiple, multiple);
    out[0] = size >= 64;
    out[1] = multiple > 0 && multiple <= size;
    out[2] = get_kernel_sub_group_count_for_ndrange(range, block) == 1;
    out[3] = get_kernel_max_sub_group_size_for_ndrange(range, block) == multiple;
    clk_event_t event = create_user_event();
    out[4] = is_valid_event(event) && !is_valid_event(CLK_NULL_EVENT);
    retain_event(event);
    release_event(event);
    release_event(event);
}

kernel void errors(global int *out)
{
    const queue_t queue = get_default_queue();
    void (^block)(void) = ^{ out[5] = 1; };
    clk_event_t event = create_user_event();
    const size_t zero[2] = { 4, 0 }, two[2] = { 4, 4 }, deep[3] = { 1, 1, 1 << 24 };
    out[0] = enqueue_kernel(CLK_NULL_QUEUE, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), block);
    out[1] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1 << 30, 1 << 20), block);
    out[2] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(two, zero), block);
    out[3] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, &event, 0, block);
    out[4] = enqueue_marker(queue, 1, 0, 0);
    out[5] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(deep, deep), block);
    release_event(event);
}
