// Enqueueing on the device (OpenCL C 6.15.19). What a launch enqueues goes to one memory, whichever queue it names: the
// runtime reads it when the launch has ended, and launches what is in it. The memory begins with these words:
//   [0] the bytes of the records so far, [1] where the first record begins that found no room,
//   [2] the bytes that there is room for, [3] the number of free events,
//   [4] the largest work-group, [5] the preferred multiple of its size, [6] the largest sub-group,
//   [7] 0, [8] the byte where the numbers of free events begin, [9] the same of events, [10] of records,
//   [11] to [13] the largest local size in each dimension, [14] 1 where there is a default queue.
//
// An event is [0] its references, [1] its status, [2] and [3] nanoseconds of the command, [4] and [5] with its children,
// [7] the byte where it begins in the memory.
//
// A launch gets the address of the memory, or that of its own event, if it was enqueued with one: the word [7] says which.
//
// A record is [0] its bytes, [1] the number of the kernel, or what else it is, [2] flags, [3] the number of events that it
// waits for, [4] the bytes of the block, [5] the number of local arguments, [6] and [7] its event, [8] to [27] the ND-range,
// where [9] is the byte of the event whose command enqueues it, or 0;
// then 8 bytes for the size of each local argument, the block, and 8 bytes for each event that it waits for.

#define EVENT_BYTES 32u
#define RECORD_BYTES 112u
// The most events that a command waits for: the sum of the records' bytes fits 32 bits.
#define MOST_WAITS 16384u
// Numbers of kernels that are none.
#define MARKER 0xffffffffu
#define CAPTURE 0xfffffffeu
// Statuses and errors.
#define SUBMITTED 2
#define QUEUED 3
#define INVALID_EVENT_WAIT_LIST ((ulong)-57)
#define EVENT_ALLOCATION_FAILURE ((ulong)-100)
#define INVALID_QUEUE ((ulong)-102)
#define INVALID_NDRANGE ((ulong)-160)
#define DEVICE_QUEUE_FULL ((ulong)-161)

// The memory of a launch.
volatile global uint *__clforge_queue_memory(volatile global uint *launch)
{
    return (volatile global uint *)((volatile global char *)launch - launch[7]);
}

uint __clforge_queue_word(volatile global uint *launch, uint index) { return __clforge_queue_memory(launch)[index]; }

// The default queue, which is 0 where there is none.
ulong __clforge_queue_default(volatile global uint *launch)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    return memory[14] ? (ulong)memory : 0;
}

// A new event of one reference; 0 where there is none left.
ulong __clforge_event_new(volatile global uint *memory, int status)
{
    volatile global int *free_events = (volatile global int *)memory + 3;
    if (*free_events < 1) return 0;
    const int before = atomic_sub(free_events, 1);
    if (before < 1) {
        atomic_add(free_events, 1);
        return 0;
    }
    volatile global char *bytes = (volatile global char *)memory;
    const uint number = ((volatile global uint *)(bytes + memory[8]))[before - 1];
    const uint at = memory[9] + number * EVENT_BYTES;
    volatile global uint *event = (volatile global uint *)(bytes + at);
    event[0] = 1;
    event[1] = (uint)status;
    event[2] = event[3] = event[4] = event[5] = 0;
    event[7] = at;
    return (ulong)event;
}

ulong __clforge_event_user(volatile global uint *launch)
{
    return __clforge_event_new(__clforge_queue_memory(launch), SUBMITTED);
}

void __clforge_event_retain(ulong event)
{
    if (event) atomic_add((volatile global uint *)event, 1);
}

void __clforge_event_release(ulong event)
{
    if (event) atomic_sub((volatile global uint *)event, 1);
}

void __clforge_event_status(ulong event, int status)
{
    if (event) atomic_xchg((volatile global uint *)event + 1, (uint)status);
}

// Room for a record; 0 where there is none. What found no room is behind all that did, since [0] never decreases.
volatile global uint *__clforge_queue_room(volatile global uint *memory, uint bytes)
{
    const uint most = memory[2];
    if (memory[0] > most) return 0;
    const uint at = atomic_add(memory, bytes);
    if (at > most || bytes > most - at) {
        atomic_min(memory + 1, at);
        return 0;
    }
    return (volatile global uint *)((volatile global char *)memory + memory[10] + at);
}

// The address of a new record, without the range and what is behind it; or an error, which is one of the last addresses.
// `waits_well`: whether it waits for nothing or for a list of events.
ulong __clforge_queue_record(volatile global uint *launch, ulong queue, uint kernel_number, uint flags, uint waits,
                             bool waits_well, bool wants_event, uint locals, uint block)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    if (!queue) return INVALID_QUEUE;
    if (!waits_well) return INVALID_EVENT_WAIT_LIST;
    if (waits > MOST_WAITS) return DEVICE_QUEUE_FULL;
    const ulong event = wants_event ? __clforge_event_new(memory, QUEUED) : 0;
    if (wants_event && !event) return EVENT_ALLOCATION_FAILURE;
    const uint bytes = RECORD_BYTES + 8 * locals + (block + 7 & ~7u) + 8 * waits;
    volatile global uint *record = __clforge_queue_room(memory, bytes);
    if (!record) {
        // The runtime frees events that nobody refers to.
        __clforge_event_release(event);
        return DEVICE_QUEUE_FULL;
    }
    record[0] = bytes;
    record[1] = kernel_number;
    record[2] = flags;
    record[3] = waits;
    record[4] = block;
    record[5] = locals;
    *(volatile global ulong *)(record + 6) = event;
    record[9] = launch[7];
    return (ulong)record;
}

// A record of a kernel, as above, with its range.
ulong __clforge_queue_kernel(volatile global uint *launch, ulong queue, uint kernel_number, uint flags, const uint *range,
                             uint waits, bool waits_well, bool wants_event, uint locals, uint block)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    const uint dimensions = range[0], largest = memory[4];
    if (dimensions - 1 > 2) return INVALID_NDRANGE;
    const ulong *numbers = (const ulong *)range;
    ulong items = 1;
    uint given = 0;
    for (uint d = 0; d < dimensions; ++d) {
        const ulong local_size = numbers[7 + d];
        given += local_size != 0;
        items = local_size > memory[11 + d] ? 0 : items * local_size;
    }
    if (given && (given != dimensions || items - 1 >= largest)) return INVALID_NDRANGE;
    const ulong at = __clforge_queue_record(launch, queue, kernel_number, flags, waits, waits_well, wants_event, locals, block);
    if (at < (ulong)-4096) {
        volatile global uint *record = (volatile global uint *)at;
        record[8] = dimensions;
        volatile global ulong *to = (volatile global ulong *)record + 5;
        for (uint d = 0; d < 3; ++d) {
            to[d] = d < dimensions ? numbers[1 + d] : 0;
            to[3 + d] = d < dimensions ? numbers[4 + d] : 1;
            to[6 + d] = d < dimensions ? numbers[7 + d] : 1;
        }
    }
    return at;
}

// A record of a marker.
ulong __clforge_queue_marker(volatile global uint *launch, ulong queue, uint waits, bool waits_well, bool wants_event)
{
    return __clforge_queue_record(launch, queue, MARKER, 0, waits, waits_well, wants_event, 0, 0);
}

// The times of an event: now where it is complete, else the runtime writes them when it is.
void __clforge_event_capture(volatile global uint *launch, ulong event, int info, global ulong *to)
{
    if (!event || info != 1) return;
    volatile global ulong *times = (volatile global ulong *)event;
    if (((volatile global int *)event)[1] <= 0) {
        to[0] = times[1];
        to[1] = times[2];
        return;
    }
    volatile global uint *record = __clforge_queue_room(__clforge_queue_memory(launch), RECORD_BYTES);
    if (!record) return;
    record[0] = RECORD_BYTES;
    record[1] = CAPTURE;
    record[3] = record[4] = record[5] = 0;
    ((volatile global ulong *)record)[3] = event;
    ((volatile global ulong *)record)[5] = (ulong)to;
}

// The work-items of a work-group of a range, as far as they are given.
uint __clforge_range_items(volatile global uint *memory, const uint *range)
{
    const uint dimensions = min(range[0], 3u);
    const ulong *numbers = (const ulong *)range;
    ulong given = 1, all = 1;
    for (uint d = 0; d < dimensions; ++d) {
        given *= numbers[7 + d];
        all *= numbers[4 + d];
    }
    return (uint)min(given ? given : all, (ulong)memory[4]);
}

uint __clforge_range_sub_groups(volatile global uint *launch, const uint *range)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    const uint items = __clforge_range_items(memory, range);
    return (items + memory[6] - 1) / memory[6];
}

uint __clforge_range_sub_group_size(volatile global uint *launch, const uint *range)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    return min(__clforge_range_items(memory, range), memory[6]);
}

// The work-items of a work-group of that many whole sub-groups; 0 where that is too large.
uint __clforge_size_of_sub_groups(volatile global uint *launch, uint count)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    const ulong items = (ulong)count * memory[6];
    return items > memory[4] || items > memory[11] ? 0 : (uint)items;
}

uint __clforge_most_sub_groups(volatile global uint *launch)
{
    volatile global uint *memory = __clforge_queue_memory(launch);
    return (memory[4] + memory[6] - 1) / memory[6];
}
