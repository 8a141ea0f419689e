//! `constant_arrays` replaces private arrays that only hold constants by program-scope constants.
//!
//! A table in a function, such as `const uint order[16] = { … }`, is created and filled at each call. If every store
//! writes constants, or copies a constant object, and no byte gets two different values, a load gives the same value
//! whenever it is executed, or an undefined one. Such an array becomes a constant object, and its stores are removed.
//! LLVM's `instcombine` does this for arrays that are copied from constant memory.
//!
//! Arrays that are only read at constant offsets are left to `mem2reg`. With bounds checks the pass does nothing, since
//! a checked access refers to the array of the source and its length.

use crate::analysis::{GlobalPlace, constant_offset};
use crate::pass::{Changed, Context, Order, Pass};
use crate::*;
use clforge_basic::narrow::to_usize;
use clforge_basic::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use typed_index_collections::{TiSlice, TiVec};

/// Bytes of an array.
const MAX_BYTES: u64 = 1 << 16;
/// Bytes of the constant objects that are made.
const MAX_MADE: usize = 1 << 24;
/// Additions of indices to the address of an array.
const MAX_TERMS: usize = 16;

/// The pass.
pub struct ConstantArrays;

impl<S> Pass<S> for ConstantArrays {
    fn name(&self) -> &'static str {
        "constant_arrays"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg"], before: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        if context.options.codegen.bounds_check {
            return Ok(Changed::No);
        }
        let Module { functions, globals, .. } = module;
        let (mut changed, mut contents) = (Changed::No, None);
        for function in functions {
            let arrays = Arrays::of(function).constant(globals);
            if !arrays.is_empty() {
                let known = contents.get_or_insert_with(|| Contents::of(globals));
                replace(function, globals, known, arrays);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// A private object.
struct Array {
    alloca: InstId,
    size: u64,
    align: u64,
    /// What is stored, by its place.
    bytes: BTreeMap<usize, u8>,
    /// The constant object that parts of it are copied from, each to the same offset.
    source: Option<GlobalId>,
    /// Whether it is read at an index that is not a constant.
    is_indexed: bool,
    rejected: bool,
    stores: Vec<InstId>,
    /// Its address, and those of its parts.
    pointers: Vec<Value>,
}

/// A part of an array.
#[derive(Clone)]
struct Pointer {
    array: usize,
    displacement: i64,
    /// Indices and strides.
    terms: SmallVec<[(Value, i64); 4]>,
}

/// The private objects of a function.
#[derive(Default)]
struct Arrays {
    list: Vec<Array>,
    pointers: FxHashMap<Value, Pointer>,
}

impl Arrays {
    fn of(function: &Function) -> Arrays {
        let mut arrays = Arrays::default();
        // Without phi nodes, a pointer is defined before its uses in the order of the program.
        function.walk_body(|id, inst| arrays.inst(function, id, inst));
        arrays
    }

    fn inst(&mut self, function: &Function, id: InstId, inst: &Inst) {
        match &inst.op {
            Op::Alloca { size, align } => self.alloca(id, inst, *size, *align),
            Op::PtrAdd { base, index, stride, displacement } => {
                index.iter().for_each(|index| self.reject(*index));
                let (Some(pointer), [result]) = (self.pointers.get(base), &inst.results[..]) else { return };
                let mut pointer = pointer.clone();
                let known = constant_offset(function, *index, *stride, *displacement);
                if known.is_none() {
                    pointer.terms.extend(index.map(|index| (index, *stride)));
                }
                if pointer.terms.len() > MAX_TERMS {
                    return self.reject(*base);
                }
                pointer.displacement = pointer.displacement.wrapping_add(known.unwrap_or(*displacement));
                self.list[pointer.array].pointers.push(*result);
                self.pointers.insert(*result, pointer);
            }
            Op::Load { ptr, volatile, .. } => {
                if let Some(pointer) = self.pointers.get(ptr) {
                    let array = &mut self.list[pointer.array];
                    array.is_indexed |= !pointer.terms.is_empty();
                    array.rejected |= volatile;
                }
            }
            Op::Store { ptr, value, volatile, .. } => {
                self.reject(*value);
                if let Some(pointer) = self.pointers.get(ptr) {
                    let array = &mut self.list[pointer.array];
                    let is_known = !volatile && array.store(function, pointer, *value).is_some();
                    array.rejected |= !is_known;
                    array.stores.push(id);
                }
            }
            op => op.for_each_operand(|operand| self.reject(operand)),
        }
    }

    fn alloca(&mut self, alloca: InstId, inst: &Inst, size: u64, align: u64) {
        let [result] = inst.results[..] else { return };
        let rejected = size > MAX_BYTES;
        let (stores, pointers) = (Vec::new(), vec![result]);
        let pointer = Pointer { array: self.list.len(), displacement: 0, terms: SmallVec::new() };
        self.pointers.insert(result, pointer);
        self.list.push(Array {
            alloca,
            size,
            align,
            bytes: BTreeMap::new(),
            source: None,
            is_indexed: false,
            rejected,
            stores,
            pointers,
        });
    }

    /// A pointer that is used otherwise: what becomes of the object is not known.
    fn reject(&mut self, value: Value) {
        if let Some(pointer) = self.pointers.get(&value) {
            self.list[pointer.array].rejected = true;
        }
    }

    /// The arrays that hold constants alone.
    fn constant(self, globals: &TiSlice<GlobalId, Global>) -> Vec<Array> {
        let is_constant = |array: &Array| {
            let copied = array.source.and_then(|source| globals.get(source));
            !array.rejected && array.is_indexed && copied.is_none_or(|global| array.agrees_with(global))
        };
        self.list.into_iter().filter(is_constant).collect()
    }
}

impl Array {
    /// Notes what a store writes, if that is a constant or the same part of another object.
    fn store(&mut self, function: &Function, to: &Pointer, value: Value) -> Option<()> {
        if let Some(Op::Load { ptr, volatile: false, .. }) = function.op(value) {
            let from = GlobalPlace::of(function, *ptr)?;
            let is_constant = function.ty(*ptr).space() == Some(Space::Constant);
            let is_same_part = from.displacement == to.displacement && from.terms.iter().rev().eq(&to.terms);
            let is_only_source = self.source.is_none_or(|source| source == from.global);
            self.source = Some(from.global);
            return (is_constant && is_same_part && is_only_source).then_some(());
        }
        let Constant::Bits { ty, lanes } = function.as_constant(value)? else { return None };
        let scalar = ty.scalar;
        if !(scalar.is_int() || scalar.is_float() || matches!(scalar, ScalarType::Ptr(_) | ScalarType::Ptr32(_))) {
            return None;
        }
        let size = to_usize(scalar.bytes());
        let start = usize::try_from(to.displacement).ok().filter(|_| to.terms.is_empty())?;
        let stored = lanes.iter().flat_map(|lane| lane.to_le_bytes().into_iter().take(size));
        for (at, byte) in (start..).zip(stored) {
            if at >= to_usize(self.size) || *self.bytes.entry(at).or_insert(byte) != byte {
                return None;
            }
        }
        Some(())
    }

    /// Whether an object that parts are copied from has what is stored besides.
    fn agrees_with(&self, global: &Global) -> bool {
        let has = |at: usize| global.init.as_ref().map_or(Some(&0), |init| init.get(at));
        global.size >= self.size
            && self.bytes.iter().all(|(at, byte)| {
                // The bytes of a pointer are not in the initial ones.
                let is_pointer = global.has_pointer_in(*at as u64, *at as u64 + 1);
                !global.imported && !is_pointer && has(*at) == Some(byte)
            })
    }

    /// The constant object with its contents; `None` where too many were made.
    fn global(&self, globals: &mut TiVec<GlobalId, Global>, known: &mut Contents, span: Span) -> Option<GlobalId> {
        if let Some(source) = self.source {
            globals[source].align = globals[source].align.max(self.align);
            return Some(source);
        }
        let mut init = vec![0; to_usize(self.size)];
        for (at, byte) in &self.bytes {
            *init.get_mut(*at)? = *byte;
        }
        if let Some(id) = known.globals.get(&init) {
            globals[*id].align = globals[*id].align.max(self.align);
            return Some(*id);
        }
        known.made = known.made.saturating_add(init.len());
        if known.made > MAX_MADE {
            return None;
        }
        let name = format!("array.{}", globals.len());
        let id = globals.push_and_get_key(Global::constant(name, init.clone(), self.align, span));
        known.globals.insert(init, id);
        Some(id)
    }
}

/// Constant objects by their contents.
struct Contents {
    globals: FxHashMap<Vec<u8>, GlobalId>,
    /// Bytes of those that were made here.
    made: usize,
}

impl Contents {
    fn of(globals: &TiSlice<GlobalId, Global>) -> Contents {
        let mut known = FxHashMap::default();
        for (id, global) in globals.iter_enumerated() {
            let is_plain = !(global.exported || global.imported) && global.relocations.is_empty();
            if let Some(init) = global.init.as_ref()
                && is_plain
                && global.space == Space::Constant
                && global.size <= MAX_BYTES
            {
                known.entry(init.clone()).or_insert(id);
            }
        }
        Contents { globals: known, made: 0 }
    }
}

/// Makes constant objects of arrays.
fn replace(function: &mut Function, globals: &mut TiVec<GlobalId, Global>, known: &mut Contents, arrays: Vec<Array>) {
    let mut removed = FxHashSet::default();
    for array in arrays {
        let Some(global) = array.global(globals, known, function.inst(array.alloca).span) else { continue };
        function.inst_mut(array.alloca).op = Op::GlobalAddress(global);
        for pointer in &array.pointers {
            let ty = function.ty(*pointer).in_space(Space::Constant);
            function.set_type(*pointer, ty);
        }
        removed.extend(array.stores);
    }
    let body = function.body;
    remove(function, body, &removed);
}

/// Removes stores from a region and those in it, and the loops that copied nothing else; whether a store was in the region
/// itself.
fn remove(function: &mut Function, region: RegionId, stores: &FxHashSet<InstId>) -> bool {
    let insts = std::mem::take(&mut function.region_mut(region).insts);
    let length = insts.len();
    let mut kept: Vec<InstId> = insts.into_iter().filter(|id| !stores.contains(id)).collect();
    let had_stores = kept.len() < length;
    kept.retain(|id| {
        let mut copied = false;
        for nested in function.inst(*id).op.regions() {
            copied |= remove(function, nested, stores);
        }
        !(copied && is_empty_copy_loop(function, *id))
    });
    function.region_mut(region).insts = kept;
    had_stores
}

/// Whether an instruction is a loop as copies of large objects are lowered to, and nothing is left of the copy.
fn is_empty_copy_loop(function: &Function, id: InstId) -> bool {
    let inst = function.inst(id);
    let Op::Loop { inits, body, continuing, .. } = &inst.op else { return false };
    let Some(Op::NextIf { condition, next, .. }) = function.terminator(*continuing) else { return false };
    let (Some(Op::Compare { op: CompareOp::ULt, lhs, rhs }), [next]) = (function.op(*condition), &next[..]) else {
        return false;
    };
    let Some(Op::Binary { op: BinaryOp::Add, lhs: counter, rhs: step }) = function.op(*lhs) else { return false };
    let is_counter = function.region(*continuing).params[..] == [*counter] && lhs == next;
    let ends = function.as_int(*step) == Some(1) && function.as_int(*rhs).is_some();
    let is_carried = matches!(
        function.terminator(*body),
        Some(Op::Continue(values)) if values[..] == function.region(*body).params[..]
    );
    let is_idle = |region: RegionId| {
        let (_, idle) = function.region(region).insts.split_last().unwrap_or((&id, &[]));
        idle.iter().all(|id| {
            let op = &function.inst(*id).op;
            op.is_pure() || matches!(op, Op::Load { volatile: false, .. })
        })
    };
    let starts = inits.iter().all(|init| function.as_int(*init) == Some(0));
    let is_counted = starts && is_counter && ends && is_carried;
    is_counted && inst.results.is_empty() && is_idle(*body) && is_idle(*continuing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Machine;
    use crate::read::read;
    use crate::verify::{Dialect, verify};
    use clforge_basic::options::Options;
    use fastrand::Rng;

    /// `f(object, index)` fills an array of 16 bytes, by halves, words or a copy, and reads a word at an index. `spoils`: what it
    /// does besides, after which the array is no constant.
    fn program(random: &mut Rng, spoils: Option<u8>) -> String {
        let bytes: Vec<u8> = (0..16).map(|_| random.u8(..)).collect();
        let word = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let half = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (mut body, mut name) = (String::new(), 10);
        let mut store = |offset: usize, value: String| {
            body += &format!("  %{name}: ptr.private = ptr_add %2[{offset}]\n  store align 1 %{name}, {value}\n");
            name += 1;
        };
        let copies = random.bool();
        if !copies || random.bool() {
            for at in (0..16).step_by(4) {
                match random.bool() {
                    true => store(at, format!("i32 {}", word(at))),
                    false => [at, at + 2].iter().for_each(|at| store(*at, format!("i16 {}", half(*at)))),
                }
            }
        }
        // Once more, the same.
        store(6, format!("i16 {}", half(6)));
        if copies {
            body += "  loop (i64 0) (%40: i64) {
    %41: ptr.constant = ptr_add %3[%40 * 1 + 0]
    %42: i8 = load align 1 %41
    %43: ptr.private = ptr_add %2[%40 * 1 + 0]
    store align 1 %43, %42
    continue %40
  } continuing (%44: i64) {
    %45: i64 = add %44, i64 1
    %46: bool = ult %45, i64 16
    next_if %46 (%45) ()
  }
";
        }
        let spoiled = match spoils {
            None => String::new(),
            Some(0) => format!("  %50: ptr.private = ptr_add %2[8]\n  store align 1 %50, i8 {}\n", bytes[8] ^ 1),
            Some(1) => "  %50: i8 = trunc %1\n  store align 1 %2, %50\n".into(),
            Some(2) => {
                "  %50: ptr.constant = ptr_add %3[1]\n  %51: i8 = load align 1 %50\n  store align 1 %2, %51\n".into()
            }
            _ => "  store align 8 %4, %2\n".into(),
        };
        let init: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            "global @g0 \"source\" constant size 16 align 4 init \"{init}\"
func @f(%0: ptr.global, %1: i32) -> i32 {{
  %2: ptr.private = alloca size 16 align 4
  %3: ptr.constant = address @g0
  %4: ptr.private = alloca size 8 align 8
{body}{spoiled}  %60: i32 = and %1, i32 3
  %61: ptr.private = ptr_add %2[%60 * 4 + 0]
  %62: i32 = load align 4 %61
  return %62
}}
"
        )
    }

    #[test]
    fn arrays_of_constants_hold_the_same() {
        let mut random = Rng::with_seed(3);
        for round in 0..400 {
            let spoils = random.bool().then(|| random.u8(..4));
            let text = program(&mut random, spoils);
            let before = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let mut after = before.clone();
            let options = Options::default();
            let changed = Pass::run(&ConstantArrays, &mut after, &mut Context { options: &options, state: () });
            let printed = print::print(&after);
            verify(&after, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            let expected = if spoils.is_none() { Changed::Maybe } else { Changed::No };
            assert_eq!(changed.unwrap(), expected, "round {round}\n{text}");
            assert_eq!(printed.contains("store"), spoils.is_some(), "{printed}");
            for index in 0..4 {
                let [expected, found] = [&before, &after].map(|module| {
                    let mut machine = Machine::new(module);
                    let object = machine.allocate(8, 8);
                    machine.run("f", &[object, index])
                });
                assert_eq!(found, expected, "round {round}\n{text}\n{printed}");
            }
        }
    }

    fn changed(text: &str) -> Changed {
        let mut module = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let options = Options::default();
        let changed = Pass::run(&ConstantArrays, &mut module, &mut Context { options: &options, state: () }).unwrap();
        verify(&module, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{}", print::print(&module)));
        changed
    }

    /// What is kept of a pointer grows with the indices that it is made of.
    #[test]
    fn pointers_of_many_indices_are_left_alone() {
        let program = |terms: usize| {
            let chain = |at: usize| format!("  %{}: ptr.private = ptr_add %{}[%0 * 4 + 0]\n", at + 2, at + 1);
            let chain: String = (0..terms).map(chain).collect();
            format!(
                "func @f(%0: i32) -> i32 {{\n  %1: ptr.private = alloca size 16 align 4\n  store align 4 %1, i32 7\n\
                 {chain}  %100: i32 = load align 4 %{}\n  return %100\n}}\n",
                terms + 1
            )
        };
        assert_eq!(changed(&program(MAX_TERMS)), Changed::Maybe);
        assert_eq!(changed(&program(MAX_TERMS + 1)), Changed::No);
    }
}
