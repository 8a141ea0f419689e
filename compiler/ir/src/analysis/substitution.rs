//! Substitution of values.

use crate::{Function, InstId, Op, Value};
use rustc_hash::FxHashMap;
use typed_index_collections::TiVec;

/// From how many replacements on the table is used.
const MANY: usize = 64;

/// A map from removed values to those that replace them.
#[derive(Debug, Default)]
pub struct Substitution {
    few: FxHashMap<Value, Value>,
    /// Instead of `few`, each value's replacement up to the last replaced one, itself where it is not replaced: all operands
    /// of a function are looked up, which takes half the time of a hash map. It has the size of the function, and is
    /// therefore not made for few replacements.
    many: TiVec<Value, Value>,
}

impl Substitution {
    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.few.is_empty() && self.many.is_empty()
    }

    /// Replaces `old` by `new`.
    pub fn insert(&mut self, old: Value, new: Value) {
        let new = self.resolve(new);
        if new == old {
            return;
        }
        if self.many.is_empty() {
            self.few.insert(old, new);
            if self.few.len() >= MANY {
                std::mem::take(&mut self.few).into_iter().for_each(|(old, new)| self.insert_many(old, new));
            }
        } else {
            self.insert_many(old, new);
        }
    }

    fn insert_many(&mut self, old: Value, new: Value) {
        while self.many.len() <= usize::from(old) {
            self.many.push(self.many.next_key());
        }
        self.many[old] = new;
    }

    /// Replaces each value of `old` by the one at the same place in `new`.
    pub fn extend(&mut self, old: impl IntoIterator<Item = Value>, new: impl IntoIterator<Item = Value>) {
        for (old, new) in old.into_iter().zip(new) {
            self.insert(old, new);
        }
    }

    /// The replacement of a value: itself if it is not replaced.
    pub fn resolve(&self, mut value: Value) -> Value {
        if self.many.is_empty() {
            while let Some(new) = self.few.get(&value) {
                value = *new;
            }
            return value;
        }
        while let Some(new) = self.many.get(value)
            && *new != value
        {
            value = *new;
        }
        value
    }

    /// Replaces the operands of an operation; those of nested regions are left.
    pub fn apply(&self, op: &mut Op) {
        if !self.is_empty() {
            op.for_each_operand_mut(|value| *value = self.resolve(*value));
        }
    }

    /// Replaces the operands of instructions and of all that is nested in them.
    pub fn apply_nested(&self, function: &mut Function, insts: &[InstId]) {
        if self.is_empty() {
            return;
        }
        for id in insts {
            self.apply(&mut function.inst_mut(*id).op);
            let mut nested = Vec::new();
            for region in function.inst(*id).op.regions() {
                function.walk(region, |id, _| nested.push(id));
            }
            for id in nested {
                self.apply(&mut function.inst_mut(id).op);
            }
        }
    }
}
