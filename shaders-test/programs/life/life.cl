// Conway's game of life on a torus, one byte a cell; the rule is a pair of bit masks so that others can be tried.

#define WRAP(v, n) (((v) + (n)) % (n))

typedef uchar cell;

enum { DEAD, ALIVE };

static int neighbours(__global const cell *grid, int x, int y, int w, int h)
{
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (!dx && !dy)
                continue;
            sum += grid[WRAP(y + dy, h) * w + WRAP(x + dx, w)];
        }
    }
    return sum;
}

kernel void life(global const cell *now, global cell *next, const int w, const int h, const ushort born,
                 const ushort survives)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int n = neighbours(now, x, y, w, h);
    cell result;
    switch (now[y * w + x]) {
    case ALIVE:
        result = (survives >> n) & 1 ? ALIVE : DEAD;
        break;
    default:
        result = (born >> n) & 1;
    }
    next[y * w + x] = result;
}
