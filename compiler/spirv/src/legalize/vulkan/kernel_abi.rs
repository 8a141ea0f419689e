//! `vulkan/kernel_abi`: lowers to the calling convention between host and kernel. Arguments move to the push constants
//! (or a uniform buffer when they do not fit); images, samplers, and with logical addressing buffers, get descriptors.
//! Work-item functions become device inputs plus the push constants that describe the ND-range, and local arguments
//! become local globals whose size is a specialisation constant (a constant in modules for translators).
//!
//! After this pass kernels have no parameters, and the interface describes where the host stores each argument.

mod arguments;
mod work_items;

use super::printf::records::RecordWriters;
use super::words::load_bytes;
use crate::address_format::AddressFormat;
use crate::interface::bounds::Bounds;
use crate::interface::{
    Argument, ArgumentBinding, CapturedHandle, Descriptor, ImageFact, ImageFactKind, KernelInterface, ModuleInterface,
    PrintfBuffer, PrintfFormat, ProgramDataBinding, WrappedSampler,
};
use crate::legalize::{Context, State};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{Options, Sanitizers, Translatable};
use clforge_basic::source::Span;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::analysis::CallGraph;
use clforge_ir::error::{Invalid, Limited, Unsupported};
use clforge_ir::expand::{Expand, expand};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use typed_index_collections::TiVec;
use work_items::{common_size, used_push_constants, uses_work_dim};

/// Specialisation constants 0, 1 and 2 are the work-group size.
pub const WORK_GROUP_SIZE_SPEC_IDS: [u32; 3] = [0, 1, 2];
/// The number of dimensions of the ND-range.
const WORK_DIM_SPEC_ID: u32 = 3;
/// Those of arguments count up from here.
const FIRST_ARGUMENT_SPEC_ID: u32 = 4;
/// Bytes of the buffer of `printf`: room for one record at least, and offsets that stay positive in 32 bits.
const MIN_PRINTF_BUFFER: u32 = 64;
const MAX_PRINTF_BUFFER: u32 = 1 << 30;
/// The uniform buffer of arguments that do not fit the push constants.
const ARGUMENT_BUFFER: Descriptor = Descriptor { set: ARGUMENT_SET, binding: 0 };
/// Of all arguments.
pub const ARGUMENT_SET: u32 = 0;

/// Program-scope data, and the buffer of `printf`, in modules with logical addresses.
pub const PROGRAM_DATA: Descriptor = Descriptor { set: 2, binding: 0 };
const PRINTF_DATA: Descriptor = Descriptor { set: 2, binding: 1 };

/// The pass. It begins the interface; the formats of `printf` must be known. A variable without definition is an error, since
/// there is no linking.
pub struct KernelAbi;

impl Pass<State> for KernelAbi {
    fn name(&self) -> &'static str {
        "vulkan/kernel_abi"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::PrintfFormats), after: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let formats = std::mem::take(&mut context.state.interface.printf.formats);
        context.state.interface = lower(module, formats, context.options)?;
        Ok(Changed::Maybe)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::KernelAbi))
    }
}

fn lower(module: &mut Module, formats: Vec<PrintfFormat>, options: &Options) -> Result<ModuleInterface, Error> {
    let imported = module.globals.iter().filter(|global| global.imported);
    let undefined = imported.map(|global| {
        let name = global.name.as_str().into();
        Error::invalid(Invalid::UndefinedVariable { name }).at(global.span)
    });
    if let Some(error) = Error::several(undefined) {
        return Err(error);
    }
    if !options.codegen.sanitizers().is_empty() && AddressFormat::of(options) == AddressFormat::Logical {
        return Err(Error::unsupported(Unsupported::LogicalSanitizers));
    }
    if options.codegen.sanitizers().contains(Sanitizers::RACE) && options.device.emulated.int64 {
        let kernel = module.functions.iter().find(|function| function.kernel.is_some());
        return Err(
            Error::unsupported(Unsupported::NarrowRaces).at(kernel.map_or(Span::default(), |kernel| kernel.span))
        );
    }
    let mut launch = Launch::new(module, options);
    launch.interface.printf.formats = formats;
    launch.interface.records = std::mem::take(&mut module.records);
    let (printing, enqueueing) = (printing(module), enqueueing(module));
    let mut room = Room::new(module, options.codegen.max_instructions);
    let common = common_size(module, launch.translatable);
    let Module { functions, globals, .. } = module;
    for (id, function) in functions.iter_mut_enumerated() {
        let kernel = function.kernel.is_some().then(|| launch.kernel_layout(function)).transpose();
        let kernel = kernel.map_err(|error| error.at(function.span))?;
        if kernel.is_some()
            && let Some(interface) = launch.interface.kernels.last_mut()
        {
            (interface.uses_printf, interface.enqueues) = (printing[id], enqueueing[id]);
        }
        launch.work_group_size = launch.translatable.and_then(|default| match &function.kernel {
            Some(kernel) => Some(kernel.required_work_group_size.unwrap_or(default.work_group_size)),
            None => common,
        });
        launch.facts = kernel.as_ref().map(|kernel| kernel.facts.clone()).unwrap_or_default();
        expand(function, &mut launch, &mut room, |b| {
            kernel.as_ref().map(|layout| layout.values(b, globals)).transpose()
        })?;
    }
    launch.append_writers(module)?;
    launch.finish(module)
}

/// Whether each function may print, itself or through its callees.
fn printing(module: &Module) -> TiVec<FunctionId, bool> {
    let ids = module.functions.keys();
    CallGraph::of(module).reaching(ids.filter(|id| super::printf::prints(module.function(*id))))
}

/// Whether each function may enqueue kernels, itself or through its callees.
fn enqueueing(module: &Module) -> TiVec<FunctionId, bool> {
    let ids = module.functions.keys();
    CallGraph::of(module).reaching(ids.filter(|id| asks_for_queues(module.function(*id))))
}

fn asks_for_queues(function: &Function) -> bool {
    let is_asked = |inst: &Inst| matches!(inst.op, Op::WorkItem { query: WorkItemQuery::QueueMemory, .. });
    function.insts.iter().any(is_asked)
}

struct Launch {
    interface: ModuleInterface,
    addresses: AddressFormat,
    push_variable: VariableId,
    uniform_variable: VariableId,
    /// First byte of kernel arguments in the push constants.
    arguments_start: u32,
    push_end: u32,
    uniform_end: u32,
    /// See [`clforge_basic::options::CodegenOptions::translatable`].
    translatable: Option<Translatable>,
    /// In a module for a translator, the size of the work-groups that execute the function being rewritten, where it is known.
    work_group_size: Option<[u32; 3]>,
    next_spec_id: u32,
    max_push_constants: u32,
    /// [`Workarounds::LAVAPIPE_NUM_SUB_GROUPS`].
    counts_sub_groups: bool,
    /// Of the kernel being rewritten.
    facts: Vec<ImageFact>,
    writers: RecordWriters,
}

/// The locations of one kernel's arguments.
struct KernelLayout {
    addresses: AddressFormat,
    variable: VariableId,
    arguments: Vec<PassedArgument>,
    facts: Vec<ImageFact>,
    /// Of each local argument, where that is not chosen by a launch.
    local_bytes: Option<u32>,
}

/// Where an argument of a kernel is.
struct PassedArgument {
    kind: KernelParameter,
    binding: ArgumentBinding,
    /// In the variable of the arguments, in bytes.
    offset: u32,
    /// The parameter's name in the source.
    span: Span,
}

impl Launch {
    fn new(module: &mut Module, options: &Options) -> Launch {
        let translatable = options.codegen.translatable;
        let work_group_size_spec_ids = translatable.is_none().then_some(WORK_GROUP_SIZE_SPEC_IDS);
        let mut interface = ModuleInterface { work_group_size_spec_ids, ..ModuleInterface::default() };
        interface.push_constants = used_push_constants(module, options);
        let addresses = AddressFormat::of(options);
        let mut offset = interface.push_constants.last().map_or(0, |last| last.offset + last.size);
        // The place of an address behind the other push constants.
        let mut place_address = || {
            let place = offset.next_multiple_of(addresses.bytes());
            offset = place + addresses.bytes();
            place
        };
        let is_physical = addresses == AddressFormat::Physical64;
        if is_physical && may_have_program_data(module) {
            // See `program_data_offset`.
            place_address();
        }
        if module.functions.iter().any(super::printf::prints) {
            let binding = match addresses {
                AddressFormat::Physical64 => {
                    ProgramDataBinding::PushConstantPointer { offset: place_address(), size: addresses.bytes() }
                }
                AddressFormat::Logical => ProgramDataBinding::StorageBuffer(PRINTF_DATA),
            };
            let size = options.codegen.printf_buffer_size.clamp(MIN_PRINTF_BUFFER, MAX_PRINTF_BUFFER) & !3;
            interface.printf.buffer = Some(PrintfBuffer { binding, size });
        }
        if !options.codegen.sanitizers().is_empty() {
            let arguments =
                module.functions.iter().filter_map(|function| Some(function.kernel.as_ref()?.arguments.len()));
            let ranges = to_u32(arguments.max().unwrap_or(0)) + 2;
            let has_shadows = options.codegen.sanitize.contains(Sanitizers::RACE);
            interface.bounds = Some(Bounds { offset: place_address(), ranges, has_shadows, sites: Vec::new() });
        }
        if is_physical && options.codegen.unroll_factor > 1 && module.functions.iter().any(ever_had_loops) {
            interface.loop_status = Some(place_address());
        }
        if module.functions.iter().any(asks_for_queues) {
            interface.queue_memory = Some(place_address());
        }
        let variable = |name: &str, storage| Variable {
            name: name.into(),
            storage,
            // Elements of 16 bytes in uniform buffers: arrays of words need `uniformBufferStandardLayout`. Words are their lanes.
            element: if matches!(storage, Storage::Uniform { .. }) {
                Type::vector(ScalarType::I32, 4)
            } else {
                Type::I32
            },
            size: VariableSize::default(),
            zero_initialized: false,
        };
        let push_variable = module.variables.push_and_get_key(variable("push_constants", Storage::PushConstant));
        let Descriptor { set, binding } = ARGUMENT_BUFFER;
        let arguments = variable("arguments", Storage::Uniform { set, binding });
        let uniform_variable = module.variables.push_and_get_key(arguments);
        Launch {
            interface,
            addresses,
            push_variable,
            uniform_variable,
            arguments_start: offset,
            push_end: offset,
            uniform_end: 0,
            translatable,
            work_group_size: None,
            next_spec_id: FIRST_ARGUMENT_SPEC_ID,
            facts: Vec::new(),
            writers: RecordWriters::new(module),
            max_push_constants: options.device.max_push_constants,
            counts_sub_groups: options.codegen.workarounds.contains(Workarounds::LAVAPIPE_NUM_SUB_GROUPS),
        }
    }

    /// Lays out the arguments of a kernel, and adds them to the interface.
    fn kernel_layout(&mut self, function: &Function) -> Result<KernelLayout, Error> {
        let info = function.kernel.as_ref().or_internal("not a kernel")?;
        let facts = self.image_facts(function)?;
        let placed = self.place_arguments(function, info, &facts)?;
        let mut kernel = KernelInterface {
            name: function.name.clone(),
            attributes: info.attributes.clone(),
            required_work_group_size: info
                .required_work_group_size
                .or(self.translatable.map(|default| default.work_group_size)),
            image_facts: [&facts[..], &placed.nulls].concat(),
            is_block: info.is_block,
            captured: captured(info),
            ..KernelInterface::default()
        };
        let variable = if placed.in_push { self.push_variable } else { self.uniform_variable };
        let local_bytes = self.translatable.map(|translatable| translatable.local_bytes);
        let addresses = self.addresses;
        let mut layout = KernelLayout { addresses, variable, arguments: Vec::new(), facts, local_bytes };
        let mut next_binding = ARGUMENT_BUFFER.binding + 1;
        for (ordinal, (argument, place)) in info.arguments.iter().zip(placed.places).enumerate() {
            let binding = self.argument_binding(argument.kind, place, placed.in_push, &mut next_binding)?;
            let passed = PassedArgument { kind: argument.kind, binding, offset: place.offset, span: argument.span };
            layout.arguments.push(passed);
            let info = Some(argument.info.clone());
            let layout = argument.layout.clone();
            kernel.arguments.push(Argument { ordinal: to_u32(ordinal), binding, info, layout });
        }
        let samplers = fractional_samplers(function).into_iter();
        kernel.wrapped_samplers =
            samplers.map(|ordinal| WrappedSampler { ordinal, spec_id: self.new_spec_id() }).collect();
        self.interface.kernels.push(kernel);
        Ok(layout)
    }

    fn new_spec_id(&mut self) -> u32 {
        self.next_spec_id += 1;
        self.next_spec_id - 1
    }

    /// The push constants that describe a kernel's images and samplers, laid out after the ND-range: channel orders and data
    /// types, and the bits of samplers for images that Vulkan reads with normalised coordinates only.
    fn image_facts(&self, function: &Function) -> Result<Vec<ImageFact>, Error> {
        let mut wanted: Vec<(u32, ImageFactKind)> = Vec::new();
        let mut want = |ordinal: u32, kind| {
            if !wanted.contains(&(ordinal, kind)) {
                wanted.push((ordinal, kind));
            }
        };
        for inst in &function.insts {
            let Op::Image { op, image, .. } = &inst.op else { continue };
            match op {
                ImageOp::ChannelOrder => want(parameter(function, *image)?, ImageFactKind::ChannelOrder),
                ImageOp::ChannelDataType => want(parameter(function, *image)?, ImageFactKind::ChannelDataType),
                ImageOp::Sample { sampler, .. }
                | ImageOp::SampleLod { sampler, .. }
                | ImageOp::SampleGrad { sampler, .. }
                    if !super::images::takes_unnormalised(function, *image) =>
                {
                    for ordinal in sampler_parameters(function, *sampler) {
                        want(ordinal, ImageFactKind::NormalizedSamplerMask);
                    }
                }
                _ => {}
            }
        }
        wanted.sort_by_key(|(ordinal, kind)| (*ordinal, *kind as u32));
        let at = |index: usize| self.arguments_start + to_u32(index) * 4;
        let facts = wanted.into_iter().enumerate();
        let facts: Vec<ImageFact> = facts
            .map(|(index, (ordinal, kind))| ImageFact { ordinal, kind, at: None, offset: at(index), size: 4 })
            .collect();
        if at(facts.len()) > self.max_push_constants {
            let what = Limited::ImageQueries { kernel: function.name.as_str().into() };
            return Err(Error::limit(what, at(facts.len()), self.max_push_constants));
        }
        Ok(facts)
    }

    fn finish(mut self, module: &mut Module) -> Result<ModuleInterface, Error> {
        module.variables[self.push_variable].size.fixed = u64::from(self.push_end.next_multiple_of(4));
        module.variables[self.uniform_variable].size.fixed = u64::from(self.uniform_end.next_multiple_of(16));
        if self.arguments_start > self.max_push_constants {
            return Err(Error::limit(Limited::NdRange, self.arguments_start, self.max_push_constants));
        }
        if self.interface.work_dim_spec_id.is_none() && uses_work_dim(module) {
            self.interface.work_dim_spec_id = Some(WORK_DIM_SPEC_ID);
        }
        Ok(self.interface)
    }

    /// A call of `printf`.
    fn printf(&mut self, b: &mut Builder<'_>, args: &[Value]) -> Result<Value, Error> {
        let PrintfBuffer { binding, size } = self.printf_buffer()?;
        let record = super::printf::record(b, size, &self.interface.printf.formats, args);
        if let Some(written) = self.writers.call(b, &record) {
            return Ok(written);
        }
        let buffer = self.printf_address(b, binding)?;
        Ok(super::printf::write(b, buffer, size, &record))
    }

    fn printf_buffer(&self) -> Result<PrintfBuffer, Error> {
        self.interface.printf.buffer.or_internal("no buffer for 'printf'")
    }

    fn printf_address(&self, b: &mut Builder<'_>, binding: ProgramDataBinding) -> Result<Value, Error> {
        match binding {
            ProgramDataBinding::PushConstantPointer { offset, .. } => {
                Ok(load_pointer(b, self.addresses, self.push_variable, offset, Space::Global))
            }
            ProgramDataBinding::StorageBuffer(at) => Ok(buffer(b, at, Type::ptr(Space::Global))),
            ProgramDataBinding::UniformBuffer(_) => Err(Error::internal("'printf' writes to a uniform buffer")),
        }
    }

    /// Appends the functions that calls of `printf` have become calls of.
    fn append_writers(&mut self, module: &mut Module) -> Result<(), Error> {
        let writers = std::mem::take(&mut self.writers);
        if writers.is_empty() {
            return Ok(());
        }
        let PrintfBuffer { binding, size } = self.printf_buffer()?;
        writers.append(&mut module.functions, |b| self.printf_address(b, binding), size)
    }
}

impl Expand for Launch {
    fn replaces(&self, op: &Op) -> bool {
        matches!(
            op,
            Op::WorkItem { .. }
                | Op::Intrinsic { function: Intrinsic::Printf, .. }
                | Op::Image { op: ImageOp::ChannelOrder | ImageOp::ChannelDataType, .. }
        )
    }

    fn expand(&mut self, b: &mut Builder<'_>, inst: InstId) -> Result<Value, Error> {
        let value = match &b.function.inst(inst).op {
            Op::Intrinsic { args, .. } => {
                let args = args.clone();
                return self.printf(b, &args);
            }
            Op::Image { op, image, .. } => {
                let kind = match op {
                    ImageOp::ChannelOrder => ImageFactKind::ChannelOrder,
                    _ => ImageFactKind::ChannelDataType,
                };
                let ordinal = parameter(b.function, *image)?;
                let fact = self.facts.iter().find(|fact| fact.ordinal == ordinal && fact.kind == kind);
                let offset = fact.or_internal("an image query that is not laid out")?.offset;
                return Ok(load_bytes(b, self.push_variable, offset, Type::I32));
            }
            Op::WorkItem { query: WorkItemQuery::GlobalLinearId, .. } => self.global_linear_id(b)?,
            Op::WorkItem { query, dim } => {
                let (query, dim) = (*query, *dim);
                self.query(b, query, dim)?
            }
            _ => return Err(Error::internal("an operation that is not of the kernel ABI")),
        };
        let result = b.function.inst(inst).results.first();
        let wanted = result.map_or(ScalarType::I32, |result| b.ty(*result).scalar);
        Ok(b.resize(value, wanted, false))
    }
}

impl KernelLayout {
    /// The values that replace the parameters of the kernel.
    fn values(&self, b: &mut Builder<'_>, globals: &mut TiVec<GlobalId, Global>) -> Result<Vec<Value>, Error> {
        (0..b.function.params.len()).map(|index| self.argument(b, index, globals)).collect()
    }

    fn argument(
        &self,
        b: &mut Builder<'_>,
        param: usize,
        globals: &mut TiVec<GlobalId, Global>,
    ) -> Result<Value, Error> {
        let argument = self.arguments.get(param).or_internal("parameter without argument")?;
        let offset = argument.offset;
        let pointer = b.function.params.get(param).map_or(Type::I32, |param| b.ty(*param));
        let value = match argument.kind {
            KernelParameter::Value(ty) => load_bytes(b, self.variable, offset, ty),
            KernelParameter::Pointer(space) => match argument.binding {
                ArgumentBinding::StorageBuffer(at) => buffer(b, at, pointer),
                _ => load_pointer(b, self.addresses, self.variable, offset, space),
            },
            KernelParameter::Local { align, .. } => {
                let ArgumentBinding::Workgroup { spec_id, element_size } = argument.binding else {
                    return Err(Error::internal("local argument without size"));
                };
                let id = globals.push_and_get_key(Global {
                    name: format!("local_argument_{spec_id}"),
                    space: Space::Local,
                    size: self.local_bytes.map_or(0, u64::from),
                    align: u64::from(align.max(1)),
                    init: None,
                    relocations: Vec::new(),
                    exported: false,
                    once: false,
                    imported: false,
                    size_argument: self.local_bytes.is_none().then_some((spec_id, element_size)),
                    per_work_item: 0,
                    span: b.function.span,
                });
                b.emit(Op::GlobalAddress(id), pointer)
            }
            KernelParameter::ByValue { size, align } => {
                let around = std::mem::replace(&mut b.span, argument.span);
                let copy = copy_record(b, pointer, self.variable, offset, (size, align));
                b.span = around;
                copy
            }
            KernelParameter::Opaque(ty) => {
                let Descriptor { set, binding } = match argument.binding {
                    ArgumentBinding::SampledImage(at)
                    | ArgumentBinding::StorageImage(at)
                    | ArgumentBinding::UniformTexelBuffer(at)
                    | ArgumentBinding::StorageTexelBuffer(at)
                    | ArgumentBinding::Sampler(at) => at,
                    _ => return Err(Error::internal("a handle without descriptor")),
                };
                b.emit(Op::Resource { set, binding, element: None }, ty)
            }
        };
        Ok(value)
    }
}

/// The arguments that the kernel of a block gets for images and samplers in its object: those behind the object.
fn captured(info: &KernelInfo) -> Vec<CapturedHandle> {
    let handles = info.references.iter().filter(|(_, ty)| ty.space().is_none());
    handles.zip(1..).map(|((offset, _), ordinal)| CapturedHandle { ordinal, offset: *offset }).collect()
}

/// The parameters that a sampler may be, none for a literal.
fn sampler_parameters(function: &Function, sampler: Value) -> Vec<u32> {
    if matches!(function.op(sampler), Some(Op::Sampler(_))) {
        return Vec::new();
    }
    if let ValueDef::FunctionParam(index) = function.def(sampler) {
        return vec![*index];
    }
    // It may be any of the arguments: promotion has not run yet.
    let is_sampler = |param: &Value| function.ty(*param).scalar == ScalarType::Opaque(Opaque::Sampler);
    let parameters = function.params.iter().enumerate().filter(|(_, param)| is_sampler(param));
    parameters.map(|(index, _)| to_u32(index)).collect()
}

/// The sampler parameters that a kernel reads with at floating-point coordinates, which may be fractions of the image.
fn fractional_samplers(function: &Function) -> Vec<u32> {
    let mut found = Vec::new();
    for inst in &function.insts {
        if let Op::Image {
            op:
                ImageOp::Sample { sampler, coordinate }
                | ImageOp::SampleLod { sampler, coordinate, .. }
                | ImageOp::SampleGrad { sampler, coordinate, .. },
            ..
        } = &inst.op
            && function.ty(*coordinate).scalar.is_float()
        {
            found.extend(sampler_parameters(function, *sampler));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The parameter that an image is; after inlining, it cannot be anything else.
fn parameter(function: &Function, image: Value) -> Result<u32, Error> {
    match function.def(image) {
        ValueDef::FunctionParam(index) => Ok(*index),
        _ => Err(super::images::chosen_at_run_time()),
    }
}

/// Whether the channels of an image are asked for that is not named as an argument: modules of compilers that do not optimise have
/// handles in variables.
pub fn has_unknown_images(module: &Module) -> bool {
    module.functions.iter().filter(|function| function.kernel.is_some()).any(|function| {
        function.insts.iter().any(|inst| match &inst.op {
            Op::Image { op: ImageOp::ChannelOrder | ImageOp::ChannelDataType, image, .. } => {
                parameter(function, *image).is_err()
            }
            _ => false,
        })
    })
}

/// Whether there are loops, which a driver may end.
fn ever_had_loops(function: &Function) -> bool {
    function.ever_had(|op| matches!(op, Op::Loop { .. }))
}

/// Reads a pointer at a byte offset of a variable of words.
fn load_pointer(
    b: &mut Builder<'_>,
    addresses: AddressFormat,
    variable: VariableId,
    offset: u32,
    space: Space,
) -> Value {
    let address = load_bytes(b, variable, offset, addresses.stored_type());
    b.convert(ConvertOp::IntToPtr, address, Type::ptr(space))
}

/// The first byte of a storage buffer.
fn buffer(b: &mut Builder<'_>, Descriptor { set, binding }: Descriptor, pointer: Type) -> Value {
    b.emit(Op::Resource { set, binding, element: None }, pointer)
}

/// A private copy of a record argument.
fn copy_record(
    b: &mut Builder<'_>,
    pointer: Type,
    variable: VariableId,
    offset: u32,
    (size, align): (u32, u32),
) -> Value {
    let object = b.alloca_as(pointer, u64::from(size.next_multiple_of(4)), u64::from(align.max(4)));
    for word in 0..size.div_ceil(4) {
        let value = load_bytes(b, variable, offset + word * 4, Type::I32);
        let at = b.offset(object, i64::from(word) * 4);
        b.store(at, value, 4);
    }
    object
}

/// Whether the module has program-scope objects, or will have: `constant_arrays` makes some of private arrays that are read at
/// an index.
fn may_have_program_data(module: &Module) -> bool {
    let mut has_indexed_arrays = false;
    for function in &module.functions {
        function.walk_body(|_, inst| {
            if let Op::PtrAdd { base, index: Some(index), .. } = inst.op {
                let may_be_private = matches!(function.ty(base).space(), Some(Space::Private | Space::Generic));
                has_indexed_arrays |= may_be_private && function.as_int(index).is_none();
            }
        });
    }
    has_indexed_arrays || module.globals.iter().any(|global| global.space != Space::Local)
}

/// Byte offset of the pointer to the program's data in the push constants: right after the ND-range.
pub fn program_data_offset(interface: &ModuleInterface, addresses: AddressFormat) -> u32 {
    let end = interface.push_constants.iter().map(|constant| constant.offset + constant.size).max().unwrap_or(0);
    end.next_multiple_of(addresses.bytes())
}
