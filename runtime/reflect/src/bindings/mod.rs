//! Declarations for programs that launch a module by themselves: a structure for the push constants of each kernel, one for its
//! uniform buffer, and constants for descriptors and specialisation constants.

mod names;
mod parts;
mod records;
mod writers;

use clforge_compiler::interface::{
    Argument, ArgumentBinding as B, Descriptor, ImageFactKind, KernelInterface, ModuleInterface, ProgramDataBinding,
};
use names::{Names, identifier};
use parts::{ADDRESS, Block, Parts, WORD};
use records::{Record, Records};
pub use writers::Language;

use crate::names::push_constant_name;

/// The declarations of a module's kernels in a language. `file` is the module's name, for a comment.
///
/// # Errors
/// Kernels whose push constants overlap, which only damaged modules have.
pub fn bindings(module: &ModuleInterface, file: &str, language: Language) -> Result<String, String> {
    let (mut names, mut tags) = (Names::default(), Names::default());
    let kernels = module.kernels.iter().map(|kernel| Kernel::new(module, kernel, &mut names, &mut tags));
    let kernels = kernels.collect::<Result<Vec<_>, _>>()?;
    Ok(writers::write(&kernels, file, language))
}

/// What is declared for a kernel.
struct Kernel {
    /// An identifier, and the name of the entry point.
    name: String,
    entry_point: String,
    /// In an order in which each needs those before it only.
    records: Vec<Record>,
    blocks: Vec<Block>,
    /// Names in upper case.
    constants: Vec<(String, u32)>,
}

impl Kernel {
    fn new(
        module: &ModuleInterface,
        kernel: &KernelInterface,
        names: &mut Names,
        tags: &mut Names,
    ) -> Result<Kernel, String> {
        let name = names.unique(&identifier(&kernel.name));
        let records = Records::new(module, kernel, &name, tags);
        let (mut push, mut uniform) = (Parts::default(), Parts::default());
        let mut constants = Constants::default();
        module_parts(module, &mut push, &mut constants);
        for argument in &kernel.arguments {
            argument_parts(argument, &records, &mut push, &mut uniform, &mut constants);
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
            block.add(&name, fact.offset, fact.size, Some(WORD.into()));
        }
        let blocks = [push.block("push_constants")?, uniform.block("uniforms")?];
        let blocks: Vec<Block> = blocks.into_iter().flatten().collect();
        for block in &blocks {
            constants.add(&format!("{}_SIZE", block.name), block.size);
        }
        Ok(Kernel {
            name,
            entry_point: kernel.name.clone(),
            records: records.declared,
            blocks,
            constants: constants.all,
        })
    }
}

/// What all kernels of a module have.
fn module_parts(module: &ModuleInterface, push: &mut Parts, constants: &mut Constants) {
    for constant in &module.push_constants {
        let scalar = if constant.size > 12 { ADDRESS } else { WORD };
        push.add(push_constant_name(constant.kind), constant.offset, constant.size, Some(scalar.into()));
    }
    for data in &module.program_data {
        let name = if data.writable { "variables" } else { "constant_data" };
        if let ProgramDataBinding::PushConstantPointer { offset, size } = data.binding {
            push.add(name, offset, size, Some(ADDRESS.into()));
        }
        constants.add(&format!("{name}_BYTES"), u32::try_from(data.data.len()).unwrap_or(u32::MAX));
    }
    if let Some(buffer) = &module.printf.buffer {
        if let ProgramDataBinding::PushConstantPointer { offset, size } = buffer.binding {
            push.add("printf_buffer", offset, size, Some(ADDRESS.into()));
        }
        constants.add("PRINTF_BUFFER_BYTES", buffer.size);
    }
    if let Some(bounds) = &module.bounds {
        push.add("checked_accesses", bounds.offset, ADDRESS.size, Some(ADDRESS.into()));
    }
    if let Some(offset) = module.loop_status {
        push.add("loop_status", offset, ADDRESS.size, Some(ADDRESS.into()));
    }
    if let Some(offset) = module.queue_memory {
        push.add("queue_memory", offset, ADDRESS.size, Some(ADDRESS.into()));
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

fn argument_parts(
    argument: &Argument,
    records: &Records,
    push: &mut Parts,
    uniform: &mut Parts,
    constants: &mut Constants,
) {
    let name = argument_name(argument);
    match argument.binding {
        B::PointerPushConstant { offset, size } => push.add(&name, offset, size, Some(ADDRESS.into())),
        B::PodPushConstant { offset, size } => push.add(&name, offset, size, records.of_argument(argument)),
        B::PointerUniform { at, offset, size } => {
            uniform.add(&name, offset, size, Some(ADDRESS.into()));
            constants.uniforms(at);
        }
        B::PodUniform { at, offset, size } | B::PodStorageBuffer { at, offset, size } => {
            uniform.add(&name, offset, size, records.of_argument(argument));
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
