//! `vulkan/pair_integers`: integers of 64 bits become pairs of 32-bit words, for devices without `Int64`
//! ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)).
//!
//! A value, or each lane of a vector, becomes two values, its lower and its upper words: `i64x3` two `i32x3`. Most of
//! what is known of upper words is folded: the index of an array that is extended from 32 bits has none to compute
//! with. Addresses are such integers (`vulkan/memory`), and become vectors of two words where they are accessed; the
//! emitter converts these to pointers by `OpBitcast`. In memory a pair is a vector of two words, which has the same
//! bytes. A function returns a pair as a vector of two words. If the pairs of a vector do not fit the four lanes of
//! Vulkan's vectors, it returns their words in a module-scope private variable.
//!
//! Divisions are expanded before (`vulkan/wide_division`). Atomic operations on 64 bits cannot be made of others, and
//! are errors.
//!
//! ```ir
//! ; pass: vulkan/pair_integers
//! ; The counter of 32 bits that is added has no upper word but its carry.
//! variable @v0 "push" push_constant i32 bytes 8
//! func @f(%0: i64, %1: i32) {
//!   %2: i64 = zext %1
//!   %3: i64 = add %0, %2
//!   %4: i64 = load align 8 %3
//!   %5: i64 = shl %4, i64 40
//!   store align 8 %0, %5
//!   return
//! }
//! ; ---
//! variable @v0 "push" push_constant i32 bytes 8
//! func @f(%0: i32, %1: i32, %2: i32) {
//!   %3: i32 = add %0, %2
//!   %4: bool = ult %3, %2
//!   %5: i32 = zext %4
//!   %6: i32 = add %1, %5
//!   %7: i32x2 = construct %3, %6
//!   %8: i32x2 = load align 8 %7
//!   %9: i32 = extract %8 0
//!   %10: i32 = extract %8 1
//!   %11: i32 = shl %9, i32 8
//!   %12: i32x2 = construct %0, %1
//!   %13: i32x2 = construct i32 0, %11
//!   store align 8 %12, %13
//!   return
//! }
//! ```

mod arithmetic;
mod conversions;
mod groups;
mod memory;
mod selectors;
#[cfg(test)]
mod tests;

use crate::legalize::{Context, State};
use arithmetic::Pair;
use clforge_ir::error::Unsupported;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use memory::Variables;
use smallvec::{SmallVec, smallvec};

/// The pass. It runs after all passes that know what 64-bit operations are worth.
pub struct PairIntegers;

impl Pass<State> for PairIntegers {
    fn name(&self) -> &'static str {
        "vulkan/pair_integers"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), after: &["vulkan/wide_division"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let results = memory::results(module);
        let variables = Variables::pair(module);
        let mut changed = Changed::No;
        for function in &mut module.functions {
            let has_wide = function.values().any(|value| is_wide(function.ty(value)));
            if has_wide || function.result.is_some_and(is_wide) {
                selectors::narrow(function);
                let mut pass = Pairs { variables: &variables, results: &results, returned: function.result };
                let span = function.span;
                *function = rewrite(function, &mut pass, &mut room).map_err(|error| error.at(span))?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// Whether a type is one of integers of 64 bits.
fn is_wide(ty: Type) -> bool {
    ty.scalar == ScalarType::I64
}

/// The type of the words of a value of 64-bit integers.
fn words_of(ty: Type) -> Type {
    ty.with_scalar(ScalarType::I32)
}

struct Pairs<'m> {
    variables: &'m Variables,
    /// The types of the results of functions, as they were.
    results: &'m [Option<Type>],
    /// The result of the function that is rewritten.
    returned: Option<Type>,
}

impl Rewrite for Pairs<'_> {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        if is_wide(ty) { smallvec![words_of(ty), words_of(ty)] } else { smallvec![ty] }
    }

    fn result(&self, ty: Type) -> Type {
        if is_wide(ty) { memory::returned_type(ty) } else { ty }
    }

    fn constant(&self, _: Value, constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        let ty = constant.ty();
        if !is_wide(ty) {
            return None;
        }
        let word = |shift: u32| match constant {
            Constant::Bits { lanes, .. } => Constant::Bits {
                ty: words_of(ty),
                lanes: lanes.iter().map(|bits| bits >> shift & constant::mask(ScalarType::I32)).collect(),
            },
            Constant::Undef(_) => Constant::Undef(words_of(ty)),
        };
        Some(smallvec![word(0), word(32)])
    }

    fn returned(&mut self, r: &mut Rewriter<'_>, value: Value) -> Result<Option<Value>, Error> {
        let Some(ty) = self.returned.filter(|ty| is_wide(*ty)) else { return Ok(None) };
        let pair = self.pair(r, value)?;
        memory::to_returned(&mut r.b, self.variables, ty, pair).map(Some)
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let result = inst.results.first().map(|result| r.old.ty(*result));
        let mut wide = result.is_some_and(is_wide);
        inst.op.for_each_operand(|operand| wide |= is_wide(r.old.ty(operand)));
        if let Op::VariableLoad { variable, .. }
        | Op::VariableStore { variable, .. }
        | Op::VariableAtomic { variable, .. } = &inst.op
        {
            wide |= self.variables.element(*variable).is_some();
        }
        if !wide {
            return Ok(None);
        }
        let part = |value: Value| -> Parts { smallvec![value] };
        let parts: Parts = match (&inst.op, result) {
            (Op::Call { function, .. }, _) => {
                let values = r.copy(inst, self)?;
                match (values.first(), self.results.get(usize::from(*function)).copied().flatten()) {
                    (Some(value), Some(ty)) if is_wide(ty) => {
                        memory::from_returned(&mut r.b, self.variables, ty, *value)?.parts()
                    }
                    _ => values.into_iter().collect(),
                }
            }
            (Op::Load { .. }, Some(ty)) => self.load(r, inst, ty)?,
            (Op::Store { ptr, value, align, volatile }, _) => {
                self.store(r, *ptr, *value, *align, *volatile)?;
                return Ok(Some(SmallVec::new()));
            }
            (Op::Atomic { .. }, _) => return self.atomic(r, inst).map(Some),
            (Op::VariableLoad { variable, index }, Some(ty)) => self.load_variable(r, *variable, *index, ty)?.parts(),
            (Op::VariableStore { variable, index, value }, _) => {
                self.store_variable(r, *variable, *index, *value)?;
                return Ok(Some(SmallVec::new()));
            }
            (Op::VariableAtomic { .. }, _) => return Err(Error::unsupported(Unsupported::WideAtomics)),
            (Op::Unary { op, operand }, _) => {
                let pair = self.pair(r, *operand)?;
                arithmetic::unary(&mut r.b, *op, pair)?.parts()
            }
            (Op::Binary { op, lhs, rhs }, _) => {
                let (a, b) = (self.pair(r, *lhs)?, self.pair(r, *rhs)?);
                arithmetic::binary(&mut r.b, *op, a, b)?.parts()
            }
            (Op::Compare { op, lhs, rhs }, _) => {
                let (a, b) = (self.pair(r, *lhs)?, self.pair(r, *rhs)?);
                part(arithmetic::compare(&mut r.b, *op, a, b)?)
            }
            (Op::Convert { op, operand }, Some(ty)) => self.convert(r, *op, *operand, ty)?,
            (Op::Intrinsic { function, args }, _) => self.intrinsic(r, *function, args)?.parts(),
            (Op::Group { .. }, _) => self.group(r, inst)?,
            (Op::ReadClock(_), _) => {
                let both = r.b.push(inst.op.clone(), &[Type::I32X2])[0];
                Pair::of_vector(&mut r.b, both).parts()
            }
            (
                Op::Select { .. }
                | Op::Extract { .. }
                | Op::Insert { .. }
                | Op::ExtractDynamic { .. }
                | Op::InsertDynamic { .. }
                | Op::Construct { .. }
                | Op::Shuffle { .. },
                _,
            ) => self.of_each_word(r, inst)?,
            (op, _) => return Err(Error::internal(format!("an operation on integers of 64 bits: {op:?}"))),
        };
        Ok(Some(smallvec![parts]))
    }
}

impl Pairs<'_> {
    /// The words of an old value.
    fn pair(&self, r: &mut Rewriter<'_>, old: Value) -> Result<Pair, Error> {
        match r.parts(old, self)?[..] {
            [low, high] => Ok(Pair { low, high }),
            _ => Err(Error::internal(format!("%{old} is no pair"))),
        }
    }

    /// An operation that moves values or lanes, on the lower and on the upper words.
    fn of_each_word(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Parts, Error> {
        let ty = r.old.ty(inst.result()?);
        let mut values: SmallVec<[Parts; 4]> = SmallVec::new();
        let mut failed = None;
        inst.op.for_each_operand(|operand| {
            // A condition or an index is the same for both, of whatever width.
            match r.parts(operand, self) {
                Ok(parts) => values.push(parts),
                Err(error) => failed = Some(error),
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let words = if is_wide(ty) { 2 } else { 1 };
        let mut parts = Parts::new();
        for word in 0..words {
            let mut op = inst.op.clone();
            let mut operands = values.iter();
            op.for_each_operand_mut(|value| {
                let parts = operands.next().map_or(&[][..], |parts| &parts[..]);
                *value = parts.get(word).or(parts.first()).copied().unwrap_or(*value);
            });
            let part = if is_wide(ty) { words_of(ty) } else { ty };
            parts.push(if op.is_pure() { r.b.emit(op, part) } else { r.b.push(op, &[part])[0] });
        }
        Ok(parts)
    }
}
