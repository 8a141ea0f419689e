//! Loads of program-scope constants.

use crate::*;
use clforge_basic::narrow::to_usize;
use smallvec::SmallVec;
use typed_index_collections::TiSlice;

/// Additions to an address that are followed.
const MAX_STEPS: usize = 32;

/// An address in a global.
pub struct GlobalPlace {
    pub global: GlobalId,
    pub displacement: i64,
    /// Indices and strides, from the address back to the global.
    pub terms: SmallVec<[(Value, i64); 4]>,
}

impl GlobalPlace {
    /// What a pointer points to, if it is part of one global.
    pub fn of(function: &Function, pointer: Value) -> Option<GlobalPlace> {
        let (mut at, mut displacement, mut terms) = (pointer, 0_i64, SmallVec::new());
        for _ in 0..MAX_STEPS {
            match function.op(at)? {
                Op::GlobalAddress(global) => return Some(GlobalPlace { global: *global, displacement, terms }),
                Op::PtrAdd { base, index, stride, displacement: more } => {
                    displacement = displacement.checked_add(*more)?;
                    terms.extend(index.map(|index| (index, *stride)));
                    at = *base;
                }
                _ => return None,
            }
        }
        None
    }

    /// Bytes from the beginning of the global on; `index` gives the constants that indices are.
    fn offset(&self, function: &Function, mut index: impl FnMut(Value) -> Option<Value>) -> Option<u64> {
        let mut offset = self.displacement;
        for (value, stride) in &self.terms {
            let constant = index(*value)?;
            let steps = constant::sign_extend(function.ty(constant).scalar, function.as_int(constant)?);
            offset = offset.checked_add(steps.checked_mul(*stride)?)?;
        }
        u64::try_from(offset).ok()
    }
}

impl Global {
    /// Whether any of the bytes from one on, up to another, are of an address. Those behind one of 32 bits count as well.
    pub fn has_pointer_in(&self, start: u64, end: u64) -> bool {
        let first = self.relocations.partition_point(|relocation| relocation.offset.saturating_add(8) <= start);
        self.relocations.get(first).is_some_and(|relocation| relocation.offset < end)
    }

    /// What a load of such a type from a constant object finds at an offset, if no other module defines it.
    pub fn constant_at(&self, offset: u64, ty: Type) -> Option<Constant> {
        let end = offset.checked_add(ty.access_size()).filter(|end| *end <= self.size)?;
        let scalar = ty.scalar;
        if self.space != Space::Constant
            || self.imported
            || self.once
            || !(scalar.is_int() || scalar.is_float())
            || scalar == ScalarType::Bool
            || self.has_pointer_in(offset, end)
        {
            return None;
        }
        let size = to_usize(scalar.bytes());
        let lane = |lane: u8| {
            let Some(init) = &self.init else { return Some(0) };
            let bytes = init.get(to_usize(offset) + usize::from(lane) * size..)?.get(..size)?;
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            Some(u64::from_le_bytes(word))
        };
        let lanes = (0..ty.lanes).map(lane).collect::<Option<_>>()?;
        Some(Constant::Bits { ty, lanes })
    }
}

/// The value that a load of constant memory finds, if what it loads from and where is known; `index` gives the constants that
/// indices are.
pub fn load_constant(
    function: &Function,
    globals: &TiSlice<GlobalId, Global>,
    (pointer, ty): (Value, Type),
    index: impl FnMut(Value) -> Option<Value>,
) -> Option<Constant> {
    if function.ty(pointer).space() != Some(Space::Constant) {
        return None;
    }
    let place = GlobalPlace::of(function, pointer)?;
    let offset = place.offset(function, index)?;
    globals.get(place.global)?.constant_at(offset, ty)
}

/// The indices that the address of a load of constant memory depends on.
pub fn load_indices(function: &Function, pointer: Value) -> SmallVec<[Value; 4]> {
    let place = GlobalPlace::of(function, pointer);
    place.into_iter().flat_map(|place| place.terms).map(|(index, _)| index).collect()
}
