// A particle step over an array of structures: helper functions take private, global and constant pointers, and
// structures travel by value, by pointer and as members of each other.

#define MAX_WELLS 4
#define TRAIL 3

typedef enum { FREE = 0, PINNED = 1, CHARGED = 2, DEAD = 7 } kind_t;

typedef struct Body {
    float3 position;
    float3 velocity;
} Body;

typedef struct Particle {
    Body body;
    float mass;
    short charge;
    uchar kind;
    uchar hits;
    uint trail_length;
    float trail[TRAIL];
} Particle;

typedef struct Well {
    float4 centre; /* w: strength */
    int only_charged;
} Well;

typedef struct World {
    float3 low, high;
    float3 gravity;
    float dt;
    float drag;
    uint wells;
} World;

static void bounce(float *x, float *v, float low, float high, uchar *hits)
{
    if (*x < low) {
        *x = low + (low - *x);
    } else if (*x > high) {
        *x = high - (*x - high);
    } else {
        return;
    }
    *v = -*v;
    ++*hits;
}

static float3 attraction(const Particle *p, __constant const Well *well)
{
    if (well->only_charged && p->kind != CHARGED)
        return (float3)(0);
    const float3 d = well->centre.xyz - p->body.position;
    const float strength = well->centre.w * (well->only_charged ? (float)p->charge : p->mass);
    return d * (strength / (1.0f + dot(d, d)));
}

static Body advance(Body body, float3 acceleration, const World *world)
{
    body.velocity += acceleration * world->dt;
    body.velocity *= 1.0f - world->drag * world->dt;
    body.position += body.velocity * world->dt;
    return body;
}

static void record(__global Particle *p, float speed)
{
    for (int i = TRAIL - 1; i > 0; --i)
        p->trail[i] = p->trail[i - 1];
    p->trail[0] = speed;
    p->trail_length = min(p->trail_length + 1u, (uint)TRAIL);
}

static float step_one(Particle *p, __constant const Well *wells, const World *world)
{
    float3 acceleration = world->gravity;
    switch (p->kind) {
    case DEAD:
        return 0.0f;
    case PINNED:
        p->body.velocity = (float3)(0.0f, 0.0f, 0.0f);
        return 0.0f;
    case CHARGED:
        acceleration *= 0.5f;
        /* fall through */
    case FREE:
        for (uint i = 0; i < world->wells; i++)
            acceleration += attraction(p, wells + i);
        break;
    default:
        p->kind = DEAD;
        return -1.0f;
    }
    p->body = advance(p->body, acceleration, world);

    float *x = (float *)&p->body.position, *v = (float *)&p->body.velocity;
    const float *low = (const float *)&world->low, *high = (const float *)&world->high;
    for (int axis = 0; axis < 3; ++axis)
        bounce(&x[axis], &v[axis], low[axis], high[axis], &p->hits);
    if (p->hits > 9)
        p->kind = DEAD;
    return length(p->body.velocity);
}

__kernel void particle_step(__global Particle *particles, __constant Well *wells, const World world, __global float *speeds,
                   uint count)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const World w = world;
    Particle p = particles[i];
    const float speed = step_one(&p, wells, &w);
    particles[i] = p;
    if (p.kind != PINNED)
        record(&particles[i], speed);
    speeds[i] = speed;
}
