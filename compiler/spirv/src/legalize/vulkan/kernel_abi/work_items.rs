//! Work-item functions: inputs of the shader and push constants that describe the ND-range.

use super::{Launch, WORK_DIM_SPEC_ID};
use crate::interface::{PushConstant, PushConstantKind};
use crate::legalize::vulkan::words::load_bytes;
use clforge_basic::options::{Options, Sanitizers, Translatable};
use clforge_ir::error::Unsupported;
use clforge_ir::*;

impl Launch {
    /// The integer of one dimension of a push constant of the ND-range: 32 bits, or 64 where it has those.
    fn push_constant(&self, b: &mut Builder<'_>, kind: PushConstantKind, dim: u8) -> Result<Value, Error> {
        if self.translatable.is_some() {
            return self.of_one_dispatch(b, kind, dim);
        }
        let constant = self.interface.push_constants.iter().find(|constant| constant.kind == kind);
        let constant = constant.or_internal("a push constant that is not laid out")?;
        let ty = if constant.is_wide() { Type::I64 } else { Type::I32 };
        Ok(load_bytes(b, self.push_variable, constant.place(dim), ty))
    }

    /// The same of a launch that is one dispatch of whole work-groups and begins at 0.
    fn of_one_dispatch(&self, b: &mut Builder<'_>, kind: PushConstantKind, dim: u8) -> Result<Value, Error> {
        use PushConstantKind as Kind;
        let groups = |b: &mut Builder<'_>| b.emit(Op::Input { input: Input::NumWorkgroups, dim }, Type::I32);
        Ok(match kind {
            Kind::GlobalOffset | Kind::RegionOffset | Kind::RegionGroupOffset => b.int(Type::I32, 0),
            Kind::NumWorkgroups => groups(b),
            Kind::EnqueuedLocalSize => self.local_size(b, dim)?,
            Kind::GlobalSize => {
                let (groups, size) = (groups(b), self.local_size(b, dim)?);
                b.binary(BinaryOp::Mul, groups, size)
            }
            Kind::WorkDim => return Err(Error::internal("the number of dimensions is no push constant")),
        })
    }

    /// The size of this work-group: a constant in modules for translators.
    fn local_size(&self, b: &mut Builder<'_>, dim: u8) -> Result<Value, Error> {
        if self.translatable.is_none() {
            return Ok(b.emit(Op::Input { input: Input::WorkgroupSize, dim }, Type::I32));
        }
        let size = self.work_group_size.ok_or_else(|| Error::unsupported(Unsupported::CalleeWorkGroupSize))?;
        Ok(b.int(Type::I32, i64::from(size[usize::from(dim)])))
    }

    /// The value of a work-item function of one dimension: 32 bits, or 64 for ids and sizes that may need them.
    pub(super) fn query(&self, b: &mut Builder<'_>, query: WorkItemQuery, dim: u8) -> Result<Value, Error> {
        use PushConstantKind as Kind;
        use WorkItemQuery as Q;
        let input = |b: &mut Builder<'_>, input: Input| b.emit(Op::Input { input, dim }, Type::I32);
        Ok(match query {
            Q::GlobalId => self.global_id(b, dim)?,
            Q::GlobalSize => self.push_constant(b, Kind::GlobalSize, dim)?,
            Q::GlobalOffset => self.push_constant(b, Kind::GlobalOffset, dim)?,
            Q::LocalId => input(b, Input::LocalInvocationId),
            Q::LocalSize => self.local_size(b, dim)?,
            Q::EnqueuedLocalSize => self.push_constant(b, Kind::EnqueuedLocalSize, dim)?,
            Q::GroupId => {
                let id = input(b, Input::WorkgroupId);
                let region = self.push_constant(b, Kind::RegionGroupOffset, dim)?;
                b.binary(BinaryOp::Add, id, region)
            }
            Q::NumGroups => self.push_constant(b, Kind::NumWorkgroups, dim)?,
            Q::WorkDim if self.translatable.is_some() => {
                let sizes = [2, 1, 0].map(|dim| self.push_constant(b, Kind::GlobalSize, dim));
                dimensions(b, sizes)?
            }
            Q::WorkDim => b.emit(Op::SpecConstant(WORK_DIM_SPEC_ID), Type::I32),
            Q::LocalLinearId => input(b, Input::LocalInvocationIndex),
            Q::SubGroupSize => {
                let sizes = [self.local_size(b, 0)?, self.local_size(b, 1)?, self.local_size(b, 2)?];
                let id = self.query(b, Q::SubGroupId, 0)?;
                last_sub_group_is_smaller(b, id, sizes)
            }
            Q::MaxSubGroupSize => input(b, Input::SubgroupSize),
            Q::NumSubGroups if self.counts_sub_groups => {
                let sizes = [self.local_size(b, 0)?, self.local_size(b, 1)?, self.local_size(b, 2)?];
                sub_groups_of(b, sizes)
            }
            Q::NumSubGroups if self.translatable.is_some() => {
                let sizes = [self.local_size(b, 0)?, self.local_size(b, 1)?, self.local_size(b, 2)?];
                sub_groups_of(b, sizes)
            }
            // WGSL and HLSL lack it.
            Q::SubGroupId if self.translatable.is_some() => {
                let (index, size) = (input(b, Input::LocalInvocationIndex), input(b, Input::SubgroupSize));
                b.binary(BinaryOp::UDiv, index, size)
            }
            Q::NumSubGroups => input(b, Input::NumSubgroups),
            Q::EnqueuedNumSubGroups => self.enqueued_sub_groups(b)?,
            Q::SubGroupId => input(b, Input::SubgroupId),
            Q::SubGroupLocalId => input(b, Input::SubgroupLocalInvocationId),
            Q::QueueMemory => {
                let offset = self.interface.queue_memory.or_internal("no memory for queues")?;
                load_bytes(b, self.push_variable, offset, Type::I64)
            }
            Q::GlobalLinearId => return Err(Error::internal("the linear id is 64 bits")),
        })
    }

    /// The number of sub-groups in a work-group of the whole local size, which a remainder work-group has not.
    fn enqueued_sub_groups(&self, b: &mut Builder<'_>) -> Result<Value, Error> {
        let mut size = |dim: u8| self.push_constant(b, PushConstantKind::EnqueuedLocalSize, dim);
        let sizes = [size(0)?, size(1)?, size(2)?];
        Ok(sub_groups_of(b, sizes))
    }

    /// The offset of a region includes the global offset.
    fn global_id(&self, b: &mut Builder<'_>, dim: u8) -> Result<Value, Error> {
        let id = b.emit(Op::Input { input: Input::GlobalInvocationId, dim }, Type::I32);
        let region = self.push_constant(b, PushConstantKind::RegionOffset, dim)?;
        let id = b.resize(id, b.ty(region).scalar, false);
        Ok(b.binary(BinaryOp::Add, id, region))
    }

    /// `get_global_linear_id()` (6.15.1): ids without the offset, in the order of dimensions.
    pub(super) fn global_linear_id(&self, b: &mut Builder<'_>) -> Result<Value, Error> {
        let mut linear = None;
        for dim in [2, 1, 0] {
            let id = self.global_id(b, dim)?;
            let offset = self.push_constant(b, PushConstantKind::GlobalOffset, dim)?;
            let id = b.binary(BinaryOp::Sub, id, offset);
            let id = b.resize(id, ScalarType::I64, false);
            linear = Some(match linear {
                None => id,
                Some(outer) => {
                    let size = self.push_constant(b, PushConstantKind::GlobalSize, dim)?;
                    let size = b.resize(size, ScalarType::I64, false);
                    let outer = b.binary(BinaryOp::Mul, outer, size);
                    b.binary(BinaryOp::Add, outer, id)
                }
            });
        }
        linear.or_internal("no dimensions")
    }
}

/// The dimensions of an ND-range, as far as its sizes tell: up to the last one of more than one work-item. The sizes are those of
/// the last dimension first.
fn dimensions(b: &mut Builder<'_>, sizes: [Result<Value, Error>; 3]) -> Result<Value, Error> {
    let [third, second, _] = sizes;
    let one = b.int(Type::I32, 1);
    let mut dimensions = one;
    for (size, number) in [(second?, 2), (third?, 3)] {
        let (is_more, number) = (b.compare(CompareOp::UGt, size, one), b.int(Type::I32, number));
        dimensions = b.select(is_more, number, dimensions);
    }
    Ok(dimensions)
}

/// The number of sub-groups in a work-group of a size: all are full but the last, which has the remainder.
fn sub_groups_of(b: &mut Builder<'_>, [x, y, z]: [Value; 3]) -> Value {
    let plane = b.binary(BinaryOp::Mul, x, y);
    let items = b.binary(BinaryOp::Mul, plane, z);
    let most = b.emit(Op::Input { input: Input::SubgroupSize, dim: 0 }, Type::I32);
    let one = b.int(Type::I32, 1);
    let rest = b.binary(BinaryOp::Sub, most, one);
    let rounded = b.binary(BinaryOp::Add, items, rest);
    b.binary(BinaryOp::UDiv, rounded, most)
}

/// The number of work-items in this sub-group: Vulkan's sub-group size is the most, and the last one of a work-group has the
/// remainder.
fn last_sub_group_is_smaller(b: &mut Builder<'_>, id: Value, sizes: [Value; 3]) -> Value {
    let full = b.emit(Op::Input { input: Input::SubgroupSize, dim: 0 }, Type::I32);
    let plane = b.binary(BinaryOp::Mul, sizes[0], sizes[1]);
    let total = b.binary(BinaryOp::Mul, plane, sizes[2]);
    let before = b.binary(BinaryOp::Mul, id, full);
    let left = b.binary(BinaryOp::Sub, total, before);
    let is_last = b.compare(CompareOp::ULt, left, full);
    b.select(is_last, left, full)
}

/// The values of the ND-range that any function uses, laid out in the order of the block.
pub(super) fn used_push_constants(module: &Module, options: &Options) -> Vec<PushConstant> {
    use PushConstantKind as Kind;
    use WorkItemQuery as Q;
    let mut used = Vec::new();
    if !options.codegen.sanitizers().is_empty() {
        // What is recorded has the work-item's id.
        used.push(Kind::RegionOffset);
    }
    if options.codegen.sanitize.contains(Sanitizers::RACE) {
        // Shadows have the number of the work-group. Whether each work-item has its own elements depends on all sizes.
        used.extend([Kind::NumWorkgroups, Kind::RegionGroupOffset, Kind::GlobalSize]);
    }
    let functions = module.functions.iter().filter(|_| options.codegen.translatable.is_none());
    for function in functions {
        for inst in &function.insts {
            let Op::WorkItem { query, .. } = inst.op else { continue };
            used.extend_from_slice(match query {
                Q::GlobalId => &[Kind::RegionOffset],
                Q::GlobalSize => &[Kind::GlobalSize],
                Q::GlobalOffset => &[Kind::GlobalOffset],
                Q::EnqueuedLocalSize | Q::EnqueuedNumSubGroups => &[Kind::EnqueuedLocalSize],
                Q::GroupId => &[Kind::RegionGroupOffset],
                Q::NumGroups => &[Kind::NumWorkgroups],
                Q::GlobalLinearId => &[Kind::RegionOffset, Kind::GlobalOffset, Kind::GlobalSize],
                _ => &[],
            });
        }
    }
    let order = [
        Kind::RegionOffset,
        Kind::GlobalOffset,
        Kind::GlobalSize,
        Kind::EnqueuedLocalSize,
        Kind::NumWorkgroups,
        Kind::RegionGroupOffset,
    ];
    let mut offset = 0;
    let used = order.into_iter().filter(|kind| used.contains(kind)).map(|kind| {
        let is_wide = options.codegen.wide_ids && has_work_items(kind);
        let constant =
            PushConstant { kind, offset, size: if is_wide { PushConstant::WIDE } else { PushConstant::NARROW } };
        offset += constant.size;
        constant
    });
    used.collect()
}

/// The work-group size of all kernels of a module for a translator, if they have the same.
pub(super) fn common_size(module: &Module, translatable: Option<Translatable>) -> Option<[u32; 3]> {
    let default = translatable?.work_group_size;
    let kernels = module.functions.iter().filter_map(|function| function.kernel.as_ref());
    let mut sizes = kernels.map(|kernel| kernel.required_work_group_size.unwrap_or(default));
    let first = sizes.next().unwrap_or(default);
    sizes.all(|size| size == first).then_some(first)
}

/// Whether a value counts work-items, and not those of one work-group: of work-groups a dimension has less than 2^32.
fn has_work_items(kind: PushConstantKind) -> bool {
    use PushConstantKind as Kind;
    matches!(kind, Kind::RegionOffset | Kind::GlobalOffset | Kind::GlobalSize)
}

pub(super) fn uses_work_dim(module: &Module) -> bool {
    let mut insts = module.functions.iter().flat_map(|function| &function.insts);
    insts.any(|inst| matches!(inst.op, Op::SpecConstant(WORK_DIM_SPEC_ID)))
}
