//! The passes: IR to IR, one function in one file each; `pipeline.rs` orders them.

mod atomics;
pub mod opencl;
pub mod vulkan;

use crate::interface::{ModuleInterface, Printf};
use crate::workarounds;
use clforge_basic::options::{FloatAtomics, Options};
use clforge_ir::verify::{Dialect, Legalised};
use clforge_ir::{Error, Function, Module, passes};

/// A pass by itself, as tests run it.
pub type Pass = fn(&mut Module, &Options) -> Result<(), Error>;

/// The dialect that a pass legalises to; `None`: as before.
pub fn dialect_after(name: &str) -> Option<Dialect> {
    if name == "opencl/builtins" {
        return Some(Dialect::OpenCl { generic_pointers: true });
    }
    Some(Dialect::Vulkan(match name {
        "vulkan/builtins" => Legalised::Builtins,
        "vulkan/kernel_abi" => Legalised::KernelAbi,
        "vulkan/images" => Legalised::Images,
        "vulkan/split_vectors" => Legalised::WideVectors,
        "vulkan/memory" => Legalised::Memory,
        _ => return None,
    }))
}

/// The pass of that name, with what it makes besides IR thrown away.
pub fn by_name(name: &str) -> Option<Pass> {
    fn each(module: &mut Module, run: fn(&mut Function)) -> Result<(), Error> {
        module.functions.iter_mut().for_each(run);
        Ok(())
    }
    Some(match name {
        "common_subexpressions" => |module, _| {
            let Module { functions, variables, .. } = module;
            functions.iter_mut().for_each(|function| passes::common_subexpressions::run(function, variables));
            Ok(())
        },
        "dead_code" => |module, _| each(module, passes::dead_code::run),
        "dead_functions" => |module, _| {
            passes::dead_functions::run(module);
            Ok(())
        },
        "inline" => |module, options| {
            passes::inline::run(module, &options.math);
            Ok(())
        },
        "mem2reg" => |module, _| each(module, passes::mem2reg::run),
        "opencl/builtins" => |module, _| opencl::builtins::run(module),
        "simplify" => |module, _| each(module, passes::simplify::run),
        "single_exit" => |module, _| each(module, passes::single_exit::run),
        "vulkan/builtins" => |module, options| vulkan::builtins::run(module, options),
        "vulkan/kernel_abi" => |module, options| vulkan::kernel_abi::run(module, Printf::default(), options).map(drop),
        "vulkan/memory" => {
            |module, _| vulkan::memory::run(module, &mut ModuleInterface::default(), FloatAtomics::default()).map(drop)
        }
        "workarounds/loop_limit" => |module, _| each(module, |function| workarounds::loop_limit::run(function, 4)),
        "vulkan/printf" => |module, _| vulkan::printf::number(module).map(drop),
        "vulkan/split_vectors" => |module, _| vulkan::split_vectors::run(module),
        _ => return None,
    })
}
