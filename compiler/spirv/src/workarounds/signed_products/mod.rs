//! `workarounds/signed_products`: rewrites products of sign-extended integers with constants from 2^31 to 2^32 as
//! products with negative constants, and expands products for which the driver would negate the integer in place
//! ([`Workarounds::NVIDIA_SIGNED_PRODUCTS`](clforge_basic::workarounds::Workarounds)).

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};
use terms::{Factors, by_constants, has_unsigned_factor};

mod terms;

/// Bits of the words that products are made of.
const WORD: u32 = 32;

/// The pass. The driver takes the constant for a signed number of 32 bits, and a shift for a product. With the negative number
/// that it means, the product is by 2^32 times the integer too small, which is in the upper word only. The driver also makes such
/// a product of a sum, of the integer and its product with a number that only the driver finds constant: so the integer is
/// assembled of words there, which it does not see through.
///
/// What it takes for an integer of 32 bits is any whose range it finds small enough, and it multiplies the factors of products of
/// products and sums. Where a sum, seen as a sum of integers times constants, has such a constant, the operation that gives it is
/// computed of words.
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
    Product { extended: Value, constants: Factors },
    /// The low bits of a product of these factors, or of an element of one, of which one is the integer, or may have it as an
    /// element.
    LowBits { factors: [Value; 2], element: Option<u8>, mask: Value },
    /// Another product with constants of which a term has such a factor.
    ProductOfWords { integer: Value, constants: Factors },
    /// A sum or a difference of which a term has such a factor.
    SumOfWords { op: BinaryOp, operands: [Value; 2] },
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
        let form = match op {
            BinaryOp::Mul | BinaryOp::Shl => {
                let (integer, factors) = by_constants(function, &inst.op)?;
                Form::of_product(function, integer, factors)
            }
            BinaryOp::And => Form::of_low_bits(function, lhs, rhs),
            BinaryOp::Add | BinaryOp::Sub => [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(product, extended)| {
                is_product_of(function, product, extended).then_some(Form::Sum { extended })
            }),
            _ => None,
        };
        form.or_else(|| {
            if !has_unsigned_factor(function, &inst.op) {
                return None;
            }
            Some(match by_constants(function, &inst.op) {
                Some((integer, constants)) => Form::ProductOfWords { integer, constants },
                None => Form::SumOfWords { op, operands: [lhs, rhs] },
            })
        })
    }

    /// The driver multiplies the factors of a product of products.
    fn of_product(function: &Function, mut extended: Value, mut constants: Factors) -> Option<Form> {
        while let Some((inner, factors)) = function.op(extended).and_then(|op| by_constants(function, op)) {
            extended = inner;
            constants = constants.iter().zip(factors).map(|(outer, inner)| outer.wrapping_mul(inner)).collect();
        }
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
                each_product(&mut r.b, extended, &constants, by_constant)
            }
            Form::LowBits { factors: [lhs, rhs], element, mask } => {
                let factors = [r.one(lhs, self)?, r.one(rhs, self)?];
                let mask = r.one(mask, self)?;
                low_bits(&mut r.b, factors, element, mask)
            }
            Form::ProductOfWords { integer, constants } => {
                let integer = r.one(integer, self)?;
                each_product(&mut r.b, integer, &constants, product_of_words)
            }
            Form::SumOfWords { op, operands: [lhs, rhs] } => {
                let operands = [r.one(lhs, self)?, r.one(rhs, self)?];
                sum_of_words(&mut r.b, op, operands)
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

/// The product with constants, one for each element, each product by the function that is given.
fn each_product(
    b: &mut Builder<'_>,
    integer: Value,
    constants: &[i64],
    product: fn(&mut Builder<'_>, Value, i64) -> Value,
) -> Value {
    match constants {
        [first, others @ ..] if others.iter().all(|other| other == first) => product(b, integer, *first),
        _ => {
            let elements: Vec<Value> = (0..)
                .zip(constants)
                .map(|(lane, constant)| {
                    let element = b.extract(integer, lane);
                    product(b, element, *constant)
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
    let [low, upper] = words(b, product);
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

/// A sum or a difference, which is computed of the words of its operands.
fn sum_of_words(b: &mut Builder<'_>, op: BinaryOp, operands: [Value; 2]) -> Value {
    let [[low, high], [other_low, other_high]] = operands.map(|operand| words(b, operand));
    let word = b.binary(op, low, other_low);
    let (smaller, larger) = if op == BinaryOp::Add { (word, low) } else { (low, other_low) };
    let is_carried = b.compare(CompareOp::ULt, smaller, larger);
    let [zero, one] = [0, 1].map(|bit| b.int(b.ty(low), bit));
    let carry = b.select(is_carried, one, zero);
    let upper = b.binary(op, high, other_high);
    let upper = b.binary(op, upper, carry);
    assembled(b, word, upper)
}

/// The product with a constant, which is computed of words.
fn product_of_words(b: &mut Builder<'_>, integer: Value, constant: i64) -> Value {
    let factor = constant.cast_unsigned();
    let [low, high] = words(b, integer);
    if factor.is_power_of_two() {
        return shifted_words(b, [low, high], factor.trailing_zeros());
    }
    let wide = b.resize(low, ScalarType::I64, false);
    let product = b.binary_int(BinaryOp::Mul, wide, constant & i64::from(u32::MAX));
    let [word, upper] = words(b, product);
    let crosswise = [(high, constant & i64::from(u32::MAX)), (low, constant >> WORD)];
    let upper = crosswise.into_iter().fold(upper, |upper, (word, factor)| {
        let part = b.binary_int(BinaryOp::Mul, word, factor);
        b.binary(BinaryOp::Add, upper, part)
    });
    assembled(b, word, upper)
}

/// The integer of these words, shifted to the left. No operation has 64 bits, which the driver would make products of.
fn shifted_words(b: &mut Builder<'_>, [low, high]: [Value; 2], count: u32) -> Value {
    let mut shifted = |op, word, count: u32| b.binary_int(op, word, i64::from(count));
    let (word, upper) = match count {
        0 => (low, high),
        1..WORD => {
            let from_low = shifted(BinaryOp::LShr, low, WORD - count);
            let from_high = shifted(BinaryOp::Shl, high, count);
            let word = shifted(BinaryOp::Shl, low, count);
            (word, b.binary(BinaryOp::Or, from_high, from_low))
        }
        _ => {
            let upper = shifted(BinaryOp::Shl, low, count - WORD);
            (b.int(b.ty(low), 0), upper)
        }
    };
    assembled(b, word, upper)
}

/// The lower and the upper word of an integer.
fn words(b: &mut Builder<'_>, integer: Value) -> [Value; 2] {
    let upper = b.binary_int(BinaryOp::LShr, integer, i64::from(WORD));
    [integer, upper].map(|word| b.resize(word, ScalarType::I32, false))
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
    fn products_of_products_and_of_sums_are_corrected() {
        for value in [0, 1, -1, 2, 0x1234_5678, -0x1234_5678, i32::MAX, i32::MIN] {
            let x = i64::from(value);
            let chains = [
                ("mul %1, i64 134217728\n  %3: i64 = shl %2, i64 4", x << 31),
                ("shl %1, i64 4\n  %3: i64 = mul i64 134217728, %2", x << 31),
                ("mul %1, i64 -3\n  %3: i64 = mul %2, i64 -1000000000", x * 3_000_000_000),
                (
                    "mul %1, i64 2147483647\n  %3: i64 = mul %2, i64 6442450945",
                    x.wrapping_mul(2_147_483_647).wrapping_mul(6_442_450_945),
                ),
                ("add %1, i64 1\n  %3: i64 = shl %2, i64 31", (x + 1) << 31),
                ("neg %1\n  %3: i64 = mul %2, i64 2863311531", x.wrapping_neg().wrapping_mul(2_863_311_531)),
                ("sub i64 5000000000, %1\n  %3: i64 = shl %2, i64 31", (5_000_000_000 - x) << 31),
                ("shl %1, i64 30\n  %3: i64 = add %2, %2", x << 31),
                (
                    "mul %1, i64 1000000000\n  %3: i64 = mul %1, i64 -2000000000\n  %4: i64 = sub %2, %3",
                    x * 3_000_000_000,
                ),
                ("and %1, i64 -8\n  %3: i64 = shl %2, i64 31", (x & -8) << 31),
                ("shl %1, i64 27\n  %3: i64 = sub %2, i64 1\n  %4: i64 = shl %3, i64 4", ((x << 27) - 1) << 4),
            ];
            for (ops, expected) in chains {
                let last = if ops.contains("%4") { "%4" } else { "%3" };
                let result = result(&format!("{ops}\n  return {last}\n"), value);
                assert_eq!(result, expected.cast_unsigned(), "{ops} of {value}");
            }
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
