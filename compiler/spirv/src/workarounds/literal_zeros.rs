//! `workarounds/literal_zeros`: replaces operands of floating-point arithmetic which the driver can recognise as the
//! constant zero ([`Workarounds::LAVAPIPE_LITERAL_ZEROS`](clforge_basic::workarounds::Workarounds)).
//!
//! When llvmpipe generates LLVM IR it compares the operands of additions, products and quotients with the constant +0:
//! `x / 0` is undefined, `0 / x` and, before Mesa 23, `0 * x` are 0, `x + 0` is `x`, whatever `x` is. Such an operand
//! need not be a constant of the program: NIR also finds constants after unrolling loops, inlining functions, and in
//! private variables and specialisation constants.
//!
//! So the pass computes a zero from the number of work-groups, which NIR does not know, and combines the bits of
//! floating-point constants with it: constants with a zero lane that are operands of arithmetic, and all constants that
//! reach arithmetic through a loop, a condition that the driver may decide, a variable, a vector or a call. If a number
//! is converted from an integer that the driver may know, such as a loop counter, the integer is combined with the
//! zero. LLVM may fold all of this, because it folds as IEEE 754 demands.

use crate::legalize::LAST;
use clforge_basic::narrow::low_u32;
use clforge_basic::source::Span;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The pass; after it nothing may simplify values.
pub struct LiteralZeros;

impl FunctionPass for LiteralZeros {
    fn name(&self) -> &'static str {
        "workarounds/literal_zeros"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        let has_floats = function.values().any(|value| function.ty(value).scalar.is_float());
        if function.is_declaration() || !has_floats {
            return Changed::No;
        }
        let start = function.new_region();
        let mut pass = Hider {
            has_longs: !context.options.device.emulated.int64,
            varies: ti_vec![false; function.value_count()],
            variables: context.variables,
            zeros: FxHashMap::default(),
            hidden: FxHashMap::default(),
            start,
            function,
        };
        for param in pass.function.params.clone() {
            pass.set_varies(param, pass.function.ty(param).scalar.is_float());
        }
        pass.region(pass.function.body, Around::default());
        if pass.hidden.is_empty() && pass.zeros.is_empty() {
            return Changed::No;
        }
        let body = function.body;
        let mut insts = std::mem::take(&mut function.region_mut(start).insts);
        insts.append(&mut function.region_mut(body).insts);
        function.region_mut(body).insts = insts;
        Changed::Maybe
    }
}

/// What a terminator's values reach.
#[derive(Clone, Copy, Default)]
struct Around {
    /// Whether the driver may decide which `yield` of the enclosing condition is executed.
    yields: Literals,
    /// The same of `break` and `fallthrough`.
    breaks: Literals,
}

/// Which floating-point constants are hidden from the driver in some position.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Literals {
    #[default]
    None,
    /// Those with a lane of ±0.
    Zeros,
    All,
}

struct Hider<'f> {
    function: &'f mut Function,
    /// There are integers of 64 bits.
    has_longs: bool,
    variables: &'f TiSlice<VariableId, Variable>,
    /// Of values that are no constants: whether the driver certainly does not find one in their place.
    varies: TiVec<Value, bool>,
    /// The zero in each type of integers.
    zeros: FxHashMap<Type, Value>,
    /// What stands for each constant.
    hidden: FxHashMap<Value, Value>,
    /// What is computed at the start of the function.
    start: RegionId,
}

impl Hider<'_> {
    fn region(&mut self, region: RegionId, around: Around) {
        for param in self.function.region(region).params.clone() {
            // Floating-point values are hidden on the way there.
            self.set_varies(param, self.function.ty(param).scalar.is_float());
        }
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let mut rewritten = Vec::with_capacity(insts.len());
        for id in insts {
            self.instruction(id, around, &mut rewritten);
            rewritten.push(id);
        }
        self.function.region_mut(region).insts = rewritten;
    }

    fn instruction(&mut self, id: InstId, around: Around, before: &mut Vec<InstId>) {
        let inst = self.function.inst(id);
        let (mut op, span, results) = (inst.op.clone(), inst.span, inst.results.clone());
        let literals = self.literals(&op, around);
        if literals != Literals::None {
            let mut changed = false;
            op.for_each_operand_mut(|operand| {
                let value = self.hide(*operand, literals, (span, &mut *before));
                changed |= value != *operand;
                *operand = value;
            });
            if changed {
                self.function.inst_mut(id).op = op.clone();
            }
        }
        if let Op::Convert { op: convert, operand } = op
            && self.makes_float(convert, operand, results[0])
            && !self.is_varying(operand)
        {
            let operand = self.combine(operand, (span, before));
            self.function.inst_mut(id).op = Op::Convert { op: convert, operand };
            self.set_varies(results[0], true);
            return;
        }
        let varies = self.result_varies(&op);
        results.iter().for_each(|result| {
            let is_joined = op.is_structured() && self.function.ty(*result).scalar.is_float();
            self.set_varies(*result, varies || is_joined);
        });
        match op {
            Op::If { condition, then, otherwise } => {
                let yields = self.literals_behind(condition);
                [then, otherwise].iter().for_each(|region| self.region(*region, Around { yields, ..around }));
            }
            Op::Switch { selector, cases, .. } => {
                let breaks = self.literals_behind(selector);
                cases.iter().for_each(|case| self.region(case.region, Around { breaks, ..around }));
            }
            Op::Loop { body, continuing, .. } => {
                let around = Around { breaks: Literals::All, ..around };
                [body, continuing].iter().for_each(|region| self.region(*region, around));
            }
            _ => {}
        }
    }

    /// Which constants among the operands of an operation are hidden.
    fn literals(&self, op: &Op, around: Around) -> Literals {
        use BinaryOp::{FAdd, FDiv, FMul, FSub};
        match op {
            Op::Binary { op: FAdd | FSub | FMul | FDiv, .. }
            | Op::Intrinsic { function: Intrinsic::Fma | Intrinsic::Mad, .. } => Literals::Zeros,
            Op::Select { condition, .. } => self.literals_behind(*condition),
            Op::Yield(_) => around.yields,
            Op::Break(_) | Op::Fallthrough(_) => around.breaks,
            Op::Switch { .. }
            | Op::Loop { .. }
            | Op::Continue(_)
            | Op::Next(_)
            | Op::NextIf { .. }
            | Op::VariableStore { .. }
            | Op::Construct { .. }
            | Op::Insert { .. }
            | Op::InsertDynamic { .. }
            | Op::Shuffle { .. }
            | Op::Call { .. }
            | Op::Return(_) => Literals::All,
            _ => Literals::None,
        }
    }

    fn literals_behind(&self, condition: Value) -> Literals {
        if self.is_varying(condition) { Literals::Zeros } else { Literals::All }
    }

    /// What stands for an operand where such constants are hidden.
    fn hide(&mut self, operand: Value, literals: Literals, place: (Span, &mut Vec<InstId>)) -> Value {
        let ty = self.function.ty(operand);
        let integers = self.integers_of(ty);
        if !ty.scalar.is_float() || integers.lanes > 4 {
            return operand;
        }
        let Some(constant) = self.function.as_constant(operand) else {
            return if self.varies[operand] { operand } else { self.combine(operand, place) };
        };
        let Some(lanes) = constant.lanes() else { return operand };
        let is_zero = |bits: &u64| constant::float_value(ty.scalar, *bits) == 0.0;
        if literals != Literals::All && !lanes.iter().any(is_zero) {
            return operand;
        }
        if let Some(hidden) = self.hidden.get(&operand) {
            return *hidden;
        }
        let bits = match integers.lanes == ty.lanes {
            true => lanes.into(),
            false => lanes.iter().flat_map(|bits| [u64::from(low_u32(*bits)), bits >> 32]).collect(),
        };
        let bits = Constant::Bits { ty: integers, lanes: bits };
        let zero = self.zero(integers);
        let bits = self.function.constant(bits);
        let hidden = self.at_start(|b| {
            let combined = b.binary(BinaryOp::Or, bits, zero);
            b.bitcast(combined, ty)
        });
        self.hidden.insert(operand, hidden);
        hidden
    }

    /// A value with the bits of the zero in it, computed before the instruction that uses it.
    fn combine(&mut self, value: Value, (span, before): (Span, &mut Vec<InstId>)) -> Value {
        let ty = self.function.ty(value);
        let integers = self.integers_of(ty);
        let zero = self.zero(integers);
        let bitcast = |operand| Op::Convert { op: ConvertOp::Bitcast, operand };
        let mut append = |function: &mut Function, op, ty| clforge_ir::expand::append(function, before, (op, ty, span));
        let bits = if ty == integers { value } else { append(self.function, bitcast(value), integers) };
        let op = Op::Binary { op: BinaryOp::Or, lhs: bits, rhs: zero };
        let combined = append(self.function, op, integers);
        let combined = if ty == integers { combined } else { append(self.function, bitcast(combined), ty) };
        self.set_varies(combined, true);
        combined
    }

    /// The integers that have the bits of a number: words where there are none of 64 bits, too many for vectors of three or four
    /// doubles.
    fn integers_of(&self, ty: Type) -> Type {
        match ty.scalar.bits() {
            64 if !self.has_longs => Type::vector(ScalarType::I32, ty.lanes * 2),
            bits => ty.with_scalar(ScalarType::int(bits)),
        }
    }

    /// The zero that the driver does not know, in every lane.
    fn zero(&mut self, ty: Type) -> Value {
        if let Some(zero) = self.zeros.get(&ty) {
            return *zero;
        }
        let zero = if ty == Type::I32 {
            self.at_start(|b| {
                let groups = b.emit(Op::Input { input: Input::NumWorkgroups, dim: 0 }, Type::I32);
                // No device has as many.
                b.binary_int(BinaryOp::LShr, groups, 31)
            })
        } else {
            let word = self.zero(Type::I32);
            self.at_start(|b| {
                let scalar = b.resize(word, ty.scalar, false);
                if ty.is_vector() { b.splat(scalar, ty.lanes) } else { scalar }
            })
        };
        self.zeros.insert(ty, zero);
        zero
    }

    fn at_start(&mut self, fill: impl FnOnce(&mut Builder<'_>) -> Value) -> Value {
        let value = fill(&mut Builder::at(self.function, self.start));
        self.set_varies(value, true);
        value
    }

    fn set_varies(&mut self, value: Value, varies: bool) {
        let count = self.function.value_count();
        self.varies.resize(count, false);
        self.varies[value] = varies;
    }

    fn is_varying(&self, value: Value) -> bool {
        self.function.as_constant(value).is_none() && self.varies[value]
    }

    /// Whether a conversion makes a floating-point number of an integer.
    fn makes_float(&self, op: ConvertOp, operand: Value, result: Value) -> bool {
        let from_integer = self.function.ty(operand).scalar.is_int();
        let converts = matches!(op, ConvertOp::SToF | ConvertOp::UToF | ConvertOp::Bitcast);
        converts && from_integer && self.function.ty(result).scalar.is_float()
    }

    /// Whether the driver certainly finds no constant in place of the result.
    fn result_varies(&self, op: &Op) -> bool {
        match op {
            // Known, or bounded by one where the work-group has one work-item, once the pipeline is specialised.
            Op::Input { input, .. } => {
                matches!(input, Input::GlobalInvocationId | Input::WorkgroupId | Input::NumWorkgroups)
            }
            Op::SpecConstant(_) | Op::Call { .. } => false,
            Op::VariableLoad { variable, .. } => self.variables.get(*variable).is_some_and(|variable| {
                let is_stored = matches!(variable.storage, Storage::Function | Storage::Private | Storage::Workgroup);
                !is_stored || variable.element.scalar.is_float() && !variable.zero_initialized
            }),
            // One operand may make the result a constant, such as the zero of a product.
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor, .. } | Op::Compare { .. } => self.any(op),
            Op::Binary { lhs, .. } if self.function.ty(*lhs).scalar.is_float() => self.any(op),
            Op::Select { condition, if_true, if_false } => {
                self.is_varying(*condition) || self.is_varying(*if_true) && self.is_varying(*if_false)
            }
            Op::If { condition, .. } => self.is_varying(*condition),
            Op::Switch { selector, .. } => self.is_varying(*selector),
            Op::Loop { .. } => false,
            op if op.is_pure() => {
                let mut all = true;
                op.for_each_operand(|operand| {
                    all &= self.function.as_constant(operand).is_some() || self.varies[operand];
                });
                all && self.any(op)
            }
            _ => true,
        }
    }

    fn any(&self, op: &Op) -> bool {
        let mut any = false;
        op.for_each_operand(|operand| any |= self.is_varying(operand));
        any
    }
}
