//! Declarations for programs that launch a module by themselves: a structure for the push constants of each kernel, one for its
//! uniform buffer, and constants for descriptors and specialisation constants.

mod names;
mod writers;

use clforge_compiler::interface::{
    Argument, ArgumentBinding as B, Descriptor, Element, ImageFactKind, KernelInterface, ModuleInterface,
    ProgramDataBinding,
};
use names::{Names, identifier};
pub use writers::Language;

use crate::names::push_constant_name;

/// The declarations of a module's kernels in a language. `file` is the module's name, for a comment.
///
/// # Errors
/// Kernels whose push constants overlap, which only damaged modules have.
pub fn bindings(module: &ModuleInterface, file: &str, language: Language) -> Result<String, String> {
    let mut names = Names::default();
    let kernels = module.kernels.iter().map(|kernel| Kernel::new(module, kernel, &mut names));
    let kernels = kernels.collect::<Result<Vec<_>, _>>()?;
    Ok(writers::write(&kernels, file, language))
}

/// What is declared for a kernel.
struct Kernel {
    /// An identifier, and the name of the entry point.
    name: String,
    entry_point: String,
    blocks: Vec<Block>,
    /// Names in upper case.
    constants: Vec<(String, u32)>,
}

/// Bytes that the host writes.
struct Block {
    name: &'static str,
    members: Vec<Member>,
    /// Bytes, without what the end of a structure is padded by.
    size: u32,
}

/// A member of a block: an array where the count is given.
struct Member {
    name: String,
    offset: u32,
    scalar: Scalar,
    count: Option<u32>,
}

/// A type that C and Rust have.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scalar {
    c: &'static str,
    rust: &'static str,
    size: u32,
}

const BYTE: Scalar = Scalar { c: "uint8_t", rust: "u8", size: 1 };
const WORD: Scalar = Scalar { c: "uint32_t", rust: "u32", size: 4 };
const ADDRESS: Scalar = Scalar { c: "uint64_t", rust: "u64", size: 8 };

/// The scalar of a type of OpenCL C or of a vector of it.
fn scalar(type_name: &str) -> Option<Scalar> {
    Some(match type_name.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "char" => Scalar { c: "int8_t", rust: "i8", size: 1 },
        "uchar" => BYTE,
        "short" => Scalar { c: "int16_t", rust: "i16", size: 2 },
        "ushort" | "half" => Scalar { c: "uint16_t", rust: "u16", size: 2 },
        "int" => Scalar { c: "int32_t", rust: "i32", size: 4 },
        "uint" => WORD,
        "long" => Scalar { c: "int64_t", rust: "i64", size: 8 },
        "ulong" => ADDRESS,
        "float" => Scalar { c: "float", rust: "f32", size: 4 },
        "double" => Scalar { c: "double", rust: "f64", size: 8 },
        _ => return None,
    })
}

impl Kernel {
    fn new(module: &ModuleInterface, kernel: &KernelInterface, names: &mut Names) -> Result<Kernel, String> {
        let (mut push, mut uniform) = (Parts::default(), Parts::default());
        let mut constants = Constants::default();
        module_parts(module, &mut push, &mut constants);
        for argument in &kernel.arguments {
            argument_parts(argument, &mut push, &mut uniform, &mut constants);
        }
        for fact in &kernel.image_facts {
            let kind = match fact.kind {
                ImageFactKind::ChannelOrder => "channel_order",
                ImageFactKind::ChannelDataType => "channel_data_type",
                ImageFactKind::NormalizedSamplerMask => "normalized_sampler_mask",
                ImageFactKind::NullPointer => "null_pointer",
            };
            let argument = kernel.arguments.iter().find(|argument| argument.ordinal == fact.ordinal);
            let name = format!("{}_{kind}", argument.map_or_else(String::new, argument_name));
            let block = if fact.at.is_some() { &mut uniform } else { &mut push };
            block.add(&name, fact.offset, fact.size, Some(WORD));
        }
        let blocks = [push.block("push_constants")?, uniform.block("uniforms")?];
        let blocks: Vec<Block> = blocks.into_iter().flatten().collect();
        for block in &blocks {
            constants.add(&format!("{}_SIZE", block.name), block.size);
        }
        let name = names.unique(&identifier(&kernel.name));
        Ok(Kernel { name, entry_point: kernel.name.clone(), blocks, constants: constants.all })
    }
}

/// What all kernels of a module have.
fn module_parts(module: &ModuleInterface, push: &mut Parts, constants: &mut Constants) {
    for constant in &module.push_constants {
        let scalar = if constant.size > 12 { ADDRESS } else { WORD };
        push.add(push_constant_name(constant.kind), constant.offset, constant.size, Some(scalar));
    }
    for data in &module.program_data {
        let name = if data.writable { "variables" } else { "constant_data" };
        if let ProgramDataBinding::PushConstantPointer { offset, size } = data.binding {
            push.add(name, offset, size, Some(ADDRESS));
        }
        constants.add(&format!("{name}_BYTES"), u32::try_from(data.data.len()).unwrap_or(u32::MAX));
    }
    if let Some(buffer) = &module.printf.buffer {
        if let ProgramDataBinding::PushConstantPointer { offset, size } = buffer.binding {
            push.add("printf_buffer", offset, size, Some(ADDRESS));
        }
        constants.add("PRINTF_BUFFER_BYTES", buffer.size);
    }
    if let Some(bounds) = &module.bounds {
        push.add("checked_accesses", bounds.offset, ADDRESS.size, Some(ADDRESS));
    }
    if let Some(offset) = module.loop_status {
        push.add("loop_status", offset, ADDRESS.size, Some(ADDRESS));
    }
    if let Some(offset) = module.queue_memory {
        push.add("queue_memory", offset, ADDRESS.size, Some(ADDRESS));
    }
    for (ids, name) in
        [(module.work_group_size_spec_ids, "WORK_GROUP_SIZE"), (module.global_offset_spec_ids, "GLOBAL_OFFSET")]
    {
        for (axis, id) in ["X", "Y", "Z"].into_iter().zip(ids.into_iter().flatten()) {
            constants.add(&format!("{name}_{axis}_SPEC_ID"), id);
        }
    }
    for (id, name) in [(module.work_dim_spec_id, "WORK_DIM"), (module.subgroup_max_size_spec_id, "SUBGROUP_MAX_SIZE")] {
        id.into_iter().for_each(|id| constants.add(&format!("{name}_SPEC_ID"), id));
    }
}

fn argument_parts(argument: &Argument, push: &mut Parts, uniform: &mut Parts, constants: &mut Constants) {
    let name = argument_name(argument);
    match argument.binding {
        B::PointerPushConstant { offset, size } => push.add(&name, offset, size, Some(ADDRESS)),
        B::PodPushConstant { offset, size } => push.add(&name, offset, size, argument_scalar(argument)),
        B::PointerUniform { at, offset, size } => {
            uniform.add(&name, offset, size, Some(ADDRESS));
            constants.uniforms(at);
        }
        B::PodUniform { at, offset, size } | B::PodStorageBuffer { at, offset, size } => {
            uniform.add(&name, offset, size, argument_scalar(argument));
            constants.uniforms(at);
        }
        B::Workgroup { spec_id, element_size } => {
            constants.add(&format!("{name}_SPEC_ID"), spec_id);
            constants.add(&format!("{name}_ELEMENT_SIZE"), element_size);
        }
        B::StorageBuffer(at)
        | B::UniformBuffer(at)
        | B::SampledImage(at)
        | B::StorageImage(at)
        | B::UniformTexelBuffer(at)
        | B::StorageTexelBuffer(at)
        | B::Sampler(at) => constants.descriptor(&name, at),
    }
}

fn argument_name(argument: &Argument) -> String {
    let name = argument.info.as_ref().map(|info| info.name.as_str()).filter(|name| !name.is_empty());
    name.map_or_else(|| format!("argument_{}", argument.ordinal), identifier)
}

fn argument_scalar(argument: &Argument) -> Option<Scalar> {
    match argument.layout.as_ref().map(|layout| &layout.element) {
        Some(Element::Record(_)) => None,
        Some(Element::BuiltIn(name)) => scalar(name),
        None => scalar(&argument.info.as_ref()?.type_name),
    }
}

/// Constants that are being collected.
#[derive(Default)]
struct Constants {
    all: Vec<(String, u32)>,
    names: Names,
}

impl Constants {
    fn add(&mut self, name: &str, value: u32) {
        let name = self.names.unique(&name.to_uppercase());
        self.all.push((name, value));
    }

    fn descriptor(&mut self, name: &str, at: Descriptor) {
        self.add(&format!("{name}_SET"), at.set);
        self.add(&format!("{name}_BINDING"), at.binding);
    }

    /// The descriptor of the buffer of arguments, once.
    fn uniforms(&mut self, at: Descriptor) {
        if !self.all.iter().any(|(name, _)| name == "UNIFORMS_SET") {
            self.descriptor("uniforms", at);
        }
    }
}

/// Members that are being collected.
#[derive(Default)]
struct Parts {
    members: Vec<Member>,
    names: Names,
}

impl Parts {
    fn add(&mut self, name: &str, offset: u32, size: u32, scalar: Option<Scalar>) {
        let fits = |scalar: &Scalar| offset.is_multiple_of(scalar.size) && size.is_multiple_of(scalar.size) && size > 0;
        let scalar = scalar.filter(fits).unwrap_or(BYTE);
        let count = Some(size / scalar.size).filter(|count| *count != 1);
        self.members.push(Member { name: self.names.unique(name), offset, scalar, count });
    }

    /// The members in order, with names for the bytes between them.
    fn block(mut self, name: &'static str) -> Result<Option<Block>, String> {
        self.members.sort_by_key(|member| member.offset);
        let (mut end, mut members) = (0, Vec::new());
        for member in self.members {
            let gap = member
                .offset
                .checked_sub(end)
                .ok_or_else(|| format!("'{}' overlaps what is before it", member.name))?;
            if gap > 0 {
                let name = self.names.unique(&format!("reserved_{end}"));
                members.push(Member { name, offset: end, scalar: BYTE, count: Some(gap) });
            }
            let bytes = member.scalar.size.saturating_mul(member.count.unwrap_or(1));
            end = member.offset.checked_add(bytes).ok_or("an offset is too large")?;
            members.push(member);
        }
        // Vulkan takes push constants by words.
        let size = end.checked_next_multiple_of(4).ok_or("an offset is too large")?;
        Ok(Some(Block { name, members, size }).filter(|block| !block.members.is_empty()))
    }
}
