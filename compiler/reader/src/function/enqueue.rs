//! Kernels that are enqueued on the device, with their ranges and events.
//!
//! A range is a structure of 40 or 80 bytes. The specification has it as an operand; LLVM's translator passes its address,
//! and the addresses of the sizes of local memory. Both forms are read.

use super::{FunctionReader, Item, Parts};
use crate::decode::Instruction;
use crate::error::Result;
use crate::tables::invoked_operand;
use crate::types::Leaf;
use clforge_basic::narrow::to_i64;
use clforge_ir::{ConvertOp, DeviceOp, EnqueueOp, Op as Inst, Opaque, ScalarType, Space, Type, Value, Values};
use rspirv::spirv::Op;

const QUEUE: Type = Type::scalar(ScalarType::Opaque(Opaque::Queue));
const EVENT: Type = Type::scalar(ScalarType::Opaque(Opaque::ClkEvent));
/// Bytes of a range in the IR, and its numbers: the dimensions, and the offset, the global and the local size in three
/// dimensions each.
const RANGE: u64 = 80;
const NUMBERS: u8 = 10;

/// Whether an instruction is read here.
pub fn is_enqueue(op: Op) -> bool {
    invoked_operand(op).is_some()
        || matches!(op, Op::EnqueueMarker | Op::RetainEvent | Op::ReleaseEvent | Op::CreateUserEvent)
        || matches!(op, Op::IsValidEvent | Op::SetUserEventStatus | Op::CaptureEventProfilingInfo)
        || matches!(op, Op::GetDefaultQueue | Op::BuildNDRange)
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn enqueueing(&mut self, at: &Instruction<'w>) -> Result<()> {
        if at.op == Op::BuildNDRange {
            return self.build_range(at);
        }
        let (op, ty) = match invoked_operand(at.op) {
            Some(index) => (self.of_invoked(at, index)?, Some(Type::I32)),
            None => self.of_events(at)?,
        };
        match ty {
            Some(ty) => {
                let value = self.b.emit(op, ty);
                self.define_value(at, value)
            }
            None => {
                self.b.effect(op);
                Ok(())
            }
        }
    }

    /// An operation on events and queues, and the type of its result.
    fn of_events(&mut self, at: &Instruction<'w>) -> Result<(Inst, Option<Type>)> {
        use DeviceOp as D;
        let (op, ty) = match at.op {
            Op::EnqueueMarker => {
                let (queue, event_count) = (self.operand_of(at, 0, QUEUE)?, self.operand_of(at, 1, Type::I32)?);
                let (wait_list, event) = (self.in_generic(at, 2)?, self.in_generic(at, 3)?);
                (D::EnqueueMarker { queue, event_count, wait_list, event }, Some(Type::I32))
            }
            Op::RetainEvent => (D::RetainEvent { event: self.operand_of(at, 0, EVENT)? }, None),
            Op::ReleaseEvent => (D::ReleaseEvent { event: self.operand_of(at, 0, EVENT)? }, None),
            Op::CreateUserEvent => (D::CreateUserEvent, Some(EVENT)),
            Op::IsValidEvent => (D::IsValidEvent { event: self.operand_of(at, 0, EVENT)? }, Some(Type::BOOL)),
            Op::SetUserEventStatus => {
                let (event, status) = (self.operand_of(at, 0, EVENT)?, self.operand_of(at, 1, Type::I32)?);
                (D::SetUserEventStatus { event, status }, None)
            }
            Op::CaptureEventProfilingInfo => {
                let (event, info) = (self.operand_of(at, 0, EVENT)?, self.operand_of(at, 1, Type::I32)?);
                let destination = self.in_space(at, 2, Space::Global)?;
                (D::CaptureEventProfilingInfo { event, info, destination }, None)
            }
            Op::GetDefaultQueue => (D::DefaultQueue, Some(QUEUE)),
            op => return Err(at.unsupported(format!("{op:?} is not supported"))),
        };
        Ok((Inst::Device(op), ty))
    }

    /// An operation on a function that can be enqueued, which the operand at an index names.
    fn of_invoked(&mut self, at: &Instruction<'w>, index: usize) -> Result<Inst> {
        let id = at.operand(index)?;
        let kernel = self.m.block_kernels.get(&id).copied();
        let kernel = kernel.ok_or_else(|| at.invalid("a kernel is enqueued without the capability DeviceEnqueue"))?;
        let op = match at.op {
            Op::EnqueueKernel => EnqueueOp::Kernel {
                queue: self.operand_of(at, 0, QUEUE)?,
                flags: self.operand_of(at, 1, Type::I32)?,
                range: self.range(at, 2)?,
                event_count: self.operand_of(at, 3, Type::I32)?,
                wait_list: self.in_generic(at, 4)?,
                event: self.in_generic(at, 5)?,
            },
            Op::GetKernelWorkGroupSize => EnqueueOp::WorkGroupSize,
            Op::GetKernelPreferredWorkGroupSizeMultiple => EnqueueOp::PreferredWorkGroupSizeMultiple,
            Op::GetKernelNDrangeSubGroupCount => EnqueueOp::NdRangeSubGroupCount { range: self.range(at, 0)? },
            Op::GetKernelNDrangeMaxSubGroupSize => EnqueueOp::NdRangeMaxSubGroupSize { range: self.range(at, 0)? },
            Op::GetKernelLocalSizeForSubgroupCount => {
                EnqueueOp::LocalSizeForSubGroups { count: self.operand_of(at, 0, Type::I32)? }
            }
            _ => EnqueueOp::MaxSubGroups,
        };
        let mut local_sizes = Values::new();
        if at.op == Op::EnqueueKernel {
            for place in index + 4..at.operands.len() {
                local_sizes.push(self.local_size(at, place)?);
            }
            let wanted = self.m.tables.parameters_of(id).saturating_sub(1);
            if local_sizes.len() != wanted {
                let found = local_sizes.len();
                return Err(at.invalid(format!("{found} sizes of local memory for {wanted} parameters of %{id}")));
            }
        }
        let found = self.m.tables.invoked.iter().find(|(function, _)| *function == id);
        let object = found.map(|(_, object)| *object).ok_or_else(|| at.invalid("an object of no size"))?;
        let (size, align) = (object.size, object.align);
        let block = match size {
            // There are no bytes to read.
            0 => {
                let nothing = self.alloca(1, 1);
                self.b.convert(ConvertOp::PtrCast, nothing, Type::ptr(Space::Generic))
            }
            _ => self.in_generic(at, index + 1)?,
        };
        Ok(Inst::Enqueue { op, kernel, block, local_sizes, size, align })
    }

    /// A pointer operand as a generic pointer.
    fn in_generic(&mut self, at: &Instruction<'w>, index: usize) -> Result<Value> {
        self.in_space(at, index, Space::Generic)
    }

    /// A pointer operand that is converted to an address space.
    fn in_space(&mut self, at: &Instruction<'w>, index: usize, space: Space) -> Result<Value> {
        let pointer = self.pointer(at, index)?;
        let to = Type::ptr(space);
        match self.b.ty(pointer).space() {
            Some(from) if from == space => Ok(pointer),
            Some(_) if self.b.function.as_int(pointer) == Some(0) => Ok(self.b.int(to, 0)),
            Some(Space::Constant) => Err(at.invalid(format!("operand {index} points to constant memory"))),
            Some(from) if from == Space::Generic || space == Space::Generic => {
                Ok(self.b.convert(ConvertOp::PtrCast, pointer, to))
            }
            _ => Err(at.invalid(format!("operand {index} points to another kind of memory"))),
        }
    }

    /// The address of a range's numbers in the form of the IR.
    fn range(&mut self, at: &Instruction<'w>, index: usize) -> Result<Value> {
        let parts = self.parts(at, at.operand(index)?)?;
        let is_narrow = self.m.tables.types.narrow;
        let numbers = match parts[..] {
            [pointer] if self.b.ty(pointer).space().is_some() => {
                let pointer = self.in_space(at, index, Space::Private)?;
                if !is_narrow {
                    return Ok(pointer);
                }
                let word = |number: u8| {
                    let place = self.b.offset(pointer, 4 * i64::from(number));
                    self.b.load(Type::I32, place, 4)
                };
                (0..NUMBERS).map(word).collect()
            }
            _ => parts,
        };
        if numbers.len() != usize::from(NUMBERS) {
            return Err(at.invalid(format!("operand {index} is no range")));
        }
        let place = self.alloca(RANGE, 8);
        self.store_sizes(at, place, &numbers)?;
        Ok(place)
    }

    /// Stores integers, each as an `i64`.
    fn store_sizes(&mut self, at: &Instruction<'w>, place: Value, numbers: &[Value]) -> Result<()> {
        for (number, value) in numbers.iter().enumerate() {
            let ty = self.b.ty(*value);
            if !ty.scalar.is_int() || ty.is_vector() {
                return Err(at.invalid("a range or a size of what are no integers"));
            }
            let value = self.b.resize(*value, ScalarType::I64, false);
            let to = self.b.offset(place, 8 * to_i64(number));
            self.b.store(to, value, 8);
        }
        Ok(())
    }

    /// `OpBuildNDRange`.
    fn build_range(&mut self, at: &Instruction<'w>) -> Result<()> {
        let mut sizes: [Parts; 3] = Default::default();
        for (index, sizes) in sizes.iter_mut().enumerate() {
            *sizes = self.parts(at, at.operand(index)?)?;
        }
        let dimensions = sizes[0].len();
        if !(1..=3).contains(&dimensions) || sizes.iter().any(|sizes| sizes.len() != dimensions) {
            return Err(at.invalid("a range of none to three dimensions"));
        }
        let range = self.alloca(RANGE, 8);
        let mut operands = Values::new();
        for sizes in &sizes {
            operands.push(self.sizes_of_range(at, sizes)?);
        }
        let [global_size, local_size, offset] = operands[..] else { return Err(at.invalid("a range of no sizes")) };
        self.b.effect(Inst::Device(match dimensions {
            1 => DeviceOp::NdRange1 { range, global_size, local_size, offset },
            2 => DeviceOp::NdRange2 { range, global_size, local_size, offset },
            _ => DeviceOp::NdRange3 { range, global_size, local_size, offset },
        }));
        let leaves: Vec<Leaf> = self.m.tables.types.leaves(at, at.ty)?;
        let is_number = |leaf: &Leaf| leaf.ty == Type::I32 || leaf.ty == Type::I64;
        if leaves.len() != usize::from(NUMBERS) || !leaves.iter().all(is_number) {
            return Err(at.invalid("a range of another type"));
        }
        let mut parts = Parts::new();
        for (number, leaf) in leaves.iter().enumerate() {
            let place = self.b.offset(range, 8 * to_i64(number));
            let value = self.b.load(Type::I64, place, 8);
            parts.push(self.b.resize(value, leaf.ty.scalar, false));
        }
        self.define(at, Item::Parts(parts));
        Ok(())
    }

    /// The sizes of one dimension as a value, of several as their address, which is null where all are 0.
    fn sizes_of_range(&mut self, at: &Instruction<'w>, sizes: &[Value]) -> Result<Value> {
        if sizes.len() > 1 && sizes.iter().all(|size| self.b.function.as_int(*size) == Some(0)) {
            return Ok(self.b.int(Type::ptr(Space::Private), 0));
        }
        let place = self.alloca(8 * sizes.len() as u64, 8);
        self.store_sizes(at, place, sizes)?;
        match sizes {
            [_] => Ok(self.b.load(Type::I64, place, 8)),
            _ => Ok(place),
        }
    }

    /// The address of the size of a local argument, an `i64`.
    fn local_size(&mut self, at: &Instruction<'w>, index: usize) -> Result<Value> {
        let mut size = self.operand(at, index)?;
        if self.b.ty(size).space().is_some() {
            let pointer = self.in_space(at, index, Space::Private)?;
            if !self.m.tables.types.narrow {
                return Ok(pointer);
            }
            size = self.b.load(Type::I32, pointer, 4);
        }
        let place = self.alloca(8, 8);
        self.store_sizes(at, place, &[size])?;
        Ok(place)
    }
}
