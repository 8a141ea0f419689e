// Structures and pointers.

struct particle {
    float position[3];
    float mass;
    float velocity[3];
    uint flags;
};

void move(global struct particle *p, float time)
{
    for (int k = 0; k < 3; k++)
        p->position[k] += p->velocity[k] * time;
    if (p->flags & 1)
        p->velocity[1] -= 9.81f * time;
}

kernel void particles(global const struct particle *in, global struct particle *out, float time)
{
    size_t i = get_global_id(0);
    out[i] = in[i];
    for (int step = 0; step < 8; step++)
        move(&out[i], time);
}

struct node {
    uint value;
    uint next;
};

// Follows a list of indices; neighbours begin at neighbouring nodes.
kernel void lists(global const struct node *nodes, global uint *out, uint steps)
{
    size_t i = get_global_id(0);
    uint at = i, sum = 0;
    for (uint k = 0; k < steps; k++) {
        sum += nodes[at].value;
        at = nodes[at].next;
    }
    out[i] = sum;
}

// A binary search in sorted numbers through pointers.
kernel void search(global const uint *sorted, uint count, global const uint *keys, global uint *out)
{
    size_t i = get_global_id(0);
    global const uint *low = sorted, *high = sorted + count;
    uint key = keys[i];
    while (low < high) {
        global const uint *middle = low + (high - low) / 2;
        if (*middle < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low - sorted;
}

// Inverses of matrices of 4 x 4 by elimination, in private memory.
kernel void inverse(global const float16 *in, global float16 *out)
{
    size_t i = get_global_id(0);
    float a[4][8];
    float16 m = in[i];
    vstore4(m.s0123, 0, a[0]);
    vstore4(m.s4567, 0, a[1]);
    vstore4(m.s89ab, 0, a[2]);
    vstore4(m.scdef, 0, a[3]);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            a[y][x + 4] = x == y;
    for (int k = 0; k < 4; k++) {
        float by = 1.0f / a[k][k];
        for (int x = 0; x < 8; x++)
            a[k][x] *= by;
        for (int y = 0; y < 4; y++)
            if (y != k) {
                float times = a[y][k];
                for (int x = 0; x < 8; x++)
                    a[y][x] -= times * a[k][x];
            }
    }
    float16 r;
    r.s0123 = vload4(1, a[0]);
    r.s4567 = vload4(1, a[1]);
    r.s89ab = vload4(1, a[2]);
    r.scdef = vload4(1, a[3]);
    out[i] = r;
}
