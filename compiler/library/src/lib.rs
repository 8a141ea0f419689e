//! The built-in functions that are linked into Vulkan modules: mathematics, and functions of work-groups.
//!
//! They are written in OpenCL C (`cl/library.cl` is the translation unit) and compiled to IR by the build script, once.
//! At run time only the functions that a program reaches are decoded. The IR does not depend on the program's options;
//! passes apply those to the library as to the program. All names of the library begin with [`PREFIX`].
//!
//! The functions stay within OpenCL's error limits with and without fused multiply-add, and with and without denormals.
//! Their own `FP_CONTRACT` says where sums may be fused: everywhere but in `fma`, `ldexp`, the remainders and
//! `divide_sqrt*.cl`, which compute the errors of rounded products. They are marked `precise`: nothing else is
//! contracted, even under `-cl-unsafe-math-optimizations`, and they are not inlined into functions whose arithmetic may
//! be contracted.
//!
//! A *variant* is faster on some devices only. Its name is that of a function with `_fused` (`fused.cl`), `_by_exp2`
//! (`by_exp2_f32.cl`, `by_exp2_f64.cl`) or `_corrected` (`divide_sqrt_corrected_f32.cl`,
//! `divide_sqrt_corrected_f64.cl`). Legalisation chooses a variant if `DeviceFacts::fused_multiply_add` and
//! `DeviceFacts::arithmetic` say that the device is precise enough.
//!
//! A function computes the result of usual arguments first, without a branch, and then branches to the function of the
//! other arguments, if there are any, so that the control flow of neighbouring work-items rarely diverges. That other
//! function must be inlined: on an H100 a call marked `DontInline` costs 60 % even when it is not taken (sine and
//! cosine: 1.42 ms instead of 0.89 ms).

#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use clforge_basic::source::Span;
use clforge_ir::encode::{DecodeError, Limits, decode_function, decode_global};
use clforge_ir::{Function, FunctionId, GlobalId, Module, Op};
use rustc_hash::FxHashMap;
use typed_index_collections::TiVec;

#[cfg(test)]
mod tests;

/// What the names of the library's functions and constants begin with.
pub const PREFIX: &str = "__clforge_";

/// A function of the library.
struct Entry {
    name: &'static str,
    /// Its calls, as indices into [`FUNCTIONS`].
    callees: &'static [u32],
    /// Where its binary form is in [`IMAGE`].
    bytes: (usize, usize),
}

// `FUNCTIONS`, by their names; `GLOBALS`, where their binary forms are; `FILES`, the names of the sources.
include!(concat!(env!("OUT_DIR"), "/index.rs"));

/// The binary forms of all functions and globals. They name each other by their indices in the library.
const IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/image.bin"));

/// The places in the sources that spans number, four bytes each: file, line (low byte first), column.
const PLACES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/places.bin"));

/// The library's own copy of a function's name, if it has the function.
pub fn library_function(name: &str) -> Option<&'static str> {
    find(name).map(|index| FUNCTIONS[index].name)
}

/// The names of all functions.
pub fn library_functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|entry| entry.name)
}

fn find(name: &str) -> Option<usize> {
    FUNCTIONS.binary_search_by_key(&name, |entry| entry.name).ok()
}

/// A module of some functions and all that they call: first those that were asked for, each after what it calls, then the
/// others, in the order in which they are reached. Names that the library lacks are passed over.
///
/// # Errors
/// A damaged image, which is a bug of the compiler.
pub fn library_module(names: &[&str]) -> Result<Module, DecodeError> {
    let roots: Vec<usize> = names.iter().filter_map(|name| find(name)).collect();
    let mut link = Link::default();
    for root in callees_first(&roots) {
        if roots.contains(&root) {
            link.function(FunctionId::from(root));
        }
    }
    link.module()
}

/// What the roots reach, each after what it calls.
fn callees_first(roots: &[usize]) -> Vec<usize> {
    /// Recurses as deep as calls nest in the library.
    fn visit(index: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if !std::mem::replace(&mut seen[index], true) {
            FUNCTIONS[index].callees.iter().for_each(|callee| visit(*callee as usize, seen, order));
            order.push(index);
        }
    }
    let (mut seen, mut order) = (vec![false; FUNCTIONS.len()], Vec::new());
    roots.iter().for_each(|root| visit(*root, &mut seen, &mut order));
    order
}

/// A module in the making: numbers of the library become numbers of the module.
#[derive(Default)]
struct Link {
    /// Functions of the library in the module's order, and the other way round.
    functions: TiVec<FunctionId, usize>,
    function_ids: FxHashMap<FunctionId, FunctionId>,
    globals: TiVec<GlobalId, usize>,
    global_ids: FxHashMap<GlobalId, GlobalId>,
}

impl Link {
    /// A function's place in the module.
    fn function(&mut self, id: FunctionId) -> FunctionId {
        *self.function_ids.entry(id).or_insert_with(|| self.functions.push_and_get_key(id.into()))
    }

    /// A global's place in the module.
    fn global(&mut self, id: GlobalId) -> GlobalId {
        *self.global_ids.entry(id).or_insert_with(|| self.globals.push_and_get_key(id.into()))
    }

    /// Decodes all functions that have a place, and those that they call.
    fn module(mut self) -> Result<Module, DecodeError> {
        let limits = Limits { functions: FUNCTIONS.len(), globals: GLOBALS.len(), variables: 0 };
        let mut module = Module::default();
        while let Some(index) = self.functions.get(module.functions.next_key()) {
            let mut function = decode_function(bytes(FUNCTIONS[*index].bytes), limits)?;
            self.renumber(&mut function);
            module.functions.push(function);
        }
        while let Some(index) = self.globals.get(module.globals.next_key()) {
            let mut global = decode_global(bytes(GLOBALS[*index]), limits)?;
            for relocation in &mut global.relocations {
                relocation.target = self.global(relocation.target);
            }
            module.globals.push(global);
        }
        Ok(module)
    }

    fn renumber(&mut self, function: &mut Function) {
        for inst in &mut function.insts {
            match &mut inst.op {
                Op::Call { function, .. } => *function = self.function(*function),
                Op::GlobalAddress(global) => *global = self.global(*global),
                _ => {}
            }
        }
    }
}

/// A part of the image.
fn bytes((start, end): (usize, usize)) -> &'static [u8] {
    IMAGE.get(start..end).unwrap_or_default()
}

/// Where something of the library is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the source.
    pub file: &'static str,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// The place that a span of the library numbers; `None` for spans of programs.
pub fn place(span: Span) -> Option<Place> {
    let number = span.lo.checked_sub(Span::LIBRARY)? as usize;
    let [file, low, high, column] = *PLACES.as_chunks::<4>().0.get(number)?;
    let file = FILES.get(usize::from(file))?;
    Some(Place { file, line: u32::from(u16::from_le_bytes([low, high])), column: u32::from(column) })
}
