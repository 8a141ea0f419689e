//! Facts about arguments that ClspvReflection does not have, above all their layouts. They are instructions of a set of
//! our own, [`SET`].
//!
//! | number | operands | |
//! |---|---|---|
//! | [`RECORD`] | name, bytes, 1 for a union and 0 for a struct | a record; its members follow |
//! | [`MEMBER`] | record, name, byte offset, element, bytes of an element, lengths… | a member of the last record |
//! | [`ARGUMENT`] | kernel, ordinal, element, bytes of an element, lengths… | what an argument is made of, or points to |
//! | [`ITERATIONS`] | kernel, number | see [`KernelInterface::most_iterations`](super::KernelInterface::most_iterations) |
//! | [`ITERATION_BOUND`] | kernel, words | see [`IterationBound::to_words`](super::iterations::IterationBound::to_words) |
//! | [`LOOP_STATUS`] | offset | see [`ModuleInterface::loop_status`](super::ModuleInterface::loop_status) |
//! | [`WRAPPED_SAMPLER`] | kernel, ordinal, number of a specialisation constant | see [`WrappedSampler`](super::WrappedSampler) |
//! | [`ACCESSES`] | kernel, access of other memory, position of an argument, access of its memory… | see [`Accesses`](super::Accesses); an access is 1 for reads and 2 for writes |
//! | [`NULL_POINTER`] | kernel, ordinal, offset, and set and binding of a uniform buffer if it is not in the push constants | see [`ImageFactKind::NullPointer`](super::ImageFactKind::NullPointer) |
//! | [`QUEUE_MEMORY`] | offset | see [`ModuleInterface::queue_memory`](super::ModuleInterface::queue_memory) |
//! | [`ENQUEUES`] | kernel | see [`KernelInterface::enqueues`](super::KernelInterface::enqueues) |
//! | [`BLOCK`] | kernel | see [`KernelInterface::is_block`](super::KernelInterface::is_block) |
//! | [`CAPTURED`] | kernel, ordinal, byte | see [`CapturedHandle`](super::CapturedHandle) |
//!
//! Names are strings, numbers 32-bit constants. An element is the name of a built-in type of OpenCL C (`void*` for pointers) or a
//! record of an earlier instruction, an array has its lengths, the outermost first. A kernel is the `Kernel` of the reflection.

use super::{Element, RecordLayout, ValueLayout};
use clforge_basic::layout::{MAX_DEPTH, MAX_LENGTHS, MAX_MEMBERS};

/// Name of the instruction set.
pub const SET: &str = "NonSemantic.ClforgeLayouts.1";
/// Number of the instruction that begins a record.
pub const RECORD: u32 = 1;
/// Number of the instruction that describes a member.
pub const MEMBER: u32 = 2;
/// Number of the instruction that describes an argument.
pub const ARGUMENT: u32 = 3;
/// Number of the instruction that describes how coordinates are wrapped.
pub const WRAPPED_SAMPLER: u32 = 4;
/// Number of the instruction that describes a kernel's loops.
pub const ITERATIONS: u32 = 5;
/// Number of the instruction that describes where kernels say that a loop was ended.
pub const LOOP_STATUS: u32 = 6;
/// Number of the instruction that describes which memory a kernel accesses.
pub const ACCESSES: u32 = 7;

/// Number of the instruction that describes where a kernel reads whether an argument is a null pointer.
pub const NULL_POINTER: u32 = 8;

/// Number of the instruction that describes where kernels find the memory of device queues.
pub const QUEUE_MEMORY: u32 = 9;
/// Number of the instruction of a kernel that enqueues others.
pub const ENQUEUES: u32 = 10;
/// Number of the instruction of a kernel that runs a block.
pub const BLOCK: u32 = 11;
/// Number of the instruction that describes an argument for what a block has captured.
pub const CAPTURED: u32 = 12;
/// Number of the instruction that describes a kernel's loops in terms of its launches.
pub const ITERATION_BOUND: u32 = 13;

/// Checks records as they are read, so that they can be trusted after: members are inside of their record, and what is inside
/// each other ends.
#[derive(Default)]
pub(super) struct Depths(Vec<u32>);

impl Depths {
    /// Begins a record.
    pub fn begin(&mut self) {
        self.0.push(1);
    }

    /// Checks the last member of the last record.
    pub fn check_member(&mut self, records: &[RecordLayout]) -> Result<(), &'static str> {
        let Some(record) = records.last() else { return Err("there is no record") };
        let Some(member) = record.members.last() else { return Ok(()) };
        let end = self.check_value(&member.value, records.len() - 1, records)?.checked_add(member.offset);
        if end.is_none_or(|end| end > record.size) {
            return Err("a member is outside of its record");
        }
        if record.members.len() > MAX_MEMBERS {
            return Err("a record has too many members");
        }
        if let (Element::Record(inner), Some(own)) = (&member.value.element, records.len().checked_sub(1)) {
            let depth = self.0.get(*inner as usize).map_or(0, |depth| depth + 1);
            let own = self.0.get_mut(own).ok_or("there is no record")?;
            *own = depth.max(*own);
            if *own > MAX_DEPTH {
                return Err("records are too deep inside each other");
            }
        }
        Ok(())
    }

    /// Checks a value that is made of the first `known` records. Its size in bytes.
    pub fn check_value(
        &self,
        value: &ValueLayout,
        known: usize,
        records: &[RecordLayout],
    ) -> Result<u32, &'static str> {
        if let Element::Record(index) = &value.element {
            match records.get(..known).and_then(|records| records.get(*index as usize)) {
                Some(record) if record.size == value.size => {}
                Some(_) => return Err("the sizes of a record differ"),
                None => return Err("a record contains itself"),
            }
        }
        if value.lengths.len() > MAX_LENGTHS {
            return Err("an array has too many lengths");
        }
        value.bytes().ok_or("a value has more than 32 bits of bytes")
    }
}
