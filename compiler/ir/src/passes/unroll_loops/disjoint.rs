//! Tells whether a load of a loop, moved in front of the stores of earlier iterations, still loads the same: for loops that
//! change an array in place.
//!
//! An address is a sum of products of values with constants. Two accesses whose sums have the same values differ by a constant,
//! and by so many steps of the counter as iterations are between them. One of the values may be an index of 32 bits that is
//! extended, which is such a sum itself: where two of these differ in 32 bits, they differ by as much, or by so much less
//! 2^32, after the extension.

use super::counted::{Counter, MAX_STEP, Step, Strides};
use super::*;
use std::collections::BTreeMap;

/// Operations that are followed from an address.
const MAX_OPERATIONS: usize = 48;
/// Stores that each load is compared with, at most: a loop with more is too large for a group.
const MAX_STORES: usize = 32;
/// The iterations between two accesses of a group, at most.
const MAX_DISTANCE: i128 = FACTORS[0] as i128 - 1;

/// The stores of a loop to global memory.
pub(super) struct Stores {
    /// Of each, the place among the loop's instructions, its address and its bytes.
    list: Vec<(usize, Address, i128)>,
}

impl Stores {
    /// The stores; `None` if the address of one is not such a sum, or there are more than [`MAX_STORES`].
    pub(super) fn of(function: &Function, shape: &LoopShape, strides: &Strides, counter: &Counter) -> Option<Stores> {
        let mut list = Vec::new();
        let mut all = Some(());
        let mut add = |place: usize, inst: &Inst| {
            if let Op::Store { ptr, value, .. } = &inst.op
                && function.ty(*ptr).space().is_none()
            {
                if list.len() == MAX_STORES {
                    all = None;
                }
                if all.is_none() {
                    return;
                }
                let address = Address::of(function, shape, strides, counter, *ptr);
                let bytes = function.ty(*value).access_size();
                all = all.and(address.map(|address| list.push((place, address, bytes.into()))));
            }
        };
        for (place, id) in shape.insts.iter().enumerate() {
            add(place, function.inst(*id));
            for nested in function.inst(*id).op.regions() {
                function.walk(nested, |_, inst| add(place, inst));
            }
        }
        function.walk(shape.continuing, |_, inst| add(usize::MAX, inst));
        function.walk(shape.exit_branch, |_, inst| add(usize::MAX, inst));
        all.map(|()| Stores { list })
    }

    /// Whether a load, the instruction of the loop at a place, may be moved in front of the stores before it, those of as many
    /// iterations as a group has.
    pub(super) fn let_pass(
        &self,
        function: &Function,
        shape: &LoopShape,
        strides: &Strides,
        counter: &Counter,
        place: usize,
    ) -> bool {
        let inst = function.inst(shape.insts[place]);
        let (Op::Load { ptr, volatile: false, .. }, [result]) = (&inst.op, &inst.results[..]) else { return false };
        let Some(load) = Address::of(function, shape, strides, counter, *ptr) else { return false };
        let bytes = i128::from(function.ty(*result).access_size());
        self.list.iter().all(|(stored_at, store, stored)| {
            let least = if *stored_at < place { 0 } else { 1 };
            (least..=MAX_DISTANCE).all(|distance| load.is_apart(store, &counter.step, distance, bytes, *stored))
        })
    }
}

/// A sum of products of values with constants, in the width of its type.
#[derive(Clone, Default, PartialEq, Eq)]
struct Sum {
    terms: BTreeMap<Value, u64>,
    constant: u64,
    /// What the counter is multiplied by.
    counter: u64,
}

/// An address: a sum, and an extended one with its factor.
struct Address {
    sum: Sum,
    index: Option<(ConvertOp, u64, Sum)>,
}

impl Address {
    fn of(
        function: &Function,
        shape: &LoopShape,
        strides: &Strides,
        counter: &Counter,
        address: Value,
    ) -> Option<Address> {
        if function.ty(address) != Type::I64 {
            return None;
        }
        let mut left = MAX_OPERATIONS;
        let mut sum = Sum::default();
        sum.add(function, counter, address, 1, &mut left)?;
        let varies = |value: &Value| shape.inside.contains(value) && strides.get(*value) != Some(0);
        let varying: Vec<Value> = sum.terms.keys().copied().filter(varies).collect();
        let index = match varying[..] {
            [] => None,
            [value] => {
                let Some(Op::Convert { op: op @ (ConvertOp::SExt | ConvertOp::ZExt), operand }) = function.op(value)
                else {
                    return None;
                };
                let mut index = Sum::default();
                if function.ty(*operand) != Type::I32 {
                    return None;
                }
                index.add(function, counter, *operand, 1, &mut left)?;
                if index.terms.keys().any(varies) {
                    return None;
                }
                index.wrap(u32::MAX.into());
                Some((*op, sum.terms.remove(&value)?, index))
            }
            _ => return None,
        };
        sum.wrap(u64::MAX);
        Some(Address { sum, index })
    }

    /// Whether an access of so many bytes is apart from another one so many iterations earlier.
    fn is_apart(&self, earlier: &Address, step: &Step, distance: i128, bytes: i128, earlier_bytes: i128) -> bool {
        // What the counter has grown by.
        let (least, most) = match step {
            Step::Constant(step) => (i128::from(*step) * distance, i128::from(*step) * distance),
            Step::Invariant(..) => (distance, i128::from(MAX_STEP) * distance),
        };
        if self.sum.terms != earlier.sum.terms || self.sum.counter != earlier.sum.counter {
            return false;
        }
        let constant = signed(self.sum.constant.wrapping_sub(earlier.sum.constant), 64);
        let grown = |sum: &Sum, bits: u32| {
            let factor = signed(sum.counter, bits);
            (factor * least, factor * most)
        };
        // The range of the differences that there may be, none of which may be of less than the bytes.
        let (from, to) = match (&self.index, &earlier.index) {
            (None, None) => grown(&self.sum, 64),
            (Some((op, factor, index)), Some((other_op, other_factor, other))) => {
                let same = op == other_op && factor == other_factor && index.terms == other.terms;
                if !same || index.counter != other.counter || self.sum.counter != 0 {
                    return false;
                }
                let more = signed(index.constant.wrapping_sub(other.constant) & u64::from(u32::MAX), 32);
                let (from, to) = grown(index, 32);
                let (from, to) = ((more + from).min(more + to), (more + from).max(more + to));
                // In 32 bits it is neither zero nor wraps to it, so that 2^32 more or less is farther away.
                let half = 1_i128 << 31;
                if from <= 0 && to >= 0 || from <= -half || to >= half {
                    return from == 0 && to == 0 && is_outside(constant, constant, bytes, earlier_bytes);
                }
                let factor = signed(*factor, 64);
                let nearest = |difference: i128| {
                    [difference, difference - 2 * half, difference + 2 * half].map(|difference| difference * factor)
                };
                let ends: Vec<i128> = nearest(from).into_iter().chain(nearest(to)).collect();
                let pairs = [(ends[0], ends[3]), (ends[1], ends[4]), (ends[2], ends[5])];
                return pairs.into_iter().all(|(a, b)| {
                    let fits = a.abs().max(b.abs()) < 1 << 62;
                    fits && is_outside(a.min(b) + constant, a.max(b) + constant, bytes, earlier_bytes)
                });
            }
            _ => return false,
        };
        let (from, to) = (from.min(to) + constant, from.max(to) + constant);
        from.abs().max(to.abs()) < 1 << 62 && is_outside(from, to, bytes, earlier_bytes)
    }
}

/// Whether accesses whose addresses differ by a value of a range do not overlap.
fn is_outside(from: i128, to: i128, bytes: i128, earlier_bytes: i128) -> bool {
    from >= earlier_bytes || to <= -bytes
}

/// The lowest bits of a number, as a signed one.
fn signed(value: u64, bits: u32) -> i128 {
    let unused = 64 - bits;
    i128::from((value << unused).cast_signed() >> unused)
}

impl Sum {
    /// Adds a value times a factor; `None` if there are too many operations.
    fn add(
        &mut self,
        function: &Function,
        counter: &Counter,
        value: Value,
        factor: u64,
        left: &mut usize,
    ) -> Option<()> {
        use BinaryOp::*;
        *left = left.checked_sub(1)?;
        if let Some(constant) = function.as_int(value) {
            self.constant = self.constant.wrapping_add(constant.wrapping_mul(factor));
            return Some(());
        }
        if value == counter.param {
            self.counter = self.counter.wrapping_add(factor);
            return Some(());
        }
        match function.op(value) {
            Some(Op::Binary { op: Add, lhs, rhs }) => {
                self.add(function, counter, *lhs, factor, left)?;
                self.add(function, counter, *rhs, factor, left)
            }
            Some(Op::Binary { op: Sub, lhs, rhs }) => {
                self.add(function, counter, *lhs, factor, left)?;
                self.add(function, counter, *rhs, factor.wrapping_neg(), left)
            }
            Some(Op::Binary { op: Mul, lhs, rhs }) if function.as_int(*rhs).is_some() => {
                self.add(function, counter, *lhs, factor.wrapping_mul(function.as_int(*rhs)?), left)
            }
            Some(Op::Binary { op: Shl, lhs, rhs }) if function.as_int(*rhs).is_some_and(|count| count < 32) => {
                self.add(function, counter, *lhs, factor << function.as_int(*rhs)?, left)
            }
            _ => {
                let product = self.terms.entry(value).or_default();
                *product = product.wrapping_add(factor);
                Some(())
            }
        }
    }

    /// Reduces all numbers to a width.
    fn wrap(&mut self, mask: u64) {
        self.constant &= mask;
        self.counter &= mask;
        self.terms.values_mut().for_each(|factor| *factor &= mask);
        self.terms.retain(|_, factor| *factor != 0);
    }
}
