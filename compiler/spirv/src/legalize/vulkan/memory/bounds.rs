//! Bounds checks: an access through a device address that is outside of what it may reach reads zeros and writes nothing,
//! and is recorded. Where the pointer comes from one argument or program-scope variable, that is its range; else it may
//! reach every range of the launch. The layout of the buffer is documented in [`crate::interface::bounds`].

use super::access::{MemoryOperands, Place, Words, address, load};
use super::generic::AccessFn;
use super::{Legalisation, Offset};
use crate::interface::bounds::{AccessKind, AccessSite, FAULT_BYTES, FAULTS, FIRST_FAULT, RANGES};
use crate::interface::{ArgumentBinding, Descriptor, ModuleInterface, PushConstantKind};
use crate::legalize::vulkan::printf::atomic;
use clforge_basic::source::Span;
use clforge_ir::rewrite::Rewriter;
use clforge_ir::*;
use smallvec::smallvec;

/// The state that all checks share.
#[derive(Clone, Copy)]
pub(super) struct Checker {
    push_constants: VariableId,
    /// Byte offset of the buffer's address in the push constants.
    offset: u32,
    /// (address, bytes, first, end, site): whether the access is in that range.
    in_range: FunctionId,
    /// (address, bytes, site): whether it is in any range of the launch.
    in_any: FunctionId,
}

/// The check of one access.
#[derive(Clone, Copy)]
pub(super) struct Guard {
    checker: Checker,
    site: i64,
    bytes: i64,
    /// First byte and end.
    range: Option<(Value, Value)>,
}

/// The origin of a pointer.
enum Root {
    Argument(u32),
    Variable(GlobalId),
    Unknown,
}

impl Checker {
    /// Appends the functions that check, where the interface has a buffer for them.
    pub fn new(module: &mut Module, interface: &ModuleInterface) -> Result<Option<Checker>, Error> {
        let Some(bounds) = &interface.bounds else { return Ok(None) };
        let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
        let push_constants = push.or_internal("no push constants")?;
        let in_range = module.functions.next_key();
        let in_any = FunctionId::from(module.functions.len() + 1);
        let checker = Checker { push_constants, offset: bounds.offset, in_range, in_any };
        let region = interface.push_constants.iter().find(|constant| constant.kind == PushConstantKind::RegionOffset);
        let region = region.or_internal("no region offset")?.offset;
        module.functions.push(checker.one_range(region));
        module.functions.push(checker.any_range(region, bounds.ranges));
        Ok(Some(checker))
    }

    fn push_constant(self, b: &mut Builder<'_>, offset: u32, ty: Type) -> Value {
        let offset = Offset { dynamic: None, constant: i64::from(offset) };
        let place = Place::Words { words: Words::of(self.push_constants), offset };
        load(b, place, ty, MemoryOperands { align: 4, volatile: false })
    }

    /// The buffer's address.
    fn table(self, b: &mut Builder<'_>) -> Value {
        self.push_constant(b, self.offset, Type::I64)
    }

    /// First byte and end of a range.
    fn range(self, b: &mut Builder<'_>, table: Value, index: u32) -> (Value, Value) {
        let at = i64::from(RANGES) + i64::from(index) * 16;
        let mut word = |displacement| {
            let ptr = address(b, table, displacement);
            b.push(Op::Load { ptr, align: 8, volatile: false }, &[Type::I64])[0]
        };
        (word(at), word(at + 8))
    }

    fn one_range(self, region: u32) -> Function {
        let mut function = Function::new("bounds_in_range");
        let [at, bytes, first, end] = [(); 4].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        function.result = Some(Type::BOOL);
        let mut b = Builder::new(&mut function);
        let good = is_within(&mut b, at, bytes, first, end);
        self.record_unless(&mut b, good, at, site, region);
        b.effect(Op::Return(Some(good)));
        function
    }

    fn any_range(self, region: u32, ranges: u32) -> Function {
        let mut function = Function::new("bounds_in_any");
        let [at, bytes] = [(); 2].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        function.result = Some(Type::BOOL);
        let mut b = Builder::new(&mut function);
        let table = self.table(&mut b);
        let mut good = b.int(Type::BOOL, 0);
        // Not a loop: a driver counts the iterations of those.
        for index in 0..ranges {
            let (first, end) = self.range(&mut b, table, index);
            let within = is_within(&mut b, at, bytes, first, end);
            good = b.binary(BinaryOp::Or, good, within);
        }
        self.record_unless(&mut b, good, at, site, region);
        b.effect(Op::Return(Some(good)));
        function
    }

    /// Records an access that is out of range, if there is room.
    fn record_unless(self, b: &mut Builder<'_>, good: Value, at: Value, site: Value, region: u32) {
        let nothing = |b: &mut Builder<'_>| b.nested(|b| b.effect(Op::Yield(smallvec![])));
        let then = nothing(b);
        let otherwise = b.nested(|b| {
            let table = self.table(b);
            let one = b.int(Type::I32, 1);
            let number = atomic(b, AtomicOp::Add, table, Some(one));
            let most = b.int(Type::I32, i64::from(FAULTS));
            let has_room = b.compare(CompareOp::ULt, number, most);
            let write = b.nested(|b| {
                self.record(b, table, number, at, site, region);
                b.effect(Op::Yield(smallvec![]));
            });
            let full = nothing(b);
            b.effect(Op::If { condition: has_room, then: write, otherwise: full });
            b.effect(Op::Yield(smallvec![]));
        });
        b.effect(Op::If { condition: good, then, otherwise });
    }

    fn record(self, b: &mut Builder<'_>, table: Value, number: Value, at: Value, site: Value, region: u32) {
        let number = b.resize(number, ScalarType::I64, false);
        let size = b.int(Type::I64, i64::from(FAULT_BYTES));
        let offset = b.binary(BinaryOp::Mul, number, size);
        let place = b.binary(BinaryOp::Add, table, offset);
        let store = |b: &mut Builder<'_>, displacement: u32, value: Value, align: u32| {
            let ptr = address(b, place, i64::from(FIRST_FAULT + displacement));
            b.effect(Op::Store { ptr, value, align, volatile: false });
        };
        store(b, 0, site, 4);
        store(b, 8, at, 8);
        for dim in 0..3 {
            let id = b.emit(Op::Input { input: Input::GlobalInvocationId, dim }, Type::I32);
            let start = self.push_constant(b, region + u32::from(dim) * 4, Type::I32);
            let id = b.binary(BinaryOp::Add, id, start);
            store(b, 16 + u32::from(dim) * 4, id, 4);
        }
    }
}

/// Whether `bytes` from `at` on are in a range. Nothing overflows: what is left of the range is compared.
fn is_within(b: &mut Builder<'_>, at: Value, bytes: Value, first: Value, end: Value) -> Value {
    let after = b.compare(CompareOp::UGe, at, first);
    let before = b.compare(CompareOp::ULe, at, end);
    let left = b.binary(BinaryOp::Sub, end, at);
    let enough = b.compare(CompareOp::UGe, left, bytes);
    let between = b.binary(BinaryOp::And, after, before);
    b.binary(BinaryOp::And, between, enough)
}

impl Legalisation<'_> {
    /// The check of an access, `None` where there are none.
    pub(super) fn guard(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        bytes: u64,
        kind: AccessKind,
    ) -> Result<Option<Guard>, Error> {
        let Some(checker) = self.plan.checker else { return Ok(None) };
        if matches!(r.old.ty(ptr).space(), Some(Space::Private | Space::Local) | None) {
            return Ok(None);
        }
        let mut site = AccessSite { bytes: bytes as u32, kind, ..AccessSite::default() };
        let range = match self.root(r.old, ptr) {
            Root::Argument(ordinal) => {
                site.argument = Some(ordinal);
                let table = checker.table(&mut r.b);
                Some(checker.range(&mut r.b, table, ordinal))
            }
            Root::Variable(global) => {
                let variable = self.module.global(global);
                site.variable.clone_from(&variable.name);
                let first = self.data_start(r, global)?;
                let end = address(&mut r.b, first, variable.size as i64);
                Some((first, end))
            }
            Root::Unknown => None,
        };
        let span: Span = r.b.span;
        self.sites.push((site, span));
        Ok(Some(Guard { checker, site: self.sites.len() as i64 - 1, bytes: bytes as i64, range }))
    }

    fn root(&self, function: &Function, ptr: Value) -> Root {
        let mut ptr = ptr;
        loop {
            ptr = match function.op(ptr) {
                Some(Op::PtrAdd { base, .. }) => *base,
                Some(Op::Convert { op: ConvertOp::PtrCast, operand: from }) => *from,
                Some(Op::GlobalAddress(global)) if self.module.global(*global).space != Space::Local => {
                    return Root::Variable(*global);
                }
                Some(Op::Convert { op: ConvertOp::IntToPtr, operand: number }) => {
                    return self.argument(function, *number).map_or(Root::Unknown, Root::Argument);
                }
                _ => return Root::Unknown,
            };
        }
    }

    /// The argument whose value an address is, as `vulkan/kernel_abi` reads it: two words of the push constants or the uniform
    /// buffer.
    fn argument(&self, function: &Function, number: Value) -> Option<u32> {
        let Some(Op::Convert { op: ConvertOp::Bitcast, operand: words }) = function.op(number) else { return None };
        let Some(Op::Construct { elements: words }) = function.op(*words) else { return None };
        let word = |value: &Value| match function.op(*value) {
            Some(Op::VariableLoad { variable, index: Some(index) }) => Some((*variable, function.as_int(*index)?)),
            _ => None,
        };
        let [(variable, low), (other, high)] = [word(words.first()?)?, word(words.get(1)?)?];
        if other != variable || high != low + 1 {
            return None;
        }
        let is_push = self.module.variables.get(variable)?.storage == Storage::PushConstant;
        let kernel = self.interface.kernels.iter().find(|kernel| kernel.name == function.name)?;
        let is_here = |binding: &ArgumentBinding| match *binding {
            ArgumentBinding::PointerPushConstant { offset, .. } => is_push && u64::from(offset) == low * 4,
            ArgumentBinding::PointerUniform { at: Descriptor { .. }, offset, .. } => {
                !is_push && u64::from(offset) == low * 4
            }
            _ => false,
        };
        function.kernel.as_ref()?;
        kernel.arguments.iter().find(|argument| is_here(&argument.binding)).map(|argument| argument.ordinal)
    }
}

/// Emits an access, in an `if` where it has a guard; the results are zeros of these types where the guard is false.
pub(super) fn guarded(
    b: &mut Builder<'_>,
    guard: Option<Guard>,
    place: Place,
    types: &[Type],
    access: &mut AccessFn<'_>,
) -> Result<Vec<Value>, Error> {
    let (Some(guard), Place::Address { base, displacement }) = (guard, place) else { return access(b, place) };
    let at = address(b, base, displacement);
    let bytes = b.int(Type::I64, guard.bytes);
    let site = b.int(Type::I32, guard.site);
    let call = match guard.range {
        Some((first, end)) => b.call(guard.checker.in_range, &[at, bytes, first, end, site], Some(Type::BOOL)),
        None => b.call(guard.checker.in_any, &[at, bytes, site], Some(Type::BOOL)),
    };
    let condition = call.or_internal("a check without result")?;
    let (then, otherwise) = (b.function.new_region(), b.function.new_region());
    b.enter(then);
    let values = access(b, Place::Address { base: at, displacement: 0 });
    let values = values.map(|values| b.effect(Op::Yield(values.into())));
    b.leave();
    values?;
    b.enter(otherwise);
    let zeros = types.iter().map(|ty| if ty.scalar.is_float() { b.float(*ty, 0.0) } else { b.int(*ty, 0) });
    let zeros: Values = zeros.collect();
    b.effect(Op::Yield(zeros));
    b.leave();
    Ok(b.push(Op::If { condition, then, otherwise }, types).to_vec())
}
