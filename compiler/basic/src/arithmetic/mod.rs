//! Arithmetic on constants, as a target computes it: integers modulo the width of their type, floating numbers of
//! IEEE 754 rounded to nearest even. Semantic analysis and the folding of the IR evaluate with it; each decides
//! which of its operations have a value.

mod float;
mod integer;
#[cfg(test)]
mod tests;

pub use float::Float;
pub use integer::Integer;

use std::cmp::Ordering;

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Relation {
    /// Whether it holds between numbers of that order; `None` is unordered, as a NaN is with everything.
    pub fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Relation::Equal => order == Some(Ordering::Equal),
            Relation::NotEqual => order != Some(Ordering::Equal),
            Relation::Less => order == Some(Ordering::Less),
            Relation::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Relation::Greater => order == Some(Ordering::Greater),
            Relation::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// Lane `index` of the bits of a vector taken as one of lanes of `to` bits; lane 0 is the low bits. The lanes given have
/// `from` bits; one of the two widths is a multiple of the other. `None` past the end.
pub fn reinterpreted_lane(lanes: &[u64], from: u32, to: u32, index: u32) -> Option<u64> {
    let source = |lane: u32| lanes.get(usize::try_from(lane).ok()?).map(|bits| Integer::unsigned(from).wrap(*bits));
    if from == 0 || to == 0 {
        return None;
    }
    if from >= to {
        let at = index.checked_mul(to)?;
        return Some(Integer::unsigned(to).wrap(source(at / from)? >> (at % from)));
    }
    let parts = to / from;
    (0..parts).try_fold(0, |bits, part| {
        let lane = index.checked_mul(parts)?.checked_add(part)?;
        Some(bits | source(lane)? << (part * from))
    })
}
