// The Ising model: magnets, each up (1) or down (-1), on a square lattice whose borders continue at the opposite side.
// Its side is a power of two. All numbers are integers, so that all devices compute the same bits.

// A number that depends on all bits of its arguments.
static uint noise(uint site, uint step, uint seed) {
    uint x = seed;
    x = (x ^ step) * 0x9e3779b1u;
    x = (x ^ x >> 15 ^ site) * 0x85ebca77u;
    x = (x ^ x >> 13) * 0xc2b2ae3du;
    x = (x ^ x >> 16) * 0x27d4eb2fu;
    return x ^ x >> 15;
}

// Turns magnets of one colour of a chessboard, whose neighbours all have the other colour. A magnet turns if that needs
// no energy, else by chance: `odds` has the probabilities, times 2^32, for those that agree with three and with four
// of their neighbours.
kernel void turn(global int *magnets, uint side, uint colour, uint step, uint seed, uint2 odds) {
    const uint y = get_global_id(1), x = 2 * get_global_id(0) + (y + colour) % 2, last = side - 1;
    global int *row = magnets + y * side;
    const int above = magnets[(y - 1 & last) * side + x], below = magnets[(y + 1 & last) * side + x];
    const int agreement = row[x] * (above + below + row[x - 1 & last] + row[x + 1 & last]);
    if (agreement <= 0 || noise(y * side + x, step, seed) < (agreement == 2 ? odds.x : odds.y))
        row[x] = -row[x];
}

// Adds the magnets, and the products of neighbours, to sums[sample]; a work-item has one column.
kernel void measure(global const int *magnets, uint side, global int (*sums)[2], uint sample) {
    const uint x = get_global_id(0), right = x + 1 & side - 1;
    int direction = 0, products = 0;
    for (uint y = 0; y < side; y++) {
        const int here = magnets[y * side + x];
        direction += here;
        products += here * (magnets[y * side + right] + magnets[(y + 1 & side - 1) * side + x]);
    }
    atomic_add(&sums[sample][0], direction);
    atomic_add(&sums[sample][1], products);
}
