//! Compiles `src/scale.cl` for Vulkan and writes, beside the module, constants that say where its arguments go.

use clforge_compiler::interface::{ArgumentBinding, ModuleInterface};
use clforge_compiler::{Options, Source, compile};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    const FILE: &str = "src/scale.cl";
    println!("cargo::rerun-if-changed={FILE}");
    let text = std::fs::read(FILE)?;
    // Diagnostics have place, line and caret; cargo shows them when a build script fails.
    let compiled = compile(Source { name: FILE, text: &text }, &Options::default())?;
    for file in &compiled.dependencies {
        println!("cargo::rerun-if-changed={file}");
    }

    let interface = ModuleInterface::from_spirv(&compiled.spirv)?;
    let kernel = interface.kernels.first().ok_or("there is no kernel")?;
    let mut constants = format!("pub const NAME: &std::ffi::CStr = c\"{}\";\n", kernel.name);
    let ids = interface.work_group_size_spec_ids.ok_or("the work-group size is fixed")?;
    writeln!(constants, "pub const LOCAL_SIZE_IDS: [u32; 3] = {ids:?};")?;
    let mut size = interface.push_constants.iter().map(|constant| constant.offset + constant.size).max().unwrap_or(0);
    for argument in &kernel.arguments {
        let (ArgumentBinding::PointerPushConstant { offset, size: bytes }
        | ArgumentBinding::PodPushConstant { offset, size: bytes }) = argument.binding
        else {
            return Err("an argument that is not a push constant".into());
        };
        let name = argument.info.as_ref().map(|info| info.name.to_uppercase()).ok_or("an argument without name")?;
        writeln!(constants, "pub const {name}: usize = {offset};")?;
        size = size.max(offset + bytes);
    }
    writeln!(constants, "pub const PUSH_CONSTANTS: usize = {size};")?;

    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let bytes: Vec<u8> = compiled.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(folder.join("scale.spv"), bytes)?;
    std::fs::write(folder.join("scale.rs"), constants)?;
    Ok(())
}
