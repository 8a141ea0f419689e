//! Entry points: the work-group size, execution modes, and the entry point of a module without kernels.

use super::Vulkan;
use crate::emit::common::ModuleBuilder;
use crate::interface::ModuleInterface;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, BuiltIn, Capability, Decoration, Word};

/// A Vulkan module must have an entry point: for a source without kernels one that does nothing and is not reflected.
pub fn empty_entry_point(m: &mut ModuleBuilder) -> Result<(), Error> {
    let void = m.void();
    let ty = m.function_type(void, &[]);
    let id = m.b.begin_function(void, None, spirv::FunctionControl::NONE, ty).or_internal("a function cannot begin")?;
    m.b.begin_block(None).or_internal("a block cannot begin")?;
    m.b.ret().or_internal("a block cannot end")?;
    m.b.end_function().or_internal("a function cannot end")?;
    m.b.entry_point(spirv::ExecutionModel::GLCompute, id, "no_kernels", []);
    m.b.execution_mode(id, spirv::ExecutionMode::LocalSize, [1, 1, 1]);
    Ok(())
}

impl Vulkan<'_> {
    /// The constant decorated as the work-group size: three specialisation constants.
    pub(super) fn make_work_group_size(&mut self, m: &mut ModuleBuilder, interface: &ModuleInterface) {
        let Some(spec_ids) = interface.work_group_size_spec_ids else { return };
        let parts = spec_ids.map(|spec_id| Operand::IdRef(self.spec_constant(m, spec_id)));
        let u32 = m.u32();
        let ty = m.vector(u32, 3);
        let id = m.global(spirv::Op::SpecConstantComposite, Some(ty), parts.to_vec());
        m.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::WorkgroupSize)]);
        self.work_group_size = Some(id);
    }

    pub(super) fn spec_constant(&mut self, m: &mut ModuleBuilder, spec_id: u32) -> Word {
        *self.spec_constants.entry(spec_id).or_insert_with(|| m.spec_constant(spec_id, 1))
    }

    pub(super) fn execution_modes(&mut self, m: &mut ModuleBuilder, id: Word, size: Option<[u32; 3]>) {
        // With a WorkgroupSize constant the literal is ignored, but an execution mode is required.
        let size = size.filter(|_| self.work_group_size.is_none()).unwrap_or([1, 1, 1]);
        m.b.execution_mode(id, spirv::ExecutionMode::LocalSize, size);
        if !self.keep_special {
            return;
        }
        if !m.at_least(1, 4) && !self.floats.is_empty() {
            m.extension("SPV_KHR_float_controls");
        }
        for bits in &self.floats {
            m.capability(Capability::SignedZeroInfNanPreserve);
            m.b.execution_mode(id, spirv::ExecutionMode::SignedZeroInfNanPreserve, [*bits]);
        }
    }
}
