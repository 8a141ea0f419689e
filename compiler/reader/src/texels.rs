//! Whether integer texels are unsigned, for modules that do not say it: before version 1.4, SPIR-V for OpenCL has no `SignExtend`
//! and `ZeroExtend`, and its integers have no signs. What instructions do with texels tells: one that reads unsigned integers
//! takes texels of unsigned images. Without such an instruction, or with others that read signed integers, they are signed.

use crate::blocks::Graph;
use crate::decode::Instruction;
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;
use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};

/// The minor version in which reads and writes of images say whether texels are signed.
pub const FIRST_WITH_SIGNS: u32 = 4;

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
pub fn unsigned_images(graph: &Graph<'_>) -> FxHashSet<u32> {
    let mut finder = Finder::default();
    let instructions = || graph.blocks.iter().flat_map(|block| block.phis.iter().chain(&block.instructions));
    // What makes a value is in front of it, but for phis; what reads it is behind.
    instructions().for_each(|at| finder.made(at));
    let backward: Vec<&Instruction<'_>> = instructions().collect();
    backward.into_iter().rev().for_each(|at| finder.read(at));
    instructions().for_each(|at| finder.image(at));
    let is_unsigned = |id: &u32| finder.images.get(id) == Some(&Evidence::UNSIGNED);
    let images = finder.images.keys().copied().filter(is_unsigned);
    let sampled = finder.sampled.iter().filter(|(_, image)| is_unsigned(image)).map(|(id, _)| *id);
    images.chain(sampled).collect()
}

#[derive(Default)]
struct Finder {
    /// Of values, by what makes them.
    made: FxHashMap<u32, Evidence>,
    /// Of values, by what reads them.
    read: FxHashMap<u32, Evidence>,
    /// The images of sampled images.
    sampled: FxHashMap<u32, u32>,
    images: FxHashMap<u32, Evidence>,
}

impl Finder {
    fn of(map: &FxHashMap<u32, Evidence>, id: u32) -> Evidence {
        map.get(&id).copied().unwrap_or_default()
    }

    fn made(&mut self, at: &Instruction<'_>) {
        let own = match at.op {
            Op::ConvertFToU | Op::UConvert | Op::UDiv | Op::UMod | Op::SatConvertSToU => Evidence::UNSIGNED,
            Op::ConvertFToS | Op::SConvert | Op::SDiv | Op::SRem | Op::SMod | Op::SNegate => Evidence::SIGNED,
            Op::SatConvertUToS => Evidence::SIGNED,
            op if moves(op) => {
                at.operands.iter().fold(Evidence::default(), |all, id| all.with(Finder::of(&self.made, *id)))
            }
            _ => return,
        };
        self.made.insert(at.result, own);
    }

    fn read(&mut self, at: &Instruction<'_>) {
        let evidence = match at.op {
            op if moves(op) => Finder::of(&self.read, at.result),
            Op::ExtInst => match extended_name(at) {
                Some(name) if name.starts_with("u_") => Evidence::UNSIGNED,
                Some(name) if name.starts_with("s_") => Evidence::SIGNED,
                _ => return,
            },
            op => match reads(op) {
                Some(evidence) => evidence,
                None => return,
            },
        };
        if evidence != Evidence::default() {
            for id in at.operands {
                let known = self.read.entry(*id).or_default();
                *known = known.with(evidence);
            }
        }
    }

    fn image(&mut self, at: &Instruction<'_>) {
        let (image, evidence) = match (at.op, at.operands) {
            (Op::SampledImage, [image, ..]) => {
                self.sampled.insert(at.result, *image);
                return;
            }
            (Op::ImageRead, [image, ..]) => (*image, Finder::of(&self.read, at.result)),
            (Op::ImageSampleExplicitLod, [sampled, ..]) => {
                (self.sampled.get(sampled).copied().unwrap_or(0), Finder::of(&self.read, at.result))
            }
            (Op::ImageWrite, [image, _, texel, ..]) => (*image, Finder::of(&self.made, *texel)),
            _ => return,
        };
        let known = self.images.entry(image).or_default();
        *known = known.with(evidence);
    }
}

/// Whether the sign of an instruction's result is that of its operands.
fn moves(op: Op) -> bool {
    matches!(op, Op::CompositeExtract | Op::CompositeInsert | Op::CompositeConstruct | Op::VectorShuffle | Op::Phi)
        || matches!(op, Op::VectorExtractDynamic | Op::VectorInsertDynamic | Op::CopyObject | Op::Select)
        || matches!(op, Op::IAdd | Op::ISub | Op::IMul)
}

/// What an instruction takes its operands for.
fn reads(op: Op) -> Option<Evidence> {
    Some(match op {
        Op::UDiv | Op::UMod | Op::UConvert | Op::ConvertUToF | Op::ShiftRightLogical => Evidence::UNSIGNED,
        Op::ULessThan | Op::ULessThanEqual | Op::UGreaterThan | Op::UGreaterThanEqual => Evidence::UNSIGNED,
        Op::SDiv | Op::SRem | Op::SMod | Op::SNegate | Op::SConvert | Op::ConvertSToF => Evidence::SIGNED,
        Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual => Evidence::SIGNED,
        Op::ShiftRightArithmetic => Evidence::SIGNED,
        _ => return None,
    })
}

fn extended_name(at: &Instruction<'_>) -> Option<&'static str> {
    let number = at.optional(1)?;
    let entry = OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|entry| u32::from(entry.opcode) == number)?;
    Some(entry.opname)
}
