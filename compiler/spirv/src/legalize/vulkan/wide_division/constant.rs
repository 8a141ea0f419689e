//! Division of unsigned integers of 64 bits by constants. The method is that of Granlund and Montgomery, "Division by Invariant
//! Integers using Multiplication" (PLDI 1994).

use super::super::builtins::wide_product;
use clforge_basic::options::Options;
use clforge_ir::*;

/// Bits of a dividend.
const WIDTH: u32 = 64;

/// The quotient of unsigned integers. Of a division by zero nothing is required.
pub fn quotient(b: &mut Builder<'_>, n: Value, d: u64, options: &Options) -> Value {
    let i64_of = |b: &mut Builder<'_>, bits: u64| b.int(Type::I64, bits.cast_signed());
    let shift = d.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1);
    if shift == 0 {
        return n;
    }
    if d.is_power_of_two() {
        return b.binary_int(BinaryOp::LShr, n, i64::from(shift));
    }
    // 2^(shift - 1) < d < 2^shift. A factor of 64 bits, if its error does not show: it is at most 2^(shift - 1) / d.
    let scale = 1_u128 << (WIDTH + shift - 1);
    let factor = scale / u128::from(d) + 1;
    if factor * u128::from(d) - scale <= 1 << (shift - 1)
        && let Ok(factor) = u64::try_from(factor)
    {
        let factor = i64_of(b, factor);
        let product = wide_product(b, n, factor, options);
        return b.binary_int(BinaryOp::LShr, product, i64::from(shift) - 1);
    }
    // One of 65 bits, without its highest: (n + product) >> shift, where the sum would not fit.
    let rest = (((1_u128 << shift) - u128::from(d)) << WIDTH) / u128::from(d) + 1;
    let Ok(rest) = u64::try_from(rest) else { return n };
    let factor = i64_of(b, rest);
    let product = wide_product(b, n, factor, options);
    let difference = b.binary(BinaryOp::Sub, n, product);
    let half = b.binary_int(BinaryOp::LShr, difference, 1);
    let mean = b.binary(BinaryOp::Add, product, half);
    b.binary_int(BinaryOp::LShr, mean, i64::from(shift) - 1)
}
