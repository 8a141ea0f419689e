//! Whether a module's reflection describes its code. Launches follow the reflection. If it were wrong, a kernel could
//! use any value as an address, and a driver could get fewer descriptors than the code uses.
//!
//! The meaning of a value in a block cannot be checked, since all values are words there: whether a word is an address
//! or a number, and how large the memory at an address has to be.

use super::plan::Plan;
use crate::error::{Error, Result};
use crate::module::{EntryPoint, Load, Resources, Scan, Variable};
use crate::vulkan::Limits;
use ash::vk;
use clforge_compiler::argument_info::AddressQualifier;
use clforge_compiler::interface::{
    ArgumentBinding, Descriptor, KernelInterface, ModuleInterface, ProgramDataBinding, PushConstant, PushConstantKind,
};
use std::collections::{HashMap, HashSet};

/// Size in bytes of the values that specialisation constants get.
const SPEC_CONSTANT_SIZE: u64 = 4;
/// Size in bytes of an address.
const ADDRESS_SIZE: u32 = 8;
/// Size in bytes of the words that kernels read blocks by.
const WORD: u32 = 4;
/// What the memory of device queues is called in messages.
const QUEUE_MEMORY: &str = "the address of the memory of device queues";
/// Largest number of a binding: drivers allocate room for all up to the largest.
const MAX_BINDING: u32 = 1 << 12;

/// A value that the host puts into a block, as the reflection describes it.
struct Value {
    /// The descriptor of the block; `None` for the push constants.
    at: Option<Descriptor>,
    offset: u32,
    size: u32,
    what: String,
}

impl Value {
    fn end(&self) -> u64 {
        u64::from(self.offset) + u64::from(self.size)
    }
}

fn wrong<T>(kernel: &str, problem: &str) -> Result<T> {
    Err(Error::UnusableModule(format!("the reflection of kernel '{kernel}' {problem}")))
}

/// Checks the reflection of a module against its code.
///
/// # Errors
/// [`Error::UnusableModule`], [`Error::Limit`].
pub(super) fn check(interface: &ModuleInterface, scan: &Scan, resources: &Resources, limits: &Limits) -> Result<()> {
    for data in &interface.program_data {
        let size = data.data.len();
        if let Some((_, target)) = data.relocations.iter().find(|(_, target)| *target as usize > size) {
            let text = format!("it has an address of byte {target} of its program-scope variables, which have {size}");
            return Err(Error::UnusableModule(text));
        }
    }
    check_kinds(interface)?;
    for kernel in &interface.kernels {
        // A kernel without an entry point is reported when it is requested.
        let Some(entry) = scan.entry_points.get(&kernel.name) else { continue };
        let plan = Plan::new(interface, kernel)?;
        check_bindings(interface, kernel, &plan)?;
        for variable in resources.used_by(entry.function, &entry.interface) {
            check_variable(&kernel.name, &plan, limits.max_push_constants, variable)?;
        }
        let values = values(interface, kernel);
        check_values(&kernel.name, &values)?;
        check_loads(&kernel.name, &values, &plan, resources.loads(entry.function))?;
        check_spec_constants(interface, kernel, resources)?;
        check_local_size(interface, kernel, entry, resources)?;
    }
    Ok(())
}

/// Checks that each descriptor is for one thing.
fn check_bindings(interface: &ModuleInterface, kernel: &KernelInterface, plan: &Plan) -> Result<()> {
    use ArgumentBinding as B;
    let name = &kernel.name;
    if let Some(at) = plan.slots.keys().find(|at| at.binding > MAX_BINDING) {
        return wrong(name, &format!("has the binding {}, of which {MAX_BINDING} is the largest", at.binding));
    }
    let mut taken: HashSet<Descriptor> = plan.plain.keys().copied().collect();
    let arguments = kernel.arguments.iter().filter_map(|argument| match argument.binding {
        B::StorageBuffer(at)
        | B::UniformBuffer(at)
        | B::SampledImage(at)
        | B::StorageImage(at)
        | B::UniformTexelBuffer(at)
        | B::StorageTexelBuffer(at)
        | B::Sampler(at) => Some(at),
        B::PodStorageBuffer { .. }
        | B::PodUniform { .. }
        | B::PodPushConstant { .. }
        | B::PointerPushConstant { .. }
        | B::PointerUniform { .. }
        | B::Workgroup { .. } => None,
    });
    let printf = interface.printf.buffer.filter(|_| kernel.uses_printf).map(|buffer| buffer.binding);
    let data = interface.program_data.iter().map(|data| data.binding).chain(printf);
    let data = data.filter_map(|binding| match binding {
        ProgramDataBinding::StorageBuffer(at) | ProgramDataBinding::UniformBuffer(at) => Some(at),
        ProgramDataBinding::PushConstantPointer { .. } => None,
    });
    let samplers: HashMap<Descriptor, u32> =
        interface.literal_samplers.iter().map(|sampler| (sampler.at, sampler.mask)).collect();
    if interface.literal_samplers.iter().any(|sampler| samplers.get(&sampler.at) != Some(&sampler.mask)) {
        return wrong(name, "has two samplers at one descriptor");
    }
    match arguments.chain(data).chain(samplers.keys().copied()).find(|at| !taken.insert(*at)) {
        Some(Descriptor { set, binding }) => wrong(name, &format!("uses set {set}, binding {binding} twice")),
        None => Ok(()),
    }
}

/// Everything that the host puts into the blocks of a kernel.
fn values(interface: &ModuleInterface, kernel: &KernelInterface) -> Vec<Value> {
    use ArgumentBinding as B;
    let mut values = Vec::new();
    let mut add = |at, offset, size, what: String| values.push(Value { at, offset, size, what });
    for argument in &kernel.arguments {
        let what = format!("argument {}", argument.ordinal);
        match argument.binding {
            B::PodStorageBuffer { at, offset, size }
            | B::PodUniform { at, offset, size }
            | B::PointerUniform { at, offset, size } => add(Some(at), offset, size, what),
            B::PodPushConstant { offset, size } | B::PointerPushConstant { offset, size } => {
                add(None, offset, size, what);
            }
            _ => {}
        }
    }
    for fact in &kernel.image_facts {
        add(fact.at, fact.offset, fact.size, format!("a property of argument {}", fact.ordinal));
    }
    for constant in &interface.push_constants {
        add(None, constant.offset, constant.size, format!("{:?}", constant.kind));
    }
    let prints = interface.kernels.iter().any(|kernel| kernel.uses_printf);
    let printf = interface.printf.buffer.filter(|_| prints).map(|buffer| (buffer.binding, "the buffer of printf"));
    let data = interface.program_data.iter().map(|data| (data.binding, "the program-scope variables"));
    for (binding, what) in data.chain(printf) {
        if let ProgramDataBinding::PushConstantPointer { offset, size } = binding {
            add(None, offset, size, format!("the address of {what}"));
        }
    }
    if let Some(bounds) = &interface.bounds {
        add(None, bounds.offset, ADDRESS_SIZE, "the address of the ranges to check".into());
    }
    if let Some(offset) = interface.loop_status {
        add(None, offset, ADDRESS_SIZE, "the address of the status of loops".into());
    }
    if let Some(offset) = interface.queue_memory {
        add(None, offset, ADDRESS_SIZE, QUEUE_MEMORY.into());
    }
    values
}

/// Checks that values do not overlap. What they are is checked by [`check_kinds`].
fn check_values(kernel: &str, values: &[Value]) -> Result<()> {
    let mut sorted: Vec<&Value> = values.iter().filter(|value| value.size > 0).collect();
    sorted.sort_by_key(|value| (value.at, value.offset));
    match sorted.windows(2).find(|pair| pair[0].at == pair[1].at && pair[0].end() > pair[1].offset.into()) {
        Some(pair) => wrong(kernel, &format!("puts {} and {} at the same place", pair[0].what, pair[1].what)),
        None => Ok(()),
    }
}

/// Checks that what a kernel reads from a block has a value: at least a part of the word.
fn check_loads(kernel: &str, values: &[Value], plan: &Plan, loads: Vec<Load>) -> Result<()> {
    for Load { at, offset } in loads {
        // Other buffers are arguments.
        if at.is_some_and(|at| !plan.plain.contains_key(&at)) {
            continue;
        }
        let word = offset - offset % u64::from(WORD);
        let next = word.saturating_add(WORD.into());
        if !values.iter().any(|value| value.at == at && u64::from(value.offset) < next && word < value.end()) {
            let block = at.map_or("the push constants".into(), |at| format!("set {}, binding {}", at.set, at.binding));
            return wrong(kernel, &format!("does not describe byte {offset} of {block}, which the kernel reads"));
        }
    }
    Ok(())
}

/// Checks sizes and places of values whose kind says them.
fn check_kinds(interface: &ModuleInterface) -> Result<()> {
    for kernel in &interface.kernels {
        for argument in &kernel.arguments {
            let (ArgumentBinding::PointerPushConstant { offset, size }
            | ArgumentBinding::PointerUniform { offset, size, .. }) = argument.binding
            else {
                continue;
            };
            let what = format!("argument {}", argument.ordinal);
            check_place(&kernel.name, &what, (offset, size), ADDRESS_SIZE..=ADDRESS_SIZE)?;
            let qualifier = argument.info.as_ref().and_then(|info| AddressQualifier::from_cl(info.address_qualifier));
            if let Some(qualifier @ (AddressQualifier::Private | AddressQualifier::Local)) = qualifier {
                let problem =
                    format!("gives an address to argument {}, which is {}", argument.ordinal, qualifier.name());
                return wrong(&kernel.name, &problem);
            }
        }
        for fact in &kernel.image_facts {
            let what = format!("a property of argument {}", fact.ordinal);
            check_place(&kernel.name, &what, (fact.offset, fact.size), WORD..=WORD)?;
        }
    }
    let name = "(all)";
    for constant in &interface.push_constants {
        let sizes = match constant.kind {
            PushConstantKind::WorkDim => WORD..=WORD,
            _ if constant.is_wide() => PushConstant::WIDE..=PushConstant::WIDE,
            _ => WORD..=PushConstant::NARROW,
        };
        check_place(name, &format!("{:?}", constant.kind), (constant.offset, constant.size), sizes)?;
    }
    let printf = interface.printf.buffer.map(|buffer| buffer.binding);
    for binding in interface.program_data.iter().map(|data| data.binding).chain(printf) {
        if let ProgramDataBinding::PushConstantPointer { offset, size } = binding {
            check_place(name, "the address of a buffer", (offset, size), ADDRESS_SIZE..=ADDRESS_SIZE)?;
        }
    }
    if let Some(offset) = interface.loop_status {
        check_place(name, "the address of the status of loops", (offset, ADDRESS_SIZE), 0..=ADDRESS_SIZE)?;
    }
    match interface.queue_memory {
        Some(offset) => check_place(name, QUEUE_MEMORY, (offset, ADDRESS_SIZE), 0..=ADDRESS_SIZE)?,
        None if interface.kernels.iter().any(|kernel| kernel.enqueues) => {
            return wrong(name, "enqueues kernels without memory for them");
        }
        None => {}
    }
    match &interface.bounds {
        Some(bounds) => {
            check_place(name, "the address of the ranges to check", (bounds.offset, ADDRESS_SIZE), 0..=ADDRESS_SIZE)
        }
        None => Ok(()),
    }
}

fn check_place(
    kernel: &str,
    what: &str,
    (offset, size): (u32, u32),
    sizes: std::ops::RangeInclusive<u32>,
) -> Result<()> {
    if offset.is_multiple_of(WORD) && size.is_multiple_of(WORD) && sizes.contains(&size) {
        return Ok(());
    }
    wrong(kernel, &format!("puts {what} at byte {offset}, with {size} bytes"))
}

/// Checks the specialisation constants that the host sets: each has 32 bits and one meaning.
fn check_spec_constants(interface: &ModuleInterface, kernel: &KernelInterface, resources: &Resources) -> Result<()> {
    let mut ids: Vec<u32> = interface.work_group_size_spec_ids.into_iter().flatten().collect();
    ids.extend(interface.global_offset_spec_ids.into_iter().flatten());
    ids.extend(interface.work_dim_spec_id);
    ids.extend(interface.subgroup_max_size_spec_id);
    ids.extend(kernel.wrapped_samplers.iter().map(|sampler| sampler.spec_id));
    for argument in &kernel.arguments {
        let ArgumentBinding::Workgroup { spec_id, element_size } = argument.binding else { continue };
        ids.push(spec_id);
        if let Some((least, size)) = resources.element_sizes.get(&spec_id)
            && !(*least..=*size).contains(&element_size.into())
        {
            let problem = format!(
                "says that argument {} has elements of {element_size} bytes, but they have {size}",
                argument.ordinal
            );
            return wrong(&kernel.name, &problem);
        }
    }
    let mut seen = HashSet::new();
    for id in ids {
        if resources.spec_constants.get(&id).is_some_and(|size| *size != SPEC_CONSTANT_SIZE) {
            let text = format!("its specialisation constant {id}, which its reflection uses, has not 32 bits");
            return Err(Error::UnusableModule(text));
        }
        if !seen.insert(id) {
            return wrong(&kernel.name, &format!("uses the specialisation constant {id} twice"));
        }
    }
    Ok(())
}

/// Checks that the work-group size that the reflection states, or sets, is that of the code.
fn check_local_size(
    interface: &ModuleInterface,
    kernel: &KernelInterface,
    entry: &EntryPoint,
    resources: &Resources,
) -> Result<()> {
    if let Some(ids) = interface.work_group_size_spec_ids {
        return match resources.work_group_size {
            Some(own) if own == ids => Ok(()),
            _ => wrong(&kernel.name, &format!("says that the specialisation constants {ids:?} are the local size")),
        };
    }
    match (kernel.required_work_group_size, entry.local_size) {
        (Some([x, y, z]), Some(own)) if own != [x, y, z] => {
            let [ox, oy, oz] = own;
            wrong(&kernel.name, &format!("requires the local size {x}x{y}x{z}, but the code has {ox}x{oy}x{oz}"))
        }
        _ => Ok(()),
    }
}

/// `limit` is the device's, in bytes of push constants.
fn check_variable(kernel: &str, plan: &Plan, limit: u32, variable: Variable) -> Result<()> {
    match variable {
        // Layouts have room for the whole block: see `Layout::new`.
        Variable::PushConstants(requested) if requested > limit.into() => {
            let what = format!("bytes of push constants of kernel '{kernel}'");
            Err(Error::Limit { what, limit: limit.into(), requested })
        }
        Variable::PushConstants(_) => Ok(()),
        Variable::Descriptor(at, kind, count) => {
            let described = plan.slots.get(&at).copied();
            if described.is_some() && described == kind && count <= plan.count(&at) {
                return Ok(());
            }
            let name =
                |kind: Option<vk::DescriptorType>| kind.map_or("no descriptor".into(), |kind| format!("{kind:?}"));
            Err(Error::UnusableModule(format!(
                "kernel '{kernel}' uses {count} x {} at set {}, binding {}, but the reflection describes {}",
                kind.map_or("an unsupported descriptor".into(), |kind| name(Some(kind))),
                at.set,
                at.binding,
                name(described)
            )))
        }
    }
}
