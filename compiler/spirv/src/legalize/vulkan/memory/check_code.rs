//! Bounds checks: the functions that decide whether an access is within its allowed ranges, and have it recorded if it is not.
//! An access outside of them reads zeros and writes nothing. The layout of the buffer is documented in
//! [`crate::interface::bounds`]; the allowed ranges of an access are determined in [`super::check_ranges`].

use crate::address_format::AddressFormat;
use crate::interface::ModuleInterface;
use crate::interface::bounds::{MOST_REACHED, NO_END};
use crate::legalize::vulkan::findings::Recorder;
use clforge_ir::*;
use smallvec::smallvec;

/// The first byte of some memory, and its end.
pub(super) type Range = (Value, Value);

/// The state that all checks share.
#[derive(Clone, Copy)]
pub(super) struct Checker {
    recorder: Recorder,
    /// (first byte, bytes, start, end, site): whether the access is in that range.
    in_range: FunctionId,
    /// (first byte, bytes, site): whether it is in any range of the launch.
    in_any: FunctionId,
}

impl Checker {
    /// Appends the functions that check.
    pub fn new(module: &mut Module, interface: &ModuleInterface, addresses: AddressFormat) -> Result<Checker, Error> {
        let recorder = Recorder::new(module, interface, addresses)?;
        let [in_range, in_any] = [0, 1].map(|index| FunctionId::from(module.functions.len() + index));
        let checker = Checker { recorder, in_range, in_any };
        module.functions.push(checker.one_range());
        module.functions.push(checker.any_range(recorder.ranges));
        Ok(checker)
    }

    /// A range of the launch, by its number.
    pub fn range(self, b: &mut Builder<'_>, index: u32) -> Range {
        self.recorder.range(b, index)
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

    /// See [`Recorder::record_unless`].
    pub fn record_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        self.recorder.record_unless(b, good, what);
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
        let then = b.nested(|b| b.effect(Op::Yield(smallvec![good])));
        let otherwise = b.nested(|b| {
            let found = self.in_reached(b, at, bytes);
            b.effect(Op::Yield(smallvec![found]));
        });
        let good = b.push(Op::If { condition: good, then, otherwise }, &[Type::BOOL])[0];
        let end = b.int(Type::I64, NO_END.cast_signed());
        self.record_unless(&mut b, good, [at, end, site]);
        b.effect(Op::Return(Some(good)));
        function
    }

    /// Whether `bytes` from `at` on are in one of the further ranges of the launch.
    fn in_reached(self, b: &mut Builder<'_>, at: Value, bytes: Value) -> Value {
        let (table, count) = self.recorder.reached(b);
        let is_some = b.compare_int(CompareOp::Ne, count, 0);
        let then = b.nested(|b| {
            // How many ranges begin at or before the address. Not a loop, either.
            let mut before = b.int(Type::I32, 0);
            let mut step = i64::from(MOST_REACHED / 2 + 1);
            while step > 0 {
                let next = b.binary_int(BinaryOp::Add, before, step);
                let exists = b.compare(CompareOp::ULe, next, count);
                let last = b.select(exists, next, count);
                let index = b.binary_int(BinaryOp::Add, last, -1);
                let first = table.element(b, index, 16).load(b, Type::I64, 8, false);
                let begins = b.compare(CompareOp::ULe, first, at);
                let is_before = b.binary(BinaryOp::And, exists, begins);
                before = b.select(is_before, next, before);
                step /= 2;
            }
            let none = b.compare_int(CompareOp::Eq, before, 0);
            let zero = b.int(Type::I32, 0);
            let index = b.binary_int(BinaryOp::Add, before, -1);
            let index = b.select(none, zero, index);
            let place = table.element(b, index, 16);
            let (first, end) = (place.load(b, Type::I64, 8, false), place.plus(8).load(b, Type::I64, 8, false));
            let found = is_within(b, at, bytes, first, end);
            b.effect(Op::Yield(smallvec![found]));
        });
        let otherwise = b.nested(|b| {
            let no = b.int(Type::BOOL, 0);
            b.effect(Op::Yield(smallvec![no]));
        });
        b.push(Op::If { condition: is_some, then, otherwise }, &[Type::BOOL])[0]
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
