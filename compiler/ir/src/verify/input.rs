//! Operations that read what the device gives each work-item, and descriptors.

use super::*;

const SAMPLER: Type = Type::scalar(ScalarType::Opaque(Opaque::Sampler));

impl Verifier<'_> {
    pub(super) fn input_operation(&self, op: &Op, found: &[Type]) -> Check {
        match op {
            Op::WorkItem { query, dim } => {
                operands(*dim < 3, "no such dimension")?;
                // A size of 32 bits, too, where the program's pointers have as many.
                let ty = work_item_type(*query);
                results(found, &[if found == [Type::I32] { Type::I32 } else { ty }])
            }
            Op::Input { dim, .. } => {
                operands(*dim < 3, "no such dimension")?;
                results(found, &[Type::I32])
            }
            Op::SpecConstant(_) => results(found, &[Type::I32]),
            Op::BufferLength(variable) => {
                let storage = self.module.variables.get(*variable).map(|variable| variable.storage);
                operands(matches!(storage, Some(Storage::StorageBuffer { .. })), "not a variable in a storage buffer")?;
                results(found, &[Type::I32])
            }
            // Its words, where integers of 64 bits are emulated.
            Op::ReadClock(_) if self.dialect.reached(Legalized::Memory) && found == [Type::I32X2] => Ok(()),
            Op::ReadClock(_) => results(found, &[Type::I64]),
            Op::Sampler(_) => results(found, &[SAMPLER]),
            Op::HandleIndex(handle) => {
                let is_handle =
                    matches!(self.ty(*handle).scalar, ScalarType::Opaque(Opaque::Image(_) | Opaque::Sampler));
                operands(is_handle, "the handle is neither an image nor a sampler")?;
                results(found, &[Type::I64])
            }
            Op::Resource { .. } => {
                let ty = only_result(found)?;
                let is_handle = matches!(ty.scalar, ScalarType::Opaque(Opaque::Image(_) | Opaque::Sampler));
                let is_buffer = matches!(ty.space(), Some(Space::Global | Space::Constant));
                require(is_handle || is_buffer, Rule::Results, || {
                    "the resource is neither an image, a sampler nor a buffer".into()
                })
            }
            op => violation(Rule::Operands, format!("not an operation that reads what the device provides: {op:?}")),
        }
    }
}

fn work_item_type(query: WorkItemQuery) -> Type {
    use WorkItemQuery::*;
    match query {
        GlobalId | GlobalSize | GlobalOffset | LocalId | LocalSize | EnqueuedLocalSize | GroupId | NumGroups
        | GlobalLinearId | LocalLinearId | QueueMemory => Type::I64,
        WorkDim | SubGroupSize | MaxSubGroupSize | NumSubGroups | EnqueuedNumSubGroups | SubGroupId
        | SubGroupLocalId => Type::I32,
    }
}
