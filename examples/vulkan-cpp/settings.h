/* What the kernel gets by value: a header for OpenCL C and C++. `int` and `float` have the same size in both. */
#pragma once

typedef struct {
    int width; /* of the picture, in pixels */
    int height;
    int radius;  /* of the window, in pixels */
    float space; /* how fast the weight of a pixel falls with its distance */
    float range; /* how fast it falls with the difference of the colours */
} settings;
