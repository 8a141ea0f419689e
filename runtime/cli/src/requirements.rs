//! What `clforge reflect` prints besides the interface: the requirements of a module, and an explanation of the terms.

use clforge_compiler::interface::{ArgumentBinding, ModuleInterface, PushConstantKind};
use clforge_runtime::{FirstUse, Requirement, Requirements, SourcePlace};

/// Characters of a line of the source that are shown.
const SHOWN: usize = 60;

/// For people: a line for each capability and extension. `source` is the name and the text of the file that the module
/// is compiled from.
pub fn text(requirements: &Requirements, source: Option<&(String, Vec<u8>)>) -> String {
    let Requirements { spirv_version: (major, minor), capabilities, extensions, .. } = requirements;
    let mut text = format!("requires SPIR-V {major}.{minor}\n");
    for Requirement { capability, features, reason, first_use, .. } in capabilities {
        text += &format!("requires capability {capability}");
        if !features.is_empty() {
            text += &format!(", Vulkan's {}", features.join(" or "));
        }
        text.extend(reason.map(|reason| format!(" - for {reason}")));
        text.extend(first_use.as_ref().map(|first| first_use_text(first, source)));
        text.push('\n');
    }
    text.extend(extensions.iter().map(|name| format!("requires extension {name}\n")));
    text
}

/// The place of the first instruction that needs a capability, and its line.
fn first_use_text(first: &FirstUse, source: Option<&(String, Vec<u8>)>) -> String {
    let FirstUse { function, place, .. } = first;
    let mut text = match place {
        Some(SourcePlace { file, line, column, .. }) => format!("; {file}:{line}:{column}"),
        None if function.is_empty() => return String::new(),
        None => return format!("; in {function}"),
    };
    if !function.is_empty() {
        text += &format!(" in {function}");
    }
    text.extend(place.as_ref().and_then(|place| line_of(place, source?)).map(|line| format!(": {line}")));
    text
}

/// The line of a place, if it is in this file.
fn line_of(place: &SourcePlace, (name, text): &(String, Vec<u8>)) -> Option<String> {
    let text = (place.file == *name).then(|| String::from_utf8_lossy(text))?;
    let line = text.lines().nth(usize::try_from(place.line).ok()?.checked_sub(1)?)?.trim();
    let shown: String = line.chars().filter(|each| !each.is_control()).take(SHOWN).collect();
    Some(if shown.len() < line.len() { shown + "…" } else { shown })
}

/// The words of the description that are no words of OpenCL C or Vulkan, each with its meaning; those alone that occur.
pub fn terms(module: &ModuleInterface) -> String {
    let has = |kind| module.push_constants.iter().any(|constant| constant.kind == kind);
    let bindings = || module.kernels.iter().flat_map(|kernel| &kernel.arguments).map(|argument| argument.binding);
    let pushes = !module.push_constants.is_empty()
        || bindings().any(|binding| {
            matches!(binding, ArgumentBinding::PodPushConstant { .. } | ArgumentBinding::PointerPushConstant { .. })
        });
    let has_spec_ids = module.work_group_size_spec_ids.is_some()
        || module.work_dim_spec_id.is_some()
        || bindings().any(|binding| matches!(binding, ArgumentBinding::Workgroup { .. }));
    let points = bindings().any(|binding| matches!(binding, ArgumentBinding::PointerPushConstant { .. }));
    let all = [
        (pushes, "push constant", "bytes that the host gives with each dispatch (vkCmdPushConstants)"),
        (points, "pointer push constant", "a device address among the push constants"),
        (has_spec_ids, "specialisation constant, spec id", "a number that the host sets when it makes the pipeline"),
        (
            has(PushConstantKind::RegionOffset),
            "region offset",
            "the global id of the first work-item of a dispatch: a launch that needs several dispatches, or has a global offset, has \
             another one for each",
        ),
        (
            has(PushConstantKind::RegionGroupOffset),
            "region group offset",
            "the group id of a dispatch's first work-group",
        ),
        (
            has(PushConstantKind::EnqueuedLocalSize),
            "enqueued local size",
            "the local size of all but the last work-groups",
        ),
        (
            !module.program_data.is_empty(),
            "constant data",
            "what program-scope variables begin with, which the host uploads once",
        ),
    ];
    let mut text = String::new();
    for (_, term, meaning) in all.iter().filter(|(occurs, ..)| *occurs) {
        text += &format!("    {term}: {meaning}\n");
    }
    if text.is_empty() { text } else { format!("terms:\n{text}") }
}
