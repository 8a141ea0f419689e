//! Functions that kernels enqueue, and the objects that those get: instructions name a function by its id, and the size and
//! the alignment of the object.

use super::Tables;
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::{Kind, WIDENED};
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
        let mut types: FxHashMap<u32, u32> = FxHashMap::default();
        for def in &self.functions {
            types.extend(def.params.iter().map(|param| (param.result, param.ty)));
            for instruction in self.cursor.within(def.body.0, def.body.1) {
                let at = instruction?;
                if self.types.narrow {
                    types.insert(at.result, at.ty);
                }
                let Some(index) = invoked_operand(at.op) else { continue };
                let (function, object) = (at.operand(index)?, self.object_of(&at, index)?);
                let object = if self.types.narrow { self.as_read(&at, index, object, &types)? } else { object };
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

    /// An object of a module with addresses of 32 bits, as large as it is here. The instruction and the function must say that it
    /// has the same type, since its bytes are others if it has pointers in it.
    fn as_read(
        &self,
        at: &Instruction<'_>,
        index: usize,
        object: Invoked,
        types: &FxHashMap<u32, u32>,
    ) -> Result<Invoked> {
        let pointee = |ty: u32| match self.types.find(ty).map(|info| &info.kind) {
            Some(Kind::Pointer { pointee, .. }) => *pointee,
            _ => None,
        };
        let given = types.get(&at.operand(index + 1)?).copied().and_then(pointee);
        let params = self.function_ids.get(&at.operand(index)?).and_then(|place| self.functions.get(*place));
        let taken = params.and_then(|def| def.params.first()).map(|param| param.ty).and_then(pointee);
        let is_wide = |ty: Option<u32>| ty.is_some_and(|ty| self.types.meant(ty).is_some());
        if object.size == 0 || !(is_wide(given) || is_wide(taken)) {
            return Ok(object);
        }
        let same = given.filter(|_| given == taken);
        let meant = same.and_then(|ty| Some((ty, self.types.meant(ty)?)));
        match meant.filter(|(_, meant)| meant.size == u64::from(object.size)) {
            Some((ty, _)) => {
                let info = self.types.get(at, ty)?;
                Ok(Invoked { size: to_u32(info.size), align: object.align.max(to_u32(info.align)) })
            }
            None => Err(at.unsupported(format!("an object for an enqueued function with pointers in it, {WIDENED}"))),
        }
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
