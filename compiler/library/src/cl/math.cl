// The functions of one WIDTH, each after what it calls.

#include "width.cl"

// Products of heads are exact, and of everything else a fused sum loses less.
#pragma OPENCL FP_CONTRACT ON

#include "parts.cl"
#include "exp.cl"
#include "log.cl"
#include PER_WIDTH("log2_pair_f32.cl", "log2_pair_f64.cl")
#include "pow.cl"
#include "root.cl"
#include PER_WIDTH("hypot_f32.cl", "hypot_f64.cl")
#include PER_WIDTH("trig_reduce_large_f32.cl", "trig_reduce_large_f64.cl")
#include "trig.cl"
#include "asin.cl"
#include PER_WIDTH("atan_f32.cl", "atan_f64.cl")
#include "atan2.cl"
#include "hyperbolic.cl"
#include "fused.cl"
#include "erf.cl"
#include PER_WIDTH("gamma_f32.cl", "gamma_f64.cl")

// These tell from the error of a rounded product what is lost.
#pragma OPENCL FP_CONTRACT OFF

#include PER_WIDTH("fma_f32.cl", "fma_f64.cl")
#include "divide_sqrt.cl"
#include PER_WIDTH("divide_sqrt_corrected_f32.cl", "divide_sqrt_corrected_f64.cl")
#include "ldexp.cl"
#include "remainder.cl"
#include "remainder_fused.cl"
