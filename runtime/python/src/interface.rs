//! What modules say of themselves, as dictionaries; `clforge/_interface.py` makes objects of them.

use crate::texels::Texels;
use clforge_compiler::interface::{
    Argument, ArgumentBinding, Descriptor, Element, KernelInterface, ModuleInterface, RecordLayout, ValueLayout,
};
use clforge_runtime::{AccessQualifier, AddressQualifier, TypeQualifiers};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Words as bytes, in little-endian order.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of bytes in that order.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// Kernels and records, with the types of the module's texels.
pub fn module<'py>(py: Python<'py>, interface: &ModuleInterface, texels: &Texels) -> PyResult<Bound<'py, PyDict>> {
    let kernels = interface.kernels.iter().map(|of| kernel(py, of, texels)).collect::<PyResult<Vec<_>>>()?;
    let records = interface.records.iter().map(|of| record(py, of)).collect::<PyResult<Vec<_>>>()?;
    let dict = PyDict::new(py);
    dict.set_item("kernels", PyList::new(py, kernels)?)?;
    dict.set_item("records", PyList::new(py, records)?)?;
    Ok(dict)
}

fn kernel<'py>(py: Python<'py>, of: &KernelInterface, texels: &Texels) -> PyResult<Bound<'py, PyDict>> {
    let argument = |argument: &Argument| {
        let dict = self::argument(py, argument)?;
        let texels = image(&argument.binding).map(|at| texels.of(&of.name, at)).unwrap_or_default();
        dict.set_item("texels", texels.into_iter().collect::<Vec<_>>())?;
        PyResult::Ok(dict)
    };
    let arguments = of.arguments.iter().map(argument).collect::<PyResult<Vec<_>>>()?;
    let dict = PyDict::new(py);
    dict.set_item("name", &of.name)?;
    dict.set_item("argument_count", of.argument_count())?;
    dict.set_item("arguments", PyList::new(py, arguments)?)?;
    dict.set_item("attributes", &of.attributes)?;
    dict.set_item("required_work_group_size", of.required_work_group_size)?;
    dict.set_item("uses_printf", of.uses_printf)?;
    Ok(dict)
}

fn argument<'py>(py: Python<'py>, of: &Argument) -> PyResult<Bound<'py, PyDict>> {
    let (kind, size) = kind(&of.binding);
    let dict = PyDict::new(py);
    dict.set_item("index", of.ordinal)?;
    dict.set_item("kind", kind)?;
    dict.set_item("size", size)?;
    if let Some(info) = &of.info {
        let address = AddressQualifier::from_cl(info.address_qualifier).map_or("private", AddressQualifier::name);
        let access = AccessQualifier::from_cl(info.access_qualifier).map_or("none", AccessQualifier::name);
        let present = TypeQualifiers::from_bits_truncate(info.type_qualifiers);
        let keywords = TypeQualifiers::KEYWORDS.into_iter().filter(|(bit, _)| present.contains(*bit));
        dict.set_item("name", &info.name)?;
        dict.set_item("type_name", &info.type_name)?;
        dict.set_item("address_space", address)?;
        dict.set_item("access", access)?;
        dict.set_item("qualifiers", keywords.map(|(_, keyword)| keyword).collect::<Vec<_>>())?;
    }
    if let Some(layout) = &of.layout {
        dict.set_item("layout", value(py, layout)?)?;
    }
    Ok(dict)
}

/// What an argument is, and the bytes of plain data.
fn kind(binding: &ArgumentBinding) -> (&'static str, Option<u32>) {
    use ArgumentBinding as B;
    match *binding {
        B::StorageBuffer(_) | B::UniformBuffer(_) | B::PointerPushConstant { .. } | B::PointerUniform { .. } => {
            ("pointer", None)
        }
        B::PodStorageBuffer { size, .. } | B::PodUniform { size, .. } | B::PodPushConstant { size, .. } => {
            ("value", Some(size))
        }
        B::Workgroup { element_size, .. } => ("local", Some(element_size)),
        B::SampledImage(_) | B::StorageImage(_) | B::UniformTexelBuffer(_) | B::StorageTexelBuffer(_) => {
            ("image", None)
        }
        B::Sampler(_) => ("sampler", None),
    }
}

/// The descriptor of an image.
fn image(binding: &ArgumentBinding) -> Option<Descriptor> {
    use ArgumentBinding as B;
    match *binding {
        B::SampledImage(at) | B::StorageImage(at) | B::UniformTexelBuffer(at) | B::StorageTexelBuffer(at) => Some(at),
        _ => None,
    }
}

fn value<'py>(py: Python<'py>, of: &ValueLayout) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    match &of.element {
        Element::BuiltIn(name) => dict.set_item("type_name", name)?,
        Element::Record(index) => dict.set_item("record", index)?,
    }
    dict.set_item("size", of.size)?;
    dict.set_item("lengths", &of.lengths)?;
    Ok(dict)
}

fn record<'py>(py: Python<'py>, of: &RecordLayout) -> PyResult<Bound<'py, PyDict>> {
    let mut members = Vec::new();
    for member in &of.members {
        let dict = value(py, &member.value)?;
        dict.set_item("name", &member.name)?;
        dict.set_item("offset", member.offset)?;
        members.push(dict);
    }
    let dict = PyDict::new(py);
    dict.set_item("name", &of.name)?;
    dict.set_item("is_union", of.is_union)?;
    dict.set_item("size", of.size)?;
    dict.set_item("members", PyList::new(py, members)?)?;
    Ok(dict)
}
