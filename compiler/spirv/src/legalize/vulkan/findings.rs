//! The function that records what sanitizers find in a running kernel, and the tables that the host gives them. The layout of the
//! buffer is documented in [`crate::interface::bounds`].

use super::kernel_abi::load_bytes;
use super::printf::atomic;
use crate::address_format::{Address, AddressFormat};
use crate::interface::bounds::{FAULT_BYTES, FAULTS, FIRST_FAULT, RANGES, REACHED, SITE_BYTES, SITE_COUNT, SITE_PLACE};
use crate::interface::{ModuleInterface, PushConstant, PushConstantKind};
use clforge_ir::*;
use smallvec::smallvec;

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
}

impl Recorder {
    /// Appends the function that records, to a module whose interface has a buffer for it.
    pub fn new(module: &mut Module, interface: &ModuleInterface, addresses: AddressFormat) -> Result<Recorder, Error> {
        let bounds = interface.bounds.as_ref().or_internal("no buffer for what is found")?;
        let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
        let push_constants = push.or_internal("no push constants")?;
        let region = push_constant(interface, PushConstantKind::RegionOffset)?;
        let record = module.functions.next_key();
        let (offset, ranges) = (bounds.offset, bounds.ranges);
        let recorder = Recorder { addresses, push_constants, offset, region, ranges, record };
        module.functions.push(recorder.recorder());
        Ok(recorder)
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

    /// Records (what, end, site) if it is not good.
    pub fn record_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        let then = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        let otherwise = b.nested(|b| {
            self.record(b, what);
            b.effect(Op::Yield(smallvec![]));
        });
        b.effect(Op::If { condition: good, then, otherwise });
    }

    /// Records (what, end, site).
    pub fn record(self, b: &mut Builder<'_>, what: [Value; 3]) {
        b.call(self.record, &what, None);
    }

    /// Counts a finding, and writes it down if it is among the first of its site.
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
            let start = self.load(b, self.region.place(dim), Type::I32);
            let id = b.binary(BinaryOp::Add, id, start);
            store(b, 16 + i64::from(dim) * 4, id, 4);
        }
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
