//! Reductions and scans of a sub-group, computed by a loop over its work-items: for types that no device's instruction
//! knows, since they are emulated.

use clforge_ir::*;

/// A reduction or scan.
#[derive(Clone, Copy)]
pub struct GroupLoop {
    /// Which work-items a work-item's result is of.
    pub extent: GroupExtent,
    /// The number of work-items of a cluster, a constant power of two; `None` for the whole sub-group.
    pub cluster_size: Option<Value>,
    /// Whether all work-items of the sub-group compute it.
    pub uniform: bool,
    /// The sub-group's size, and the number of this work-item in it.
    pub size: Value,
    pub id: Value,
}

/// Combines the accumulated value with that of one more work-item, each in its parts.
pub type Combine<'c> = &'c mut dyn FnMut(&mut Builder<'_>, &[Value], &[Value]) -> Result<Vec<Value>, Error>;

impl GroupLoop {
    /// The parts of the result. `identity` is what a work-item begins with; those that are not active are left out.
    ///
    /// # Errors
    /// Those of `combine`.
    pub fn build(
        self,
        b: &mut Builder<'_>,
        parts: &[Value],
        identity: &[Value],
        combine: Combine<'_>,
    ) -> Result<Vec<Value>, Error> {
        let types: Vec<Type> = parts.iter().map(|part| b.ty(*part)).collect();
        let group = |op| Op::Group { op, scope: Scope::SubGroup, uniform: self.uniform };
        let all = b.int(Type::BOOL, 1);
        let ballot = b.push(group(GroupOp::Ballot { predicate: all }), &[Type::vector(ScalarType::I32, 4)])[0];
        let zero = b.int(Type::I32, 0);
        let body = b.function.new_region();
        let other = b.function.add_region_param(body, Type::I32);
        let known: Vec<Value> = types.iter().map(|ty| b.function.add_region_param(body, *ty)).collect();
        b.enter(body);
        let values: Vec<Value> = parts
            .iter()
            .map(|value| b.push(group(GroupOp::Shuffle { value: *value, id: other }), &[b.ty(*value)])[0])
            .collect();
        let active = b.push(group(GroupOp::BallotBitExtract { ballot, id: other }), &[Type::BOOL])[0];
        let wanted = self.includes(b, other);
        let wanted = b.binary(BinaryOp::And, active, wanted);
        let combined = combine(b, &known, &values)?;
        let next: Vec<Value> = combined.iter().zip(&known).map(|(new, old)| b.select(wanted, *new, *old)).collect();
        let following = b.binary_int(BinaryOp::Add, other, 1);
        let again = b.compare(CompareOp::ULt, following, self.size);
        let passed = [following, again].into_iter().chain(next);
        b.effect(Op::Continue(passed.collect()));
        b.leave();
        let continuing = b.function.new_region();
        let following = b.function.add_region_param(continuing, Type::I32);
        let again = b.function.add_region_param(continuing, Type::BOOL);
        let results: Vec<Value> = types.iter().map(|ty| b.function.add_region_param(continuing, *ty)).collect();
        b.enter(continuing);
        let next = std::iter::once(following).chain(results.iter().copied()).collect();
        b.effect(Op::NextIf { condition: again, next, results: results.into_iter().collect() });
        b.leave();
        let inits = std::iter::once(zero).chain(identity.iter().copied()).collect();
        Ok(b.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &types).to_vec())
    }

    /// Whether the value of another work-item is part of this one's result.
    fn includes(self, b: &mut Builder<'_>, other: Value) -> Value {
        if let Some(size) = self.cluster_size {
            let clusters = b.binary(BinaryOp::Xor, other, self.id);
            return b.compare(CompareOp::ULt, clusters, size);
        }
        match self.extent {
            GroupExtent::Reduce => b.int(Type::BOOL, 1),
            GroupExtent::Inclusive => b.compare(CompareOp::ULe, other, self.id),
            GroupExtent::Exclusive => b.compare(CompareOp::ULt, other, self.id),
        }
    }
}
