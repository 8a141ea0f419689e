//! Which upper bits promoted integers have, and which upper bits their uses need.

use crate::analysis::{Targets, edges, nested};
use crate::*;
use typed_index_collections::{TiVec, ti_vec};

/// What the bits of a word above a narrow integer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Any,
    /// Zeros.
    Zero,
    /// Copies of the sign.
    Sign,
}

/// The forms that a word is known to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    pub zero: bool,
    pub sign: bool,
}

impl Known {
    pub fn has(self, form: Form) -> bool {
        match form {
            Form::Any => true,
            Form::Zero => self.zero,
            Form::Sign => self.sign,
        }
    }

    pub fn both(self, other: Known) -> Known {
        Known { zero: self.zero && other.zero, sign: self.sign && other.sign }
    }
}

/// The forms that the uses of some values want.
#[derive(Clone, Copy, Default)]
struct Wanted {
    zero: bool,
    sign: bool,
    /// A use that cannot be given another one: the selector of a `switch`, whose cases are unsigned.
    must_be_zero: bool,
}

/// Integers that are promoted.
pub fn is_narrow(ty: Type) -> bool {
    matches!(ty.scalar, ScalarType::I8 | ScalarType::I16)
}

/// The forms of a function's values. Values that are passed on to the same parameters and results are one class, and have one form.
pub struct Forms {
    classes: TiVec<Value, Value>,
    wanted: TiVec<Value, Wanted>,
    known: TiVec<Value, Known>,
}

impl Forms {
    pub fn new(function: &Function) -> Forms {
        let count = function.value_count();
        let (wanted, known) = (ti_vec![Wanted::default(); count], ti_vec![Known::default(); count]);
        let mut forms = Forms { classes: function.values().collect(), wanted, known };
        if !function.is_declaration() {
            forms.region(function, function.body, &Targets::default());
        }
        for value in function.values() {
            let class = forms.find(value);
            forms.classes[value] = class;
            let form = forms.of(value);
            forms.known[value] = Known { zero: form == Form::Zero, sign: form == Form::Sign };
        }
        forms
    }

    fn find(&mut self, value: Value) -> Value {
        let mut class = value;
        while self.classes[class] != class {
            let next = self.classes[class];
            self.classes[class] = self.classes[next];
            class = next;
        }
        class
    }

    fn unite(&mut self, a: Value, b: Value) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (mine, other) = (self.wanted[a], self.wanted[b]);
        self.wanted[a] = Wanted {
            zero: mine.zero || other.zero,
            sign: mine.sign || other.sign,
            must_be_zero: mine.must_be_zero || other.must_be_zero,
        };
        self.classes[b] = a;
    }

    fn region(&mut self, function: &Function, region: RegionId, targets: &Targets) {
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            self.uses(function, inst);
            edges(function, inst, targets, &mut |from, to| {
                // Bits that no form changes can have any.
                let is_free =
                    function.as_int(from).is_some_and(|bits| bits >> (function.ty(from).scalar.bits() - 1) == 0);
                if is_narrow(function.ty(to)) && !is_free {
                    self.unite(to, from);
                }
            });
            for (inner, targets) in nested(function, inst, targets) {
                self.region(function, inner, &targets);
            }
        }
    }

    /// Notes what an operation wants its operands to be.
    fn uses(&mut self, function: &Function, inst: &Inst) {
        let mut want = |value: Value, form: Form| {
            if is_narrow(function.ty(value)) {
                let class = self.find(value);
                self.wanted[class].zero |= form == Form::Zero;
                self.wanted[class].sign |= form == Form::Sign;
            }
        };
        match &inst.op {
            Op::Binary { op, lhs, rhs } => {
                let (left, right) = of_operands(*op);
                want(*lhs, left);
                want(*rhs, right);
            }
            Op::Compare { op, lhs, rhs } => {
                let form = match op {
                    CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe => Form::Sign,
                    CompareOp::ULt | CompareOp::ULe | CompareOp::UGt | CompareOp::UGe => Form::Zero,
                    _ => Form::Any,
                };
                want(*lhs, form);
                want(*rhs, form);
            }
            Op::Convert { op: ConvertOp::ZExt | ConvertOp::UToF, operand } => want(*operand, Form::Zero),
            Op::Convert { op: ConvertOp::SExt | ConvertOp::SToF, operand } => want(*operand, Form::Sign),
            Op::Switch { selector, .. } if is_narrow(function.ty(*selector)) => {
                let class = self.find(*selector);
                self.wanted[class].must_be_zero = true;
            }
            _ => {}
        }
    }

    /// The form that a value gets where it is defined: the one that all uses of its class want.
    pub fn of(&self, value: Value) -> Form {
        let mut class = value;
        while self.classes[class] != class {
            class = self.classes[class];
        }
        match self.wanted[class] {
            Wanted { must_be_zero: true, .. } | Wanted { zero: true, sign: false, .. } => Form::Zero,
            Wanted { sign: true, zero: false, .. } => Form::Sign,
            _ => Form::Any,
        }
    }

    /// What is known of a value that is no constant.
    pub fn known(&self, value: Value) -> Known {
        self.known[value]
    }

    /// More that is known of a value.
    pub fn learn(&mut self, value: Value, known: Known) {
        let all = &mut self.known[value];
        *all = Known { zero: all.zero || known.zero, sign: all.sign || known.sign };
    }

    /// A constant as a word.
    pub fn constant(&self, constant: &Constant, form: Form) -> Constant {
        let ty = constant.ty();
        let word = ty.with_scalar(ScalarType::I32);
        let extend = |bits: &u64| match form {
            Form::Sign => constant::sign_extend(ty.scalar, *bits).cast_unsigned() & constant::mask(ScalarType::I32),
            Form::Any | Form::Zero => *bits,
        };
        match constant.lanes() {
            Some(lanes) => Constant::Bits { ty: word, lanes: lanes.iter().map(extend).collect() },
            None => Constant::int(word, 0),
        }
    }

    /// What is known of a constant that is extended to a form.
    pub fn known_constant(&self, constant: &Constant, form: Form) -> Known {
        let sign = 1 << (constant.ty().scalar.bits() - 1);
        let negative = constant.lanes().is_some_and(|lanes| lanes.iter().any(|bits| bits & sign != 0));
        Known { zero: !negative || form != Form::Sign, sign: !negative || form == Form::Sign }
    }
}

/// The forms that an operation needs its operands in.
pub fn of_operands(op: BinaryOp) -> (Form, Form) {
    match op {
        BinaryOp::LShr | BinaryOp::UDiv | BinaryOp::URem => (Form::Zero, Form::Zero),
        BinaryOp::SDiv | BinaryOp::SRem => (Form::Sign, Form::Sign),
        BinaryOp::AShr => (Form::Sign, Form::Zero),
        BinaryOp::Shl => (Form::Any, Form::Zero),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            (Form::Any, Form::Any)
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv => (Form::Any, Form::Any),
    }
}

/// What is known of a result, by what is known of the operands.
pub fn of_result(op: BinaryOp, a: Known, b: Known) -> Known {
    match op {
        BinaryOp::And => Known { zero: a.zero || b.zero, sign: a.sign && b.sign },
        BinaryOp::Or | BinaryOp::Xor => a.both(b),
        BinaryOp::LShr | BinaryOp::UDiv | BinaryOp::URem => Known { zero: true, sign: false },
        BinaryOp::AShr | BinaryOp::SRem => Known { zero: false, sign: true },
        // The least number divided by -1 is undefined, but what it is in words is not in range.
        _ => Known::default(),
    }
}

/// What a word is known to be as an integer of a narrow type.
pub fn of_word(function: &Function, value: Value, scalar: ScalarType) -> Known {
    let width = scalar.bits();
    match function.op(value) {
        Some(Op::Binary { op: BinaryOp::LShr, rhs, .. }) => {
            let count = function.as_int(*rhs).unwrap_or(0);
            Known { zero: count >= u64::from(32 - width), sign: count > u64::from(32 - width) }
        }
        Some(Op::Binary { op: BinaryOp::AShr, rhs, .. }) => {
            Known { zero: false, sign: function.as_int(*rhs).is_some_and(|count| count >= u64::from(32 - width)) }
        }
        Some(Op::Binary { op: BinaryOp::And, rhs, .. }) => {
            let bits = function.as_int(*rhs).unwrap_or(u64::MAX);
            Known { zero: bits >> width == 0, sign: bits >> (width - 1) == 0 }
        }
        Some(Op::Convert { op: ConvertOp::ZExt, operand }) => {
            let from = function.ty(*operand).scalar.bits();
            Known { zero: from <= width, sign: from < width }
        }
        Some(Op::Convert { op: ConvertOp::SExt, operand }) => {
            Known { zero: false, sign: function.ty(*operand).scalar.bits() <= width }
        }
        _ => Known::default(),
    }
}
