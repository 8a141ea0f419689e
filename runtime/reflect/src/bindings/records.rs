//! The structures that a kernel's arguments are made of, with the members that the module describes.

use super::names::{Names, identifier};
use super::parts::{ADDRESS, Member, Parts, RecordType, Type, scalar};
use clforge_compiler::interface::{Argument, Element, KernelInterface, ModuleInterface, RecordLayout, ValueLayout};
use std::collections::{BTreeMap, BTreeSet};

/// Names that declarations use otherwise, and which a structure of the source may have.
const TAKEN: &[&str] = &[
    "NAME",
    "PushConstants",
    "Uniforms",
    "core",
    "f32",
    "f64",
    "i16",
    "i32",
    "i64",
    "i8",
    "push_constants",
    "std",
    "str",
    "u16",
    "u32",
    "u64",
    "u8",
    "uniforms",
];

/// A structure.
pub struct Record {
    pub name: String,
    pub members: Vec<Member>,
    pub size: u32,
}

/// The structures of a kernel.
pub struct Records {
    /// By their index in the module; those that C and Rust cannot lay out in the same way are missing.
    types: BTreeMap<u32, RecordType>,
    /// In an order in which each needs those before it only.
    pub declared: Vec<Record>,
}

impl Records {
    /// `tags` are the names of all structures of the module, which share a scope in C.
    pub fn new(module: &ModuleInterface, kernel: &KernelInterface, kernel_name: &str, tags: &mut Names) -> Records {
        let mut records = Records { types: BTreeMap::new(), declared: Vec::new() };
        let mut names = Names::default();
        TAKEN.iter().for_each(|name| drop(names.unique(name)));
        for index in reached(module, kernel) {
            let Some((layout, (members, align))) =
                record(module, index).and_then(|layout| Some((layout, records.members(layout)?)))
            else {
                continue;
            };
            let name = layout.name.trim_start_matches("struct ").trim_matches(['(', ')']);
            let name = tags.unique(&format!("{kernel_name}_{}", names.unique(&identifier(name))));
            let name = name.get(kernel_name.len() + 1..).unwrap_or_default().to_owned();
            records.types.insert(index, RecordType { name: name.clone(), size: layout.size, align });
            records.declared.push(Record { name, members, size: layout.size });
        }
        records
    }

    /// The type of an argument's value.
    pub fn of_argument(&self, argument: &Argument) -> Option<Type> {
        match &argument.layout {
            Some(layout) => self.of(layout),
            None => scalar(&argument.info.as_ref()?.type_name).map(Type::Scalar),
        }
    }

    /// The type of an element.
    fn of(&self, value: &ValueLayout) -> Option<Type> {
        match &value.element {
            Element::Record(index) => {
                self.types.get(index).filter(|of| of.size == value.size).cloned().map(Type::Record)
            }
            Element::BuiltIn(name) if name.ends_with('*') && value.size == ADDRESS.size => Some(ADDRESS.into()),
            Element::BuiltIn(name) => scalar(name).map(Type::Scalar),
        }
    }

    /// The members and the alignment of a structure; `None` for a union, whose members share their bytes, and for one that C would
    /// lay out otherwise, such as one that is packed.
    fn members(&self, layout: &RecordLayout) -> Option<(Vec<Member>, u32)> {
        let mut parts = Parts::default();
        for member in &layout.members {
            let bytes = member.value.bytes()?;
            let name = match member.name.as_str() {
                "" => format!("anonymous_{}", member.offset),
                name => identifier(name),
            };
            if bytes > 0 {
                parts.add(&name, member.offset, bytes, self.of(&member.value));
            }
        }
        let (members, end) = parts.in_order(Some(layout.size)).ok()?;
        let align = members.iter().map(|member| member.of.align()).max()?;
        (!layout.is_union && end.is_multiple_of(align)).then_some((members, align))
    }
}

/// The indices of the structures that a kernel's arguments are, point to or contain. Those inside of others come before them, as the
/// compiler numbers them; a damaged module's that do not are left out.
fn reached(module: &ModuleInterface, kernel: &KernelInterface) -> BTreeSet<u32> {
    let layouts = kernel.arguments.iter().filter_map(|argument| argument.layout.as_ref());
    let mut work: Vec<u32> = layouts.filter_map(index).collect();
    let mut reached = BTreeSet::new();
    while let Some(outer) = work.pop() {
        if let Some(layout) = record(module, outer).filter(|_| reached.insert(outer)) {
            let inner = layout.members.iter().filter_map(|member| index(&member.value));
            work.extend(inner.filter(|inner| *inner < outer));
        }
    }
    reached
}

fn index(value: &ValueLayout) -> Option<u32> {
    match value.element {
        Element::Record(index) => Some(index),
        Element::BuiltIn(_) => None,
    }
}

fn record(module: &ModuleInterface, index: u32) -> Option<&RecordLayout> {
    module.records.get(usize::try_from(index).ok()?)
}
