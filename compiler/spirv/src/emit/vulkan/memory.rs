//! Physical accesses, variables, atomics, scopes and memory semantics.

use super::{VariableInfo, Vulkan, addresses};
use crate::emit::common::{AtomicAccess, FunctionEmitter, ModuleBuilder};
use clforge_basic::narrow::low_u32;
use clforge_ir::{
    AtomicOp, Error, Inst, MemoryOrder, Op, OrInternal, Scope, Semantics, Storage, Type, Value, VariableId,
};
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, Decoration, MemoryAccess, StorageClass, Word};

/// The size of an element of an array of this type.
fn memory_bytes(ty: Type) -> u32 {
    ty.scalar.bits().div_ceil(8) * u32::from(ty.lanes.next_power_of_two())
}

/// The order that Vulkan allows for an atomic: a load cannot release, a store cannot acquire.
fn allowed_order(op: AtomicOp, order: MemoryOrder) -> MemoryOrder {
    match (op, order) {
        (AtomicOp::Load, MemoryOrder::AcquireRelease) => MemoryOrder::Acquire,
        (AtomicOp::Load, MemoryOrder::Release) => MemoryOrder::Relaxed,
        (AtomicOp::Store, MemoryOrder::AcquireRelease) => MemoryOrder::Release,
        (AtomicOp::Store, MemoryOrder::Acquire) => MemoryOrder::Relaxed,
        _ => order,
    }
}

/// The capability, and the extension it is of, that an atomic operation on an object of a type takes. Loads, stores and
/// exchanges of floating objects take a feature of the device, but no capability.
fn declare_atomics(m: &mut ModuleBuilder, op: AtomicOp, ty: Type) {
    let (is_wide, is_float) = (ty.scalar.bits() == 64, ty.scalar.is_float());
    match op {
        AtomicOp::FAdd => {
            m.extension("SPV_EXT_shader_atomic_float_add");
            m.capability(if is_wide { Capability::AtomicFloat64AddEXT } else { Capability::AtomicFloat32AddEXT });
        }
        AtomicOp::FMin | AtomicOp::FMax => {
            m.extension("SPV_EXT_shader_atomic_float_min_max");
            m.capability(if is_wide { Capability::AtomicFloat64MinMaxEXT } else { Capability::AtomicFloat32MinMaxEXT });
        }
        _ if is_wide && !is_float => m.capability(Capability::Int64Atomics),
        _ => {}
    }
}

impl Vulkan<'_> {
    /// Scope of an execution barrier or of its memory semantics.
    pub fn scope(&self, scope: Scope) -> spirv::Scope {
        match scope {
            Scope::WorkItem => spirv::Scope::Invocation,
            Scope::SubGroup => spirv::Scope::Subgroup,
            Scope::WorkGroup => spirv::Scope::Workgroup,
            // Stronger than Device, and needs no capability beyond the memory model.
            Scope::Device | Scope::AllDevices if self.has_vulkan_model => spirv::Scope::QueueFamily,
            Scope::Device | Scope::AllDevices => spirv::Scope::Device,
        }
    }

    /// The semantics mask. That of a barrier is never empty: lavapipe removes barriers without semantics.
    pub fn semantics(&self, semantics: &Semantics, is_barrier: bool) -> u32 {
        use clforge_ir::MemoryOrder::*;
        use spirv::MemorySemantics as S;
        let order = match semantics.order {
            Relaxed if is_barrier => S::ACQUIRE_RELEASE,
            Relaxed => return 0,
            Acquire if !is_barrier => S::ACQUIRE,
            Release if !is_barrier => S::RELEASE,
            _ => S::ACQUIRE_RELEASE,
        };
        let mut mask = order;
        if semantics.local || (is_barrier && !semantics.global) {
            mask |= S::WORKGROUP_MEMORY;
        }
        if semantics.global {
            mask |= S::UNIFORM_MEMORY;
        }
        if semantics.image {
            mask |= S::IMAGE_MEMORY;
        }
        if self.has_vulkan_model {
            mask |= match order {
                S::ACQUIRE => S::MAKE_VISIBLE,
                S::RELEASE => S::MAKE_AVAILABLE,
                _ => S::MAKE_AVAILABLE | S::MAKE_VISIBLE,
            };
        }
        mask.bits()
    }

    /// Memory operands: `Aligned` for physical accesses; where other invocations may access the memory, non-private, or without
    /// the Vulkan memory model volatile, unless it is coherent anyway.
    pub(super) fn access(&self, align: Option<u32>, volatile: bool, shared: bool) -> Vec<Operand> {
        let mut mask = MemoryAccess::NONE;
        if align.is_some() {
            mask |= MemoryAccess::ALIGNED;
        }
        if volatile || align.is_some() && shared && !self.has_vulkan_model {
            mask |= MemoryAccess::VOLATILE;
        }
        if shared && self.has_vulkan_model {
            mask |= MemoryAccess::NON_PRIVATE_POINTER;
        }
        if mask.is_empty() {
            return vec![];
        }
        let mut operands = vec![Operand::MemoryAccess(mask)];
        operands.extend(align.map(Operand::LiteralBit32));
        operands
    }

    /// Loads, stores and atomics through device addresses.
    pub fn physical(&mut self, f: &mut FunctionEmitter<'_>, inst: &Inst) -> Result<(), Error> {
        match &inst.op {
            Op::Load { ptr, align, volatile, invariant } => {
                let result = inst.result()?;
                let pointer = match *invariant && self.declares_non_writable() {
                    true => self.non_writable_pointer(f, *ptr, f.function.ty(result))?,
                    false => self.typed_pointer(f, *ptr, f.function.ty(result))?,
                };
                let mut operands = vec![Operand::IdRef(pointer)];
                operands.extend(self.access(Some(*align), *volatile, self.synchronizes && !*invariant || *volatile));
                let (id, ty) = (f.id(self, result), f.type_of(self, result));
                f.push_as(id, spirv::Op::Load, ty, operands)
            }
            Op::Store { ptr, value, align, volatile } => {
                let pointer = self.typed_pointer(f, *ptr, f.function.ty(*value))?;
                let mut operands = vec![Operand::IdRef(pointer), Operand::IdRef(self.stored_value(f, *value)?)];
                operands.extend(self.access(Some(*align), *volatile, self.synchronizes || *volatile));
                f.effect(spirv::Op::Store, operands)
            }
            Op::Atomic { op, ptr, operands, semantics, unequal } => {
                let value = inst.results.first().or(operands.first()).or_internal("atomic without value")?;
                let ty = f.function.ty(*value);
                let pointer = self.typed_pointer(f, *ptr, ty)?;
                declare_atomics(f.m, *op, ty);
                let unequal = Semantics { order: *unequal, ..*semantics };
                self.atomic(f, *op, pointer, operands, semantics, &unequal, inst)
            }
            op => Err(Error::internal(format!("not a memory access: {op:?}"))),
        }
    }

    /// Loads, stores and atomics on variables.
    pub fn variable(&mut self, f: &mut FunctionEmitter<'_>, inst: &Inst) -> Result<(), Error> {
        match &inst.op {
            Op::VariableLoad { variable, index } => {
                let result = inst.result()?;
                let (pointer, info) = self.element_pointer(f, *variable, *index, f.function.ty(result))?;
                let mut operands = vec![Operand::IdRef(pointer)];
                operands.extend(self.access(None, false, self.is_shared(info.class)));
                let (id, ty) = (f.id(self, result), f.type_of(self, result));
                f.push_as(id, spirv::Op::Load, ty, operands)
            }
            Op::VariableStore { variable, index, value } => {
                let (pointer, info) = self.element_pointer(f, *variable, *index, f.function.ty(*value))?;
                let mut operands = vec![Operand::IdRef(pointer), Operand::IdRef(self.stored_value(f, *value)?)];
                operands.extend(self.access(None, false, self.is_shared(info.class)));
                f.effect(spirv::Op::Store, operands)
            }
            Op::VariableAtomic { op, variable, index, operands, semantics, unequal } => {
                let element = self.module.variable(*variable).element;
                let (pointer, info) = self.element_pointer(f, *variable, *index, element)?;
                if !matches!(info.class, StorageClass::Workgroup | StorageClass::StorageBuffer) {
                    return Err(Error::internal("an atomic access to private memory"));
                }
                declare_atomics(f.m, *op, element);
                let unequal = Semantics { order: *unequal, ..*semantics };
                self.atomic(f, *op, pointer, operands, semantics, &unequal, inst)
            }
            op => Err(Error::internal(format!("not a variable access: {op:?}"))),
        }
    }

    /// The elements of a variable in a storage buffer.
    pub fn buffer_length(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        variable: VariableId,
        inst: &Inst,
    ) -> Result<(), Error> {
        let info = self.variable_info(f.m, variable)?;
        if f.m.at_least(1, 4) {
            self.used.push(info.id);
        }
        let result = inst.result()?;
        let (id, ty) = (f.id(self, result), f.type_of(self, result));
        f.push_as(id, spirv::Op::ArrayLength, ty, vec![Operand::IdRef(info.id), Operand::LiteralBit32(0)])
    }

    /// Whether other invocations may access a variable in between.
    pub(super) fn is_shared(&self, class: StorageClass) -> bool {
        class == StorageClass::Workgroup || class == StorageClass::StorageBuffer && self.synchronizes
    }

    /// A pointer to an element, or to a lane of one where that is accessed.
    pub(super) fn element_pointer(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        variable: VariableId,
        index: Option<Value>,
        accessed: Type,
    ) -> Result<(Word, VariableInfo), Error> {
        let info = self.variable_info(f.m, variable)?;
        if info.class != StorageClass::Function && (f.m.at_least(1, 4) || info.class == StorageClass::Input) {
            self.used.push(info.id);
        }
        let lanes = u32::from(self.module.variable(variable).element.lanes);
        let is_lane = lanes > 1 && accessed.lanes == 1;
        if !info.array && !info.block && !is_lane {
            return Ok((info.id, info));
        }
        let mut operands = vec![Operand::IdRef(info.id)];
        if info.block {
            operands.push(Operand::IdRef(f.m.constant_u32(0)));
        }
        match index {
            Some(index) if is_lane => {
                let [element, lane] = self.lane_of_element(f, index, lanes)?;
                operands.extend(info.array.then_some(Operand::IdRef(element)));
                operands.push(Operand::IdRef(lane));
            }
            Some(index) if info.array => operands.push(Operand::IdRef(f.id(self, index))),
            None if info.array => operands.push(Operand::IdRef(f.m.constant_u32(0))),
            _ => {}
        }
        let pointee = if is_lane { f.type_id(self, accessed) } else { info.element };
        let pointer = f.m.pointer(info.class, pointee);
        Ok((f.push(spirv::Op::AccessChain, pointer, operands)?, info))
    }

    /// The indices of an element and of a lane in it, which is a power of two, of the index of a lane of an array.
    fn lane_of_element(&mut self, f: &mut FunctionEmitter<'_>, index: Value, lanes: u32) -> Result<[Word; 2], Error> {
        if let Some(index) = f.function.as_int(index) {
            let index = low_u32(index);
            return Ok([index / lanes, index % lanes].map(|index| f.m.constant_u32(index)));
        }
        let ty = f.type_id(self, Type::I32);
        let index = f.id(self, index);
        let mut half = |op, by| {
            let operands = vec![Operand::IdRef(index), Operand::IdRef(f.m.constant_u32(by))];
            f.push(op, ty, operands)
        };
        Ok([half(spirv::Op::ShiftRightLogical, lanes.trailing_zeros())?, half(spirv::Op::BitwiseAnd, lanes - 1)?])
    }

    /// The variable; module-scope ones are declared on first use.
    fn variable_info(&mut self, m: &mut ModuleBuilder, id: VariableId) -> Result<VariableInfo, Error> {
        if let Some(info) = self.variables[id] {
            return Ok(info);
        }
        let (info, ty, pointer) = self.describe(m, id)?;
        let mut operands = vec![Operand::StorageClass(info.class)];
        let variable = self.module.variable(id);
        if variable.zero_initialized {
            operands.push(Operand::IdRef(m.global(spirv::Op::ConstantNull, Some(ty), vec![])));
        }
        let word = m.global(spirv::Op::Variable, Some(pointer), operands);
        m.name(word, &self.module.variable(id).name);
        if let Storage::Uniform { set, binding } | Storage::StorageBuffer { set, binding } =
            self.module.variable(id).storage
        {
            m.decorate(word, Decoration::DescriptorSet, [Operand::LiteralBit32(set)]);
            m.decorate(word, Decoration::Binding, [Operand::LiteralBit32(binding)]);
        }
        if let Storage::StorageBuffer { .. } = self.module.variable(id).storage
            && !self.has_vulkan_model
        {
            // Two arguments may be one buffer, which the Vulkan memory model takes for granted.
            m.decorate(word, Decoration::Aliased, []);
            if self.synchronizes {
                m.decorate(word, Decoration::Coherent, []);
            }
        }
        let info = VariableInfo { id: word, ..info };
        self.variables[id] = Some(info);
        Ok(info)
    }

    /// A variable before it has an id, its type, and the type of the pointer to it.
    pub(super) fn describe(
        &mut self,
        m: &mut ModuleBuilder,
        id: VariableId,
    ) -> Result<(VariableInfo, Word, Word), Error> {
        let variable = self.module.variable(id);
        // The IR counts eight bytes for a matrix.
        let element_bytes = if variable.element.matrix().is_some() { 8 } else { memory_bytes(variable.element) };
        let element = match variable.element.matrix() {
            Some(matrix) => m.matrix_type(matrix),
            None => m.plain_type(variable.element),
        };
        let (class, block) = match variable.storage {
            Storage::Function => (StorageClass::Function, false),
            Storage::Private if self.passed.contains(id) => (StorageClass::Function, false),
            Storage::Private => (StorageClass::Private, false),
            Storage::Workgroup => (StorageClass::Workgroup, false),
            Storage::PushConstant => (StorageClass::PushConstant, true),
            Storage::Uniform { .. } => (StorageClass::Uniform, true),
            Storage::StorageBuffer { .. } => (StorageClass::StorageBuffer, true),
        };
        let is_buffer = class == StorageClass::StorageBuffer;
        if is_buffer {
            addresses::declare_storage(m, variable.element);
        }
        let constant = variable.size.arguments.is_empty() && variable.size.per_work_item == 0;
        let single = constant && variable.size.fixed <= u64::from(element_bytes) && !block;
        let mut ty = element;
        if is_buffer {
            ty = m.runtime_array(element, element_bytes);
        } else if !single {
            let length = self.length(m, id, element_bytes)?;
            ty = m.array(element, length, block.then_some(element_bytes));
        }
        if block {
            ty = m.new_struct(&[ty]);
            m.decorate(ty, Decoration::Block, []);
            m.b.member_decorate(ty, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
            if is_buffer && !self.written[id] {
                m.b.member_decorate(ty, 0, Decoration::NonWritable, []);
            }
        }
        let pointer = m.pointer(class, ty);
        Ok((VariableInfo { id: 0, element, class, array: !single, block }, ty, pointer))
    }

    /// Number of elements: a constant, or computed from the specialisation constants of local arguments.
    ///
    /// # Errors
    /// A size that legalisation should have rejected.
    fn length(&mut self, m: &mut ModuleBuilder, id: VariableId, element_bytes: u32) -> Result<Word, Error> {
        let size = &self.module.variable(id).size;
        let fixed = u32::try_from(size.fixed).or_internal("a variable of more than 32 bits")?;
        if size.arguments.is_empty() && size.per_work_item == 0 {
            return Ok(m.constant_u32(fixed.div_ceil(element_bytes).max(1)));
        }
        if let Some(items) = self.largest_group {
            // Of modules for translators everything is known.
            let size = fixed.saturating_add(size.per_work_item.saturating_mul(items));
            return Ok(m.constant_u32(size.div_ceil(element_bytes).max(1)));
        }
        let u32 = m.u32();
        let mut total = m.constant_u32(fixed);
        for (spec_id, bytes) in &size.arguments {
            let count = self.spec_constant(m, *spec_id);
            let bytes = m.constant_u32(*bytes);
            let product = m.spec_op(spirv::Op::IMul, u32, &[count, bytes]);
            let (fifteen, mask) = (m.constant_u32(15), m.constant_u32(!15));
            let sum = m.spec_op(spirv::Op::IAdd, u32, &[product, fifteen]);
            let rounded = m.spec_op(spirv::Op::BitwiseAnd, u32, &[sum, mask]);
            total = m.spec_op(spirv::Op::IAdd, u32, &[total, rounded]);
        }
        if size.per_work_item > 0 {
            let mut bytes = m.constant_u32(size.per_work_item);
            for spec_id in self.work_group_size_spec_ids {
                let count = self.spec_constant(m, spec_id);
                bytes = m.spec_op(spirv::Op::IMul, u32, &[bytes, count]);
            }
            total = m.spec_op(spirv::Op::IAdd, u32, &[total, bytes]);
        }
        let rest = m.constant_u32(element_bytes - 1);
        let total = m.spec_op(spirv::Op::IAdd, u32, &[total, rest]);
        let bytes = m.constant_u32(element_bytes);
        Ok(m.spec_op(spirv::Op::UDiv, u32, &[total, bytes]))
    }

    /// Declares the variables of function storage that a function uses: they stand first in its first block.
    pub fn declare_function_variables(&mut self, f: &mut FunctionEmitter<'_>) -> Result<(), Error> {
        self.declare_passed(f)?;
        let function = f.function;
        for inst in &function.insts {
            let variable = match &inst.op {
                Op::VariableLoad { variable, .. } | Op::VariableStore { variable, .. } => *variable,
                Op::VariableAtomic { variable, .. } => *variable,
                _ => continue,
            };
            let declared = self.variables[variable].is_some();
            if declared || self.module.variable(variable).storage != Storage::Function {
                continue;
            }
            let (info, _, pointer) = self.describe(f.m, variable)?;
            let operands = vec![Operand::StorageClass(info.class)];
            let id = f.push(spirv::Op::Variable, pointer, operands)?;
            self.variables[variable] = Some(VariableInfo { id, ..info });
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // an atomic has that many parts
    fn atomic(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: AtomicOp,
        pointer: Word,
        values: &[Value],
        semantics: &Semantics,
        unequal: &Semantics,
        inst: &Inst,
    ) -> Result<(), Error> {
        // Vulkan requires the scope Invocation to have relaxed semantics; program order suffices there.
        let relaxed = Semantics { order: MemoryOrder::Relaxed, ..*semantics };
        let (semantics, unequal) =
            if semantics.scope == Scope::WorkItem { (&relaxed, &relaxed) } else { (semantics, unequal) };
        let access = AtomicAccess {
            pointer,
            scope: self.scope(semantics.scope) as u32,
            semantics: self.semantics(&Semantics { order: allowed_order(op, semantics.order), ..*semantics }, false),
            unequal: self
                .semantics(&Semantics { order: allowed_order(AtomicOp::Load, unequal.order), ..*unequal }, false),
        };
        f.atomic(self, op, &access, values, inst)
    }
}
