// European option prices by the Black-Scholes formula. The normal distribution function is the five-term polynomial
// 26.2.17 of Abramowitz and Stegun's Handbook of Mathematical Functions.

#define INV_SQRT_2PI 0.3989422804014327f

static float normal_cdf(const float x)
{
    const float a[] = { 0.319381530f, -0.356563782f, 1.781477937f, -1.821255978f, 1.330274429f };
    const float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float poly = 0.0f;
    for (int i = 4; i >= 0; --i)
        poly = (poly + a[i]) * k;
    const float tail = INV_SQRT_2PI * exp(-0.5f * x * x) * poly;
    return x > 0 ? 1.0f - tail : tail;
}

typedef struct {
    float rate;
    float volatility;
} market_t;

__kernel void black_scholes(__global float *call, __global float *put,
                            __global const float *price, __global const float *strike, __global const float *years,
                            const market_t market)
{
    const size_t i = get_global_id(0);
    const float s = price[i], x = strike[i], t = years[i];
    const float sqrt_t = sqrt(t);
    const float d1 = (log(s / x) + (market.rate + 0.5f * market.volatility * market.volatility) * t)
                   / (market.volatility * sqrt_t);
    const float d2 = d1 - market.volatility * sqrt_t;
    const float discount = x * exp(-market.rate * t);
    const float c = s * normal_cdf(d1) - discount * normal_cdf(d2);
    call[i] = c;
    put[i] = c + discount - s; /* put-call parity */
}
