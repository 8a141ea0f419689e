//! `workarounds/signed_products`: rewrites products of sign-extended integers with constants from 2^31 to 2^32 as
//! products with negative constants, and expands products for which the driver would negate the integer in place
//! ([`Workarounds::NVIDIA_SIGNED_PRODUCTS`](clforge_basic::workarounds::Workarounds)).

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, Context, Order, Pass};
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
///
/// Where only low bits of a product count, and the lower word of the constant has all bits set, the driver negates the integer
/// in its register, and takes the negative for the integer elsewhere. Products of which a mask leaves low bits are multiplied in
/// 32 bits, which makes them negatives of the lower word that the driver gets right; other products with such constants are
/// differences.
pub struct SignedProducts;

impl<S> Pass<S> for SignedProducts {
    fn name(&self) -> &'static str {
        "workarounds/signed_products"
    }

    fn order(&self) -> Order {
        Order {
            before: &[
                "workarounds/overflow_checks",
                "workarounds/vector_division",
                "workarounds/narrow_negation",
                "workarounds/literal_zeros",
            ],
            ..LAST
        }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
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
    Form::of(function, inst).is_some()
}

/// What is affected, and its sign-extended integer.
enum Form {
    /// A product of the integer, or of a vector of them, and constants, one for each element, of which some are not
    /// [`Factor::Other`].
    Product { extended: Value, constants: SmallVec<[i64; 4]> },
    /// The low bits of a product of these factors, or of an element of one, of which one is the integer, or may have it as an
    /// element.
    LowBits { factors: [Value; 2], element: Option<u8>, mask: Value },
    /// A sum or a difference of the integer and a product of it, or a shift that leaves its lower word zero.
    Sum { extended: Value },
}

/// What a sign-extended integer is multiplied by.
enum Factor {
    /// From 2^31 on, below 2^32.
    Unsigned,
    /// The lower word has all bits set. The driver multiplies correctly by -1.
    EndsInOnes,
    /// The driver multiplies correctly.
    Other,
}

impl Factor {
    fn of(constant: i64) -> Factor {
        let bits = constant.cast_unsigned();
        if bits >> (WORD - 1) == 1 {
            Factor::Unsigned
        } else if bits.trailing_ones() >= WORD && constant != -1 {
            Factor::EndsInOnes
        } else {
            Factor::Other
        }
    }
}

impl Form {
    fn of(function: &Function, inst: &Inst) -> Option<Form> {
        let Op::Binary { op, lhs, rhs } = inst.op else { return None };
        if function.ty(lhs).scalar != ScalarType::I64 {
            return None;
        }
        let either_way = [(lhs, rhs), (rhs, lhs)];
        match op {
            BinaryOp::Mul => either_way.into_iter().find_map(|(integer, factor)| {
                let lanes = function.as_constant(factor)?.lanes()?;
                Form::of_product(function, integer, lanes.iter().map(|lane| lane.cast_signed()).collect())
            }),
            BinaryOp::Shl => {
                let factors = function.as_constant(rhs)?.lanes()?.iter().map(|count| {
                    let factor = 1_u64.checked_shl(u32::try_from(*count).ok()?)?;
                    Some(factor.cast_signed())
                });
                Form::of_product(function, lhs, factors.collect::<Option<_>>()?)
            }
            BinaryOp::And => Form::of_low_bits(function, lhs, rhs),
            BinaryOp::Add | BinaryOp::Sub => either_way.into_iter().find_map(|(product, extended)| {
                is_product_of(function, product, extended).then_some(Form::Sum { extended })
            }),
            _ => None,
        }
    }

    fn of_product(function: &Function, extended: Value, constants: SmallVec<[i64; 4]>) -> Option<Form> {
        let is_affected = constants.iter().any(|constant| !matches!(Factor::of(*constant), Factor::Other));
        (is_affected && is_extended(function, extended)).then_some(Form::Product { extended, constants })
    }

    fn of_low_bits(function: &Function, product: Value, mask: Value) -> Option<Form> {
        let lanes = function.as_constant(mask)?.lanes()?;
        let (product, element) = match function.op(product) {
            Some(Op::Extract { vector, lane }) => (*vector, Some(*lane)),
            _ => (product, None),
        };
        let Some(Op::Binary { op: BinaryOp::Mul, lhs, rhs }) = function.op(product) else { return None };
        let factors = [*lhs, *rhs];
        let is_low = lanes.iter().all(|lane| lane >> WORD == 0);
        let may_be_extended = |value: &Value| function.ty(*value).lanes > 1 || is_extended(function, *value);
        (is_low && factors.iter().any(may_be_extended)).then_some(Form::LowBits { factors, element, mask })
    }
}

/// Whether it is a product of a sign-extended integer.
fn is_product_of(function: &Function, product: Value, integer: Value) -> bool {
    let is_factor = match function.op(product) {
        Some(Op::Binary { op: BinaryOp::Mul, lhs, rhs }) => [*lhs, *rhs].contains(&integer),
        Some(Op::Binary { op: BinaryOp::Shl, lhs, rhs }) => *lhs == integer && is_word_or_more(function, *rhs),
        _ => false,
    };
    is_factor && is_extended(function, integer)
}

/// Whether the upper word of a value is seen to be copies of the sign of the lower one.
fn is_extended(function: &Function, value: Value) -> bool {
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::SExt, .. }) => true,
        Some(Op::Binary { op: BinaryOp::AShr, rhs, .. }) => is_word_or_more(function, *rhs),
        _ => false,
    }
}

/// Whether the count of a shift is a constant of 32 at least.
fn is_word_or_more(function: &Function, count: Value) -> bool {
    constant(function, count).is_some_and(|count| count >= u64::from(WORD))
}

/// The bits of a constant, or of one whose lanes are all equal.
fn constant(function: &Function, value: Value) -> Option<u64> {
    function.as_constant(value).and_then(Constant::splat_bits)
}

struct Corrected;

impl Rewrite for Corrected {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(form) = Form::of(r.old, inst) else { return Ok(None) };
        let value = match form {
            Form::Product { extended, constants } => {
                let extended = r.one(extended, self)?;
                product(&mut r.b, extended, &constants)
            }
            Form::LowBits { factors: [lhs, rhs], element, mask } => {
                let factors = [r.one(lhs, self)?, r.one(rhs, self)?];
                let mask = r.one(mask, self)?;
                low_bits(&mut r.b, factors, element, mask)
            }
            Form::Sum { extended } => {
                let Op::Binary { op, lhs, rhs } = inst.op else { return Ok(None) };
                let operands = [r.one(lhs, self)?, r.one(rhs, self)?];
                let integer = r.one(extended, self)?;
                let opaque = of_words(&mut r.b, integer);
                let [lhs, rhs] = operands.map(|operand| if operand == integer { opaque } else { operand });
                r.b.binary(op, lhs, rhs)
            }
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// The product with constants, one for each element.
fn product(b: &mut Builder<'_>, extended: Value, constants: &[i64]) -> Value {
    match constants {
        [first, others @ ..] if others.iter().all(|other| other == first) => by_constant(b, extended, *first),
        _ => {
            let elements: Vec<Value> = (0..)
                .zip(constants)
                .map(|(lane, constant)| {
                    let element = b.extract(extended, lane);
                    by_constant(b, element, *constant)
                })
                .collect();
            b.construct(&elements)
        }
    }
}

fn by_constant(b: &mut Builder<'_>, extended: Value, constant: i64) -> Value {
    match Factor::of(constant) {
        Factor::Unsigned => by_unsigned(b, extended, constant),
        Factor::EndsInOnes => {
            let more = b.binary_int(BinaryOp::Mul, extended, constant.wrapping_add(1));
            let once = of_words(b, extended);
            b.binary(BinaryOp::Sub, more, once)
        }
        Factor::Other => b.binary_int(BinaryOp::Mul, extended, constant),
    }
}

/// The product with a constant, by that with the constant less 2^32.
fn by_unsigned(b: &mut Builder<'_>, extended: Value, constant: i64) -> Value {
    let product = b.binary_int(BinaryOp::Mul, extended, constant - (1 << WORD));
    let low = b.resize(product, ScalarType::I32, false);
    let upper = b.binary_int(BinaryOp::LShr, product, i64::from(WORD));
    let upper = b.resize(upper, ScalarType::I32, false);
    let integer = b.resize(extended, ScalarType::I32, false);
    let high = b.binary(BinaryOp::Add, upper, integer);
    assembled(b, low, high)
}

/// The low bits of a product, or of an element of one, in 32 bits.
fn low_bits(b: &mut Builder<'_>, factors: [Value; 2], element: Option<u8>, mask: Value) -> Value {
    let factors = factors.map(|factor| element.map_or(factor, |lane| b.extract(factor, lane)));
    let [lhs, rhs, mask] = [factors[0], factors[1], mask].map(|value| b.resize(value, ScalarType::I32, false));
    let product = b.binary(BinaryOp::Mul, lhs, rhs);
    let low = b.binary(BinaryOp::And, product, mask);
    b.resize(low, ScalarType::I64, false)
}

/// A sign-extended integer, of its lower word and the sign.
fn of_words(b: &mut Builder<'_>, extended: Value) -> Value {
    let low = b.resize(extended, ScalarType::I32, false);
    let high = b.binary_int(BinaryOp::AShr, low, i64::from(WORD) - 1);
    assembled(b, low, high)
}

/// Integers of 64 bits, of their lower and upper words.
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
    fn products_with_constants_that_end_in_ones_keep_their_values() {
        for value in [0, 1, -1, 0x1234_5678, i32::MAX, i32::MIN] {
            let x = i64::from(value);
            for constant in [i64::MAX, 0x1_FFFF_FFFF, 0xF7_FFFF_FFFF, -1 - (1 << 32), 0x9E37_79B1, 3] {
                let expected = x.wrapping_mul(constant).cast_unsigned();
                assert_eq!(product(&format!("mul i64 {constant}, %1"), value), expected, "{value} * {constant}");
                let low = format!("mul %1, i64 {constant}\n  %3: i64 = and %2, i64 63\n  return %3\n");
                assert_eq!(result(&low, value), expected & 63, "{value} * {constant} & 63");
                let element = format!(
                    "add %1, i64 5\n  %3: i64x2 = construct i64 {constant}, %2\n  %4: i64x2 = construct %1, %2\n  \
                     %5: i64x2 = mul %3, %4\n  %6: i64 = extract %5 0\n  %7: i64 = and %6, i64 63\n  return %7\n"
                );
                assert_eq!(result(&element, value), expected & 63, "{value} * {constant} & 63, an element");
                let mixed = format!(
                    "add %1, i64 5\n  %3: i32x2 = construct %0, i32 7\n  %4: i64x2 = sext %3\n  \
                     %5: i64x2 = mul i64x2 [{constant}, 3], %4\n  %6: i64 = extract %5 0\n  return %6\n"
                );
                assert_eq!(result(&mixed, value), expected, "{value} * {constant}, beside another product");
            }
            let difference = (x << 40).wrapping_sub(x).cast_unsigned();
            assert_eq!(result("shl %1, i64 40\n  %3: i64 = sub %2, %1\n  return %3\n", value), difference, "{value}");
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
