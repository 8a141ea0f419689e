//! `workarounds/signed_products`: products of sign-extended integers and constants that have 32 bits, but not as signed numbers,
//! are made of those with negative constants
//! ([`Workarounds::NVIDIA_SIGNED_PRODUCTS`](clforge_basic::workarounds::Workarounds)).

use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Bits of the words that products are made of.
const WORD: u32 = 32;

/// The pass. The driver takes the constant for a signed number of 32 bits, and a shift for a product. With the negative number
/// that it means, the product is by 2^32 times the integer too small, which is in the upper word only.
pub struct SignedProducts;

impl<S> Pass<S> for SignedProducts {
    fn name(&self) -> &'static str {
        "workarounds/signed_products"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| Product::of(function, inst).is_some()) {
                *function = rewrite(function, &mut Corrected, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// A product of a sign-extended integer, or of a vector of them, and a constant from 2^31 on, below 2^32.
struct Product {
    extended: Value,
    constant: i64,
}

impl Product {
    fn of(function: &Function, inst: &Inst) -> Option<Product> {
        let Op::Binary { op, lhs, rhs } = inst.op else { return None };
        if function.ty(lhs).scalar != ScalarType::I64 {
            return None;
        }
        let constant = |value| function.as_constant(value).and_then(Constant::splat_bits);
        let (extended, constant) = match (op, constant(lhs), constant(rhs)) {
            (BinaryOp::Mul, None, Some(constant)) => (lhs, constant),
            (BinaryOp::Mul, Some(constant), None) => (rhs, constant),
            (BinaryOp::Shl, None, Some(count)) => (lhs, 1_u64.checked_shl(u32::try_from(count).ok()?)?),
            _ => return None,
        };
        let constant = i64::from(u32::try_from(constant).ok()?);
        let has_sign = i32::try_from(constant).is_err();
        (has_sign && is_extended(function, extended)).then_some(Product { extended, constant })
    }
}

/// Whether the upper word of a value is seen to be copies of the sign of the lower one.
fn is_extended(function: &Function, value: Value) -> bool {
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::SExt, .. }) => true,
        Some(Op::Binary { op: BinaryOp::AShr, rhs, .. }) => {
            let count = function.as_constant(*rhs).and_then(Constant::splat_bits);
            count.is_some_and(|count| count >= u64::from(WORD))
        }
        _ => false,
    }
}

struct Corrected;

impl Rewrite for Corrected {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(Product { extended, constant }) = Product::of(r.old, inst) else { return Ok(None) };
        let extended = r.one(extended, self)?;
        let b = &mut r.b;
        let product = b.binary_int(BinaryOp::Mul, extended, constant - (1 << WORD));
        let low = b.resize(product, ScalarType::I32, false);
        let upper = b.binary_int(BinaryOp::LShr, product, i64::from(WORD));
        let upper = b.resize(upper, ScalarType::I32, false);
        let integer = b.resize(extended, ScalarType::I32, false);
        let high = b.binary(BinaryOp::Add, upper, integer);
        let lanes: Vec<Value> = (0..b.ty(low).lanes)
            .map(|lane| {
                let words =
                    [low, high].map(|words| if b.ty(words).lanes == 1 { words } else { b.extract(words, lane) });
                let pair = b.construct(&words);
                b.bitcast(pair, Type::I64)
            })
            .collect();
        Ok(Some(smallvec![smallvec![b.construct(&lanes)]]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// The result of an operation on the sign extension of `value`, by the code of the pass.
    fn product(op: &str, value: i32) -> u64 {
        let text = format!("func @f(%0: i32) -> i64 {{\n  %1: i64 = sext %0\n  %2: i64 = {op}\n  return %2\n}}\n");
        let bits = u64::from(value.cast_unsigned());
        testing::result(&text, &mut Corrected, |function, inst| Product::of(function, inst).is_some(), &[bits])
    }

    #[test]
    fn products_are_corrected() {
        for value in [0, 1, -1, 2, -2, 0x1234_5678, -0x1234_5678, i32::MAX, i32::MIN, i32::MIN + 1] {
            for constant in [0x8000_0000_i64, 0x8000_0001, 0x9E37_79B1, 0xFFFF_FFFF] {
                let expected = i64::from(value).wrapping_mul(constant).cast_unsigned();
                assert_eq!(product(&format!("mul %1, i64 {constant}"), value), expected, "{value} * {constant}");
            }
            assert_eq!(product("shl %1, i64 31", value), (i64::from(value) << 31).cast_unsigned(), "{value} << 31");
        }
    }
}
