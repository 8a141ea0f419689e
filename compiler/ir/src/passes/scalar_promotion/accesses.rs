//! The loads and stores of a loop, and which of them may access the same memory.

use crate::analysis::{self, Effects, FunctionEffects};
use crate::*;
use clforge_basic::narrow::to_u32;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most places that are looked at in a loop: each is compared with all others.
const MAX_PLACES: usize = 64;

/// What a loop loads and stores at one place.
pub(super) struct Place {
    key: Key,
    /// The object it is in, if its address tells.
    object: Option<Object>,
    pub accesses: Vec<Access>,
    is_volatile: bool,
}

/// Equal where accesses are of the same bytes, as the same type, through pointers into the same space.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    place: analysis::Place,
    space: Space,
    ty: Type,
    is_volatile: bool,
}

/// Objects that have nothing in common with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    Private(Value),
    Global(GlobalId),
}

/// A load or store.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub id: InstId,
    /// The region that it is in.
    pub region: RegionId,
    pub pointer: Value,
    /// In bytes, as the access states it.
    pub align: u32,
    pub stores: bool,
}

/// What accesses of other places may do with a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interference {
    None,
    /// They may load from it.
    Loads,
    /// They may store to it.
    Stores,
}

/// What a loop loads and stores, by place.
pub(super) struct Accesses {
    pub places: Vec<Place>,
    by_key: FxHashMap<Key, usize>,
}

impl Accesses {
    /// The accesses in the regions of a loop; `None` if it has others, or synchronises with other work-items.
    pub(super) fn of(function: &Function, effects: &FunctionEffects, regions: [RegionId; 2]) -> Option<Accesses> {
        let mut accesses = Accesses { places: Vec::new(), by_key: FxHashMap::default() };
        regions.into_iter().try_for_each(|region| accesses.add(function, effects, region))?;
        Some(accesses)
    }

    fn add(&mut self, function: &Function, effects: &FunctionEffects, region: RegionId) -> Option<()> {
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            match inst.op {
                Op::Load { ptr: pointer, align, volatile, .. } => {
                    let ty = function.ty(*inst.results.first()?);
                    let access = Access { id: *id, region, pointer, align, stores: false };
                    self.push(function, access, ty, volatile)?;
                }
                Op::Store { ptr: pointer, value, align, volatile } => {
                    let access = Access { id: *id, region, pointer, align, stores: true };
                    self.push(function, access, function.ty(value), volatile)?;
                }
                // An image may be made of a buffer, but no kernel may access both without synchronisation.
                Op::Image { .. } | Op::VariableLoad { .. } => {}
                Op::Call { function, .. } if effects.of_call(function) == Effects::None => {}
                ref op if op.is_pure() || op.is_terminator() => {}
                Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => {
                    inst.op.regions().iter().try_for_each(|nested| self.add(function, effects, *nested))?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn push(&mut self, function: &Function, access: Access, ty: Type, is_volatile: bool) -> Option<()> {
        let place = analysis::Place::of(function, access.id)?;
        let space = function.ty(access.pointer).space()?;
        let key = Key { place, space, ty, is_volatile };
        let index = *self.by_key.entry(key).or_insert(self.places.len());
        if index == self.places.len() {
            let object = Object::of(function, access.pointer);
            self.places.push(Place { key, object, accesses: Vec::new(), is_volatile });
        }
        self.places[index].accesses.push(access);
        Some(())
    }

    /// The places that are stored to, the first ones, but for those of some private objects.
    pub(super) fn stored(&self, but: &FxHashSet<Value>) -> impl Iterator<Item = &Place> {
        let is_own = |place: &Place| matches!(place.object, Some(Object::Private(object)) if but.contains(&object));
        let is_candidate = move |place: &&Place| {
            let is_stored = place.accesses.iter().any(|access| access.stores);
            let has_one_space = !matches!(place.key.space, Space::Generic | Space::Constant);
            is_stored && !place.is_volatile && has_one_space && !is_own(place)
        };
        self.places.iter().filter(is_candidate).take(MAX_PLACES)
    }

    /// What the accesses of other places may do with a place.
    pub(super) fn interference(&self, place: &Place) -> Interference {
        let mut found = Interference::None;
        for other in &self.places {
            if other.key == place.key || other.is_apart_from(place) {
                continue;
            }
            if other.is_volatile || other.accesses.iter().any(|access| access.stores) {
                return Interference::Stores;
            }
            found = Interference::Loads;
        }
        found
    }
}

impl Place {
    pub(super) fn ty(&self) -> Type {
        self.key.ty
    }

    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.ty().lanes) * self.ty().scalar.bytes()
    }

    /// The alignment of an object of its own.
    pub(super) fn own_align(&self) -> u32 {
        to_u32(self.ty().scalar.bytes())
    }

    /// Words of 32 bits that its value takes.
    pub(super) fn words(&self) -> u64 {
        u64::from(self.ty().lanes) * self.ty().scalar.bytes().div_ceil(4)
    }

    /// Whether it is known that two places have no byte in common.
    fn is_apart_from(&self, other: &Place) -> bool {
        let spaces = [self.key.space, other.key.space];
        let in_different_spaces = spaces[0] != spaces[1] && !spaces.contains(&Space::Generic);
        let in_different_objects = self.object.zip(other.object).is_some_and(|(object, other)| object != other);
        in_different_spaces || in_different_objects || self.key.place.is_apart_from(&other.key.place)
    }
}

/// Most additions between a pointer and its object; a longer chain is of some object.
const MOST_ADDITIONS: usize = 64;

impl Object {
    fn of(function: &Function, pointer: Value) -> Option<Object> {
        let mut pointer = pointer;
        for _ in 0..MOST_ADDITIONS {
            match function.op(pointer)? {
                Op::PtrAdd { base, .. } => pointer = *base,
                Op::Alloca { .. } => return Some(Object::Private(pointer)),
                Op::GlobalAddress(global) => return Some(Object::Global(*global)),
                _ => return None,
            }
        }
        None
    }
}
