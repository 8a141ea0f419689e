//! Bounds checks: the functions that decide whether an access is within its allowed ranges, and record it if it is not.
//! An access outside of them reads zeros and writes nothing. The layout of the buffer is documented in
//! [`crate::interface::bounds`]; the allowed ranges of an access are determined in [`super::check_ranges`].

use super::access::{MemoryOperands, Offset, Place, Words, load};
use crate::address_format::{Address, AddressFormat};
use crate::interface::bounds::{FAULT_BYTES, FAULTS, FIRST_FAULT, NO_END, RANGES, SITE_BYTES, SITE_COUNT, SITE_PLACE};
use crate::interface::{ModuleInterface, PushConstant, PushConstantKind};
use crate::legalize::vulkan::printf::atomic;
use clforge_ir::*;
use smallvec::smallvec;

/// The first byte of some memory, and its end.
pub(super) type Range = (Value, Value);

/// The state that all checks share.
#[derive(Clone, Copy)]
pub(super) struct Checker {
    addresses: AddressFormat,
    push_constants: VariableId,
    /// Byte offset of the buffer's address in the push constants.
    offset: u32,
    /// The region's offset in the push constants.
    region: PushConstant,
    /// (what, end, site): records an access.
    record: FunctionId,
    /// (first byte, bytes, start, end, site): whether the access is in that range.
    in_range: FunctionId,
    /// (first byte, bytes, site): whether it is in any range of the launch.
    in_any: FunctionId,
}

impl Checker {
    /// Appends the functions that check, where the interface has a buffer for them.
    pub fn new(
        module: &mut Module,
        interface: &ModuleInterface,
        addresses: AddressFormat,
    ) -> Result<Option<Checker>, Error> {
        let Some(bounds) = &interface.bounds else { return Ok(None) };
        let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
        let push_constants = push.or_internal("no push constants")?;
        let region = interface.push_constants.iter().find(|constant| constant.kind == PushConstantKind::RegionOffset);
        let region = *region.or_internal("no region offset")?;
        let [record, in_range, in_any] = [0, 1, 2].map(|index| FunctionId::from(module.functions.len() + index));
        let checker = Checker { addresses, push_constants, offset: bounds.offset, region, record, in_range, in_any };
        module.functions.push(checker.recorder());
        module.functions.push(checker.one_range());
        module.functions.push(checker.any_range(bounds.ranges));
        Ok(Some(checker))
    }

    fn push_constant(self, b: &mut Builder<'_>, offset: u32, ty: Type) -> Value {
        let offset = Offset { dynamic: None, constant: i64::from(offset) };
        let place = Place::Words { words: Words::of(self.push_constants), offset };
        load(b, place, ty, MemoryOperands { align: 4, volatile: false })
    }

    /// The buffer's address.
    fn table(self, b: &mut Builder<'_>) -> Address {
        let stored = self.push_constant(b, self.offset, self.addresses.stored_type());
        Address::new(self.addresses.loaded(b, stored, Space::Global))
    }

    /// A range of the launch, by its number.
    pub fn range(self, b: &mut Builder<'_>, index: u32) -> Range {
        let table = self.table(b);
        let at = i64::from(RANGES) + i64::from(index) * 16;
        let mut word = |displacement| table.plus(displacement).load(b, Type::I64, 8, false);
        (word(at), word(at + 8))
    }

    /// Whether `bytes` from `at` on are in these ranges; of none, in any of the launch. An access that is not is recorded.
    pub fn check(
        self,
        b: &mut Builder<'_>,
        at: Value,
        bytes: u64,
        ranges: &[Range],
        site: u32,
    ) -> Result<Value, Error> {
        let (size, number) = (b.int(Type::I64, bytes.cast_signed()), b.int(Type::I32, i64::from(site)));
        let condition = match ranges {
            [] => b.call(self.in_any, &[at, size, number], Some(Type::BOOL)),
            [(first, end)] => b.call(self.in_range, &[at, size, *first, *end, number], Some(Type::BOOL)),
            several => {
                let mut good = b.int(Type::BOOL, 0);
                for (first, end) in several {
                    let within = is_within(b, at, size, *first, *end);
                    good = b.binary(BinaryOp::Or, good, within);
                }
                let end = b.int(Type::I64, NO_END.cast_signed());
                self.record_unless(b, good, [at, end, number]);
                Some(good)
            }
        };
        condition.or_internal("a check without result")
    }

    /// Records (what, end, site) if it is not good.
    pub fn record_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        let then = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        let otherwise = b.nested(|b| {
            b.call(self.record, &what, None);
            b.effect(Op::Yield(smallvec![]));
        });
        b.effect(Op::If { condition: good, then, otherwise });
    }

    fn one_range(self) -> Function {
        let mut function = Function::new("bounds_in_range");
        let [at, bytes, first, end] = [(); 4].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        function.result = Some(Type::BOOL);
        let mut b = Builder::new(&mut function);
        let good = is_within(&mut b, at, bytes, first, end);
        self.record_unless(&mut b, good, [at, end, site]);
        b.effect(Op::Return(Some(good)));
        function
    }

    fn any_range(self, ranges: u32) -> Function {
        let mut function = Function::new("bounds_in_any");
        let [at, bytes] = [(); 2].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        function.result = Some(Type::BOOL);
        let mut b = Builder::new(&mut function);
        let mut good = b.int(Type::BOOL, 0);
        // Not a loop: a driver counts the iterations of those.
        for index in 0..ranges {
            let (first, end) = self.range(&mut b, index);
            let within = is_within(&mut b, at, bytes, first, end);
            good = b.binary(BinaryOp::Or, good, within);
        }
        let end = b.int(Type::I64, NO_END.cast_signed());
        self.record_unless(&mut b, good, [at, end, site]);
        b.effect(Op::Return(Some(good)));
        function
    }

    /// Counts an access, and writes it down if it is among the first of its site.
    fn recorder(self) -> Function {
        let mut function = Function::new("bounds_record");
        let [what, end] = [(); 2].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        let mut b = Builder::new(&mut function);
        let table = self.table(&mut b);
        let one = b.int(Type::I32, 1);
        let pointer = table.pointer(&mut b);
        atomic(&mut b, AtomicOp::Add, pointer, Some(one));
        let [count, start] =
            [SITE_COUNT, SITE_PLACE].map(|at| table.plus(i64::from(at)).load(&mut b, Type::I32, 4, false));
        // The host may know fewer sites, where somebody has changed what the module says of itself.
        let known = b.compare(CompareOp::ULt, site, count);
        if_true(&mut b, known, |b| {
            let place = table.element(b, start, 1).element(b, site, SITE_BYTES);
            let pointer = place.pointer(b);
            let number = atomic(b, AtomicOp::Add, pointer, Some(one));
            let most = b.int(Type::I32, i64::from(FAULTS));
            let has_room = b.compare(CompareOp::ULt, number, most);
            if_true(b, has_room, |b| {
                let place = place.plus(i64::from(FIRST_FAULT)).element(b, number, FAULT_BYTES);
                self.write(b, place, what, end);
            });
        });
        b.effect(Op::Return(None));
        function
    }

    fn write(self, b: &mut Builder<'_>, place: Address, what: Value, end: Value) {
        let store = |b: &mut Builder<'_>, displacement: i64, value: Value, align: u32| {
            place.plus(displacement).store(b, value, align, false);
        };
        store(b, 0, what, 8);
        store(b, 8, end, 8);
        for dim in 0..3 {
            let id = b.emit(Op::Input { input: Input::GlobalInvocationId, dim }, Type::I32);
            // The lower words of ids of 64 bits, which come first.
            let start = self.push_constant(b, self.region.place(dim), Type::I32);
            let id = b.binary(BinaryOp::Add, id, start);
            store(b, 16 + i64::from(dim) * 4, id, 4);
        }
    }
}

/// Does something only where a condition holds.
fn if_true(b: &mut Builder<'_>, condition: Value, act: impl FnOnce(&mut Builder<'_>)) {
    let then = b.nested(|b| {
        act(b);
        b.effect(Op::Yield(smallvec![]));
    });
    let otherwise = b.nested(|b| b.effect(Op::Yield(smallvec![])));
    b.effect(Op::If { condition, then, otherwise });
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

/// Emits an access, in an `if` where it has a check; the results are zeros of these types where the check is false.
pub(super) fn when_allowed(
    b: &mut Builder<'_>,
    check: Option<Value>,
    types: &[Type],
    access: &mut dyn FnMut(&mut Builder<'_>) -> Result<Vec<Value>, Error>,
) -> Result<Vec<Value>, Error> {
    let Some(condition) = check else { return access(b) };
    let (then, otherwise) = (b.function.new_region(), b.function.new_region());
    b.enter(then);
    let values = access(b);
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
