//! `promote_integers` computes with integers of 8 and 16 bits in 32 bits, as LLVM's type legalisation does.
//!
//! GPUs have registers of 32 bits. Drivers that compile narrow arithmetic literally widen and truncate at every
//! operation, even for values that a loop only carries along (on an NVIDIA H100 the edit distance of words took 0.18 ms
//! before and 0.10 ms after, vectors of shorts 2.15 and 0.80 ms). The bits of a promoted value above its width are
//! undefined, so that sums, products and bitwise operations need no correction. An operation that depends on these
//! bits, such as a comparison, first brings the value into a [`Form`]. If all uses of a value need the same form, the
//! value gets it at its definition; the same holds for values that loops and branches pass on. Loads, stores and
//! operations without a 32-bit equivalent keep the narrow types, unless the device lacks these
//! ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)): then bitcasts are shifts and masks (`bits.rs`), and
//! operations of a group are those of words. Loads and stores are replaced before.

mod bits;
mod forms;
#[cfg(test)]
mod tests;

use crate::pass::{Changed, Context, Order, Pass};
use crate::rewrite::{Parts, Rewrite, Rewriter, rewrite_with};
use crate::room::Room;
use crate::*;
use clforge_basic::options::EmulatedTypes;
use forms::{Form, Forms, Known, is_narrow};
use smallvec::{SmallVec, smallvec};

/// The pass.
pub struct PromoteIntegers;

impl<S> Pass<S> for PromoteIntegers {
    fn name(&self) -> &'static str {
        "promote_integers"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
        for function in &mut module.functions {
            if !computes(function) && !context.options.device.emulated.any_narrow() {
                continue;
            }
            let forms = Forms::new(function);
            let mut pass = Promotion { forms, emulated: context.options.device.emulated };
            let forms: Vec<Form> = function.params.iter().map(|param| pass.forms.of(*param)).collect();
            *function = rewrite_with(function, &mut pass, &mut room, |r, index| Ok(argument(r, index, &forms)))?;
            changed = Changed::Maybe;
        }
        Ok(changed)
    }
}

/// Whether a function does more with narrow integers than to load, store and convert them. Its signature counts, since
/// callers and callees must agree.
fn computes(function: &Function) -> bool {
    let is_narrow_value = |value: &Value| is_narrow(function.ty(*value));
    if function.result.is_some_and(is_narrow) || function.params.iter().any(is_narrow_value) {
        return true;
    }
    let mut found = false;
    function.walk_body(|_, inst| {
        let only_converts = matches!(
            inst.op,
            Op::Load { .. }
                | Op::VariableLoad { .. }
                | Op::Store { .. }
                | Op::VariableStore { .. }
                | Op::Convert { .. }
        );
        if !found && !only_converts {
            found = inst.results.iter().any(is_narrow_value);
            inst.op.for_each_operand(|operand| found |= is_narrow(function.ty(operand)));
        }
    });
    found
}

/// A parameter, which comes in any form, in the one that its uses want.
fn argument(r: &mut Rewriter<'_>, index: u32, forms: &[Form]) -> Option<Parts> {
    let index = index as usize;
    let (ty, form) = (r.old.ty(*r.old.params.get(index)?), *forms.get(index)?);
    if !is_narrow(ty) {
        return None;
    }
    let param = r.b.function.add_param(promoted(ty));
    Some(smallvec![in_form(&mut r.b, param, ty.scalar, form)])
}

/// The type of a promoted value.
fn promoted(ty: Type) -> Type {
    if is_narrow(ty) { ty.with_scalar(ScalarType::I32) } else { ty }
}

struct Promotion {
    forms: Forms,
    emulated: EmulatedTypes,
}

impl Rewrite for Promotion {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![promoted(ty)]
    }

    /// An undefined value becomes one that fits its type, whatever form is relied on.
    fn constant(&self, value: Value, constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        let ty = constant.ty();
        is_narrow(ty).then(|| smallvec![self.forms.constant(constant, self.forms.of(value))])
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let mut narrow = inst.results.iter().any(|result| is_narrow(r.old.ty(*result)));
        inst.op.for_each_operand(|operand| narrow |= is_narrow(r.old.ty(operand)));
        if !narrow {
            return Ok(None);
        }
        let (values, known) = match &inst.op {
            Op::Binary { op, lhs, rhs } => self.binary(r, *op, *lhs, *rhs)?,
            Op::Compare { op, lhs, rhs } => return Ok(Some(smallvec![self.compare(r, *op, *lhs, *rhs)?])),
            Op::Convert { op, operand } => self.convert(r, inst, *op, *operand)?,
            Op::Unary { .. } | Op::Call { .. } => (r.copy(inst, self)?, Known::default()),
            Op::Select { .. }
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::ExtractDynamic { .. }
            | Op::InsertDynamic { .. }
            | Op::Construct { .. }
            | Op::Shuffle { .. } => self.moved(r, inst)?,
            Op::Group { op, scope, uniform } if self.lacks(r.old, inst) => {
                (smallvec![self.group(r, inst, *op, *scope, *uniform)?], Known::default())
            }
            _ => self.as_it_is(r, inst)?,
        };
        let parts = inst.results.iter().zip(values).map(|(result, value)| self.define(r, *result, value, known));
        Ok(Some(parts.collect()))
    }
}

impl Promotion {
    /// The parts of a result, in the form that its uses want.
    fn define(&mut self, r: &mut Rewriter<'_>, old: Value, value: Value, known: Known) -> Parts {
        let ty = r.old.ty(old);
        if !is_narrow(ty) {
            return smallvec![value];
        }
        let form = self.forms.of(old);
        if !known.has(form) {
            // What was known of the word before does not hold for its extension, of which the form itself is known.
            return smallvec![in_form(&mut r.b, value, ty.scalar, form)];
        }
        self.forms.learn(old, known);
        smallvec![value]
    }

    /// An operand in a form.
    fn operand(&self, r: &mut Rewriter<'_>, old: Value, form: Form) -> Result<Value, Error> {
        let ty = r.old.ty(old);
        if !is_narrow(ty) {
            return r.one(old, self);
        }
        if let Some(constant) = r.old.as_constant(old) {
            let constant = self.forms.constant(constant, form);
            return Ok(r.b.function.constant(constant));
        }
        let value = r.one(old, self)?;
        Ok(if self.forms.known(old).has(form) { value } else { in_form(&mut r.b, value, ty.scalar, form) })
    }

    /// What is known of an operand, which is extended to a form if it is a constant.
    fn known(&self, r: &Rewriter<'_>, old: Value, form: Form) -> Known {
        match r.old.as_constant(old) {
            Some(constant) => self.forms.known_constant(constant, form),
            None => self.forms.known(old),
        }
    }

    fn binary(
        &self,
        r: &mut Rewriter<'_>,
        op: BinaryOp,
        lhs: Value,
        rhs: Value,
    ) -> Result<(SmallVec<[Value; 1]>, Known), Error> {
        let (left, right) = forms::of_operands(op);
        let (a, b) = (self.known(r, lhs, left), self.known(r, rhs, right));
        let (lhs, rhs) = (self.operand(r, lhs, left)?, self.operand(r, rhs, right)?);
        Ok((smallvec![r.b.binary(op, lhs, rhs)], forms::of_result(op, a, b)))
    }

    /// A comparison; of equality in the form that costs least.
    fn compare(&self, r: &mut Rewriter<'_>, op: CompareOp, lhs: Value, rhs: Value) -> Result<Parts, Error> {
        let form = match (op, op.unsigned()) {
            (_, Some(_)) => Form::Sign,
            (CompareOp::Eq | CompareOp::Ne, _) => {
                let signed = [lhs, rhs].map(|operand| self.known(r, operand, Form::Sign).sign);
                if signed == [true; 2] { Form::Sign } else { Form::Zero }
            }
            _ => Form::Zero,
        };
        let (lhs, rhs) = (self.operand(r, lhs, form)?, self.operand(r, rhs, form)?);
        Ok(smallvec![r.b.compare(op, lhs, rhs)])
    }

    fn convert(
        &self,
        r: &mut Rewriter<'_>,
        inst: &Inst,
        op: ConvertOp,
        operand: Value,
    ) -> Result<(SmallVec<[Value; 1]>, Known), Error> {
        let (from, to) = (r.old.ty(operand), r.old.ty(inst.result()?));
        let form = match op {
            ConvertOp::ZExt | ConvertOp::UToF => Form::Zero,
            ConvertOp::SExt | ConvertOp::SToF => Form::Sign,
            ConvertOp::Trunc | ConvertOp::FToS | ConvertOp::FToU => Form::Any,
            ConvertOp::Bitcast if self.lacks(r.old, inst) => {
                return Ok((smallvec![self.bits(r, operand, to)?], Known::default()));
            }
            _ => return self.as_it_is(r, inst),
        };
        let value = self.operand(r, operand, form)?;
        let value = match op {
            ConvertOp::Trunc => r.b.resize(value, ScalarType::I32, false),
            ConvertOp::ZExt | ConvertOp::SExt if from.scalar != ScalarType::Bool => {
                r.b.resize(value, promoted(to).scalar, op == ConvertOp::SExt)
            }
            _ => r.b.convert(op, value, promoted(to)),
        };
        let known = match op {
            ConvertOp::ZExt => Known { zero: true, sign: true },
            ConvertOp::SExt => Known { zero: false, sign: true },
            _ => forms::of_word(r.b.function, value, to.scalar),
        };
        Ok((smallvec![value], known))
    }

    /// Whether the device lacks a narrow type of an operation.
    fn lacks(&self, function: &Function, inst: &Inst) -> bool {
        let lacks = |value: Value| match function.ty(value).scalar {
            ScalarType::I8 => self.emulated.int8,
            ScalarType::I16 => self.emulated.int16,
            _ => false,
        };
        let mut found = inst.results.iter().any(|result| lacks(*result));
        inst.op.for_each_operand(|operand| found |= lacks(operand));
        found
    }

    /// The same bits as another type.
    fn bits(&self, r: &mut Rewriter<'_>, operand: Value, to: Type) -> Result<Value, Error> {
        let from = r.old.ty(operand);
        let value = self.operand(r, operand, Form::Zero)?;
        let pieces = bits::Pieces::of(&mut r.b, value, is_narrow(from).then_some(from.scalar.bits()));
        Ok(pieces.value(&mut r.b, to, is_narrow(to)))
    }

    /// An operation of a group on words. Minima and maxima are those of extended numbers; the identity that the first
    /// work-item gets of an exclusive scan is brought into the range of the narrow type.
    fn group(
        &self,
        r: &mut Rewriter<'_>,
        inst: &Inst,
        op: GroupOp,
        scope: Scope,
        uniform: bool,
    ) -> Result<Value, Error> {
        use GroupArithmetic::{SMax, SMin, UMax, UMin};
        let (form, arithmetic) = match op {
            GroupOp::Arithmetic { op, .. } | GroupOp::ClusteredArithmetic { op, .. } => match op {
                SMin | SMax => (Form::Sign, Some(op)),
                UMin | UMax => (Form::Zero, Some(op)),
                _ => (Form::Any, None),
            },
            GroupOp::AllEqual { .. } => (Form::Zero, None),
            _ => (Form::Any, None),
        };
        let op = op.map(|value| self.operand(r, value, form))?;
        let result = r.old.ty(inst.result()?);
        let b = &mut r.b;
        let value = b.push(Op::Group { op, scope, uniform }, &[promoted(result)])[0];
        let all = constant::mask(result.scalar).cast_signed();
        let (limit, beyond) = match arithmetic {
            Some(SMin) => (all >> 1, CompareOp::SGt),
            Some(SMax) => (!(all >> 1), CompareOp::SLt),
            Some(UMin) => (all, CompareOp::UGt),
            _ => return Ok(value),
        };
        let limit = b.int(Type::I32, limit);
        let is_beyond = b.compare(beyond, value, limit);
        Ok(b.select(is_beyond, limit, value))
    }

    /// Operations that move values or lanes: what is known of all operands is known of the result.
    fn moved(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<(SmallVec<[Value; 1]>, Known), Error> {
        let mut known = Known { zero: true, sign: true };
        inst.op.for_each_operand(|operand| {
            if is_narrow(r.old.ty(operand)) {
                known = known.both(self.known(r, operand, self.forms.of(operand)));
            }
        });
        Ok((r.copy(inst, self)?, known))
    }

    /// Operations that keep the narrow types. Narrow results are extended in the form that is wanted.
    fn as_it_is(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<(SmallVec<[Value; 1]>, Known), Error> {
        let mut op = inst.op.clone();
        let mut failed = None;
        op.for_each_operand_mut(|value| {
            let ty = r.old.ty(*value);
            match self.operand(r, *value, Form::Any) {
                Ok(new) if is_narrow(ty) => *value = r.b.resize(new, ty.scalar, false),
                Ok(new) => *value = new,
                Err(error) => failed = Some(error),
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let types: SmallVec<[Type; 1]> = inst.results.iter().map(|result| r.old.ty(*result)).collect();
        let values = match (&types[..], op.is_pure()) {
            ([ty], true) => smallvec![r.b.emit(op, *ty)],
            _ => r.b.push(op, &types),
        };
        let signed = inst.results.iter().any(|result| self.forms.of(*result) == Form::Sign);
        let extended = values.into_iter().zip(types).map(|(value, ty)| match is_narrow(ty) {
            true => r.b.resize(value, ScalarType::I32, signed),
            false => value,
        });
        Ok((extended.collect(), Known { zero: !signed, sign: signed }))
    }
}

/// A word whose lower bits are a narrow integer, in a form.
fn in_form(b: &mut Builder<'_>, value: Value, scalar: ScalarType, form: Form) -> Value {
    match form {
        Form::Any => value,
        Form::Zero => b.binary_int(BinaryOp::And, value, constant::mask(scalar).cast_signed()),
        Form::Sign => {
            let unused = 32 - i64::from(scalar.bits());
            let raised = b.binary_int(BinaryOp::Shl, value, unused);
            b.binary_int(BinaryOp::AShr, raised, unused)
        }
    }
}
