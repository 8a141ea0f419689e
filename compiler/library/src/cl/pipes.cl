// Pipes (OpenCL C 6.15.18): rings of packets in global memory, whose first words are
//   [0] the number of packets that the pipe can hold, [1] the bytes of a packet,
//   [2] the packets that were written, [3] those that were read, both less a multiple of [0],
//   [4] the packets that there is room for, [5] those that can be read; less while reservations fail.
// Packets follow at byte 128. Nobody reads what a kernel writes to a pipe before that kernel has ended, so a packet needs no
// mark of its own: taking packets of the ring and giving them back is all that has to be atomic.
// There is no room and no packet for a kernel whose packets have another size than the pipe's.
//
// A reservation is the number of its packets in the upper word, and its first packet plus one in the lower; 0 is none.

// The most packets of a reservation that subtracts before it knows whether there are so many. All that do so at a time
// subtract less than 2 to the power of 31. A loop of comparisons and exchanges instead takes time with the square of the
// work-items: 100,000 that reserved one packet each took a H200 seconds.
#define FEW 1024u

uint __clforge_pipe_packets(volatile global uint *pipe) { return (uint)max((int)pipe[5], 0); }

// Takes packets of a counter; whether there were so many.
bool __clforge_pipe_take(volatile global int *counter, uint packets)
{
    int found = *counter;
    if (found < (int)packets) return false;
    if (packets <= FEW) {
        if (atomic_sub(counter, (int)packets) >= (int)packets) return true;
        atomic_add(counter, (int)packets);
        return false;
    }
    for (;;) {
        const int before = atomic_cmpxchg(counter, found, found - (int)packets);
        if (before == found) return true;
        if (before < (int)packets) return false;
        found = before;
    }
}

// The reservation of packets that were taken: the next ones of a counter of all packets, which stays below 2 to the power of 32.
ulong __clforge_pipe_next(volatile global uint *counter, uint most, uint packets)
{
    const uint limit = most * (0x80000000u / most), at = atomic_add(counter, packets);
    if (at < limit && at + packets >= limit) atomic_sub(counter, limit);
    return (ulong)packets << 32 | (at % most + 1);
}

// Takes packets of one counter, moves the second one, and gives them to the third.
ulong __clforge_pipe_reserve(volatile global uint *pipe, uint packets, uint size, int from, int moved, int to)
{
    const uint most = pipe[0];
    if (pipe[1] != size || packets > most || !__clforge_pipe_take((volatile global int *)pipe + from, packets)) return 0;
    const ulong reservation = __clforge_pipe_next(pipe + moved, most, packets);
    atomic_add(pipe + to, packets);
    return reservation;
}

ulong __clforge_pipe_reserve_write(volatile global uint *pipe, uint packets, uint size)
{
    return __clforge_pipe_reserve(pipe, packets, size, 4, 2, 5);
}

ulong __clforge_pipe_reserve_read(volatile global uint *pipe, uint packets, uint size)
{
    return __clforge_pipe_reserve(pipe, packets, size, 5, 3, 4);
}

// The place of a reservation's packet in the ring, or -1 for none.
int __clforge_pipe_place(volatile global uint *pipe, ulong reservation, uint index)
{
    const uint most = pipe[0], place = (uint)reservation - 1 + index;
    return index >= (uint)(reservation >> 32) ? -1 : (int)(place >= most ? place - most : place);
}
