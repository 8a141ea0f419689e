//! Substitution of values.

use crate::{Function, InstId, Op, Value};
use rustc_hash::FxHashMap;

/// A map from removed values to those that replace them.
#[derive(Debug, Default)]
pub struct Substitution(FxHashMap<Value, Value>);

impl Substitution {
    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces `old` by `new`.
    pub fn insert(&mut self, old: Value, new: Value) {
        let new = self.resolve(new);
        if new != old {
            self.0.insert(old, new);
        }
    }

    /// Replaces each value of `old` by the one at the same place in `new`.
    pub fn extend(&mut self, old: impl IntoIterator<Item = Value>, new: impl IntoIterator<Item = Value>) {
        for (old, new) in old.into_iter().zip(new) {
            self.insert(old, new);
        }
    }

    /// The replacement of a value: itself if it is not replaced.
    pub fn resolve(&self, mut value: Value) -> Value {
        while let Some(new) = self.0.get(&value) {
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
