//! What a loop loads and stores, and which of it may be the same memory.

use crate::analysis;
use crate::*;

/// A place that a loop stores to.
#[derive(Clone)]
pub(super) struct Place {
    place: analysis::Place,
    space: Space,
    /// The object it is in, if its address tells.
    object: Option<Object>,
    pub ty: Type,
    /// The address of one of its accesses, and the greatest alignment that is known.
    pub pointer: Value,
    pub align: u32,
}

/// Objects that have nothing in common with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    Private(Value),
    Global(GlobalId),
}

/// A load or store of a loop.
pub(super) struct Access {
    pub id: InstId,
    /// The region that it is in.
    pub region: RegionId,
    pub stores: bool,
    volatile: bool,
    place: Place,
}

/// What may access a place besides the accesses of exactly that place.
pub(super) struct Others {
    pub load: bool,
}

/// What a loop loads and stores.
pub(super) struct Accesses(Vec<Access>);

impl Accesses {
    /// The accesses in the regions of a loop; `None` if it has others, or synchronises with other work-items.
    pub(super) fn of(function: &Function, regions: [RegionId; 2]) -> Option<Accesses> {
        let mut accesses = Accesses(Vec::new());
        regions.into_iter().try_for_each(|region| accesses.add(function, region))?;
        Some(accesses)
    }

    fn add(&mut self, function: &Function, region: RegionId) -> Option<()> {
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            match &inst.op {
                Op::Load { ptr, align, volatile } => {
                    let ty = function.ty(*inst.results.first()?);
                    self.push(function, region, *id, (*ptr, *align, ty), (false, *volatile))?;
                }
                Op::Store { ptr, value, align, volatile } => {
                    self.push(function, region, *id, (*ptr, *align, function.ty(*value)), (true, *volatile))?;
                }
                Op::Image { .. } | Op::VariableLoad { .. } => {}
                op if op.is_pure() || op.is_terminator() => {}
                Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => {
                    inst.op.regions().iter().try_for_each(|nested| self.add(function, *nested))?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn push(
        &mut self,
        function: &Function,
        region: RegionId,
        id: InstId,
        (pointer, align, ty): (Value, u32, Type),
        (stores, volatile): (bool, bool),
    ) -> Option<()> {
        let place = analysis::Place::of(function, id)?;
        let space = function.ty(pointer).space()?;
        let place = Place { place, space, object: Object::of(function, pointer), ty, pointer, align };
        self.0.push(Access { id, region, stores, volatile, place });
        Some(())
    }

    /// The places that are stored to.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for access in self.0.iter().filter(|access| access.stores && !access.volatile) {
            if matches!(access.place.space, Space::Generic | Space::Constant) {
                continue;
            }
            match places.iter_mut().find(|place| place.is_same(&access.place)) {
                Some(place) => place.align = place.align.max(access.place.align),
                None => places.push(access.place.clone()),
            }
        }
        places
    }

    /// The accesses of exactly a place.
    pub(super) fn to(&self, place: &Place) -> Vec<&Access> {
        self.0.iter().filter(|access| !access.volatile && access.place.is_same(place)).collect()
    }

    /// What other accesses may access a place; `None` if one may store to it.
    pub(super) fn others(&self, place: &Place) -> Option<Others> {
        let mut others = Others { load: false };
        for access in &self.0 {
            if !access.volatile && access.place.is_same(place) || access.place.is_apart_from(place) {
                continue;
            }
            if access.stores || access.volatile {
                return None;
            }
            others.load = true;
        }
        Some(others)
    }
}

impl Place {
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.ty.lanes) * self.ty.scalar.bytes()
    }

    /// Words of 32 bits that its value takes.
    pub(super) fn words(&self) -> u64 {
        u64::from(self.ty.lanes) * self.ty.scalar.bytes().div_ceil(4)
    }

    fn is_same(&self, other: &Place) -> bool {
        self.ty == other.ty && self.place.is_same(&other.place)
    }

    /// Whether it is known that two places have no byte in common.
    fn is_apart_from(&self, other: &Place) -> bool {
        let in_different_spaces = self.space != other.space && ![self.space, other.space].contains(&Space::Generic);
        let in_different_objects =
            self.object.zip(other.object).is_some_and(|(object, other_object)| object != other_object);
        in_different_spaces || in_different_objects || self.place.is_apart_from(&other.place)
    }
}

impl Object {
    fn of(function: &Function, pointer: Value) -> Option<Object> {
        let mut pointer = pointer;
        loop {
            match function.op(pointer)? {
                Op::PtrAdd { base, .. } => pointer = *base,
                Op::Alloca { .. } => return Some(Object::Private(pointer)),
                Op::GlobalAddress(global) => return Some(Object::Global(*global)),
                _ => return None,
            }
        }
    }
}
