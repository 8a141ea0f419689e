#ifndef NBODY_H
#define NBODY_H

#define SOFTENING 1e-3f
#define XYZ(v) ((v).xyz)

/* Position in xyz, mass in w. */
typedef float4 body_t;

#ifdef USE_NATIVE
#define INV_SQRT(x) native_rsqrt(x)
#else
#define INV_SQRT(x) rsqrt(x)
#endif

static inline float3 pull(const body_t on, const body_t from)
{
    const float3 d = XYZ(from) - XYZ(on);
    const float dist2 = dot(d, d) + SOFTENING;
    const float inv = INV_SQRT(dist2);
    return d * (from.w * inv * inv * inv);
}

#endif /* NBODY_H */
