// Loops that change an array in place, with places that later iterations load: of the same index, of others that are
// never, sometimes or always written before, through indices of 32 and 64 bits, and with a step that is no constant.
// And conditions in loops that no iteration changes, also where the loop makes no iteration.
// RUN: kernel=k global=4 local=4
// ARG: buffer:int=0..1024
// ARG: buffer:float=0.5,3.0,-2.0,1e-30,4.0,0.25,1e20,7.0
// ARG: buffer:bytes=64
// ARG: int=37
// EXPECT: pocl
float rare(float x) {
    if (x > 1e10f)
        return x * 1e-10f;
    if (x < 0.0f) {
        if (x < -1.0f)
            return -x;
        return x * 3.0f;
    }
    return x + 1.0f;
}
kernel void k(global int *a, global const float *f, global float *o, int n)
{
    int g = get_global_id(0), size = get_global_size(0);
    global int *own = a + 256 * g;
    for (int i = 0; i < n; i++)
        own[i] = own[i] * 3 + 1;
    for (int i = 0; i < n; i++)
        own[i + 1] = own[i] ^ (own[i + 1] >> 1);
    for (int i = 1; i < n; i++)
        own[i] = own[i + 2] - own[i - 1];
    for (size_t i = 0; i < n; i++)
        own[2 * i] += own[2 * i + 1];
    for (int i = n; i > 0; i--) {
        own[i + 100] = i;
        own[i] += own[i + 101];
    }
    for (uint i = 0; i < n; i += size) {
        own[i + 200] = own[i + 200] * 5 + own[i];
        own[i + 201] ^= own[i + 200];
    }
    for (int i = 0; i < n; i += 2) {
        global char *bytes = (global char *)(own + i);
        bytes[0] += bytes[7];
        own[i + 1] *= 7;
    }
    float sum = 0.0f;
    for (int i = 0; i < n + g - 38; i++) {
        sum += rare(f[2 * g]) * i;
        for (int j = 0; j < g; j++)
            sum -= rare(f[2 * g + 1]) + rare(i);
    }
    o[g] = sum;
}
