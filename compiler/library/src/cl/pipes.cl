// Pipes (OpenCL C 6.15.18): rings of packets in global memory, whose first words are
//   [0] the number of packets that the pipe can hold, [1] the bytes of a packet,
//   [2] the packets that were written, [3] those that were read, both modulo twice [0].
// Packets follow at byte 128. Nobody reads what a kernel writes to a pipe before that kernel has ended, so a packet needs no
// mark of its own: taking packets of the ring and giving them back is all that has to be atomic.
//
// There is no room and no packet for a kernel whose packets have another size than the pipe's.
//
// A reservation is the number of its packets in the upper word, and its first packet plus one in the lower; 0 is none.

#define PIPE_FILL(most, written, read) ((written) >= (read) ? (written) - (read) : (written) + 2 * (most) - (read))

uint __clforge_pipe_packets(volatile global uint *pipe) { return PIPE_FILL(pipe[0], pipe[2], pipe[3]); }

#define PIPE_RESERVE(counter, available)                                                                       \
    const uint most = pipe[0];                                                                                 \
    if (pipe[1] != size) return 0;                                                                             \
    uint at = pipe[counter];                                                                                   \
    for (;;) {                                                                                                 \
        if (packets > (available)) return 0;                                                                   \
        const uint sum = at + packets, next = sum >= 2 * most ? sum - 2 * most : sum;                          \
        const uint found = atomic_cmpxchg(pipe + counter, at, next);                                           \
        if (found == at) break;                                                                                \
        at = found;                                                                                            \
    }                                                                                                          \
    return (ulong)packets << 32 | ((at >= most ? at - most : at) + 1);

ulong __clforge_pipe_reserve_write(volatile global uint *pipe, uint packets, uint size)
{
    PIPE_RESERVE(2, most - PIPE_FILL(most, at, pipe[3]))
}

ulong __clforge_pipe_reserve_read(volatile global uint *pipe, uint packets, uint size)
{
    PIPE_RESERVE(3, PIPE_FILL(most, pipe[2], at))
}

// The place of a reservation's packet in the ring, or -1 for none.
int __clforge_pipe_place(volatile global uint *pipe, ulong reservation, uint index)
{
    const uint most = pipe[0], place = (uint)reservation - 1 + index;
    return index >= (uint)(reservation >> 32) ? -1 : (int)(place >= most ? place - most : place);
}
