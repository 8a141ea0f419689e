//! Reads `NonSemantic.ClspvReflection` (revisions 1 to 7) back from a module, trusting nothing in it.

use super::bounds::{AccessKind, AccessSite, Bounds, Check, Memory};
use super::iterations::IterationBound;
use super::*;
use clforge_basic::narrow::{to_u8, to_u32};
use rspirv::spirv::{self, NonsemanticClspvreflectionOp as Op};
use std::collections::HashMap;
use std::fmt;

/// Why a module's interface could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InterfaceError {
    /// No SPIR-V header.
    NotSpirv,
    /// The module does not import `NonSemantic.ClspvReflection`.
    NoReflection,
    /// The module breaks the rules of SPIR-V or of the reflection set.
    Malformed {
        /// Index of the instruction's first word.
        word: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for InterfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterfaceError::NotSpirv => write!(f, "not a SPIR-V module"),
            InterfaceError::NoReflection => {
                write!(
                    f,
                    "the module does not describe its kernels: it has no NonSemantic.ClspvReflection instructions"
                )
            }
            InterfaceError::Malformed { word, problem } => write!(f, "malformed SPIR-V at word {word}: {problem}"),
        }
    }
}

impl std::error::Error for InterfaceError {}

impl ModuleInterface {
    /// Reads the interface of a Vulkan module, ours or another compiler's.
    ///
    /// Instructions of later revisions of the set are skipped.
    ///
    /// # Errors
    /// [`InterfaceError`]: no module, no reflection in it, or reflection that contradicts itself. Never panics.
    pub fn from_spirv(words: &[u32]) -> Result<ModuleInterface, InterfaceError> {
        let mut reader = Reader::default();
        let mut found = false;
        for instruction in instructions(words)? {
            let instruction = instruction?;
            match spirv::Op::from_u32(instruction.opcode.into()) {
                Some(spirv::Op::String) => reader.string(&instruction)?,
                Some(op @ (spirv::Op::Constant | spirv::Op::ConstantNull)) => reader.constant(op, &instruction),
                Some(spirv::Op::ExtInstImport) => found |= reader.import(&instruction)?,
                Some(spirv::Op::ExtInst) => reader.extended(&instruction)?,
                _ => reader.arrays.note(&instruction),
            }
        }
        if !found {
            return Err(InterfaceError::NoReflection);
        }
        reader.finish()
    }
}

#[derive(Default)]
struct Reader {
    sets: Vec<u32>,
    strings: HashMap<u32, String>,
    constants: HashMap<u32, u32>,
    infos: HashMap<u32, ArgumentInfo>,
    kernels: HashMap<u32, usize>,
    /// (offset of the pointer, offset it points to), and where the instruction stands.
    relocations: Vec<(u32, u32, usize)>,
    arrays: arrays::Arrays,
    bounds_set: Option<u32>,
    layouts_set: Option<u32>,
    records: HashMap<u32, u32>,
    depths: layouts::Depths,
    interface: ModuleInterface,
}

/// The operands of one reflection instruction.
struct Operands<'r> {
    words: &'r [u32],
    at: usize,
    name: Name,
}

/// An instruction's name in messages.
enum Name {
    Reflection(Op),
    Bounds,
    Layouts,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Reflection(op) => write!(f, "{op:?}"),
            Name::Bounds => write!(f, "Bounds"),
            Name::Layouts => write!(f, "Layouts"),
        }
    }
}

impl Operands<'_> {
    fn fail<T>(&self, problem: impl fmt::Display) -> Result<T, InterfaceError> {
        Err(InterfaceError::Malformed { word: self.at, problem: format!("{}: {problem}", self.name) })
    }

    fn id(&self, index: usize) -> Result<u32, InterfaceError> {
        match self.words.get(index) {
            Some(id) => Ok(*id),
            None => self.fail(format_args!("operand {index} is missing")),
        }
    }
}

impl Reader {
    fn string(&mut self, instruction: &Instruction<'_>) -> Result<(), InterfaceError> {
        let (Some(id), Some((text, _))) = (instruction.word(0), instruction.string(1)) else {
            return Err(malformed(instruction, "a string without its end"));
        };
        self.strings.insert(id, text);
        Ok(())
    }

    /// Keeps integer constants that fit 32 bits; others cannot be operands of reflection instructions.
    fn constant(&mut self, op: spirv::Op, instruction: &Instruction<'_>) {
        let value = match (op, instruction.operands) {
            (spirv::Op::ConstantNull, [_, _]) => 0,
            (spirv::Op::Constant, [_, _, value] | [_, _, value, 0]) => *value,
            _ => return,
        };
        self.constants.insert(instruction.operands[1], value);
    }

    fn import(&mut self, instruction: &Instruction<'_>) -> Result<bool, InterfaceError> {
        let (Some(id), Some((name, _))) = (instruction.word(0), instruction.string(1)) else {
            return Err(malformed(instruction, "an import without its name"));
        };
        let ours = name.starts_with("NonSemantic.ClspvReflection");
        if ours {
            self.sets.push(id);
        }
        if name == bounds::SET {
            self.bounds_set = Some(id);
        }
        if name == layouts::SET {
            self.layouts_set = Some(id);
        }
        Ok(ours)
    }

    fn extended(&mut self, instruction: &Instruction<'_>) -> Result<(), InterfaceError> {
        let &[_, result, set, number, ref operands @ ..] = instruction.operands else {
            return Err(malformed(instruction, "OpExtInst has too few operands"));
        };
        if self.bounds_set == Some(set) {
            return self.bounds(number, &Operands { words: operands, at: instruction.at, name: Name::Bounds });
        }
        if self.layouts_set == Some(set) {
            let operands = Operands { words: operands, at: instruction.at, name: Name::Layouts };
            return self.layout(number, result, &operands);
        }
        match Op::from_u32(number) {
            Some(op) if self.sets.contains(&set) => {
                let name = Name::Reflection(op);
                self.reflection(op, result, &Operands { words: operands, at: instruction.at, name })
            }
            _ => Ok(()),
        }
    }

    fn reflection(&mut self, op: Op, result: u32, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        match op {
            Op::Kernel => self.kernel(result, operands),
            Op::ArgumentInfo => self.argument_info(result, operands),
            Op::ArgumentStorageBuffer
            | Op::ArgumentUniform
            | Op::ArgumentPodStorageBuffer
            | Op::ArgumentPodUniform
            | Op::ArgumentPodPushConstant
            | Op::ArgumentSampledImage
            | Op::ArgumentStorageImage
            | Op::ArgumentSampler
            | Op::ArgumentWorkgroup
            | Op::ArgumentPointerPushConstant
            | Op::ArgumentPointerUniform
            | Op::ArgumentStorageTexelBuffer
            | Op::ArgumentUniformTexelBuffer => self.argument(op, operands),
            Op::PushConstantGlobalOffset => self.push_constant(PushConstantKind::GlobalOffset, operands),
            Op::PushConstantEnqueuedLocalSize => self.push_constant(PushConstantKind::EnqueuedLocalSize, operands),
            Op::PushConstantGlobalSize => self.push_constant(PushConstantKind::GlobalSize, operands),
            Op::PushConstantRegionOffset => self.push_constant(PushConstantKind::RegionOffset, operands),
            Op::PushConstantNumWorkgroups => self.push_constant(PushConstantKind::NumWorkgroups, operands),
            Op::PushConstantRegionGroupOffset => self.push_constant(PushConstantKind::RegionGroupOffset, operands),
            Op::ConstantDataStorageBuffer
            | Op::ConstantDataUniform
            | Op::ConstantDataPointerPushConstant
            | Op::ProgramScopeVariablesStorageBuffer
            | Op::ProgramScopeVariablePointerPushConstant => self.program_data(op, operands),
            Op::ImageArgumentInfoChannelOrderPushConstant => {
                self.image_fact(ImageFactKind::ChannelOrder, false, operands)
            }
            Op::ImageArgumentInfoChannelDataTypePushConstant => {
                self.image_fact(ImageFactKind::ChannelDataType, false, operands)
            }
            Op::ImageArgumentInfoChannelOrderUniform => self.image_fact(ImageFactKind::ChannelOrder, true, operands),
            Op::ImageArgumentInfoChannelDataTypeUniform => {
                self.image_fact(ImageFactKind::ChannelDataType, true, operands)
            }
            Op::NormalizedSamplerMaskPushConstant => {
                self.image_fact(ImageFactKind::NormalizedSamplerMask, false, operands)
            }
            Op::PrintfInfo => self.printf_format(operands),
            Op::PrintfBufferStorageBuffer | Op::PrintfBufferPointerPushConstant => self.printf_buffer(op, operands),
            Op::SpecConstantWorkgroupSize
            | Op::SpecConstantGlobalOffset
            | Op::SpecConstantWorkDim
            | Op::SpecConstantSubgroupMaxSize
            | Op::LiteralSampler
            | Op::PropertyRequiredWorkgroupSize
            | Op::ProgramScopeVariablePointerRelocation
            | Op::WorkgroupVariableSize => self.module_fact(op, operands),
        }
    }

    fn number(&self, operands: &Operands<'_>, index: usize) -> Result<u32, InterfaceError> {
        let id = operands.id(index)?;
        match self.constants.get(&id) {
            Some(value) => Ok(*value),
            None => operands.fail(format_args!("operand {index} (%{id}) is not a 32-bit constant")),
        }
    }

    fn text(&self, operands: &Operands<'_>, index: usize) -> Result<String, InterfaceError> {
        let id = operands.id(index)?;
        match self.strings.get(&id) {
            Some(text) => Ok(text.clone()),
            None => operands.fail(format_args!("operand {index} (%{id}) is not a string")),
        }
    }

    fn three(&self, operands: &Operands<'_>, index: usize) -> Result<[u32; 3], InterfaceError> {
        Ok([self.number(operands, index)?, self.number(operands, index + 1)?, self.number(operands, index + 2)?])
    }

    fn descriptor(&self, operands: &Operands<'_>, index: usize) -> Result<Descriptor, InterfaceError> {
        Ok(Descriptor { set: self.number(operands, index)?, binding: self.number(operands, index + 1)? })
    }

    fn kernel_index(&self, operands: &Operands<'_>) -> Result<usize, InterfaceError> {
        let id = operands.id(0)?;
        match self.kernels.get(&id) {
            Some(index) => Ok(*index),
            None => operands.fail(format_args!("%{id} is not a Kernel declaration")),
        }
    }

    fn kernel(&mut self, result: u32, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let mut kernel = KernelInterface { name: self.text(operands, 1)?, ..KernelInterface::default() };
        // From revision 2 on: number of arguments, flags; from revision 3 on: attributes.
        if operands.words.len() > 2 {
            kernel.declared_arguments = self.number(operands, 2)?;
        }
        if operands.words.len() > 3 {
            kernel.uses_printf = self.number(operands, 3)? & 1 != 0;
        }
        if operands.words.len() > 4 {
            kernel.attributes = self.text(operands, 4)?;
        }
        self.kernels.insert(result, self.interface.kernels.len());
        self.interface.kernels.push(kernel);
        Ok(())
    }

    fn argument_info(&mut self, result: u32, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let optional = |index| {
            if operands.words.len() > index { self.number(operands, index).map(Some) } else { Ok(None) }
        };
        let info = ArgumentInfo {
            name: self.text(operands, 0)?,
            type_name: if operands.words.len() > 1 { self.text(operands, 1)? } else { String::new() },
            address_qualifier: optional(2)?.unwrap_or(0),
            access_qualifier: optional(3)?.unwrap_or(0),
            type_qualifiers: optional(4)?.unwrap_or(0),
        };
        self.infos.insert(result, info);
        Ok(())
    }

    fn argument(&mut self, op: Op, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let kernel = self.kernel_index(operands)?;
        let ordinal = self.number(operands, 1)?;
        let value = |index| self.number(operands, index);
        let at = || self.descriptor(operands, 2);
        let (binding, info) = match op {
            Op::ArgumentStorageBuffer => (ArgumentBinding::StorageBuffer(at()?), 4),
            Op::ArgumentUniform => (ArgumentBinding::UniformBuffer(at()?), 4),
            Op::ArgumentPodStorageBuffer => {
                (ArgumentBinding::PodStorageBuffer { at: at()?, offset: value(4)?, size: value(5)? }, 6)
            }
            Op::ArgumentPodUniform => {
                (ArgumentBinding::PodUniform { at: at()?, offset: value(4)?, size: value(5)? }, 6)
            }
            Op::ArgumentPodPushConstant => (ArgumentBinding::PodPushConstant { offset: value(2)?, size: value(3)? }, 4),
            Op::ArgumentSampledImage => (ArgumentBinding::SampledImage(at()?), 4),
            Op::ArgumentStorageImage => (ArgumentBinding::StorageImage(at()?), 4),
            Op::ArgumentSampler => (ArgumentBinding::Sampler(at()?), 4),
            Op::ArgumentWorkgroup => (ArgumentBinding::Workgroup { spec_id: value(2)?, element_size: value(3)? }, 4),
            Op::ArgumentPointerPushConstant => {
                (ArgumentBinding::PointerPushConstant { offset: value(2)?, size: value(3)? }, 4)
            }
            Op::ArgumentPointerUniform => {
                (ArgumentBinding::PointerUniform { at: at()?, offset: value(4)?, size: value(5)? }, 6)
            }
            Op::ArgumentStorageTexelBuffer => (ArgumentBinding::StorageTexelBuffer(at()?), 4),
            Op::ArgumentUniformTexelBuffer => (ArgumentBinding::UniformTexelBuffer(at()?), 4),
            _ => return operands.fail("not an argument"),
        };
        let info = match operands.words.get(info) {
            None => None,
            Some(id) => match self.infos.get(id) {
                Some(info) => Some(info.clone()),
                None => return operands.fail(format_args!("%{id} is not an ArgumentInfo")),
            },
        };
        if let ArgumentBinding::Workgroup { element_size: 0, .. } = binding {
            return operands.fail("the element size is zero");
        }
        self.interface.kernels[kernel].arguments.push(Argument { ordinal, binding, info, layout: None });
        Ok(())
    }

    fn push_constant(&mut self, kind: PushConstantKind, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let constant = PushConstant { kind, offset: self.number(operands, 0)?, size: self.number(operands, 1)? };
        self.interface.push_constants.push(constant);
        Ok(())
    }

    fn program_data(&mut self, op: Op, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let binding = match op {
            Op::ConstantDataStorageBuffer | Op::ProgramScopeVariablesStorageBuffer => {
                ProgramDataBinding::StorageBuffer(self.descriptor(operands, 0)?)
            }
            Op::ConstantDataUniform => ProgramDataBinding::UniformBuffer(self.descriptor(operands, 0)?),
            _ => ProgramDataBinding::PushConstantPointer {
                offset: self.number(operands, 0)?,
                size: self.number(operands, 1)?,
            },
        };
        let Some(data) = bytes_from_hex(&self.text(operands, 2)?) else {
            return operands.fail("the data is not a string of hexadecimal digits");
        };
        let writable =
            matches!(op, Op::ProgramScopeVariablesStorageBuffer | Op::ProgramScopeVariablePointerPushConstant);
        // Data too long for one string comes in parts for the same place.
        let known = self.interface.program_data.last_mut();
        if let Some(known) = known.filter(|known| known.binding == binding && known.writable == writable) {
            known.data.extend(data);
            return Ok(());
        }
        self.interface.program_data.push(ProgramData { binding, data, relocations: Vec::new(), writable });
        Ok(())
    }

    fn image_fact(
        &mut self,
        kind: ImageFactKind,
        uniform: bool,
        operands: &Operands<'_>,
    ) -> Result<(), InterfaceError> {
        let kernel = self.kernel_index(operands)?;
        let at = if uniform { Some(self.descriptor(operands, 2)?) } else { None };
        let first = if uniform { 4 } else { 2 };
        let fact = ImageFact {
            ordinal: self.number(operands, 1)?,
            kind,
            at,
            offset: self.number(operands, first)?,
            size: self.number(operands, first + 1)?,
        };
        self.interface.kernels[kernel].image_facts.push(fact);
        Ok(())
    }

    fn printf_format(&mut self, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let sizes = (2..operands.words.len()).map(|index| self.number(operands, index));
        let format = PrintfFormat {
            id: self.number(operands, 0)?,
            text: self.text(operands, 1)?,
            argument_sizes: sizes.collect::<Result<_, _>>()?,
        };
        self.interface.printf.formats.push(format);
        Ok(())
    }

    fn printf_buffer(&mut self, op: Op, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let binding = if op == Op::PrintfBufferStorageBuffer {
            ProgramDataBinding::StorageBuffer(self.descriptor(operands, 0)?)
        } else {
            ProgramDataBinding::PushConstantPointer {
                offset: self.number(operands, 0)?,
                size: self.number(operands, 1)?,
            }
        };
        self.interface.printf.buffer = Some(PrintfBuffer { binding, size: self.number(operands, 2)? });
        Ok(())
    }

    fn bounds(&mut self, number: u32, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let value = |index| self.number(operands, index);
        if number == bounds::BUFFER {
            let ranges = value(1)?;
            if ranges < 2 {
                return operands.fail("there are no ranges");
            }
            self.interface.bounds =
                Some(Bounds { offset: value(0)?, ranges, has_shadows: value(2)? != 0, sites: Vec::new() });
            return Ok(());
        }
        let Some(check) = Check::from_number(value(11)?) else { return operands.fail("an unknown check") };
        let site = AccessSite {
            file: self.text(operands, 0)?,
            line: value(1)?,
            column: value(2)?,
            bytes: value(3)?,
            kind: AccessKind::from_number(value(4)?),
            argument: Some(value(5)?).filter(|argument| *argument != bounds::NO_ARGUMENT),
            variable: self.text(operands, 6)?,
            memory: Memory::from_number(value(7)?),
            text: self.text(operands, 8)?,
            marked: (value(9)?, value(10)?),
            check,
        };
        match &mut self.interface.bounds {
            Some(bounds) => bounds.sites.push(site),
            None => return operands.fail("a site without a buffer"),
        }
        Ok(())
    }

    fn layout(&mut self, number: u32, result: u32, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        let value = |index| self.number(operands, index);
        match number {
            layouts::RECORD => {
                let (name, size, is_union) = (self.text(operands, 0)?, value(1)?, value(2)? != 0);
                self.records.insert(result, to_u32(self.interface.records.len()));
                self.interface.records.push(RecordLayout { name, is_union, size, members: Vec::new() });
                self.depths.begin();
            }
            layouts::MEMBER => {
                let index = self.records.get(&operands.id(0)?).map(|index| *index as usize + 1);
                let (name, offset, value) = (self.text(operands, 1)?, value(2)?, self.value_layout(operands, 3)?);
                let is_last = index == Some(self.interface.records.len());
                match self.interface.records.last_mut().filter(|_| is_last) {
                    Some(record) => record.members.push(MemberLayout { name, offset, value }),
                    None => return operands.fail("the member is not of the last record"),
                }
                self.depths.check_member(&self.interface.records).or_else(|problem| operands.fail(problem))?;
            }
            layouts::ARGUMENT => {
                let (kernel, ordinal) = (self.kernel_index(operands)?, value(1)?);
                let layout = self.value_layout(operands, 2)?;
                let records = &self.interface.records;
                let checked = self.depths.check_value(&layout, records.len(), records);
                checked.or_else(|problem| operands.fail(problem))?;
                let arguments = self.interface.kernels[kernel].arguments.iter_mut();
                match arguments.rev().find(|argument| argument.ordinal == ordinal) {
                    Some(argument) => argument.layout = Some(layout),
                    None => return operands.fail(format_args!("the kernel has no argument {ordinal}")),
                }
            }
            layouts::WRAPPED_SAMPLER => {
                let kernel = self.kernel_index(operands)?;
                let (ordinal, spec_id) = (value(1)?, value(2)?);
                let kernel = &mut self.interface.kernels[kernel];
                let binding = kernel.argument(ordinal).map(|argument| argument.binding);
                if !matches!(binding, Some(ArgumentBinding::Sampler(_))) {
                    return operands.fail(format_args!("argument {ordinal} is not a sampler"));
                }
                kernel.wrapped_samplers.push(WrappedSampler { ordinal, spec_id });
            }
            layouts::ITERATIONS => {
                let kernel = self.kernel_index(operands)?;
                self.interface.kernels[kernel].most_iterations = Some(value(1)?);
            }
            layouts::ITERATION_BOUND => {
                let kernel = self.kernel_index(operands)?;
                let words: Vec<u32> = (1..operands.words.len()).map(value).collect::<Result<_, _>>()?;
                match IterationBound::from_words(&words) {
                    Some(bound) => self.interface.kernels[kernel].iteration_bound = Some(bound),
                    None => return operands.fail("the words are no bound of iterations"),
                }
            }
            layouts::ACCESSES => {
                let kernel = self.kernel_index(operands)?;
                let mut accesses = Accesses { arguments: Vec::new(), other: Access::from_bits(value(1)?) };
                for at in (2..operands.words.len()).step_by(2) {
                    accesses.add(value(at)?, Access::from_bits(value(at + 1)?));
                }
                self.interface.kernels[kernel].accesses = Some(accesses);
            }
            layouts::NULL_POINTER => {
                let kernel = self.kernel_index(operands)?;
                let at = (operands.words.len() > 3).then(|| self.descriptor(operands, 3)).transpose()?;
                let (ordinal, offset, kind) = (value(1)?, value(2)?, ImageFactKind::NullPointer);
                self.interface.kernels[kernel].image_facts.push(ImageFact { ordinal, kind, at, offset, size: 4 });
            }
            layouts::QUEUE_MEMORY => self.interface.queue_memory = Some(value(0)?),
            layouts::ENQUEUES => {
                let kernel = self.kernel_index(operands)?;
                self.interface.kernels[kernel].enqueues = true;
            }
            layouts::BLOCK => {
                let kernel = self.kernel_index(operands)?;
                self.interface.kernels[kernel].is_block = true;
            }
            layouts::CAPTURED => {
                let kernel = self.kernel_index(operands)?;
                let captured = CapturedHandle { ordinal: value(1)?, offset: value(2)? };
                self.interface.kernels[kernel].captured.push(captured);
            }
            layouts::LOOP_STATUS => self.interface.loop_status = Some(value(0)?),
            // Of a later revision.
            _ => {}
        }
        Ok(())
    }

    /// An element, its size, and the lengths of an array.
    fn value_layout(&self, operands: &Operands<'_>, first: usize) -> Result<ValueLayout, InterfaceError> {
        let element = match self.records.get(&operands.id(first)?) {
            Some(index) => Element::Record(*index),
            None => Element::BuiltIn(self.text(operands, first)?),
        };
        let lengths = (first + 2..operands.words.len()).map(|index| self.number(operands, index));
        Ok(ValueLayout {
            element,
            size: self.number(operands, first + 1)?,
            lengths: lengths.collect::<Result<_, _>>()?,
        })
    }

    fn module_fact(&mut self, op: Op, operands: &Operands<'_>) -> Result<(), InterfaceError> {
        match op {
            Op::SpecConstantWorkgroupSize => self.interface.work_group_size_spec_ids = Some(self.three(operands, 0)?),
            Op::SpecConstantGlobalOffset => self.interface.global_offset_spec_ids = Some(self.three(operands, 0)?),
            Op::SpecConstantWorkDim => self.interface.work_dim_spec_id = Some(self.number(operands, 0)?),
            Op::LiteralSampler => {
                let sampler = LiteralSampler { at: self.descriptor(operands, 0)?, mask: self.number(operands, 2)? };
                self.interface.literal_samplers.push(sampler);
            }
            Op::PropertyRequiredWorkgroupSize => {
                let kernel = self.kernel_index(operands)?;
                let size = self.three(operands, 1)?;
                if size.contains(&0) {
                    return operands.fail("a size is zero");
                }
                self.interface.kernels[kernel].required_work_group_size = Some(size);
            }
            Op::SpecConstantSubgroupMaxSize => {
                self.interface.subgroup_max_size_spec_id = Some(self.number(operands, 0)?)
            }
            Op::ProgramScopeVariablePointerRelocation => {
                let relocation = (self.number(operands, 1)?, self.number(operands, 0)?, operands.at);
                if self.number(operands, 2)? != 8 {
                    return operands.fail("only pointers of 8 bytes are supported");
                }
                self.relocations.push(relocation);
            }
            Op::WorkgroupVariableSize => {
                self.interface.work_group_variables.push((operands.id(0)?, self.number(operands, 1)?))
            }
            _ => return operands.fail("not a property of the module"),
        }
        Ok(())
    }

    /// Puts arguments in order and relocations where they belong.
    fn finish(mut self) -> Result<ModuleInterface, InterfaceError> {
        self.interface.descriptor_arrays = self.arrays.find(&self.constants);
        for kernel in &mut self.interface.kernels {
            kernel.arguments.sort_by_key(|argument| argument.ordinal);
            if let Some(pair) = kernel.arguments.windows(2).find(|pair| pair[0].ordinal == pair[1].ordinal) {
                let problem = format!("kernel '{}' describes argument {} twice", kernel.name, pair[0].ordinal);
                return Err(InterfaceError::Malformed { word: 0, problem });
            }
        }
        // Relocations name no buffer: they are for the program-scope variables, of which there is one buffer.
        let writable = self.interface.program_data.iter().position(|data| data.writable);
        let data = self.interface.program_data.get_mut(writable.unwrap_or(0));
        match data {
            Some(data) => {
                for (pointer, target, word) in self.relocations {
                    if (pointer as usize).checked_add(8).is_none_or(|end| end > data.data.len()) {
                        let problem = format!("a relocation at {pointer} is outside of the {} bytes", data.data.len());
                        return Err(InterfaceError::Malformed { word, problem });
                    }
                    data.relocations.push((pointer, target));
                }
            }
            None => {
                if let Some((_, _, word)) = self.relocations.first() {
                    let problem = "a relocation without program-scope variables".into();
                    return Err(InterfaceError::Malformed { word: *word, problem });
                }
            }
        }
        Ok(self.interface)
    }
}

fn malformed(instruction: &Instruction<'_>, problem: &str) -> InterfaceError {
    InterfaceError::Malformed { word: instruction.at, problem: problem.into() }
}

fn bytes_from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.bytes().map(|byte| (byte as char).to_digit(16).map(|digit| to_u8(digit))).collect::<Option<_>>()?;
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
