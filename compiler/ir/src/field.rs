//! What the fields of operations have in common: the values and the regions in them, and the words of their kinds.

use super::entities::{FunctionId, GlobalId, RegionId, Value, VariableId};
use smallvec::{Array, SmallVec};

/// The type of a field of an operation. Most have neither values nor regions.
pub trait Field {
    /// Calls `f` on every value in it.
    #[inline]
    fn visit(&self, _f: &mut dyn FnMut(&Value)) {}

    /// Calls `f` on every value in it, to change it.
    #[inline]
    fn visit_mut(&mut self, _f: &mut dyn FnMut(&mut Value)) {}

    /// Calls `f` on every region in it.
    #[inline]
    fn visit_regions(&self, _f: &mut dyn FnMut(&RegionId)) {}

    /// Calls `f` on every region in it, to change it.
    #[inline]
    fn visit_regions_mut(&mut self, _f: &mut dyn FnMut(&mut RegionId)) {}
}

/// An enumeration whose variants are words of the text form.
pub trait Kind: Copy + PartialEq + 'static {
    /// Every one.
    const ALL: &'static [Self];

    /// Its word.
    fn text(self) -> &'static str;

    /// The one of that word.
    fn by_text(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.text() == word)
    }
}

impl Field for Value {
    #[inline]
    fn visit(&self, f: &mut dyn FnMut(&Value)) {
        f(self);
    }

    #[inline]
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
        f(self);
    }
}

impl Field for RegionId {
    #[inline]
    fn visit_regions(&self, f: &mut dyn FnMut(&RegionId)) {
        f(self);
    }

    #[inline]
    fn visit_regions_mut(&mut self, f: &mut dyn FnMut(&mut RegionId)) {
        f(self);
    }
}

impl<T: Field> Field for Option<T> {
    #[inline]
    fn visit(&self, f: &mut dyn FnMut(&Value)) {
        self.iter().for_each(|item| item.visit(f));
    }

    #[inline]
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
        self.iter_mut().for_each(|item| item.visit_mut(f));
    }
}

/// Lists of values, or of lanes.
impl<A: Array<Item: Field>> Field for SmallVec<A> {
    #[inline]
    fn visit(&self, f: &mut dyn FnMut(&Value)) {
        self.iter().for_each(|item| item.visit(f));
    }

    #[inline]
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
        self.iter_mut().for_each(|item| item.visit_mut(f));
    }
}

/// Makes types without values and regions fields.
macro_rules! plain {
    ($($ty:ty),*) => { $(impl Field for $ty {})* };
}

plain!(bool, u8, u32, u64, i64, FunctionId, GlobalId, VariableId);
