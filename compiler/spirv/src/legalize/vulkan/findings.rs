//! The function that records what sanitizers find in a running kernel, and the tables that the host gives them. The layout of the
//! buffer is documented in [`crate::interface::bounds`].

use super::first_findings::{FirstFindings, call_at_ends};
use super::kernel_abi::load_bytes;
use super::printf::atomic;
use crate::address_format::{Address, AddressFormat};
use crate::interface::bounds::{
    FAULT_BYTES, FAULTS, FIRST_FAULT, RANGES, REACHED, SITE_BYTES, SITE_COUNT, SITE_PLACE, WITHOUT_DETAILS,
};
use crate::interface::{ModuleInterface, PushConstant, PushConstantKind};
use clforge_basic::options::Options;
use clforge_basic::tuning::Tuning;
use clforge_ir::*;
use smallvec::smallvec;

// They are read together.
const _: () = assert!(SITE_PLACE == SITE_COUNT + 4);

/// Where findings are recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorder {
    addresses: AddressFormat,
    push_constants: VariableId,
    /// Byte offset of the buffer's address in the push constants.
    offset: u32,
    /// The region's offset in the push constants.
    region: PushConstant,
    /// How many ranges the host gives.
    pub ranges: u32,
    /// (what, end, site): records a finding.
    record: FunctionId,
    /// Where findings are noted until the kernel ends, if they are.
    first: Option<FirstFindings>,
}

impl Recorder {
    /// Appends the function that records, to a module whose interface has a buffer for it.
    pub fn new(module: &mut Module, interface: &ModuleInterface, options: &Options) -> Result<Recorder, Error> {
        let bounds = interface.bounds.as_ref().or_internal("no buffer for what is found")?;
        let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
        let push_constants = push.or_internal("no push constants")?;
        let region = push_constant(interface, PushConstantKind::RegionOffset)?;
        let record = module.functions.next_key();
        let (offset, ranges) = (bounds.offset, bounds.ranges);
        let addresses = AddressFormat::of(options);
        let recorder = Recorder { addresses, push_constants, offset, region, ranges, record, first: None };
        module.functions.push(recorder.recorder());
        if !options.codegen.tuning.contains(Tuning::LAVAPIPE_FIRST_FINDINGS) {
            return Ok(recorder);
        }
        let (first, is_new) = FirstFindings::of(module);
        if is_new {
            let flush = module.functions.next_key();
            let flush_function = first.flush(|b, told, has_details| recorder.count(b, told, Some(has_details)));
            module.functions.push(flush_function);
            call_at_ends(module, flush);
        }
        Ok(Recorder { first: Some(first), ..recorder })
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

    /// What an address as a number is the address of.
    pub fn place(self, address: Value) -> Address {
        Address::new(address)
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

    /// Records (what, end, site) if it is not good, now or where the kernel ends.
    pub fn record_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        if !self.note_unless(b, good, what) {
            self.record_now_unless(b, good, what);
        }
    }

    /// Records (what, end, site) now if it is not good.
    pub fn record_now_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        let then = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        let otherwise = b.nested(|b| {
            self.record(b, what);
            b.effect(Op::Yield(smallvec![]));
        });
        b.effect(Op::If { condition: good, then, otherwise });
    }

    /// Notes (what, end, site) if it is not good, where findings are noted; whether they are.
    pub fn note_unless(self, b: &mut Builder<'_>, good: Value, [what, end, site]: [Value; 3]) -> bool {
        let site = b.function.as_int(site).and_then(|site| i64::try_from(site).ok());
        let (Some(first), Some(site)) = (self.first, site) else { return false };
        first.note_unless(b, good, [what, end], site);
        true
    }

    /// Records (what, end, site).
    pub fn record(self, b: &mut Builder<'_>, what: [Value; 3]) {
        b.call(self.record, &what, None);
    }

    fn recorder(self) -> Function {
        let mut function = Function::new("bounds_record");
        let [what, end] = [(); 2].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        let mut b = Builder::new(&mut function);
        self.count(&mut b, [what, end, site], None);
        b.effect(Op::Return(None));
        function
    }

    /// Counts a finding, and writes it down if it is among the first of its site: (what, end, site), of which the first two may
    /// be known only where a condition holds.
    pub fn count(self, b: &mut Builder<'_>, [what, end, site]: [Value; 3], has_details: Option<Value>) {
        let table = self.table(b);
        let one = b.int(Type::I32, 1);
        let pointer = table.pointer(b);
        atomic(b, AtomicOp::Add, pointer, Some(one));
        let place = table.plus(i64::from(SITE_COUNT));
        let both = place.load(b, Type::vector(ScalarType::I32, 2), 4, false);
        let [count, start] = [0, 1].map(|lane| b.extract(both, lane));
        // The host may know fewer sites, where somebody has changed what the module says of itself.
        let known = b.compare(CompareOp::ULt, site, count);
        if_true(b, known, |b| {
            let place = table.element(b, start, 1).element(b, site, SITE_BYTES);
            let pointer = place.pointer(b);
            let number = atomic(b, AtomicOp::Add, pointer, Some(one));
            let most = b.int(Type::I32, i64::from(FAULTS));
            let has_room = b.compare(CompareOp::ULt, number, most);
            if_true(b, has_room, |b| {
                let place = place.plus(i64::from(FIRST_FAULT)).element(b, number, FAULT_BYTES);
                self.write(b, place, [what, end], has_details);
            });
        });
    }

    /// Few stores of many bytes: some drivers execute them although nothing is found.
    fn write(self, b: &mut Builder<'_>, place: Address, told: [Value; 2], has_details: Option<Value>) {
        let [what, end] = told.map(|value| b.bitcast(value, Type::vector(ScalarType::I32, 2)));
        let words = [b.extract(what, 0), b.extract(what, 1), b.extract(end, 0), b.extract(end, 1)];
        let told = b.construct(&words);
        place.store(b, told, 4, false);
        let [x, y, z] = [0, 1, 2].map(|dim| {
            let id = b.emit(Op::Input { input: Input::GlobalInvocationId, dim }, Type::I32);
            // The lower words of ids of 64 bits, which come first.
            let start = self.load(b, self.region.place(dim), Type::I32);
            b.binary(BinaryOp::Add, id, start)
        });
        let [without, with] = [WITHOUT_DETAILS, 0].map(|word| b.int(Type::I32, word.into()));
        let details = has_details.map_or(with, |has_details| b.select(has_details, with, without));
        let item = b.construct(&[x, y, z, details]);
        place.plus(16).store(b, item, 4, false);
    }
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
