//! Functions that kernels enqueue, and the objects that those get: instructions name a function by its id, and the size and
//! the alignment of the object.

use super::Tables;
use crate::decode::Instruction;
use crate::error::Result;
use clforge_basic::narrow::to_u32;
use rspirv::spirv::{Capability, Op};
use rustc_hash::FxHashMap;

/// Most bytes of an object.
const MOST_BYTES: u64 = 1 << 16;
const MAX_ALIGN: u64 = 1 << 10;

/// What a function that is enqueued gets: an object of this size and alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invoked {
    pub size: u32,
    pub align: u32,
}

/// Where the function is among the operands of an instruction. The object, its size and its alignment follow.
pub fn invoked_operand(op: Op) -> Option<usize> {
    Some(match op {
        Op::EnqueueKernel => 6,
        Op::GetKernelNDrangeSubGroupCount | Op::GetKernelNDrangeMaxSubGroupSize => 1,
        Op::GetKernelLocalSizeForSubgroupCount => 1,
        Op::GetKernelWorkGroupSize | Op::GetKernelPreferredWorkGroupSizeMultiple => 0,
        Op::GetKernelMaxNumSubgroups => 0,
        _ => return None,
    })
}

/// Whether modules with a capability may enqueue kernels, or ask about those that can be enqueued.
pub(super) fn enqueues(capability: u32) -> bool {
    let capability = Capability::from_u32(capability);
    matches!(capability, Some(Capability::DeviceEnqueue | Capability::SubgroupDispatch))
}

impl Tables<'_> {
    /// Finds the functions that are enqueued, in the order in which instructions name them.
    pub(super) fn find_invoked(&mut self) -> Result<()> {
        if !self.enqueues {
            return Ok(());
        }
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for def in &self.functions {
            for instruction in self.cursor.within(def.body.0, def.body.1) {
                let at = instruction?;
                let Some(index) = invoked_operand(at.op) else { continue };
                let (function, object) = (at.operand(index)?, self.object_of(&at, index)?);
                let place = *places.entry(function).or_insert(self.invoked.len());
                match self.invoked.get(place) {
                    None => self.invoked.push((function, object)),
                    Some((_, before)) if *before == object => {}
                    Some(_) => {
                        let what = format!("objects of several sizes for %{function}, which is enqueued");
                        return Err(at.unsupported(what));
                    }
                }
            }
        }
        Ok(())
    }

    /// The object of the function that an operand names.
    fn object_of(&self, at: &Instruction<'_>, index: usize) -> Result<Invoked> {
        let number = |index: usize| {
            let number = self.integer(at.operand(index)?);
            number.ok_or_else(|| at.invalid("the size or the alignment of an object is not a constant"))
        };
        let (size, align) = (number(index + 2)?, number(index + 3)?);
        if size > MOST_BYTES {
            return Err(at.limit(format!("an object of {size} bytes; at most {MOST_BYTES} are supported")));
        }
        match align.is_power_of_two() && align <= MAX_ALIGN {
            true => Ok(Invoked { size: to_u32(size), align: to_u32(align) }),
            false => Err(at.invalid(format!("the alignment {align}"))),
        }
    }
}
