//! Checks for addresses that are not multiples of the alignment that an access relies on, as casts of pointers make
//! them (OpenCL C 6.2.5). Objects and arguments have sufficient alignment, so only the offset from them is checked. Of
//! another global or constant pointer the whole address is checked. Other pointers whose object is not known are not
//! checked.

use super::Here;
use super::races::Kind;
use crate::interface::bounds::{AccessSite, Check, Memory};
use clforge_basic::narrow::to_u32;
use clforge_ir::*;

/// Most additions and casts between an address and its object.
const MOST_STEPS: usize = 64;

impl Here<'_> {
    /// Checks the alignment of an access, unless it is known to be good.
    pub(super) fn aligned(&mut self, b: &mut Builder<'_>, ptr: Value, bytes: u64, align: u32, kind: Kind) {
        let memory = match b.ty(ptr).space() {
            Some(Space::Private) => Memory::Private,
            Some(Space::Local) => Memory::Local,
            Some(Space::Global | Space::Constant) => Memory::Device,
            _ => return,
        };
        let Some(rest) = rest(b, ptr, align.max(1)) else { return };
        let zero = b.int(Type::I32, 0);
        let good = b.compare(CompareOp::Eq, rest, zero);
        if b.function.as_int(good) == Some(1) {
            return;
        }
        let site = AccessSite { bytes: to_u32(bytes), kind: kind.access(), memory, ..AccessSite::default() };
        let site = self.new_site(b, Check::Alignment, site, Some(ptr));
        let what = b.resize(rest, ScalarType::I64, false);
        let (end, site) = (b.int(Type::I64, align.into()), b.int(Type::I32, site.into()));
        self.plan.recorder.record_unless(b, good, [what, end, site]);
    }
}

/// The remainder of an address and its alignment, which is a power of two; `None` where the object is not known.
fn rest(b: &mut Builder<'_>, ptr: Value, align: u32) -> Option<Value> {
    let (mut at, mut displacement, mut terms) = (ptr, 0_i64, Vec::new());
    for _ in 0..MOST_STEPS {
        match b.function.op(at) {
            Some(Op::PtrAdd { base, index, stride, displacement: more }) => {
                displacement = displacement.wrapping_add(*more);
                terms.extend(index.filter(|_| stride % i64::from(align) != 0).map(|index| (index, *stride)));
                at = *base;
            }
            Some(Op::Convert { op: ConvertOp::PtrCast, operand }) => at = *operand,
            _ => break,
        }
    }
    let mut sum = b.int(Type::I32, displacement & (i64::from(align) - 1));
    match b.function.op(at) {
        Some(Op::Alloca { .. } | Op::GlobalAddress(_)) => {}
        // An argument, or what the host has placed.
        Some(Op::Convert { op: ConvertOp::IntToPtr, operand }) if is_given(b.function, *operand) => {}
        _ if matches!(b.ty(at).space(), Some(Space::Global | Space::Constant)) => {
            let number = b.convert(ConvertOp::PtrToInt, at, Type::I64);
            let number = b.resize(number, ScalarType::I32, false);
            sum = b.binary(BinaryOp::Add, sum, number);
        }
        _ => return None,
    }
    for (index, stride) in terms {
        let index = b.resize(index, ScalarType::I32, true);
        let scaled = b.binary_int(BinaryOp::Mul, index, stride);
        sum = b.binary(BinaryOp::Add, sum, scaled);
    }
    Some(b.binary_int(BinaryOp::And, sum, i64::from(align) - 1))
}

/// Whether an address is read from the push constants or the uniform buffer as it is.
fn is_given(function: &Function, number: Value) -> bool {
    let Some(Op::Convert { op: ConvertOp::Bitcast, operand }) = function.op(number) else { return false };
    let Some(Op::Construct { elements }) = function.op(*operand) else { return false };
    elements.iter().all(|word| matches!(function.op(*word), Some(Op::VariableLoad { .. })))
}
