//! `clforge reflect`.

use crate::build_options::BuildOptions;
use crate::cli::{Declarations, ReflectArguments};
use crate::compile;
use crate::compile_output;
use crate::failure::Failure;
use crate::fields::Records;
use crate::input::{self, Limits, Program};
use crate::output;
use crate::requirements;
use clforge_compiler::interface::bounds::{AccessSite, Bounds, Check, Memory};
use clforge_compiler::interface::{Argument, InterfaceError, ModuleInterface, RecordLayout};
use clforge_compiler::{Options, Source};
use clforge_reflect::{
    Language, OpenClModule, Place, access_name, access_qualifier_name, address_name, data_place, hexadecimal,
    memory_name, place, push_constant_name, type_qualifiers,
};
use std::path::Path;

/// Bytes of constant data that the text shows; JSON has all.
const SHOWN_BYTES: usize = 64;

/// Describes a module, or the one that a source becomes.
pub fn reflect(arguments: &ReflectArguments, build: &BuildOptions) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        compile_output::keep(output, [arguments.file.as_path()], "is described")?;
    }
    let limits = Limits::new(arguments.made.max_file_size);
    let options_apply = || match build.is_empty() && !arguments.made.change_modules() {
        true => Ok(()),
        false => Err(Failure::Usage("build options do not apply to SPIR-V: it is compiled already".into())),
    };
    let (words, text) = match input::program(&arguments.file, limits)? {
        Program::Spirv(words) => {
            options_apply()?;
            (words, None)
        }
        Program::Source { name, text } if is_source(&arguments.file) => {
            let options = compile::options(&arguments.made, build)?.with_debug_info(true);
            let words = compiled(Source { name: &name, text: &text }, arguments, &options)?;
            (words, Some((options.codegen.debug_path(&name), text)))
        }
        Program::Source { .. } | Program::Unit(_) => {
            let file = arguments.file.display();
            return Err(Failure::Program(format!("'{file}' is not a SPIR-V module, and its name does not end in .cl")));
        }
    };
    let description = description(&words, text.as_ref(), arguments)?;
    match &arguments.output {
        Some(path) => output::file(path, description.as_bytes()),
        None => output::stdout(description.as_bytes()),
    }
}

/// The module that a source becomes.
fn compiled(source: Source<'_>, arguments: &ReflectArguments, options: &Options) -> Result<Vec<u32>, Failure> {
    let words = compile::to_spirv(source, options)?.spirv;
    if !arguments.made.no_validate {
        compile::check(&words, options.target).map_err(|message| compile::invalid(&message))?;
    }
    Ok(words)
}

/// What is printed of a module, and of the name and the text of its source.
fn description(
    words: &[u32],
    source: Option<&(String, Vec<u8>)>,
    arguments: &ReflectArguments,
) -> Result<String, Failure> {
    let file = arguments.file.display();
    let invalid = |error: InterfaceError| Failure::Program(format!("'{file}': {error}"));
    if arguments.json {
        let json = clforge_reflect::json(words).map_err(invalid)?;
        return Ok(format!("{json}\n"));
    }
    if let Some(emit) = arguments.emit {
        let interface = ModuleInterface::from_spirv(words).map_err(invalid)?;
        let language = match emit {
            Declarations::CHeader => Language::C,
            Declarations::Cpp => Language::Cpp,
            Declarations::Rust => Language::Rust,
        };
        // Without the folder, the declarations are the same wherever they are made.
        let name = arguments.file.file_name().unwrap_or_default().to_string_lossy();
        let text = clforge_reflect::bindings(&interface, &name, language);
        return text.map_err(|problem| Failure::Program(format!("'{file}': {problem}")));
    }
    let required = clforge_runtime::requirements(words).map_err(invalid)?;
    let text = match OpenClModule::read(words) {
        Some(module) => module.text(),
        None => {
            let interface = ModuleInterface::from_spirv(words).map_err(invalid)?;
            module_text(&interface) + &requirements::terms(&interface)
        }
    };
    Ok(text + &requirements::text(&required, source))
}

/// Whether a file that is no module may be a source.
fn is_source(file: &Path) -> bool {
    file == Path::new("-") || file.extension().is_some_and(|extension| extension == "cl")
}

/// Its members with their offsets.
fn record_text(record: &RecordLayout, records: Records<'_>) -> String {
    let members = record.members.iter();
    let members: Vec<String> =
        members.map(|member| format!("{} at {}", records.member_text(member), member.offset)).collect();
    let kind = if record.is_union { ", a union" } else { "" };
    format!("{} ({} bytes{kind}): {}\n", record.name, record.size, members.join(", "))
}

fn bounds_text(bounds: &Bounds) -> String {
    let Bounds { offset, ranges, sites, .. } = bounds;
    let mut text = format!("checked accesses: {ranges} ranges - pointer push constant, offset {offset}, size 8\n");
    for (index, site) in sites.iter().enumerate() {
        let AccessSite { file, line, column, bytes, kind, argument, variable, memory, check, .. } = site;
        if *check != Check::Bounds {
            text += &format!("check {index}: {file}:{line}:{column}, {}\n", check.name());
            continue;
        }
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
        if kernel.enqueues {
            text += "    may enqueue kernels\n";
        }
        if kernel.is_block {
            text += "    runs a block that kernels enqueue\n";
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
