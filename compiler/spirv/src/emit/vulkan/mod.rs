//! SPIR-V for Vulkan: addresses in the module's format, the Vulkan memory model, one compute entry point a kernel.

mod addresses;
mod entry_point;
mod halves;
mod images;
mod intrinsics;
mod matrices;
mod memory;
mod passed;
mod reflection;

use super::common::{
    Environment, FunctionEmitter, LineTable, ModuleBuilder, clock_scope, emit_function, kernel_variables,
};
use crate::address_format::AddressFormat;
use crate::interface::ModuleInterface;
use clforge_basic::options::{Options, Target, VulkanVersion};
use clforge_ir::*;
use passed::Passed;
use rspirv::dr::Operand;
use rspirv::spirv::{self, BuiltIn, Capability, Decoration, StorageClass, Word};
use rustc_hash::FxHashMap;
use typed_index_collections::{TiVec, ti_vec};

/// Emits a legalised module.
///
/// # Errors
/// Internal ones: legalisation has rejected what Vulkan cannot express.
pub fn emit(
    module: &Module,
    interface: &ModuleInterface,
    options: &Options,
    lines: LineTable,
) -> Result<Vec<u32>, Error> {
    let mut m = ModuleBuilder::new(options.target.spirv_version(), lines, options);
    m.only_stores_halves = halves::are_only_stored(module);
    let addresses = AddressFormat::of(options);
    let synchronizes = module.functions.iter().any(synchronizes);
    let has_vulkan_model = options.device.vulkan_memory_model && module.functions.iter().any(orders_memory);
    m.capability(Capability::Shader);
    if has_vulkan_model {
        m.b.memory_model(addresses.addressing_model(), spirv::MemoryModel::Vulkan);
        m.capability(Capability::VulkanMemoryModel);
        if options.target == Target::Vulkan(VulkanVersion::V1_1) {
            m.extension("SPV_KHR_vulkan_memory_model");
        }
    } else {
        m.b.memory_model(addresses.addressing_model(), spirv::MemoryModel::GLSL450);
    }
    addresses.declare(&mut m, options.target);
    let mut env = Vulkan {
        module,
        options,
        keep_special: options.device.float_controls
            && !options.language.math.finite_only
            && options.codegen.translatable.is_none(),
        // The others are about consumers of modules for OpenCL.
        glsl: m.b.ext_inst_import("GLSL.std.450"),
        variables: ti_vec![None; module.variables.len()],
        passed: Passed::of(module, options.codegen.workarounds),
        function: FunctionId::from(0),
        inputs: FxHashMap::default(),
        spec_constants: FxHashMap::default(),
        work_group_size: None,
        work_group_size_spec_ids: interface.work_group_size_spec_ids.unwrap_or_default(),
        resources: FxHashMap::default(),
        used: Vec::new(),
        floats: Vec::new(),
        synchronizes,
        has_vulkan_model,
        written: written(module),
        largest_group: options.codegen.translatable.map(|_| largest_group(interface)),
        non_writable: FxHashMap::default(),
    };
    let functions: TiVec<FunctionId, Word> = module.functions.iter().map(|_| m.id()).collect();
    env.make_work_group_size(&mut m, interface);
    let mut used_by: TiVec<FunctionId, Vec<Word>> = TiVec::new();
    for ((number, function), id) in module.functions.iter_enumerated().zip(&functions) {
        env.used.clear();
        env.function = number;
        emit_function(&mut m, &mut env, function, &functions, *id, |f, env| env.declare_function_variables(f))?;
        m.name(*id, &function.name);
        used_by.push(std::mem::take(&mut env.used));
    }
    let interfaces: FxHashMap<&str, _> =
        interface.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.required_work_group_size)).collect();
    for (id, mut interface_ids) in kernel_variables(module, &used_by) {
        let function = &module.functions[id];
        if !m.at_least(1, 4) {
            interface_ids.retain(|id| env.inputs.values().any(|input| input == id));
        }
        m.b.entry_point(spirv::ExecutionModel::GLCompute, functions[id], function.name.clone(), interface_ids);
        let required_work_group_size = interfaces.get(function.name.as_str()).copied().flatten();
        env.execution_modes(&mut m, functions[id], required_work_group_size);
    }
    if module.functions.iter().all(|function| function.kernel.is_none()) {
        entry_point::empty_entry_point(&mut m)?;
    }
    reflection::emit(&mut m, interface, module, &functions);
    m.finish()
}

/// A variable of the module: its id, its elements' type, and whether it is an array.
#[derive(Clone, Copy)]
struct VariableInfo {
    id: Word,
    element: Word,
    class: StorageClass,
    array: bool,
    /// Wrapped in a block struct, as descriptors and push constants are.
    block: bool,
}

/// State of the environment while a module is emitted.
struct Vulkan<'v> {
    module: &'v Module,
    options: &'v Options,
    keep_special: bool,
    glsl: Word,
    variables: TiVec<VariableId, Option<VariableInfo>>,
    passed: Passed,
    /// The function being emitted.
    function: FunctionId,
    inputs: FxHashMap<Input, Word>,
    spec_constants: FxHashMap<u32, Word>,
    work_group_size: Option<Word>,
    work_group_size_spec_ids: [u32; 3],
    /// Variables of images and samplers.
    resources: FxHashMap<images::ResourceKey, Word>,
    /// Interface variables used by the function being emitted.
    used: Vec<Word>,
    /// Widths of the floating types in use.
    floats: Vec<u32>,
    /// Whether work-items may see what others store while the kernel runs.
    synchronizes: bool,
    /// The module has the Vulkan memory model, not that of GLSL.
    has_vulkan_model: bool,
    /// Whether each variable is written.
    written: TiVec<VariableId, bool>,
    /// The work-items of the largest work-group of the kernels, where that is known.
    largest_group: Option<u32>,
    /// Structures whose member is `NonWritable`, by its type.
    non_writable: FxHashMap<Word, Word>,
}

/// Whether each variable is written anywhere.
fn written(module: &Module) -> TiVec<VariableId, bool> {
    let mut written = ti_vec![false; module.variables.len()];
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::VariableStore { variable, .. }
        | Op::VariableAtomic { variable, .. }
        | Op::MatrixVariableStore { variable, .. } = inst.op
        {
            written[variable] = true;
        }
    }
    written
}

/// The work-items of the largest required work-group.
fn largest_group(interface: &ModuleInterface) -> u32 {
    let sizes = interface.kernels.iter().filter_map(|kernel| kernel.required_work_group_size);
    sizes.map(|size| size.into_iter().fold(1, u32::saturating_mul)).max().unwrap_or(1)
}

/// Whether an instruction is among those that the memory models differ in: barriers, fences, atomics, volatile accesses, and those
/// to images that are read and written. A
/// module without them demands no Vulkan memory model of devices.
fn orders_memory(function: &Function) -> bool {
    let is_volatile =
        |inst: &Inst| matches!(inst.op, Op::Load { volatile, .. } | Op::Store { volatile, .. } if volatile);
    let is_read_write = |inst: &Inst| match inst.op {
        Op::Image { image, .. } => match function.ty(image).scalar {
            ScalarType::Opaque(opaque) => images::is_read_write(opaque),
            _ => false,
        },
        _ => false,
    };
    // Modules for Vulkan with cooperative matrices must have the Vulkan memory model.
    synchronizes(function)
        || crate::legalize::vulkan::has_matrices(function)
        || function.insts.iter().any(|inst| is_volatile(inst) || is_read_write(inst))
}

/// Whether a function has barriers, fences or atomics. Without them no work-item of a kernel may load what another stores, but for
/// volatile accesses; then loads and stores are private in the words of Vulkan's memory model, and may be cached.
fn synchronizes(function: &Function) -> bool {
    function.insts.iter().any(|inst| {
        matches!(
            inst.op,
            Op::Barrier { .. } | Op::Fence(_) | Op::Atomic { .. } | Op::VariableAtomic { .. } | Op::Group { .. }
        )
    })
}

impl Environment for Vulkan<'_> {
    fn value_type(&mut self, m: &mut ModuleBuilder, ty: Type) -> Word {
        let component = ty.matrix().map_or(ty, |matrix| Type::scalar(matrix.scalar()));
        if component.scalar.is_float() && !self.floats.contains(&component.scalar.bits()) {
            self.floats.push(component.scalar.bits());
        }
        if let Some(matrix) = ty.matrix() {
            return m.matrix_type(matrix);
        }
        m.plain_type(ty)
    }

    fn more_params(&mut self, m: &mut ModuleBuilder, function: &Function) -> Result<Vec<Word>, Error> {
        self.passed_types(m, function)
    }

    fn more_args(&self, callee: FunctionId) -> Result<Vec<Word>, Error> {
        self.passed_args(callee)
    }

    fn op(&mut self, f: &mut FunctionEmitter<'_>, id: InstId) -> Result<(), Error> {
        let function = f.function;
        let inst = function.inst(id);
        match &inst.op {
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => self.physical(f, inst),
            Op::VariableLoad { .. } | Op::VariableStore { .. } | Op::VariableAtomic { .. } => self.variable(f, inst),
            Op::Matrix(MatrixOp::Load { .. } | MatrixOp::Store { .. }) => self.matrix_access(f, inst),
            Op::MatrixVariableLoad { .. } | Op::MatrixVariableStore { .. } => self.matrix_access(f, inst),
            Op::Matrix(op) => f.matrix(self, *op, inst),
            Op::Barrier { execution, semantics } => {
                let execution = f.m.constant_u32(self.scope(*execution) as u32);
                let scope = f.m.constant_u32(self.scope(semantics.scope) as u32);
                let semantics = f.m.constant_u32(self.semantics(semantics, true));
                let operands = [execution, scope, semantics].map(Operand::IdRef).to_vec();
                f.effect(spirv::Op::ControlBarrier, operands)
            }
            Op::Fence(semantics) => {
                let scope = f.m.constant_u32(self.scope(semantics.scope) as u32);
                let semantics = f.m.constant_u32(self.semantics(semantics, true));
                f.effect(spirv::Op::MemoryBarrier, vec![Operand::IdRef(scope), Operand::IdRef(semantics)])
            }
            Op::Group { op, scope, .. } => match scope {
                Scope::SubGroup => f.group(self, inst, spirv::Scope::Subgroup as u32, false),
                _ => Err(Error::internal(format!("{op} of a whole work-group was not expanded"))),
            },
            Op::ReadClock(scope) => f.group(self, inst, clock_scope(*scope) as u32, false),
            Op::Input { input, dim } => self.input(f, *input, *dim, inst),
            Op::SpecConstant(spec_id) => {
                let constant = self.spec_constant(f.m, *spec_id);
                let result = inst.result()?;
                f.alias(self, result, constant)
            }
            Op::BufferLength(variable) => self.buffer_length(f, *variable, inst),
            Op::Image { op, texel, image } => self.image(f, *op, *texel, *image, inst),
            // Each use loads the handle from the variable of the type it needs.
            Op::Resource { .. } => Ok(()),
            Op::Intrinsic { function, args } => self.intrinsic(f, *function, args, inst),
            op => Err(Error::internal(format!("not legal for Vulkan: {op:?}"))),
        }
    }

    fn constant(&mut self, m: &mut ModuleBuilder, constant: &Constant) -> Word {
        if constant.ty().matrix().is_none() {
            return m.constant(constant);
        }
        // A matrix that nothing has written.
        let ty = self.value_type(m, constant.ty());
        m.global(spirv::Op::Undef, Some(ty), vec![])
    }

    fn no_contraction(&self, function: &Function) -> bool {
        !self.options.language.math.unsafe_optimizations || function.precise
    }

    fn splits_switch_edges(&self) -> bool {
        false
    }

    fn is_vulkan(&self) -> bool {
        true
    }
}

impl Vulkan<'_> {
    fn input(&mut self, f: &mut FunctionEmitter<'_>, input: Input, dim: u8, inst: &Inst) -> Result<(), Error> {
        let result = inst.result()?;
        let u32 = f.m.u32();
        if input == Input::WorkgroupSize {
            let vector = self.work_group_size.or_internal("no work-group size")?;
            let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(u32::from(dim))];
            let id = f.id(self, result);
            return f.push_as(id, spirv::Op::CompositeExtract, u32, operands);
        }
        let (built_in, is_vector) = match input {
            Input::GlobalInvocationId => (BuiltIn::GlobalInvocationId, true),
            Input::LocalInvocationId => (BuiltIn::LocalInvocationId, true),
            Input::WorkgroupId => (BuiltIn::WorkgroupId, true),
            Input::NumWorkgroups => (BuiltIn::NumWorkgroups, true),
            Input::LocalInvocationIndex | Input::WorkgroupSize => (BuiltIn::LocalInvocationIndex, false),
            Input::SubgroupSize => (BuiltIn::SubgroupSize, false),
            Input::NumSubgroups => (BuiltIn::NumSubgroups, false),
            Input::SubgroupId => (BuiltIn::SubgroupId, false),
            Input::SubgroupLocalInvocationId => (BuiltIn::SubgroupLocalInvocationId, false),
        };
        let ty = if is_vector { f.m.vector(u32, 3) } else { u32 };
        let variable = match self.inputs.get(&input) {
            Some(variable) => *variable,
            None => {
                if matches!(built_in, BuiltIn::SubgroupSize | BuiltIn::NumSubgroups | BuiltIn::SubgroupId)
                    || built_in == BuiltIn::SubgroupLocalInvocationId
                {
                    f.m.capability(Capability::GroupNonUniform);
                }
                let pointer = f.m.pointer(StorageClass::Input, ty);
                let operands = vec![Operand::StorageClass(StorageClass::Input)];
                let id = f.m.global(spirv::Op::Variable, Some(pointer), operands);
                f.m.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(built_in)]);
                self.inputs.insert(input, id);
                id
            }
        };
        self.used.push(variable);
        let id = f.id(self, result);
        if !is_vector {
            return f.push_as(id, spirv::Op::Load, ty, vec![Operand::IdRef(variable)]);
        }
        let vector = f.push(spirv::Op::Load, ty, vec![Operand::IdRef(variable)])?;
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(u32::from(dim))];
        f.push_as(id, spirv::Op::CompositeExtract, u32, operands)
    }
}
