//! Generic pointers whose address space is only known at run time.
//!
//! Such a pointer is a 64-bit integer. Its top two bits are the tag:
//!
//! | bits 63, 62 | pointer |
//! |---|---|
//! | 00, 11 | a device address: they are canonical, so that the bits above the 57 (or fewer) significant ones are all equal; or the number of a buffer and a byte offset in it |
//! | 01 | a byte offset in the local pool in the low 32 bits |
//! | 10 | a byte offset in the private pool in the low 32 bits |
//!
//! Null is 0 in every representation. An object whose address becomes generic is pooled, since the cast makes it
//! escape. Accesses branch on the tag; a pool that the function does not have needs no branch. Integers that are
//! converted from pointers have the same bits.

use super::access::{Offset, Place};
use super::candidates::{MAX_STEPS, only_private};
use super::{Legalization, Results, result};
use crate::address_format::Address;
use clforge_ir::rewrite::Rewriter;
use clforge_ir::*;
use smallvec::SmallVec;

pub(super) const LOCAL: i64 = 1;
pub(super) const PRIVATE: i64 = 2;

pub(super) fn tag_of(space: Space) -> Option<i64> {
    match space {
        Space::Local => Some(LOCAL),
        Space::Private => Some(PRIVATE),
        _ => None,
    }
}

/// The low and the high word of a pointer.
fn words(b: &mut Builder<'_>, pointer: Value) -> (Value, Value) {
    let both = b.bitcast(pointer, Type::vector(ScalarType::I32, 2));
    (b.extract(both, 0), b.extract(both, 1))
}

/// The top two bits.
fn tag(b: &mut Builder<'_>, pointer: Value) -> Value {
    let (_, high) = words(b, pointer);
    tag_in(b, high)
}

/// Those of the high word.
fn tag_in(b: &mut Builder<'_>, high: Value) -> Value {
    let thirty = b.int(Type::I32, 30);
    b.binary(BinaryOp::LShr, high, thirty)
}

fn has_tag(b: &mut Builder<'_>, tag: Value, wanted: i64) -> Value {
    let wanted = b.int(Type::I32, wanted);
    b.compare(CompareOp::Eq, tag, wanted)
}

/// Whether a value says whether a pointer has a certain tag.
pub(in crate::legalize::vulkan) fn is_tag_test(function: &Function, value: Value) -> bool {
    let Some(Op::Compare { op: CompareOp::Eq, lhs: tag, rhs: wanted }) = function.op(value) else { return false };
    let Some(Op::Binary { op: BinaryOp::LShr, lhs: high, rhs: count }) = function.op(*tag) else { return false };
    let Some(Op::Extract { vector: words, lane: 1 }) = function.op(*high) else { return false };
    let is_pointer = match function.op(*words) {
        Some(Op::Convert { op: ConvertOp::Bitcast, operand }) => function.ty(*operand) == Type::I64,
        _ => false,
    };
    let is = |value: Value, number: i64| function.as_int(value) == Some(number.cast_unsigned());
    is_pointer && is(*count, 30) && (is(*wanted, LOCAL) || is(*wanted, PRIVATE))
}

/// Most additions to a pointer that are followed back.
const MOST_ADDITIONS: usize = 64;

/// What a pointer's offset is added to, before the additions: as long as it points into the object, or behind its end, its tag is
/// that one's, which is known earlier.
fn base(function: &Function, pointer: Value) -> Value {
    let bases = std::iter::successors(Some(pointer), |pointer| match function.op(*pointer) {
        Some(Op::PtrAdd { base, .. }) => Some(*base),
        _ => None,
    });
    bases.take(MOST_ADDITIONS).last().unwrap_or(pointer)
}

/// Emits an access at a place; it returns as many values as there are result types.
pub(super) type AccessFn<'a> = dyn FnMut(&mut Builder<'_>, Place) -> Result<Vec<Value>, Error> + 'a;

impl Legalization<'_> {
    /// A cast between address spaces; a checked one is null where the space is another.
    pub(super) fn pointer_cast(
        &mut self,
        r: &mut Rewriter<'_>,
        from: Value,
        to: Option<Value>,
        checked: bool,
    ) -> Results {
        let source = r.old.ty(from).space();
        let target = to.and_then(|to| r.old.ty(to).space());
        let pointer = r.one(from, self)?;
        let addresses = self.plan.addresses;
        let b = &mut r.b;
        let (Some(source), Some(target)) = (source, target) else {
            return Err(Error::internal("a cast that is not between pointers"));
        };
        let is_address = |space: Space| matches!(space, Space::Global | Space::Constant);
        let value = match (source, target) {
            _ if source == target || is_address(source) && is_address(target) => pointer,
            (Space::Generic, _) => {
                let null = addresses.null(b, Space::Generic);
                let kept = if checked {
                    let tag = tag(b, pointer);
                    let matches = match tag_of(target) {
                        Some(wanted) => has_tag(b, tag, wanted),
                        None => {
                            let (local, private) = (has_tag(b, tag, LOCAL), has_tag(b, tag, PRIVATE));
                            let pool = b.binary(BinaryOp::Or, local, private);
                            b.unary(UnaryOp::Not, pool)
                        }
                    };
                    b.select(matches, pointer, null)
                } else {
                    pointer
                };
                addresses.loaded(b, kept, target)
            }
            (_, Space::Generic) => match tag_of(source) {
                Some(tag) => tagged(b, pointer, tag),
                None => addresses.stored(b, pointer),
            },
            // The specification leaves it undefined: no object is in two spaces.
            _ => addresses.null(b, target),
        };
        result(value)
    }

    /// Emits an access in a branch for each space that a generic pointer may point to; the results are of these types.
    pub(super) fn by_tag(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        types: &[Type],
        access: &mut AccessFn<'_>,
    ) -> Result<Vec<Value>, Error> {
        let pointer = r.one(ptr, self)?;
        let first = base(r.old, ptr);
        let (low, _) = words(&mut r.b, pointer);
        let (within_local, within_private) =
            (Offset { dynamic: Some(low), constant: 0 }, self.private_offset(r, ptr, first)?);
        let mut places = Vec::new();
        let pool = self.pool();
        if pool.has_local() {
            places.push((Choice::Tag(LOCAL), Place::Words { words: pool.local, offset: within_local }));
        }
        if pool.has_private() {
            let offset = within_private.unwrap_or(within_local);
            places.push((Choice::Tag(PRIVATE), Place::Words { words: pool.private, offset }));
        }
        let nowhere = self.nowhere(r);
        if self.is_logical() {
            places.extend(self.buffers(r.old, ptr, low)?);
        } else {
            let address = Place::Address(Address::new(pointer));
            // Of all that are left; it is the last one.
            places.push((Choice::Buffer(0), address));
        }
        if places.len() < 2 {
            return branches(&mut r.b, low, &places, nowhere, types, access);
        }
        let base = r.one(first, self)?;
        let (_, high) = words(&mut r.b, base);
        branches(&mut r.b, high, &places, nowhere, types, access)
    }

    /// The offset in the private pool of a pointer that is made of `base` by additions, if it points there and only one object is
    /// possible: a sum that begins with a constant. Drivers keep an array in registers where all its indices are constant in the
    /// end, and otherwise choose among all elements in each access (NVIDIA 580.159).
    fn private_offset(&mut self, r: &mut Rewriter<'_>, ptr: Value, base: Value) -> Result<Option<Offset>, Error> {
        let Some((object, displacement)) = only_private(r.old, base) else { return Ok(None) };
        let mut offset = Offset { dynamic: Some(r.one(object, self)?), constant: displacement };
        let mut pointer = ptr;
        let mut terms: SmallVec<[_; 4]> = SmallVec::new();
        while let Some(Op::PtrAdd { base: next, index, stride, displacement }) = r.old.op(pointer) {
            // All of them are added for each access.
            if terms.len() == MAX_STEPS {
                return Ok(None);
            }
            terms.push((index, stride, displacement));
            pointer = *next;
        }
        for (index, stride, displacement) in terms {
            let index = index.map(|index| r.one(index, self)).transpose()?;
            let scaled = index.map(|index| {
                let index = r.b.resize(index, ScalarType::I32, true);
                let stride = r.b.int(Type::I32, *stride);
                r.b.binary(BinaryOp::Mul, index, stride)
            });
            if let (Some(sum), Some(scaled)) = (offset.dynamic, scaled) {
                offset.dynamic = Some(r.b.binary(BinaryOp::Add, sum, scaled));
            }
            offset.constant = offset.constant.wrapping_add(*displacement);
        }
        Ok(Some(offset))
    }
}

/// A pool offset as a generic pointer.
fn tagged(b: &mut Builder<'_>, offset: Value, tag: i64) -> Value {
    let zero = b.int(Type::I32, 0);
    let tag = b.int(Type::I32, tag << 30);
    let is_null = b.compare(CompareOp::Eq, offset, zero);
    let high = b.select(is_null, zero, tag);
    let both = b.construct(&[offset, high]);
    b.bitcast(both, Type::I64)
}

/// A pointer as an integer: the bits of the generic pointer, so that the conversion back is valid.
pub(super) fn integer(b: &mut Builder<'_>, pointer: Value, space: Option<Space>) -> Value {
    match space.and_then(tag_of) {
        Some(tag) => tagged(b, pointer, tag),
        None => pointer,
    }
}

/// What tells that a pointer points to a place: the tag in its high word, or all of that word.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    Tag(i64),
    Buffer(i64),
}

/// Emits an access in a branch for each place that the high word of a pointer may tell. The last one is not asked for; without
/// any it is an access to `nowhere`.
pub(super) fn branches(
    b: &mut Builder<'_>,
    high: Value,
    places: &[(Choice, Place)],
    nowhere: Place,
    types: &[Type],
    access: &mut AccessFn<'_>,
) -> Result<Vec<Value>, Error> {
    let ((choice, place), rest) = match places {
        [] => return access(b, nowhere),
        [(_, only)] => return access(b, *only),
        [first, rest @ ..] => (first, rest),
    };
    let condition = match *choice {
        Choice::Tag(wanted) => {
            let tag = tag_in(b, high);
            has_tag(b, tag, wanted)
        }
        Choice::Buffer(number) => {
            let number = b.int(Type::I32, number);
            b.compare(CompareOp::Eq, high, number)
        }
    };
    let (then, otherwise) = (b.function.new_region(), b.function.new_region());
    b.enter(then);
    let values = access(b, *place);
    let values = values.map(|values| b.effect(Op::Yield(values.into())));
    b.leave();
    values?;
    b.enter(otherwise);
    let values = branches(b, high, rest, nowhere, types, access);
    let values = values.map(|values| b.effect(Op::Yield(values.into())));
    b.leave();
    values?;
    Ok(b.push(Op::If { condition, then, otherwise }, types).to_vec())
}
