//! `workarounds/narrow_product`: a product of narrow integers that is compared is made of fields of bits in kernels with
//! functions of the driver's library ([`Workarounds::NVIDIA_NARROW_PRODUCT`](clforge_basic::workarounds::Workarounds)).

use super::library;
use super::narrow::is_narrow;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. A comparison of a product of zero-extended integers, or of its upper half, may ask whether the product of the
/// narrow ones overflows, for which the driver has no code of 8 bits. It does not recognise one where an operand is a field.
pub struct NarrowProduct;

impl<S> Pass<S> for NarrowProduct {
    fn name(&self) -> &'static str {
        "workarounds/narrow_product"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_replaced = |function: &Function, inst: &Inst| Comparison::of(function, inst).is_some();
        library::rewrite_where_linked(module, context.options, is_replaced, &mut Fields)
    }
}

/// A comparison of a product, or of some bits of one, with something else.
struct Comparison {
    op: CompareOp,
    product: Product,
    other: Value,
    /// Whether the product is the second operand.
    is_swapped: bool,
}

/// A product of two narrow integers, and what is done to it.
struct Product {
    factors: [Value; 2],
    /// The first one first.
    steps: SmallVec<[Step; 2]>,
}

/// What takes some bits of a product.
enum Step {
    /// A shift or a conjunction with a constant.
    Binary(BinaryOp, Value),
    Truncate(ScalarType),
}

/// Operations between a product and its comparison that are looked through.
const MAX_STEPS: usize = 4;

impl Comparison {
    fn of(function: &Function, inst: &Inst) -> Option<Comparison> {
        let Op::Compare { op, lhs, rhs } = inst.op else { return None };
        let comparison = |value, other, is_swapped| {
            Product::of(function, value).map(|product| Comparison { op, product, other, is_swapped })
        };
        comparison(lhs, rhs, false).or_else(|| comparison(rhs, lhs, true))
    }
}

impl Product {
    fn of(function: &Function, mut value: Value) -> Option<Product> {
        let mut steps = SmallVec::new();
        for _ in 0..MAX_STEPS {
            match *function.op(value)? {
                Op::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                    let are_narrow = match function.ty(lhs).scalar {
                        ScalarType::I16 => true,
                        ScalarType::I32 => [lhs, rhs].iter().all(|factor| is_narrow(function, *factor)),
                        _ => false,
                    };
                    steps.reverse();
                    return are_narrow.then_some(Product { factors: [lhs, rhs], steps });
                }
                Op::Binary { op: op @ (BinaryOp::LShr | BinaryOp::AShr | BinaryOp::And), lhs, rhs }
                    if function.as_constant(rhs).is_some() =>
                {
                    steps.push(Step::Binary(op, rhs));
                    value = lhs;
                }
                Op::Convert { op: ConvertOp::Trunc, operand } => {
                    steps.push(Step::Truncate(function.ty(value).scalar));
                    value = operand;
                }
                _ => return None,
            }
        }
        None
    }
}

struct Fields;

impl Rewrite for Fields {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(Comparison { op, product: Product { factors: [lhs, rhs], steps }, other, is_swapped }) =
            Comparison::of(r.old, inst)
        else {
            return Ok(None);
        };
        let (lhs, rhs, other) = (r.one(lhs, self)?, r.one(rhs, self)?, r.one(other, self)?);
        let scalar = r.b.ty(lhs).scalar;
        let word = r.b.resize(lhs, ScalarType::I32, false);
        // One bit more than the integer has, which is the sign, and zero.
        let (first, count) = (r.b.int(Type::I32, 0), r.b.int(Type::I32, 17));
        let field = r.b.intrinsic(Intrinsic::BitFieldSExtract, &[word, first, count], r.b.ty(word));
        let field = r.b.resize(field, scalar, false);
        let mut bits = r.b.binary(BinaryOp::Mul, field, rhs);
        for step in steps {
            bits = match step {
                Step::Binary(op, constant) => {
                    let constant = r.one(constant, self)?;
                    r.b.binary(op, bits, constant)
                }
                Step::Truncate(scalar) => r.b.resize(bits, scalar, false),
            };
        }
        let (lhs, rhs) = if is_swapped { (other, bits) } else { (bits, other) };
        Ok(Some(smallvec![smallvec![r.b.compare(op, lhs, rhs)]]))
    }
}
