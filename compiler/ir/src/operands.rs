//! The values and regions that an operation has: those of its fields.

use super::field::Field;
use super::inst::{Op, ops};
use super::{RegionId, Value};
use smallvec::SmallVec;

/// The visitors of all operations. They visit the fields in the order of their declaration, and are not generic, so
/// that each is compiled once.
macro_rules! visitors {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt $properties:tt;
    )*) => {
        impl Op {
            fn visit_operands(&self, f: &mut dyn FnMut(&Value)) {
                match self {
                    $(Op::$name $({ $($field),+ })? $(($part))? => {
                        $($($field.visit(f);)+)?
                        $($part.visit(f);)?
                    })*
                }
            }

            fn visit_operands_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
                match self {
                    $(Op::$name $({ $($field),+ })? $(($part))? => {
                        $($($field.visit_mut(f);)+)?
                        $($part.visit_mut(f);)?
                    })*
                }
            }

            fn visit_regions(&self, f: &mut dyn FnMut(&RegionId)) {
                match self {
                    $(Op::$name $({ $($field),+ })? $(($part))? => {
                        $($($field.visit_regions(f);)+)?
                        $($part.visit_regions(f);)?
                    })*
                }
            }

            fn visit_regions_mut(&mut self, f: &mut dyn FnMut(&mut RegionId)) {
                match self {
                    $(Op::$name $({ $($field),+ })? $(($part))? => {
                        $($($field.visit_regions_mut(f);)+)?
                        $($part.visit_regions_mut(f);)?
                    })*
                }
            }
        }
    };
}

ops!(visitors);

impl Op {
    /// Calls `f` on every value operand, in the order of the declaration.
    pub fn for_each_operand(&self, mut f: impl FnMut(Value)) {
        self.visit_operands(&mut |value| f(*value));
    }

    /// Calls `f` on every value operand, to change it.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        self.visit_operands_mut(&mut f);
    }

    /// The regions nested directly in it, in order of execution.
    #[inline]
    pub fn regions(&self) -> SmallVec<[RegionId; 2]> {
        // Inlined, since nearly all operations have none.
        if self.is_structured() { self.nested() } else { SmallVec::new() }
    }

    fn nested(&self) -> SmallVec<[RegionId; 2]> {
        let mut regions = SmallVec::new();
        self.visit_regions(&mut |region| regions.push(*region));
        regions
    }

    /// Calls `f` on every region nested directly in it, to change it; the order is that of [`Op::regions`].
    pub fn for_each_region_mut(&mut self, mut f: impl FnMut(&mut RegionId)) {
        self.visit_regions_mut(&mut f);
    }
}
