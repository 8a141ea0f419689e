//! Finds out whether integer texels are unsigned, for modules that do not say it: before version 1.4, SPIR-V for OpenCL
//! has no `SignExtend` and `ZeroExtend`, and its integers have no signs. The uses of texels tell: if an instruction
//! that reads unsigned integers uses a texel, the image is unsigned. If there is no such instruction, or if another one
//! reads the texels as signed integers, they are signed.
//!
//! Texels and images are followed through the whole module: through parameters and results of calls, and, if that does
//! not decide, through objects in memory.

use crate::decode::Instruction;
use crate::error::Result;
use crate::function::instruction::{is_address, is_untyped_address};
use crate::tables::Tables;
use clforge_ir::Type;
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;
use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// The minor version in which reads and writes of images say whether texels are signed.
const FIRST_WITH_SIGNS: u32 = 4;

/// What is known of integers: that something reads or makes them as unsigned, and as signed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Evidence {
    unsigned: bool,
    signed: bool,
}

impl Evidence {
    const UNSIGNED: Evidence = Evidence { unsigned: true, signed: false };
    const SIGNED: Evidence = Evidence { unsigned: false, signed: true };

    fn with(self, other: Evidence) -> Evidence {
        Evidence { unsigned: self.unsigned || other.unsigned, signed: self.signed || other.signed }
    }
}

/// The images, also those with samplers, as the ids that instructions name, whose texels are unsigned.
pub fn unsigned_images(tables: &Tables<'_>) -> Result<FxHashSet<u32>> {
    if tables.minor >= FIRST_WITH_SIGNS || !tables.types.has_images() {
        return Ok(FxHashSet::default());
    }
    let mut finder = Finder::default();
    for function in &tables.functions {
        for at in tables.cursor.within(function.body.0, function.body.1) {
            finder.instruction(tables, &at?, function.at.result);
        }
    }
    Ok(finder.unsigned())
}

/// A read or a write of an image.
struct Access {
    image: u32,
    texel: u32,
    writes: bool,
}

#[derive(Default)]
struct Finder {
    /// The types of results.
    types: FxHashMap<u32, u32>,
    /// From one value to another that has its sign. A function, by its id, is between what it returns and what its calls give.
    moves: Vec<(u32, u32)>,
    /// The same through memory: objects, by their addresses, may have parts of different signs.
    kept: Vec<(u32, u32)>,
    /// Of values, by what makes them.
    made: FxHashMap<u32, Evidence>,
    /// Of values, by what reads them.
    read: FxHashMap<u32, Evidence>,
    accesses: Vec<Access>,
}

impl Finder {
    fn instruction(&mut self, tables: &Tables<'_>, at: &Instruction<'_>, function: u32) {
        self.types.insert(at.result, at.ty);
        match (at.op, at.operands) {
            (Op::FunctionCall, [callee, arguments @ ..]) => {
                self.moves.push((*callee, at.result));
                let callee = tables.function_ids.get(callee).and_then(|place| tables.functions.get(*place));
                let params = callee.map_or(&[][..], |callee| &callee.params);
                for (argument, param) in arguments.iter().zip(params) {
                    self.moves.push((*argument, param.result));
                    // What is written through a pointer comes back.
                    self.kept.push((param.result, *argument));
                }
            }
            (Op::ReturnValue, [value]) => self.moves.push((*value, function)),
            (Op::Store, [pointer, value, ..]) => self.kept.push((*value, *pointer)),
            (Op::Variable, [_, value]) => self.kept.push((*value, at.result)),
            (Op::Load, [pointer, ..]) => self.kept.push((*pointer, at.result)),
            (op, [_, base, ..]) if is_untyped_address(op) => self.same_object(*base, at.result),
            (op, [base, ..]) if is_address(op) || is_pointer_cast(op) => self.same_object(*base, at.result),
            (Op::ImageRead, [image, ..]) | (Op::ImageSampleExplicitLod, [image, ..]) => {
                self.accesses.push(Access { image: *image, texel: at.result, writes: false });
            }
            (Op::ImageWrite, [image, _, texel, ..]) => {
                self.accesses.push(Access { image: *image, texel: *texel, writes: true });
            }
            _ => self.number(tables, at),
        }
    }

    fn same_object(&mut self, one: u32, other: u32) {
        self.kept.extend([(one, other), (other, one)]);
    }

    /// An instruction that computes something.
    fn number(&mut self, tables: &Tables<'_>, at: &Instruction<'_>) {
        self.moves.extend(moved(at).into_iter().map(|id| (id, at.result)));
        // LLVM's translator makes an `OpUConvert` of each truncation.
        if matches!(at.op, Op::UConvert | Op::SConvert) && !self.widens(tables, at) {
            return;
        }
        if let Some(evidence) = makes(at.op) {
            self.made.insert(at.result, evidence);
        }
        let (evidence, ids) = match (at.op, at.operands) {
            (Op::ExtInst, [_, _, ids @ ..]) => (of_extended(at), ids),
            // The count has a sign of its own.
            (Op::ShiftRightLogical | Op::ShiftRightArithmetic, [id, ..]) => (reads(at.op), std::slice::from_ref(id)),
            (op, ids) => (reads(op), ids),
        };
        for id in ids.iter().filter(|_| evidence.is_some()) {
            let known = self.read.entry(*id).or_default();
            *known = known.with(evidence.unwrap_or_default());
        }
    }

    fn widens(&self, tables: &Tables<'_>, at: &Instruction<'_>) -> bool {
        let bits = |ty: u32| tables.types.value(at, ty).map_or(0, |ty: Type| ty.scalar.bits());
        let from = at.optional(0).and_then(|id| self.types.get(&id).copied().or_else(|| tables.parameter_type(id)));
        from.is_some_and(|from| bits(at.ty) > bits(from))
    }

    fn unsigned(&self) -> FxHashSet<u32> {
        let all: Vec<(u32, u32)> = self.moves.iter().chain(&self.kept).copied().collect();
        let (direct, any) = (self.images(&self.moves, &all), self.images(&all, &all));
        let is_unsigned = |id: &u32| match direct.get(id).copied().unwrap_or_default() {
            evidence if evidence == Evidence::default() => any.get(id) == Some(&Evidence::UNSIGNED),
            evidence => evidence == Evidence::UNSIGNED,
        };
        self.accesses.iter().map(|access| access.image).filter(is_unsigned).collect()
    }

    /// What is known of images by texels that go one way, and images another.
    fn images(&self, texels: &[(u32, u32)], images: &[(u32, u32)]) -> FxHashMap<u32, Evidence> {
        let made = spread(&self.made, texels.iter().copied());
        let read = spread(&self.read, texels.iter().map(|(from, to)| (*to, *from)));
        let mut found: FxHashMap<u32, Evidence> = FxHashMap::default();
        for access in &self.accesses {
            let evidence = if access.writes { &made } else { &read }.get(&access.texel).copied().unwrap_or_default();
            let known = found.entry(access.image).or_default();
            *known = known.with(evidence);
        }
        spread(&found, images.iter().flat_map(|(from, to)| [(*from, *to), (*to, *from)]))
    }
}

/// Passes evidence on along edges.
fn spread(start: &FxHashMap<u32, Evidence>, edges: impl Iterator<Item = (u32, u32)>) -> FxHashMap<u32, Evidence> {
    let mut next: FxHashMap<u32, SmallVec<[u32; 2]>> = FxHashMap::default();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let mut all = start.clone();
    let mut open: Vec<u32> = start.keys().copied().collect();
    // What is known of a value grows twice at most.
    while let Some(id) = open.pop() {
        let evidence = all.get(&id).copied().unwrap_or_default();
        for to in next.get(&id).into_iter().flatten() {
            let known = all.entry(*to).or_default();
            if known.with(evidence) != *known {
                *known = known.with(evidence);
                open.push(*to);
            }
        }
    }
    all
}

fn is_pointer_cast(op: Op) -> bool {
    matches!(op, Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr)
}

/// The operands whose sign the result of an instruction has.
fn moved(at: &Instruction<'_>) -> SmallVec<[u32; 4]> {
    match (at.op, at.operands) {
        (Op::CompositeExtract | Op::VectorExtractDynamic | Op::CopyObject, [value, ..]) => smallvec![*value],
        (Op::CompositeInsert | Op::VectorShuffle, [one, other, ..]) => smallvec![*one, *other],
        (Op::VectorInsertDynamic | Op::IAdd | Op::ISub | Op::IMul, [one, other, ..]) => smallvec![*one, *other],
        (Op::Select, [_, one, other]) => smallvec![*one, *other],
        (Op::CompositeConstruct, parts) => SmallVec::from_slice(parts),
        (Op::Phi, pairs) => pairs.iter().step_by(2).copied().collect(),
        // The image of both.
        (Op::SampledImage | Op::Image, [image, ..]) => smallvec![*image],
        _ => SmallVec::new(),
    }
}

/// What an instruction makes.
fn makes(op: Op) -> Option<Evidence> {
    Some(match op {
        Op::ConvertFToU | Op::UConvert | Op::UDiv | Op::UMod | Op::SatConvertSToU => Evidence::UNSIGNED,
        Op::ConvertFToS | Op::SConvert | Op::SDiv | Op::SRem | Op::SMod | Op::SNegate => Evidence::SIGNED,
        Op::SatConvertUToS => Evidence::SIGNED,
        _ => return None,
    })
}

/// What an instruction takes its operands for.
fn reads(op: Op) -> Option<Evidence> {
    Some(match op {
        Op::UDiv | Op::UMod | Op::UConvert | Op::ConvertUToF | Op::ShiftRightLogical => Evidence::UNSIGNED,
        Op::ULessThan | Op::ULessThanEqual | Op::UGreaterThan | Op::UGreaterThanEqual => Evidence::UNSIGNED,
        Op::SatConvertUToS => Evidence::UNSIGNED,
        Op::SDiv | Op::SRem | Op::SMod | Op::SNegate | Op::SConvert | Op::ConvertSToF => Evidence::SIGNED,
        Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual => Evidence::SIGNED,
        Op::ShiftRightArithmetic | Op::SatConvertSToU => Evidence::SIGNED,
        _ => return None,
    })
}

fn of_extended(at: &Instruction<'_>) -> Option<Evidence> {
    let number = at.optional(1)?;
    let entry = OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|entry| u32::from(entry.opcode) == number)?;
    match entry.opname {
        name if name.starts_with("u_") => Some(Evidence::UNSIGNED),
        name if name.starts_with("s_") => Some(Evidence::SIGNED),
        _ => None,
    }
}
