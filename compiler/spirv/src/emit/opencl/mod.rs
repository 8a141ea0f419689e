//! SPIR-V for OpenCL environments: `Physical64` addressing, or `Physical32` with `--address-bits 32`, the OpenCL memory model, `Kernel` entry points.
//!
//! Pointers are pointers to bytes (`uchar *`); each access casts its pointer to the type that it reads or writes.

mod device;
mod entry_point;
mod globals;
mod images;
mod intrinsics;
mod memory;

use super::common::{
    Environment, FunctionEmitter, LineTable, ModuleBuilder, clock_scope, emit_function, is_non_uniform,
    kernel_variables,
};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{AddressBits, OpenClVersion, Options, Target};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, BuiltIn, Capability, Decoration, StorageClass, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// Emits a module for `options.target`.
///
/// # Errors
/// What SPIR-V for OpenCL cannot express, or this emitter does not support.
pub fn emit(module: &Module, options: &Options, lines: LineTable) -> Result<Vec<u32>, Error> {
    images::check(module, options.target)?;
    let mut version = options.target.spirv_version();
    let non_uniform = |inst: &Inst| matches!(inst.op, Op::Group { op, uniform, .. } if is_non_uniform(op, uniform));
    if module.functions.iter().any(|function| function.insts.iter().any(non_uniform)) {
        version = version.max((1, 3));
    }
    let mut m = ModuleBuilder::new(version, lines, options);
    let address_bits = options.language.address_bits;
    let addressing = match address_bits {
        AddressBits::Bits32 => spirv::AddressingModel::Physical32,
        AddressBits::Bits64 => spirv::AddressingModel::Physical64,
    };
    m.b.memory_model(addressing, spirv::MemoryModel::OpenCL);
    for capability in [Capability::Addresses, Capability::Linkage, Capability::Kernel, Capability::Int8] {
        m.capability(capability);
    }
    let version = match options.target {
        Target::OpenCl(OpenClVersion::V1_2) | Target::Vulkan(_) => 102_000,
        Target::OpenCl(OpenClVersion::V2_0 | OpenClVersion::V2_1 | OpenClVersion::V2_2) => 200_000,
        Target::OpenCl(OpenClVersion::V3_0) => 300_000,
        Target::OpenCl(OpenClVersion::V3_1) => 301_000,
    };
    m.b.source(spirv::SourceLanguage::OpenCL_C, version, None, None::<String>);
    let mut env = OpenCl {
        module,
        extended: m.b.ext_inst_import("OpenCL.std"),
        globals: ti_vec![0; module.globals.len()],
        inputs: FxHashMap::default(),
        used: Vec::new(),
        samplers: FxHashMap::default(),
        records: FxHashMap::default(),
        // The others are about Vulkan drivers.
        splits_switch_edges: options.codegen.workarounds.contains(Workarounds::LLVM_SPIRV_SWITCH),
        address_bits,
        contraction_off: !options.language.math.unsafe_optimizations,
    };
    let functions: TiVec<FunctionId, Word> = module.functions.iter().map(|_| m.id()).collect();
    // SPIR-V wants declarations before definitions.
    let (declared, defined): (Vec<_>, Vec<_>) =
        module.functions.iter_enumerated().partition(|(_, function)| function.is_declaration());
    let mut used_by: TiVec<FunctionId, Vec<Word>> = ti_vec![Vec::new(); functions.len()];
    let mut names = FxHashSet::default();
    for (index, function) in declared.into_iter().chain(defined) {
        let id = functions[index];
        match &function.kernel {
            Some(kernel) => env.kernel(&mut m, function, kernel, &functions, id)?,
            None => {
                emit_function(&mut m, &mut env, function, &functions, id, |f, env| env.declare_objects(f))?;
                // Consumers take names for identities, and overloaded functions share one.
                match names.insert(function.name.as_str()) {
                    true => m.name(id, &function.name),
                    false => m.name(id, &format!("{}.{index}", function.name)),
                }
                if function.is_declaration() {
                    linkage(&mut m, id, &function.name, spirv::LinkageType::Import);
                } else if function.exported {
                    linkage(&mut m, id, &function.name, exports(function.once));
                }
            }
        }
        used_by[index] = std::mem::take(&mut env.used);
    }
    for (id, global) in module.globals.iter_enumerated() {
        if global.exported {
            env.global_variable(&mut m, id)?;
        }
    }
    for (index, variables) in kernel_variables(module, &used_by) {
        let name = module.functions[index].name.clone();
        m.b.entry_point(spirv::ExecutionModel::Kernel, functions[index], name, variables);
    }
    m.finish()
}

/// How what is exported is linked.
fn exports(once: bool) -> spirv::LinkageType {
    if once { spirv::LinkageType::LinkOnceODR } else { spirv::LinkageType::Export }
}

/// Exports a function or variable: `LinkageAttributes`.
fn linkage(m: &mut ModuleBuilder, id: Word, name: &str, linkage: spirv::LinkageType) {
    if linkage == spirv::LinkageType::LinkOnceODR {
        m.extension("SPV_KHR_linkonce_odr");
    }
    let operands = [Operand::LiteralString(name.to_owned()), Operand::LinkageType(linkage)];
    m.decorate(id, Decoration::LinkageAttributes, operands);
}

/// State of the environment while a module is emitted.
struct OpenCl<'o> {
    module: &'o Module,
    splits_switch_edges: bool,
    /// The width of pointers and of the built-in variables that are `size_t`.
    address_bits: AddressBits,
    /// Multiplications and additions are not to be fused: where the source allows it, they are `mad` already.
    contraction_off: bool,
    extended: Word,
    /// Variables of the globals, 0 until used.
    globals: TiVec<GlobalId, Word>,
    inputs: FxHashMap<BuiltIn, Word>,
    /// Interface variables of the function being emitted.
    used: Vec<Word>,
    /// Constants of sampler literals, by their bits.
    samplers: FxHashMap<u32, Word>,
    /// Struct types of by-value parameters, by their only member's type.
    records: FxHashMap<Word, Word>,
}

impl OpenCl<'_> {
    /// `size_t`.
    fn size_type(&self) -> ScalarType {
        ScalarType::int(8 * self.address_bits.bytes())
    }
}

/// The storage class of an address space.
fn class(space: Space) -> StorageClass {
    match space {
        Space::Private => StorageClass::Function,
        Space::Local => StorageClass::Workgroup,
        Space::Global => StorageClass::CrossWorkgroup,
        Space::Constant => StorageClass::UniformConstant,
        Space::Generic => StorageClass::Generic,
    }
}

impl Environment for OpenCl<'_> {
    fn value_type(&mut self, m: &mut ModuleBuilder, ty: Type) -> Word {
        match ty.scalar {
            ScalarType::Ptr(space) | ScalarType::Ptr32(space) => {
                if space == Space::Generic {
                    m.capability(Capability::GenericPointer);
                }
                let byte = m.scalar(ScalarType::I8);
                m.pointer(class(space), byte)
            }
            ScalarType::Opaque(opaque) => images::opaque_type(m, opaque),
            _ => m.plain_type(ty),
        }
    }

    fn param_type(&mut self, m: &mut ModuleBuilder, function: &Function, index: usize) -> Word {
        let argument = function.kernel.as_ref().and_then(|kernel| kernel.arguments.get(index));
        let Some(KernelParameter::ByValue { size, align }) = argument.map(|argument| argument.kind) else {
            return self.value_type(m, function.ty(function.params[index]));
        };
        // The pointee's size is what tells a consumer how many bytes to pass.
        let word = ScalarType::int(align.clamp(1, 8) * 8);
        let element = m.scalar(word);
        let length = m.constant_u32(size.div_ceil(to_u32(word.bytes())).max(1));
        let array = m.array(element, length, None);
        let record = *self.records.entry(array).or_insert_with(|| m.new_struct(&[array]));
        m.pointer(StorageClass::Function, record)
    }

    fn constant(&mut self, m: &mut ModuleBuilder, constant: &Constant) -> Word {
        let ty = constant.ty();
        match (ty.scalar, constant) {
            (ScalarType::Ptr(_) | ScalarType::Ptr32(_) | ScalarType::Opaque(_), Constant::Undef(_)) => {
                let id = self.value_type(m, ty);
                m.global(spirv::Op::Undef, Some(id), vec![])
            }
            (ScalarType::Ptr(_) | ScalarType::Ptr32(_) | ScalarType::Opaque(_), _) => {
                let id = self.value_type(m, ty);
                m.global(spirv::Op::ConstantNull, Some(id), vec![])
            }
            _ => m.constant(constant),
        }
    }

    fn op(&mut self, f: &mut FunctionEmitter<'_>, id: InstId) -> Result<(), Error> {
        let function = f.function;
        let inst = function.inst(id);
        match &inst.op {
            Op::Alloca { .. } => Ok(()), // declared at the function's start
            Op::GlobalAddress(_) | Op::PtrAdd { .. } | Op::Convert { .. } => self.pointer_op(f, inst),
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => self.access(f, inst),
            Op::Barrier { execution, semantics } => {
                let execution = f.m.constant_u32(memory::scope(*execution) as u32);
                let scope = f.m.constant_u32(memory::scope(semantics.scope) as u32);
                let semantics = f.m.constant_u32(memory::semantics(semantics));
                let operands = [execution, scope, semantics].map(Operand::IdRef).to_vec();
                f.effect(spirv::Op::ControlBarrier, operands)
            }
            Op::Fence(semantics) => {
                let scope = f.m.constant_u32(memory::scope(semantics.scope) as u32);
                let semantics = f.m.constant_u32(memory::semantics(semantics));
                f.effect(spirv::Op::MemoryBarrier, vec![Operand::IdRef(scope), Operand::IdRef(semantics)])
            }
            Op::Group { scope, .. } => f.group(self, inst, memory::scope(*scope) as u32, true),
            Op::ReadClock(scope) => f.group(self, inst, clock_scope(*scope) as u32, true),
            Op::Sampler(bits) => self.sampler(f, *bits, inst),
            Op::Image { op, image, .. } => self.image(f, *op, *image, inst),
            Op::Device(op) => self.device(f, *op, inst),
            Op::Matrix(op @ (MatrixOp::Load { .. } | MatrixOp::Store { .. })) => self.matrix_access(f, *op, inst),
            Op::Matrix(op) => f.matrix(self, *op, inst),
            Op::Enqueue { .. } => self.enqueue(f, inst),
            Op::WorkItem { query, dim } => self.work_item(f, *query, *dim, inst),
            Op::Intrinsic { function, args } => self.intrinsic(f, *function, args, inst),
            op => Err(Error::internal(format!("not legal for OpenCL: {op:?}"))),
        }
    }

    fn no_contraction(&self, _: &Function) -> bool {
        false
    }

    fn splits_switch_edges(&self) -> bool {
        self.splits_switch_edges
    }

    fn is_vulkan(&self) -> bool {
        false
    }
}

impl OpenCl<'_> {
    /// A kernel. No function calls it, so the entry point is the function itself.
    fn kernel(
        &mut self,
        m: &mut ModuleBuilder,
        function: &Function,
        kernel: &KernelInfo,
        functions: &TiSlice<FunctionId, Word>,
        id: Word,
    ) -> Result<(), Error> {
        emit_function(m, self, function, functions, id, |f, env| {
            env.declare_objects(f)?;
            for (param, argument) in function.params.iter().zip(&kernel.arguments) {
                if let KernelParameter::ByValue { .. } = argument.kind {
                    let ty = f.type_of(env, *param);
                    let given = f.id(env, *param);
                    let bytes = f.push(spirv::Op::Bitcast, ty, vec![Operand::IdRef(given)])?;
                    f.replace_param(*param, bytes);
                }
            }
            Ok(())
        })?;
        self.kernel_parameters(m, function, kernel)?;
        if let Some(size) = kernel.required_work_group_size {
            m.b.execution_mode(id, spirv::ExecutionMode::LocalSize, size);
        }
        if let Some(size) = kernel.work_group_size_hint {
            m.b.execution_mode(id, spirv::ExecutionMode::LocalSizeHint, size);
        }
        if self.contraction_off {
            m.b.execution_mode(id, spirv::ExecutionMode::ContractionOff, []);
        }
        entry_point::hints(m, id, kernel).map_err(|error| error.at(function.span))?;
        entry_point::argument_strings(m, &function.name, &kernel.arguments);
        Ok(())
    }

    /// Names, attributes and by-value types of the parameters of the kernel just written.
    fn kernel_parameters(
        &mut self,
        m: &mut ModuleBuilder,
        function: &Function,
        kernel: &KernelInfo,
    ) -> Result<(), Error> {
        let written = m.b.module_ref().functions.last().or_internal("no function was written")?;
        let ids: Vec<Word> = written.parameters.iter().filter_map(|param| param.result_id).collect();
        debug_assert_eq!(ids.len(), function.params.len());
        for (id, argument) in ids.iter().zip(&kernel.arguments) {
            m.name(*id, &argument.info.name);
            entry_point::argument_decorations(m, *id, argument);
        }
        Ok(())
    }

    fn work_item(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        query: WorkItemQuery,
        dim: u8,
        inst: &Inst,
    ) -> Result<(), Error> {
        use WorkItemQuery as Q;
        let result = inst.result()?;
        let (built_in, is_vector, wide) = match query {
            Q::GlobalId => (BuiltIn::GlobalInvocationId, true, true),
            Q::GlobalSize => (BuiltIn::GlobalSize, true, true),
            Q::GlobalOffset => (BuiltIn::GlobalOffset, true, true),
            Q::LocalId => (BuiltIn::LocalInvocationId, true, true),
            Q::LocalSize => (BuiltIn::WorkgroupSize, true, true),
            Q::EnqueuedLocalSize => (BuiltIn::EnqueuedWorkgroupSize, true, true),
            Q::GroupId => (BuiltIn::WorkgroupId, true, true),
            Q::NumGroups => (BuiltIn::NumWorkgroups, true, true),
            Q::WorkDim => (BuiltIn::WorkDim, false, false),
            Q::GlobalLinearId => (BuiltIn::GlobalLinearId, false, true),
            Q::LocalLinearId => (BuiltIn::LocalInvocationIndex, false, true),
            Q::SubGroupSize => (BuiltIn::SubgroupSize, false, false),
            Q::MaxSubGroupSize => (BuiltIn::SubgroupMaxSize, false, false),
            Q::NumSubGroups => (BuiltIn::NumSubgroups, false, false),
            Q::EnqueuedNumSubGroups => (BuiltIn::NumEnqueuedSubgroups, false, false),
            Q::SubGroupId => (BuiltIn::SubgroupId, false, false),
            Q::SubGroupLocalId => (BuiltIn::SubgroupLocalInvocationId, false, false),
            Q::QueueMemory => return Err(Error::internal("queues of OpenCL devices have no memory")),
        };
        let scalar = if wide { self.size_type() } else { ScalarType::I32 };
        let scalar_type = f.m.scalar(scalar);
        let ty = if is_vector { f.m.vector(scalar_type, 3) } else { scalar_type };
        let variable = match self.inputs.get(&built_in) {
            Some(variable) => *variable,
            None => {
                let pointer = f.m.pointer(StorageClass::Input, ty);
                let operands = vec![Operand::StorageClass(StorageClass::Input)];
                let id = f.m.global(spirv::Op::Variable, Some(pointer), operands);
                f.m.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(built_in)]);
                f.m.decorate(id, Decoration::Constant, []);
                let name = format!("__spirv_BuiltIn{built_in:?}");
                linkage(f.m, id, &name, spirv::LinkageType::Import);
                self.inputs.insert(built_in, id);
                id
            }
        };
        self.used.push(variable);
        let wanted = f.function.ty(result).scalar;
        let mut value = f.push(spirv::Op::Load, ty, vec![Operand::IdRef(variable)])?;
        if is_vector {
            let operands = vec![Operand::IdRef(value), Operand::LiteralBit32(u32::from(dim))];
            value = f.push(spirv::Op::CompositeExtract, scalar_type, operands)?;
        }
        if wanted == scalar {
            return f.alias(self, result, value);
        }
        f.define(self, result, spirv::Op::UConvert, &[value])
    }
}
