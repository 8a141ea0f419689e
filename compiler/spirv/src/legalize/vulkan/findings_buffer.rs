//! The buffer that sanitizers record in: what of it a kernel reads and writes. Its layout is documented in
//! [`crate::interface::bounds`].

use super::printf::atomic;
use super::words::load_bytes;
use crate::address_format::{Address, AddressFormat};
use crate::interface::bounds::{
    CHECKSUM, CHECKSUM_FACTOR, FAULT_BYTES, FAULTS, FIRST_FAULT, RANGES, REACHED, RECORD_FACTORS, SITE_BYTES,
    SITE_COUNT, SITE_PLACE,
};
use crate::interface::{ModuleInterface, PushConstant, PushConstantKind};
use clforge_basic::narrow::to_i64;
use clforge_basic::options::Options;
use clforge_ir::*;
use smallvec::smallvec;

// They are read together.
const _: () = assert!(SITE_PLACE == SITE_COUNT + 4);
// The highest bits of a word are the number of a record.
const _: () = assert!(FAULTS.is_power_of_two() && FAULTS > 1);

/// The buffer that the host reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct FindingsBuffer {
    addresses: AddressFormat,
    push_constants: VariableId,
    /// Byte offset of the buffer's address in the push constants.
    offset: u32,
    /// The region's offset in the push constants.
    region: PushConstant,
}

/// What a site has found in a work-item.
pub(super) struct Finding {
    /// What is told of the first time: (what, end), the lower words first.
    pub told: [Value; 4],
    pub site: Value,
    /// How often.
    pub count: Value,
}

impl FindingsBuffer {
    /// That of a module whose interface has one.
    pub fn of(module: &Module, interface: &ModuleInterface, options: &Options) -> Result<FindingsBuffer, Error> {
        let offset = interface.bounds.as_ref().or_internal("no buffer for what is found")?.offset;
        let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
        let push_constants = push.or_internal("no push constants")?;
        let region = push_constant(interface, PushConstantKind::RegionOffset)?;
        Ok(FindingsBuffer { addresses: AddressFormat::of(options), push_constants, offset, region })
    }

    /// A value of the push constants.
    pub fn load(self, b: &mut Builder<'_>, offset: u32, ty: Type) -> Value {
        load_bytes(b, self.push_constants, offset, ty)
    }

    /// The buffer's address.
    pub fn table(self, b: &mut Builder<'_>) -> Address {
        let stored = self.load(b, self.offset, self.addresses.stored_type());
        Address::new(self.addresses.loaded(b, stored, Space::Global))
    }

    /// A range of the launch, by its number: the first byte and the end.
    pub fn range(self, b: &mut Builder<'_>, index: u32) -> (Value, Value) {
        let table = self.table(b);
        let at = i64::from(RANGES) + i64::from(index) * 16;
        let mut word = |displacement| table.plus(displacement).load(b, Type::I64, 8, false);
        (word(at), word(at + 8))
    }

    /// The address and the number of further ranges.
    pub fn reached(self, b: &mut Builder<'_>) -> (Address, Value) {
        let place = self.table(b).plus(REACHED.into());
        let stored = place.load(b, self.addresses.stored_type(), 8, false);
        (Address::new(self.addresses.loaded(b, stored, Space::Global)), place.plus(8).load(b, Type::I32, 4, false))
    }

    /// How many sites there is room for, and where that of the first one begins.
    pub fn sites(self, b: &mut Builder<'_>) -> [Value; 2] {
        let place = self.table(b).plus(i64::from(SITE_COUNT));
        let both = place.load(b, Type::vector(ScalarType::I32, 2), 4, false);
        [0, 1].map(|lane| b.extract(both, lane))
    }

    /// Counts one finding, and writes it down if it is among the first of its site: (what, end, site).
    pub fn count(self, b: &mut Builder<'_>, [what, end, site]: [Value; 3]) {
        let table = self.table(b);
        let one = b.int(Type::I32, 1);
        let pointer = table.pointer(b);
        atomic(b, AtomicOp::Add, pointer, Some(one));
        let [count, start] = self.sites(b);
        // The host may know fewer sites, where somebody has changed what the module says of itself.
        let known = b.compare(CompareOp::ULt, site, count);
        if_true(b, known, |b| {
            let place = table.element(b, start, 1).element(b, site, SITE_BYTES);
            let pointer = place.pointer(b);
            let number = atomic(b, AtomicOp::Add, pointer, Some(one));
            let most = b.int(Type::I32, i64::from(FAULTS));
            let has_room = b.compare(CompareOp::ULt, number, most);
            if_true(b, has_room, |b| {
                let [what, end] = [what, end].map(|value| b.bitcast(value, Type::vector(ScalarType::I32, 2)));
                let told = [b.extract(what, 0), b.extract(what, 1), b.extract(end, 0), b.extract(end, 1)];
                let words = self.record(b, told);
                let place = record_place(b, place, number);
                // Few stores of many bytes: some drivers execute them although nothing is found.
                for (at, half) in [(0, &words[..4]), (16, &words[4..])] {
                    let half = b.construct(half);
                    place.plus(at).store(b, half, 4, false);
                }
            });
        });
    }

    /// Adds all that a site has found in a work-item, for which it has one record.
    pub fn add(self, b: &mut Builder<'_>, [count, start]: [Value; 2], finding: Finding) {
        let table = self.table(b).settled(b);
        let known = b.compare(CompareOp::ULt, finding.site, count);
        let site = table.element(b, start, 1).element(b, finding.site, SITE_BYTES);
        if_true(b, known, |b| {
            let pointer = site.pointer(b);
            atomic(b, AtomicOp::Add, pointer, Some(finding.count));
        });
        let words = self.record(b, finding.told);
        let mut sum = b.int(Type::I32, 0);
        for (word, factor) in words[4..7].iter().zip(RECORD_FACTORS) {
            let product = b.binary_int(BinaryOp::Mul, *word, i64::from(factor.cast_signed()));
            sum = b.binary(BinaryOp::Add, sum, product);
        }
        let number = b.binary_int(BinaryOp::LShr, sum, i64::from(FAULTS.leading_zeros() + 1));
        let place = record_place(b, site, number);
        store_words(b, known, (place, &words), table);
    }

    /// The words of a record of this work-item.
    fn record(self, b: &mut Builder<'_>, [low, high, end_low, end_high]: [Value; 4]) -> [Value; 8] {
        let [x, y, z] = [0, 1, 2].map(|dim| {
            let id = b.emit(Op::Input { input: Input::GlobalInvocationId, dim }, Type::I32);
            // The lower words of ids of 64 bits, which come first.
            let start = self.load(b, self.region.place(dim), Type::I32);
            b.binary(BinaryOp::Add, id, start)
        });
        let mut sum = b.int(Type::I32, i64::from(CHECKSUM.cast_signed()));
        for word in [low, high, end_low, end_high, x, y, z] {
            let product = b.binary_int(BinaryOp::Mul, sum, i64::from(CHECKSUM_FACTOR.cast_signed()));
            sum = b.binary(BinaryOp::Xor, product, word);
        }
        [low, high, end_low, end_high, x, y, z, sum]
    }
}

/// Where a record of a site is, by its number.
fn record_place(b: &mut Builder<'_>, site: Address, number: Value) -> Address {
    site.plus(i64::from(FIRST_FAULT)).element(b, number, FAULT_BYTES).settled(b)
}

/// Stores the words of a record if its site is known, and 1 as the number of mistakes, in a loop of one store: drivers that
/// execute both sides of each branch execute its body once where nothing is found.
fn store_words(b: &mut Builder<'_>, known: Value, (record, words): (Address, &[Value]), total: Address) {
    let last = to_i64(words.len());
    counted_loop(b, last + 1, |b, step| {
        let is_total = b.compare_int(CompareOp::Eq, step, last);
        let stores = b.binary(BinaryOp::Or, known, is_total);
        let place = record.element(b, step, 4).pointer(b);
        let total = total.pointer(b);
        let place = Address::new(b.select(is_total, total, place));
        let mut value = b.int(Type::I32, 1);
        for (word, number) in words.iter().zip(0..) {
            let is_here = b.compare_int(CompareOp::Eq, step, number);
            value = b.select(is_here, *word, value);
        }
        if_true(b, stores, |b| place.store(b, value, 4, false));
    });
}

/// Does something a constant number of times, with the number of the iteration.
pub(super) fn counted_loop(b: &mut Builder<'_>, times: i64, act: impl FnOnce(&mut Builder<'_>, Value)) {
    let [zero, one] = [0, 1].map(|number| b.int(Type::I32, number));
    b.count_up((zero, one), LoopHint::DontUnroll, &[], |b, step| {
        let is_left = b.compare_int(CompareOp::SLt, step, times);
        b.break_unless(is_left, &[]);
        act(b, step);
    });
}

/// Where the push constants have what describes the ND-range.
pub(super) fn push_constant(interface: &ModuleInterface, kind: PushConstantKind) -> Result<PushConstant, Error> {
    let found = interface.push_constants.iter().find(|constant| constant.kind == kind);
    found.copied().or_internal("a push constant that is not laid out")
}

/// Does something only where a condition holds.
pub(super) fn if_true(b: &mut Builder<'_>, condition: Value, act: impl FnOnce(&mut Builder<'_>)) {
    let then = b.nested(|b| {
        act(b);
        b.effect(Op::Yield(smallvec![]));
    });
    let otherwise = b.nested(|b| b.effect(Op::Yield(smallvec![])));
    b.effect(Op::If { condition, then, otherwise });
}
