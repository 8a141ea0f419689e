// Sorting, scanning, reducing.

// Each item sorts 32 numbers in a private array.
kernel void insertion(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0), count = get_global_size(0);
    uint a[32];
    for (int k = 0; k < 32; k++)
        a[k] = in[k * count + i];
    for (int k = 1; k < 32; k++) {
        uint value = a[k];
        int at = k;
        while (at > 0 && a[at - 1] > value) {
            a[at] = a[at - 1];
            at--;
        }
        a[at] = value;
    }
    for (int k = 0; k < 32; k++)
        out[k * count + i] = a[k];
}

// Each work-group of 256 items sorts 512 numbers in local memory.
kernel void bitonic(global const uint *in, global uint *out)
{
    local uint a[512];
    uint item = get_local_id(0);
    size_t first = get_group_id(0) * 512;
    a[item] = in[first + item];
    a[item + 256] = in[first + item + 256];
    for (uint size = 2; size <= 512; size *= 2)
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * item - (item & (stride - 1)), high = low + stride;
            bool ascending = (low & size) == 0;
            uint x = a[low], y = a[high];
            if (x > y == ascending) {
                a[low] = y;
                a[high] = x;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + item] = a[item];
    out[first + item + 256] = a[item + 256];
}

// The sums before each element, within work-groups of 256.
kernel void scan(global const uint *in, global uint *out)
{
    local uint sums[256];
    uint item = get_local_id(0);
    size_t i = get_global_id(0);
    uint own = in[i];
    sums[item] = own;
    for (uint distance_to = 1; distance_to < 256; distance_to *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = item >= distance_to ? sums[item - distance_to] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[item] += left;
    }
    out[i] = sums[item] - own;
}

kernel void reduce(global const float *in, global float *out, uint each)
{
    local float sums[256];
    uint item = get_local_id(0);
    size_t count = get_global_size(0);
    float sum = 0;
    for (uint k = 0; k < each; k++)
        sum += in[k * count + get_global_id(0)];
    sums[item] = sum;
    for (uint half_of = 128; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_of)
            sums[item] += sums[item + half_of];
    }
    if (item == 0)
        out[get_group_id(0)] = sums[0];
}

// The distance of Levenshtein between a word of 16 letters and each of many, a row at a time.
kernel void edit_distance(global const uchar *words, constant uchar *word, global uint *out)
{
    size_t i = get_global_id(0);
    uchar row[17];
    for (int k = 0; k <= 16; k++)
        row[k] = k;
    for (int y = 1; y <= 16; y++) {
        uchar corner = row[0], letter = words[i * 16 + y - 1];
        row[0] = y;
        for (int x = 1; x <= 16; x++) {
            uchar change = corner + (letter != word[x - 1]);
            corner = row[x];
            row[x] = min(min((uchar)(row[x] + 1), (uchar)(row[x - 1] + 1)), change);
        }
    }
    out[i] = row[16];
}
