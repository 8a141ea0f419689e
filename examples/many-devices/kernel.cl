// The Mandelbrot set in fixed point: a long counts 2^-60. All devices compute the same bits, since there are no floats,
// and the picture can be 2^20 times smaller than floats could show it.

#define ESCAPED (4L << 56)

// The number of steps until the point (x, y) leaves the circle of radius 2, for all points of some rows of the picture.
// (left, top) is the point of the picture's first pixel; `pitch` is the distance between pixels.
kernel void escape(global uint *steps, long left, long top, long pitch, uint first_row, uint limit) {
    const size_t column = get_global_id(0), row = get_global_id(1);
    const long a = left + (long)column * pitch, b = top + (long)(first_row + row) * pitch;
    long x = a, y = b;
    uint step = 0;
    for (; step < limit; step++) {
        // The upper half of a product counts 2^-56.
        const long xx = mul_hi(x, x), yy = mul_hi(y, y), xy = mul_hi(x, y);
        if (xx + yy > ESCAPED)
            break;
        x = (xx - yy) * 16 + a;
        y = xy * 32 + b;
    }
    steps[row * get_global_size(0) + column] = step;
}
