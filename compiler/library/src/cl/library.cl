// The library of built-in functions for Vulkan: this is the one translation unit that is compiled.
//
// Files without a width in their names are compiled for float and for double, with the names of `width.cl`. The names
// of all functions and objects begin with `__clforge_`. Errors are measured: docs/accuracy.md.

#include "constants.cl"

#define WIDTH 32
#include "math.cl"
#include "by_exp2_f32.cl"
#undef WIDTH

#define WIDTH 64
#include "math.cl"
#include "by_exp2_f64.cl"
#include "softfloat.cl"
#include "softfloat_conversions.cl"
#undef WIDTH

#include "work_group.cl"
#include "pipes.cl"
#include "device_enqueue.cl"
