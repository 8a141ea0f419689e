//! Bounds checks: the functions that decide whether an access is within its allowed ranges, and have it recorded if it is not.
//! An access outside of them reads zeros and writes nothing. The layout of the buffer is documented in
//! [`crate::interface::bounds`]; the allowed ranges of an access are determined in [`super::check_ranges`].

use crate::interface::ModuleInterface;
use crate::interface::bounds::{MOST_REACHED, Memory, NO_END};
use crate::legalize::vulkan::findings::Recorder;
use clforge_basic::options::Options;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// The first byte of some memory, and its end.
pub(super) type Range = (Value, Value);

/// The state that all checks share.
#[derive(Clone, Copy)]
pub(super) struct Checker {
    recorder: Recorder,
    /// (first byte, bytes): whether the access is in any range of the launch.
    in_any: FunctionId,
}

/// Whether an access is allowed, and what is recorded if it is not.
#[derive(Clone, Copy)]
pub(super) struct Verdict {
    good: Value,
    recorder: Recorder,
    /// What was accessed, the end of the range, and the site.
    what: [Value; 3],
}

impl Verdict {
    /// Loads from a place that is always there instead where the access is not allowed, which is recorded; the result is zeros then.
    /// Unlike loads in branches, such loads wait for memory at the same time.
    pub fn load(self, b: &mut Builder<'_>, ty: Type, load: impl FnOnce(&mut Builder<'_>, Value) -> Value) -> Value {
        let value = load(b, self.good);
        self.recorder.record_unless(b, self.good, self.what);
        let zero = zero(b, ty);
        b.select(self.good, value, zero)
    }

    /// The address of memory that may be read, and has room for every type.
    pub fn readable(self, b: &mut Builder<'_>) -> Value {
        self.recorder.buffer.table(b).pointer(b)
    }
}

fn zero(b: &mut Builder<'_>, ty: Type) -> Value {
    if ty.scalar.is_float() { b.float(ty, 0.0) } else { b.int(ty, 0) }
}

/// Ranges of arguments that a function has loaded from the table where it begins: drivers do not know that nothing changes them.
#[derive(Default)]
pub(super) struct EntryRanges {
    known: FxHashMap<u32, Range>,
    loads: Vec<InstId>,
}

impl EntryRanges {
    /// The range of an argument.
    pub fn of(&mut self, b: &mut Builder<'_>, checker: Checker, ordinal: u32) -> Range {
        if let Some(range) = self.known.get(&ordinal) {
            return *range;
        }
        let region = b.function.new_region();
        b.enter(region);
        let range = checker.range(b, ordinal);
        b.leave();
        self.loads.append(&mut b.function.region_mut(region).insts);
        self.known.insert(ordinal, range);
        range
    }

    /// Puts the loads in front of everything else.
    pub fn insert(self, function: &mut Function) {
        let body = function.body;
        function.region_mut(body).insts.splice(0..0, self.loads);
    }
}

impl Checker {
    /// Appends the functions that check.
    pub fn new(module: &mut Module, interface: &ModuleInterface, options: &Options) -> Result<Checker, Error> {
        let recorder = Recorder::new(module, interface, options)?;
        let checker = Checker { recorder, in_any: module.functions.next_key() };
        module.functions.push(checker.any_range(recorder.ranges));
        Ok(checker)
    }

    /// A range of the launch, by its number.
    pub fn range(self, b: &mut Builder<'_>, index: u32) -> Range {
        self.recorder.buffer.range(b, index)
    }

    /// Whether `bytes` from `at` on are in these ranges; of none, in any of the launch. The end of the range is told of objects
    /// only: the host knows what addresses are near.
    pub fn check(
        self,
        b: &mut Builder<'_>,
        at: Value,
        bytes: u64,
        ranges: &[Range],
        (site, memory): (u32, Memory),
    ) -> Result<Verdict, Error> {
        let (size, site) = (b.int(Type::I64, bytes.cast_signed()), b.int(Type::I32, i64::from(site)));
        let no_end = b.int(Type::I64, NO_END.cast_signed());
        let (good, end) = match ranges {
            [] => {
                let within = b.call(self.in_any, &[at, size], Some(Type::BOOL));
                (within.or_internal("a check without result")?, no_end)
            }
            [(first, end)] => (is_within(b, at, size, *first, *end), *end),
            several => {
                let mut good = b.int(Type::BOOL, 0);
                for (first, end) in several {
                    let within = is_within(b, at, size, *first, *end);
                    good = b.binary(BinaryOp::Or, good, within);
                }
                (good, no_end)
            }
        };
        let end = if memory == Memory::Device { b.int(Type::I64, 0) } else { end };
        Ok(self.verdict(good, [at, end, site]))
    }

    /// What a check has found.
    pub fn verdict(self, good: Value, what: [Value; 3]) -> Verdict {
        Verdict { good, recorder: self.recorder, what }
    }

    fn any_range(self, ranges: u32) -> Function {
        let mut function = Function::new("bounds_in_any");
        let [at, bytes] = [(); 2].map(|()| function.add_param(Type::I64));
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
        b.effect(Op::Return(Some(good)));
        function
    }

    /// Whether `bytes` from `at` on are in one of the further ranges of the launch.
    fn in_reached(self, b: &mut Builder<'_>, at: Value, bytes: Value) -> Value {
        let (table, count) = self.recorder.buffer.reached(b);
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

/// Whether `bytes` from `at` on are in a range. Nothing overflows, and what depends on the range alone can leave loops.
fn is_within(b: &mut Builder<'_>, at: Value, bytes: Value, first: Value, end: Value) -> Value {
    let room = b.binary(BinaryOp::Sub, end, first);
    let fits = b.compare(CompareOp::UGe, room, bytes);
    let most = b.binary(BinaryOp::Sub, room, bytes);
    let offset = b.binary(BinaryOp::Sub, at, first);
    let before = b.compare(CompareOp::ULe, offset, most);
    b.binary(BinaryOp::And, fits, before)
}

/// Emits an access, in an `if` where it has a check. Where the access is not allowed it is recorded, and the results are zeros
/// of these types.
pub(super) fn when_allowed(
    b: &mut Builder<'_>,
    check: Option<Verdict>,
    types: &[Type],
    access: &mut dyn FnMut(&mut Builder<'_>) -> Result<Vec<Value>, Error>,
) -> Result<Vec<Value>, Error> {
    let Some(Verdict { good: condition, recorder, what }) = check else { return access(b) };
    let is_noted = recorder.note_unless(b, condition, what);
    let (then, otherwise) = (b.function.new_region(), b.function.new_region());
    b.enter(then);
    let values = access(b);
    let values = values.map(|values| b.effect(Op::Yield(values.into())));
    b.leave();
    values?;
    b.enter(otherwise);
    if !is_noted {
        recorder.record(b, what);
    }
    let zeros: Values = types.iter().map(|ty| zero(b, *ty)).collect();
    b.effect(Op::Yield(zeros));
    b.leave();
    Ok(b.push(Op::If { condition, then, otherwise }, types).to_vec())
}
