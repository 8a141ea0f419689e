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
/// that it means, the product is by 2^32 times the integer too small, which is in the upper word only. The driver also makes such
/// a product of a sum, of the integer and its product with a number that only the driver finds constant: so the integer is
/// assembled of words there, which it does not see through.
pub struct SignedProducts;

impl<S> Pass<S> for SignedProducts {
    fn name(&self) -> &'static str {
        "workarounds/signed_products"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| is_affected(function, inst)) {
                *function = rewrite(function, &mut Corrected, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

fn is_affected(function: &Function, inst: &Inst) -> bool {
    Product::of(function, inst).is_some() || with_product(function, inst).is_some()
}

/// The sign-extended integer of a sum or a difference of it and a product of it.
fn with_product(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } = inst.op else { return None };
    if function.ty(lhs).scalar != ScalarType::I64 {
        return None;
    }
    let is_factor = |product, value| {
        let factors = match function.op(product) {
            Some(Op::Binary { op: BinaryOp::Mul, lhs, rhs }) => [*lhs, *rhs],
            _ => return false,
        };
        factors.contains(&value) && is_extended(function, value)
    };
    [(lhs, rhs), (rhs, lhs)].into_iter().find(|(product, value)| is_factor(*product, *value)).map(|(_, value)| value)
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
        let value = if let Some(product) = Product::of(r.old, inst) {
            let extended = r.one(product.extended, self)?;
            corrected(&mut r.b, extended, product.constant)
        } else if let (Some(extended), Op::Binary { op, lhs, rhs }) = (with_product(r.old, inst), &inst.op) {
            let operands = [r.one(*lhs, self)?, r.one(*rhs, self)?];
            let integer = r.one(extended, self)?;
            let opaque = of_words(&mut r.b, integer);
            let [lhs, rhs] = operands.map(|operand| if operand == integer { opaque } else { operand });
            r.b.binary(*op, lhs, rhs)
        } else {
            return Ok(None);
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// The product with the constant, by that with the constant less 2^32.
fn corrected(b: &mut Builder<'_>, extended: Value, constant: i64) -> Value {
    let product = b.binary_int(BinaryOp::Mul, extended, constant - (1 << WORD));
    let low = b.resize(product, ScalarType::I32, false);
    let upper = b.binary_int(BinaryOp::LShr, product, i64::from(WORD));
    let upper = b.resize(upper, ScalarType::I32, false);
    let integer = b.resize(extended, ScalarType::I32, false);
    let high = b.binary(BinaryOp::Add, upper, integer);
    assembled(b, low, high)
}

/// A sign-extended integer, of its lower word and the sign.
fn of_words(b: &mut Builder<'_>, extended: Value) -> Value {
    let low = b.resize(extended, ScalarType::I32, false);
    let high = b.binary_int(BinaryOp::AShr, low, i64::from(WORD) - 1);
    assembled(b, low, high)
}

fn assembled(b: &mut Builder<'_>, low: Value, high: Value) -> Value {
    let lanes: Vec<Value> = (0..b.ty(low).lanes)
        .map(|lane| {
            let words = [low, high].map(|words| b.extract(words, lane));
            let pair = b.construct(&words);
            b.bitcast(pair, Type::I64)
        })
        .collect();
    b.construct(&lanes)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn product(op: &str, value: i32) -> u64 {
        result(&format!("{op}\n  return %2\n"), value)
    }

    /// What the code of the pass returns, whose second value begins the text; the first is the sign extension of `value`.
    fn result(body: &str, value: i32) -> u64 {
        let text = format!("func @f(%0: i32) -> i64 {{\n  %1: i64 = sext %0\n  %2: i64 = {body}}}\n");
        let bits = u64::from(value.cast_unsigned());
        testing::result(&text, &mut Corrected, is_affected, &[bits])
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

    #[test]
    fn sums_with_products_keep_their_values() {
        for value in [0, 1, -1, 0x1234_5678, i32::MAX, i32::MIN] {
            let x = i64::from(value);
            let sums = [("add", x + x * x), ("sub", x * x - x)];
            for (op, expected) in sums {
                let text = format!("mul %1, %1\n  %3: i64 = {op} %2, %1\n  return %3\n");
                assert_eq!(result(&text, value), expected.cast_unsigned(), "{op} {value}");
            }
        }
    }
}
