// The height of water in which drops have fallen, and what it looks like. `waves` is run by clforge's runtime, `shade` by wgpu.

kernel void waves(global float *height, int width, float time, constant float4 *drops, int count) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < count; i++) {
        // A drop: where, when, how high.
        float4 drop = drops[i];
        float age = time - drop.z, from = distance((float2)(x, y), drop.xy);
        sum += age > 0.0f ? drop.w * cos(0.3f * (from - 30.0f * age)) * exp(-0.02f * from - 0.3f * age) : 0.0f;
    }
    height[y * width + x] = sum;
}

// A byte of grey for each place: bright where the water rises to the right and downwards.
kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void shade(global const float *height, global uint *grey, int width, int rows) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= rows)
        return;
    float here = height[y * width + x];
    float right = height[y * width + min(x + 1, width - 1)], below = height[min(y + 1, rows - 1) * width + x];
    grey[y * width + x] = (uint)clamp(128.0f + 200.0f * (right + below - 2.0f * here), 0.0f, 255.0f);
}
