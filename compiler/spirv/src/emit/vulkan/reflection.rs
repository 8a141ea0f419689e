//! The module's interface as `NonSemantic.ClspvReflection` instructions, revision 5.

use crate::emit::common::ModuleBuilder;
use crate::interface::bounds::{self, Bounds};
use crate::interface::{
    Argument, ArgumentBinding, ArgumentInfo, Descriptor, ImageFactKind, KernelInterface, ModuleInterface,
    ProgramDataBinding, PushConstantKind,
};
use clforge_ir::Module;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};

/// Instruction numbers of the set.
mod number {
    pub const KERNEL: u32 = 1;
    pub const ARGUMENT_INFO: u32 = 2;
    pub const STORAGE_BUFFER: u32 = 3;
    pub const UNIFORM: u32 = 4;
    pub const POD_STORAGE_BUFFER: u32 = 5;
    pub const POD_UNIFORM: u32 = 6;
    pub const POD_PUSH_CONSTANT: u32 = 7;
    pub const SAMPLED_IMAGE: u32 = 8;
    pub const STORAGE_IMAGE: u32 = 9;
    pub const SAMPLER: u32 = 10;
    pub const WORKGROUP: u32 = 11;
    pub const SPEC_WORKGROUP_SIZE: u32 = 12;
    pub const SPEC_WORK_DIM: u32 = 14;
    pub const PUSH_GLOBAL_OFFSET: u32 = 15;
    pub const PUSH_ENQUEUED_LOCAL_SIZE: u32 = 16;
    pub const PUSH_GLOBAL_SIZE: u32 = 17;
    pub const PUSH_REGION_OFFSET: u32 = 18;
    pub const PUSH_NUM_WORKGROUPS: u32 = 19;
    pub const PUSH_REGION_GROUP_OFFSET: u32 = 20;
    pub const LITERAL_SAMPLER: u32 = 23;
    pub const REQUIRED_WORKGROUP_SIZE: u32 = 24;
    pub const POINTER_PUSH_CONSTANT: u32 = 26;
    pub const POINTER_UNIFORM: u32 = 27;
    pub const POINTER_RELOCATION: u32 = 29;
    pub const CHANNEL_ORDER: u32 = 30;
    pub const CHANNEL_DATA_TYPE: u32 = 31;
    pub const STORAGE_TEXEL_BUFFER: u32 = 34;
    pub const UNIFORM_TEXEL_BUFFER: u32 = 35;
    pub const CONSTANT_DATA_POINTER: u32 = 36;
    pub const PROGRAM_VARIABLES_POINTER: u32 = 37;
    pub const PRINTF_INFO: u32 = 38;
    pub const PRINTF_BUFFER_POINTER: u32 = 40;
    pub const NORMALIZED_SAMPLER_MASK: u32 = 41;
}

/// Bytes of program data in one string: two digits each and a terminator in at most 65,533 words (an instruction has at
/// most 65,535, two of which are not the string's).
const DATA_PART_BYTES: usize = 131_064;

struct Reflection<'m> {
    m: &'m mut ModuleBuilder,
    set: Word,
}

/// Appends the reflection of a module whose functions have these ids.
pub fn emit(m: &mut ModuleBuilder, interface: &ModuleInterface, module: &Module, functions: &[Word]) {
    if !m.at_least(1, 6) {
        m.extension("SPV_KHR_non_semantic_info");
    }
    // Validators of today know no later revision; the instructions added since are ignored by who does not know them.
    let set = m.b.ext_inst_import("NonSemantic.ClspvReflection.5");
    let mut r = Reflection { m, set };
    for kernel in &interface.kernels {
        let index =
            module.functions.iter().position(|function| function.kernel.is_some() && function.name == kernel.name);
        if let Some(index) = index {
            r.kernel(kernel, functions[index]);
        }
    }
    r.launch(interface);
    r.data(interface);
    r.printf(interface);
    if let Some(bounds) = &interface.bounds {
        r.set = r.m.b.ext_inst_import(bounds::SET);
        r.bounds(bounds);
    }
}

impl Reflection<'_> {
    fn inst(&mut self, number: u32, args: &[Word]) -> Word {
        let void = self.m.void();
        let mut operands = vec![Operand::IdRef(self.set), Operand::LiteralExtInstInteger(number)];
        operands.extend(args.iter().map(|arg| Operand::IdRef(*arg)));
        self.m.trailing(spirv::Op::ExtInst, void, operands)
    }

    /// An instruction whose operands are all 32-bit constants.
    fn words(&mut self, number: u32, words: &[u32]) -> Word {
        let ids: Vec<Word> = words.iter().map(|word| self.m.constant_u32(*word)).collect();
        self.inst(number, &ids)
    }

    fn kernel(&mut self, kernel: &KernelInterface, function: Word) {
        let name = self.m.b.string(kernel.name.clone());
        let count = self.m.constant_u32(kernel.arguments.len() as u32);
        let flags = self.m.constant_u32(u32::from(kernel.uses_printf));
        let attributes = self.m.b.string(kernel.attributes.clone());
        let id = self.inst(number::KERNEL, &[function, name, count, flags, attributes]);
        for argument in &kernel.arguments {
            self.argument(id, argument);
        }
        for fact in &kernel.image_facts {
            let number = match fact.kind {
                ImageFactKind::ChannelOrder => number::CHANNEL_ORDER,
                ImageFactKind::ChannelDataType => number::CHANNEL_DATA_TYPE,
                ImageFactKind::NormalizedSamplerMask => number::NORMALIZED_SAMPLER_MASK,
            };
            let words = [fact.ordinal, fact.offset, fact.size].map(|word| self.m.constant_u32(word));
            self.inst(number, &[id, words[0], words[1], words[2]]);
        }
        if let Some(size) = kernel.required_work_group_size {
            let mut args = vec![id];
            args.extend(size.map(|dim| self.m.constant_u32(dim)));
            self.inst(number::REQUIRED_WORKGROUP_SIZE, &args);
        }
    }

    fn argument_info(&mut self, info: &ArgumentInfo) -> Word {
        let name = self.m.b.string(info.name.clone());
        let type_name = self.m.b.string(info.type_name.clone());
        let numbers = [info.address_qualifier, info.access_qualifier, info.type_qualifiers];
        let mut args = vec![name, type_name];
        args.extend(numbers.map(|number| self.m.constant_u32(number)));
        self.inst(number::ARGUMENT_INFO, &args)
    }

    fn argument(&mut self, kernel: Word, argument: &Argument) {
        use ArgumentBinding as B;
        let at = |Descriptor { set, binding }: Descriptor| [set, binding];
        let (number, words): (u32, Vec<u32>) = match argument.binding {
            B::StorageBuffer(d) => (number::STORAGE_BUFFER, at(d).to_vec()),
            B::UniformBuffer(d) => (number::UNIFORM, at(d).to_vec()),
            B::PodStorageBuffer { at: d, offset, size } => {
                (number::POD_STORAGE_BUFFER, vec![d.set, d.binding, offset, size])
            }
            B::PodUniform { at: d, offset, size } => (number::POD_UNIFORM, vec![d.set, d.binding, offset, size]),
            B::PodPushConstant { offset, size } => (number::POD_PUSH_CONSTANT, vec![offset, size]),
            B::PointerPushConstant { offset, size } => (number::POINTER_PUSH_CONSTANT, vec![offset, size]),
            B::PointerUniform { at: d, offset, size } => {
                (number::POINTER_UNIFORM, vec![d.set, d.binding, offset, size])
            }
            B::Workgroup { spec_id, element_size } => (number::WORKGROUP, vec![spec_id, element_size]),
            B::SampledImage(d) => (number::SAMPLED_IMAGE, at(d).to_vec()),
            B::StorageImage(d) => (number::STORAGE_IMAGE, at(d).to_vec()),
            B::UniformTexelBuffer(d) => (number::UNIFORM_TEXEL_BUFFER, at(d).to_vec()),
            B::StorageTexelBuffer(d) => (number::STORAGE_TEXEL_BUFFER, at(d).to_vec()),
            B::Sampler(d) => (number::SAMPLER, at(d).to_vec()),
        };
        let mut args = vec![kernel, self.m.constant_u32(argument.ordinal)];
        args.extend(words.iter().map(|word| self.m.constant_u32(*word)));
        if let Some(info) = &argument.info {
            args.push(self.argument_info(info));
        }
        self.inst(number, &args);
    }

    fn launch(&mut self, interface: &ModuleInterface) {
        if let Some(ids) = interface.work_group_size_spec_ids {
            self.words(number::SPEC_WORKGROUP_SIZE, &ids);
        }
        if let Some(id) = interface.work_dim_spec_id {
            self.words(number::SPEC_WORK_DIM, &[id]);
        }
        for constant in &interface.push_constants {
            let number = match constant.kind {
                PushConstantKind::GlobalOffset => number::PUSH_GLOBAL_OFFSET,
                PushConstantKind::EnqueuedLocalSize => number::PUSH_ENQUEUED_LOCAL_SIZE,
                PushConstantKind::GlobalSize => number::PUSH_GLOBAL_SIZE,
                PushConstantKind::RegionOffset => number::PUSH_REGION_OFFSET,
                PushConstantKind::NumWorkgroups => number::PUSH_NUM_WORKGROUPS,
                PushConstantKind::RegionGroupOffset => number::PUSH_REGION_GROUP_OFFSET,
                PushConstantKind::WorkDim => continue,
            };
            self.words(number, &[constant.offset, constant.size]);
        }
    }

    fn printf(&mut self, interface: &ModuleInterface) {
        let Some(buffer) = interface.printf.buffer else { return };
        for format in &interface.printf.formats {
            let text = self.m.b.string(format.text.clone());
            let mut args = vec![self.m.constant_u32(format.id), text];
            args.extend(format.argument_sizes.iter().map(|size| self.m.constant_u32(*size)));
            self.inst(number::PRINTF_INFO, &args);
        }
        if let ProgramDataBinding::PushConstantPointer { offset, size } = buffer.binding {
            self.words(number::PRINTF_BUFFER_POINTER, &[offset, size, buffer.size]);
        }
    }

    fn bounds(&mut self, bounds: &Bounds) {
        self.words(bounds::BUFFER, &[bounds.offset, bounds.ranges]);
        for site in &bounds.sites {
            let file = self.m.b.string(site.file.clone());
            let argument = site.argument.unwrap_or(bounds::NO_ARGUMENT);
            let numbers = [site.line, site.column, site.bytes, site.kind.number(), argument];
            let mut args = vec![file];
            args.extend(numbers.map(|number| self.m.constant_u32(number)));
            args.push(self.m.b.string(site.variable.clone()));
            self.inst(bounds::SITE, &args);
        }
    }

    fn data(&mut self, interface: &ModuleInterface) {
        for data in &interface.program_data {
            let ProgramDataBinding::PushConstantPointer { offset, size } = data.binding else { continue };
            let is_plain = !data.writable && data.relocations.is_empty();
            let number = if is_plain { number::CONSTANT_DATA_POINTER } else { number::PROGRAM_VARIABLES_POINTER };
            // A string is limited by its instruction's length: what is longer is told in parts for the same place.
            for part in data.data.chunks(DATA_PART_BYTES) {
                let mut hex = String::with_capacity(part.len() * 2);
                for byte in part {
                    hex.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
                    hex.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
                }
                let text = self.m.b.string(hex);
                let args = [self.m.constant_u32(offset), self.m.constant_u32(size), text];
                self.inst(number, &args);
            }
            for (at, target) in &data.relocations {
                self.words(number::POINTER_RELOCATION, &[*target, *at, 8]);
            }
        }
        for sampler in &interface.literal_samplers {
            self.words(number::LITERAL_SAMPLER, &[sampler.at.set, sampler.at.binding, sampler.mask]);
        }
    }
}
