// Many calls of functions that call others, each with a conditional record of several words: what a driver that copies every
// function into its caller compiles slowly. Only the time to get ready is measured.

#define WORDS 6

// Reserves a place in the log and stores a record there; `log[0]` counts the words.
void record(global uint *log, uint site, uint a, uint b, uint expected, uint found)
{
    uint place = atomic_add(log, WORDS);
    if (place + WORDS < 1 << 16) {
        log[place + 1] = site;
        log[place + 2] = a;
        log[place + 3] = b;
        log[place + 4] = expected;
        log[place + 5] = found;
        log[place + 6] = get_global_id(0);
    }
}

// Numbers of two words of half the bits, the lower one first.
#define WIDE(T, BITS)                                                                                                   \
    T##2 __attribute__((overloadable)) normal(T##2 a)                                                                   \
    {                                                                                                                   \
        T low = a.x & (T)(((T)1 << (BITS / 2)) - 1);                                                                    \
        return (T##2)(low, a.y + (T)(a.x >> (BITS / 2)));                                                               \
    }                                                                                                                   \
    T##2 __attribute__((overloadable)) wide(T a)                                                                        \
    {                                                                                                                   \
        return normal((T##2)(a, 0));                                                                                    \
    }                                                                                                                   \
    T __attribute__((overloadable)) narrow(global uint *log, T##2 a, uint site)                                         \
    {                                                                                                                   \
        T##2 again = normal(a);                                                                                         \
        if (again.x != a.x)                                                                                             \
            record(log, site, (uint)a.x, (uint)a.y, (uint)again.x, (uint)again.y);                                      \
        return a.x | (T)(a.y << (BITS / 2));                                                                            \
    }                                                                                                                   \
    T##2 __attribute__((overloadable)) sum(T##2 a, T##2 b)                                                              \
    {                                                                                                                   \
        return normal(a + b);                                                                                           \
    }                                                                                                                   \
    T##2 __attribute__((overloadable)) times(global uint *log, T##2 a, T b, uint site)                                  \
    {                                                                                                                   \
        T##2 result = wide((T)0);                                                                                       \
        for (int i = 0; i < 4; i++) {                                                                                   \
            if (b >> i & 1)                                                                                             \
                result = sum(result, a);                                                                                \
            a = sum(a, a);                                                                                              \
        }                                                                                                               \
        if (result.x >> (BITS / 2))                                                                                     \
            record(log, site, (uint)a.x, (uint)b, 0, (uint)result.x);                                                   \
        return result;                                                                                                  \
    }

// Each lane of a vector's operations beside the wide numbers.
#define CHECK(T, N)                                                                                                     \
    __attribute__((noinline)) void check_##T##N(global uint *log, constant uint *input)                                 \
    {                                                                                                                   \
        for (int round = 0; round < 100; round++) {                                                                     \
            union {                                                                                                     \
                T##N vector;                                                                                            \
                T lanes[N];                                                                                             \
            } a, b, c, added, averaged, scaled;                                                                         \
            for (int i = 0; i < N; i++) {                                                                               \
                a.lanes[i] = (T)input[round + i];                                                                       \
                b.lanes[i] = (T)input[round + i + 20];                                                                  \
                c.lanes[i] = (T)(input[round + i + 40] & 15);                                                           \
            }                                                                                                           \
            added.vector = a.vector + b.vector;                                                                         \
            averaged.vector = hadd(a.vector, b.vector);                                                                 \
            scaled.vector = a.vector * c.vector;                                                                        \
            for (int i = 0; i < N; i++) {                                                                               \
                T x = a.lanes[i], y = b.lanes[i], z = c.lanes[i];                                                       \
                T one = narrow(log, sum(wide(x), wide(y)), 1);                                                          \
                if (one != added.lanes[i])                                                                              \
                    record(log, 2, (uint)x, (uint)y, (uint)one, (uint)added.lanes[i]);                                  \
                T two = (x & y) + ((x ^ y) >> 1);                                                                       \
                if (two != averaged.lanes[i])                                                                           \
                    record(log, 3, (uint)x, (uint)y, (uint)two, (uint)averaged.lanes[i]);                               \
                T three = narrow(log, times(log, wide(x), z, 4), 5);                                                    \
                if (three != scaled.lanes[i])                                                                           \
                    record(log, 6, (uint)x, (uint)z, (uint)three, (uint)scaled.lanes[i]);                               \
            }                                                                                                           \
        }                                                                                                               \
    }

#define TYPE(T, BITS) WIDE(T, BITS) CHECK(T, 2) CHECK(T, 4) CHECK(T, 8)
TYPE(ushort, 16)
TYPE(uint, 32)

#define CALLS(T)                                                                                                        \
    check_##T##2(log, input);                                                                                           \
    check_##T##4(log, input);                                                                                           \
    check_##T##8(log, input);

kernel void checks(global uint *log, constant uint *input)
{
    CALLS(ushort)
    CALLS(uint)
}
