//! Descriptions as JSON.

use crate::names::{
    Place, access_name, access_qualifier_name, address_name, data_place, hexadecimal, memory_name, place,
    push_constant_name, type_qualifiers,
};
use crate::opencl_module::OpenClModule;
use clforge_compiler::interface::bounds::{AccessSite, Bounds};
use clforge_compiler::interface::{
    Argument, Element, InterfaceError, KernelInterface, MemberLayout, ModuleInterface, ProgramData, RecordLayout,
    ValueLayout,
};
use clforge_runtime::Requirements;
use serde_json::{Value, json};

/// The description of a module: of a module for Vulkan by its reflection, of one for OpenCL by its declarations.
///
/// # Errors
/// Words that are no module, and a module for Vulkan without reflection or with a damaged one.
pub fn json(words: &[u32]) -> Result<String, InterfaceError> {
    let required = clforge_runtime::requirements(words)?;
    let mut value = match OpenClModule::read(words) {
        Some(module) => module.json(),
        None => module_json(&ModuleInterface::from_spirv(words)?),
    };
    value["requirements"] = requirements_json(&required);
    Ok(format!("{value:#}"))
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
        "enqueues": kernel.enqueues,
        "is_block": kernel.is_block,
        "image_facts": facts,
        "wrapped_samplers": wrapped,
    })
}

fn data_json(data: &ProgramData) -> Value {
    let relocations = data.relocations.iter();
    let relocations: Vec<Value> =
        relocations.map(|(offset, target)| json!({ "offset": offset, "target": target })).collect();
    json!({
        "binding": place_json(data_place(&data.binding)),
        "size": data.data.len(),
        "data": hexadecimal(&data.data, usize::MAX),
        "writable": data.writable,
        "relocations": relocations,
    })
}

fn bounds_json(bounds: &Bounds) -> Value {
    let site = |site: &AccessSite| {
        json!({
            "file": site.file, "line": site.line, "column": site.column, "bytes": site.bytes,
            "kind": access_name(site.kind), "argument": site.argument, "variable": site.variable,
            "memory": memory_name(site.memory), "check": site.check.name(),
        })
    };
    let sites: Vec<Value> = bounds.sites.iter().map(site).collect();
    json!({ "offset": bounds.offset, "ranges": bounds.ranges, "buffer_size": bounds.buffer_size(), "sites": sites })
}

/// The interface of a module for Vulkan.
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
        "queue_memory": module.queue_memory,
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

/// SPIR-V's version, capabilities and extensions.
fn requirements_json(requirements: &Requirements) -> Value {
    let (major, minor) = requirements.spirv_version;
    json!({
        "spirv_version": format!("{major}.{minor}"),
        "capabilities": requirements.capabilities,
        "extensions": requirements.extensions,
    })
}
