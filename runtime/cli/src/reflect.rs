//! `clforge reflect`.

use crate::build_options::BuildOptions;
use crate::cli::ReflectArguments;
use crate::compile;
use crate::failure::Failure;
use crate::fields::Records;
use crate::input::{self, Limits, Program};
use crate::opencl_module::OpenClModule;
use crate::output;
use crate::requirements::{self, hexadecimal};
use clforge_compiler::Source;
use clforge_compiler::interface::bounds::{AccessKind, AccessSite, Bounds, Memory};
use clforge_compiler::interface::{
    Argument, ArgumentBinding, Descriptor, Element, KernelInterface, MemberLayout, ModuleInterface, ProgramData,
    ProgramDataBinding, PushConstantKind, RecordLayout, ValueLayout,
};
use clforge_runtime::{AccessQualifier, AddressQualifier, TypeQualifiers};
use serde_json::{Value, json};
use std::path::Path;

/// Bytes of constant data that the text shows; JSON has all.
const SHOWN_BYTES: usize = 64;

/// Describes a module, or the one that a source becomes.
pub fn reflect(arguments: &ReflectArguments, build: &BuildOptions) -> Result<(), Failure> {
    let file = arguments.file.display();
    let limits = Limits::new(arguments.max_file_size);
    let words = match input::program(&arguments.file, limits)? {
        Program::Spirv(_) if !build.is_empty() => {
            return Err(Failure::Usage("build options do not apply to SPIR-V: it is compiled already".into()));
        }
        Program::Spirv(words) => words,
        Program::Source { name, text } if is_source(&arguments.file) => {
            compile::to_spirv(Source { name: &name, text: &text }, &build.options(limits.program))?.spirv
        }
        Program::Source { .. } | Program::Unit(_) => {
            return Err(Failure::Program(format!("'{file}' is not a SPIR-V module, and its name does not end in .cl")));
        }
    };
    let required = clforge_runtime::requirements(&words);
    let required = required.map_err(|error| Failure::Program(format!("'{file}': {error}")))?;
    let (mut text, mut json) = match OpenClModule::read(&words) {
        Some(module) => (module.text(), module.json()),
        None => {
            let interface = ModuleInterface::from_spirv(&words);
            let interface = interface.map_err(|error| Failure::Program(format!("'{file}': {error}")))?;
            (module_text(&interface) + &requirements::terms(&interface), module_json(&interface))
        }
    };
    text += &requirements::text(&required);
    json["requirements"] = requirements::json(&required);
    if !arguments.json {
        return output::stdout(text.as_bytes());
    }
    let json = serde_json::to_string_pretty(&json).map_err(|error| Failure::Program(error.to_string()))?;
    output::stdout(format!("{json}\n").as_bytes())
}

/// Whether a file that is no module may be a source.
fn is_source(file: &Path) -> bool {
    file == Path::new("-") || file.extension().is_some_and(|extension| extension == "cl")
}

/// The name of a binding, its descriptor, and its numbers by name.
type Place = (&'static str, Option<Descriptor>, Vec<(&'static str, u32)>);

fn place(binding: &ArgumentBinding) -> Place {
    use ArgumentBinding as B;
    let block = |offset: u32, size: u32| vec![("offset", offset), ("size", size)];
    match *binding {
        B::StorageBuffer(at) => ("storage_buffer", Some(at), vec![]),
        B::UniformBuffer(at) => ("uniform_buffer", Some(at), vec![]),
        B::PodStorageBuffer { at, offset, size } => ("pod_storage_buffer", Some(at), block(offset, size)),
        B::PodUniform { at, offset, size } => ("pod_uniform", Some(at), block(offset, size)),
        B::PodPushConstant { offset, size } => ("pod_push_constant", None, block(offset, size)),
        B::PointerPushConstant { offset, size } => ("pointer_push_constant", None, block(offset, size)),
        B::PointerUniform { at, offset, size } => ("pointer_uniform", Some(at), block(offset, size)),
        B::Workgroup { spec_id, element_size } => {
            ("local", None, vec![("spec_id", spec_id), ("element_size", element_size)])
        }
        B::SampledImage(at) => ("sampled_image", Some(at), vec![]),
        B::StorageImage(at) => ("storage_image", Some(at), vec![]),
        B::UniformTexelBuffer(at) => ("uniform_texel_buffer", Some(at), vec![]),
        B::StorageTexelBuffer(at) => ("storage_texel_buffer", Some(at), vec![]),
        B::Sampler(at) => ("sampler", Some(at), vec![]),
    }
}

fn data_place(binding: &ProgramDataBinding) -> Place {
    match *binding {
        ProgramDataBinding::PushConstantPointer { offset, size } => {
            ("pointer_push_constant", None, vec![("offset", offset), ("size", size)])
        }
        ProgramDataBinding::StorageBuffer(at) => ("storage_buffer", Some(at), vec![]),
        ProgramDataBinding::UniformBuffer(at) => ("uniform_buffer", Some(at), vec![]),
    }
}

fn push_constant_name(kind: PushConstantKind) -> &'static str {
    match kind {
        PushConstantKind::GlobalOffset => "global_offset",
        PushConstantKind::EnqueuedLocalSize => "enqueued_local_size",
        PushConstantKind::GlobalSize => "global_size",
        PushConstantKind::RegionOffset => "region_offset",
        PushConstantKind::NumWorkgroups => "num_workgroups",
        PushConstantKind::RegionGroupOffset => "region_group_offset",
        PushConstantKind::WorkDim => "work_dim",
    }
}

fn address_name(number: u32) -> &'static str {
    AddressQualifier::from_cl(number).map_or("none", AddressQualifier::name)
}

fn access_qualifier_name(number: u32) -> &'static str {
    AccessQualifier::from_cl(number).map_or("none", AccessQualifier::name)
}

/// Names of the bits `CL_KERNEL_ARG_TYPE_*`.
fn type_qualifiers(bits: u32) -> Vec<&'static str> {
    let present = TypeQualifiers::from_bits_truncate(bits);
    let keywords = TypeQualifiers::KEYWORDS.into_iter();
    keywords.filter(|(qualifier, _)| present.contains(*qualifier)).map(|(_, keyword)| keyword).collect()
}

fn place_json((kind, at, numbers): Place) -> Value {
    let mut value = json!({ "kind": kind });
    let numbers = numbers.into_iter().chain(at.into_iter().flat_map(|at| [("set", at.set), ("binding", at.binding)]));
    for (name, number) in numbers {
        value[name] = number.into();
    }
    value
}

fn argument_json(argument: &Argument) -> Value {
    let mut value = json!({ "ordinal": argument.ordinal, "binding": place_json(place(&argument.binding)) });
    if let Some(info) = &argument.info {
        value["name"] = info.name.as_str().into();
        value["type"] = info.type_name.as_str().into();
        value["address"] = address_name(info.address_qualifier).into();
        value["access"] = access_qualifier_name(info.access_qualifier).into();
        value["type_qualifiers"] = type_qualifiers(info.type_qualifiers).into();
    }
    if let Some(layout) = &argument.layout {
        value["layout"] = layout_json(layout);
    }
    value
}

/// What a value is made of: the name of a built-in type, or the index of a record.
fn layout_json(layout: &ValueLayout) -> Value {
    let element = match &layout.element {
        Element::BuiltIn(name) => json!({ "type": name }),
        Element::Record(index) => json!({ "record": index }),
    };
    json!({ "element": element, "size": layout.size, "lengths": layout.lengths })
}

fn record_json(record: &RecordLayout) -> Value {
    let member = |member: &MemberLayout| json!({ "name": member.name, "offset": member.offset, "layout": layout_json(&member.value) });
    json!({
        "name": record.name, "union": record.is_union, "size": record.size,
        "members": record.members.iter().map(member).collect::<Vec<_>>(),
    })
}

/// Its members with their offsets.
fn record_text(record: &RecordLayout, records: Records<'_>) -> String {
    let members = record.members.iter();
    let members: Vec<String> =
        members.map(|member| format!("{} at {}", records.member_text(member), member.offset)).collect();
    let kind = if record.is_union { ", a union" } else { "" };
    format!("{} ({} bytes{kind}): {}\n", record.name, record.size, members.join(", "))
}

fn kernel_json(kernel: &KernelInterface) -> Value {
    let facts: Vec<Value> = kernel
        .image_facts
        .iter()
        .map(|fact| {
            let kind = format!("{:?}", fact.kind);
            json!({ "ordinal": fact.ordinal, "kind": kind, "offset": fact.offset, "size": fact.size })
        })
        .collect();
    let wrapped = kernel.wrapped_samplers.iter();
    let wrapped: Vec<Value> =
        wrapped.map(|sampler| json!({ "ordinal": sampler.ordinal, "spec_id": sampler.spec_id })).collect();
    json!({
        "name": kernel.name,
        "argument_count": kernel.argument_count(),
        "arguments": kernel.arguments.iter().map(argument_json).collect::<Vec<_>>(),
        "attributes": kernel.attributes,
        "required_work_group_size": kernel.required_work_group_size,
        "uses_printf": kernel.uses_printf,
        "image_facts": facts,
        "wrapped_samplers": wrapped,
    })
}

fn data_json(data: &ProgramData) -> Value {
    json!({
        "binding": place_json(data_place(&data.binding)),
        "size": data.data.len(),
        "data": hexadecimal(&data.data, usize::MAX),
        "writable": data.writable,
        "relocations": data.relocations.len(),
    })
}

/// The name of a kind of access.
fn access_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic",
    }
}

/// The name of a kind of memory.
fn memory_name(memory: Memory) -> &'static str {
    match memory {
        Memory::Device => "device",
        Memory::Local => "local",
        Memory::Private => "private",
        Memory::Image => "image",
    }
}

fn bounds_json(bounds: &Bounds) -> Value {
    let site = |site: &AccessSite| {
        json!({
            "file": site.file, "line": site.line, "column": site.column, "bytes": site.bytes,
            "kind": access_name(site.kind), "argument": site.argument, "variable": site.variable,
            "memory": memory_name(site.memory),
        })
    };
    let sites: Vec<Value> = bounds.sites.iter().map(site).collect();
    json!({ "offset": bounds.offset, "ranges": bounds.ranges, "buffer_size": bounds.buffer_size(), "sites": sites })
}

fn bounds_text(bounds: &Bounds) -> String {
    let Bounds { offset, ranges, sites } = bounds;
    let mut text = format!("checked accesses: {ranges} ranges - pointer push constant, offset {offset}, size 8\n");
    for (index, site) in sites.iter().enumerate() {
        let AccessSite { file, line, column, bytes, kind, argument, variable, memory, .. } = site;
        let what = match memory {
            Memory::Device => format!("{bytes} bytes"),
            Memory::Local | Memory::Private => format!("{bytes} bytes of {} memory", memory_name(*memory)),
            Memory::Image => "a texel".into(),
        };
        text += &format!("checked access {index}: {file}:{line}:{column}, {} of {what}", access_name(*kind));
        text.extend(argument.map(|argument| format!(", argument {argument}")));
        text.extend(Some(variable).filter(|name| !name.is_empty()).map(|name| format!(", variable {name}")));
        text.push('\n');
    }
    text
}

fn module_json(module: &ModuleInterface) -> Value {
    let constants = module.push_constants.iter();
    let constants: Vec<Value> = constants
        .map(|constant| {
            json!({ "kind": push_constant_name(constant.kind), "offset": constant.offset, "size": constant.size })
        })
        .collect();
    let samplers = module.literal_samplers.iter();
    let samplers: Vec<Value> = samplers
        .map(|sampler| json!({ "set": sampler.at.set, "binding": sampler.at.binding, "mask": sampler.mask }))
        .collect();
    let arrays = module.descriptor_arrays.iter();
    let arrays: Vec<Value> =
        arrays.map(|(at, length)| json!({ "set": at.set, "binding": at.binding, "length": length })).collect();
    let formats = module.printf.formats.iter();
    let formats: Vec<Value> = formats
        .map(|format| json!({ "id": format.id, "text": format.text, "argument_sizes": format.argument_sizes }))
        .collect();
    json!({
        "kernels": module.kernels.iter().map(kernel_json).collect::<Vec<_>>(),
        "records": module.records.iter().map(record_json).collect::<Vec<_>>(),
        "push_constants": constants,
        "work_group_size_spec_ids": module.work_group_size_spec_ids,
        "work_dim_spec_id": module.work_dim_spec_id,
        "global_offset_spec_ids": module.global_offset_spec_ids,
        "subgroup_max_size_spec_id": module.subgroup_max_size_spec_id,
        "program_data": module.program_data.iter().map(data_json).collect::<Vec<_>>(),
        "literal_samplers": samplers,
        "printf_formats": formats,
        "descriptor_arrays": arrays,
        "checked_accesses": module.bounds.as_ref().map(bounds_json),
        "printf_buffer": module.printf.buffer.map(|buffer| {
            let mut place = place_json(data_place(&buffer.binding));
            place["buffer_size"] = buffer.size.into();
            place
        }),
    })
}

fn place_text((kind, at, numbers): Place) -> String {
    let mut text = kind.replace('_', " ");
    text.extend(at.map(|at| format!(", set {}, binding {}", at.set, at.binding)));
    text.extend(numbers.iter().map(|(name, number)| format!(", {} {number}", name.replace('_', " "))));
    text
}

fn argument_text(argument: &Argument) -> String {
    let mut text = format!("    {}: ", argument.ordinal);
    if let Some(info) = &argument.info {
        let mut words = vec![address_name(info.address_qualifier), access_qualifier_name(info.access_qualifier)];
        words.retain(|word| !["none", "private"].contains(word));
        words.extend(type_qualifiers(info.type_qualifiers));
        words.extend([info.type_name.as_str(), info.name.as_str()]);
        words.retain(|word| !word.is_empty());
        text += &format!("{} - ", words.join(" "));
    }
    text + &place_text(place(&argument.binding)) + "\n"
}

fn module_text(module: &ModuleInterface) -> String {
    let mut text = String::new();
    for kernel in &module.kernels {
        let count = kernel.argument_count();
        text += &format!("kernel {} ({count} argument{})\n", kernel.name, if count == 1 { "" } else { "s" });
        if !kernel.attributes.is_empty() {
            text += &format!("    attributes: {}\n", kernel.attributes);
        }
        if let Some([x, y, z]) = kernel.required_work_group_size {
            text += &format!("    required work-group size: {x}x{y}x{z}\n");
        }
        if kernel.uses_printf {
            text += "    may use printf\n";
        }
        text.extend(kernel.arguments.iter().map(argument_text));
    }
    if module.kernels.is_empty() {
        text += "no kernels\n";
    }
    text.extend(module.records.iter().map(|record| record_text(record, Records(&module.records))));
    if let Some([x, y, z]) = module.work_group_size_spec_ids {
        text += &format!("work-group size: specialisation constants {x}, {y}, {z}\n");
    }
    if let Some([x, y, z]) = module.global_offset_spec_ids {
        text += &format!("global offset: specialisation constants {x}, {y}, {z}\n");
    }
    if let Some(id) = module.work_dim_spec_id {
        text += &format!("work dimensions: specialisation constant {id}\n");
    }
    if let Some(id) = module.subgroup_max_size_spec_id {
        text += &format!("largest sub-group size: specialisation constant {id}\n");
    }
    for constant in &module.push_constants {
        let name = push_constant_name(constant.kind).replace('_', " ");
        text += &format!("push constant: {name}, offset {}, size {}\n", constant.offset, constant.size);
    }
    for data in &module.program_data {
        let kind = if data.writable { "program-scope variables" } else { "constant data" };
        let place = place_text(data_place(&data.binding));
        text += &format!("{kind}: {} bytes - {place}\n", data.data.len());
        text += &format!("    {}\n", hexadecimal(&data.data, SHOWN_BYTES));
    }
    for sampler in &module.literal_samplers {
        let (at, mask) = (sampler.at, sampler.mask);
        text += &format!("sampler: mask {mask:#x} - set {}, binding {}\n", at.set, at.binding);
    }
    for (at, length) in &module.descriptor_arrays {
        text += &format!("descriptor array: {length} descriptors - set {}, binding {}\n", at.set, at.binding);
    }
    text.extend(module.bounds.as_ref().map(bounds_text));
    if let Some(buffer) = &module.printf.buffer {
        text += &format!("printf buffer: {} bytes - {}\n", buffer.size, place_text(data_place(&buffer.binding)));
    }
    for format in &module.printf.formats {
        let sizes: Vec<String> = format.argument_sizes.iter().map(u32::to_string).collect();
        let sizes = if sizes.is_empty() { String::new() } else { format!(", arguments of {} bytes", sizes.join(", ")) };
        text += &format!("printf format {}: {:?}{sizes}\n", format.id, format.text);
    }
    text
}
