//! The history of writes to memory along the region tree. It answers whether the value of an earlier access is still in
//! its place.

use crate::analysis::Place;
use clforge_basic::narrow::to_u32;

/// Memory that a write can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Private,
    Local,
    Global,
    /// Any of them.
    Any,
    /// Nothing writes it.
    Constant,
}

const KINDS: [Memory; 3] = [Memory::Private, Memory::Local, Memory::Global];

impl Memory {
    /// Whether it is this one of [`KINDS`], or may be.
    fn may_be(self, kind: Memory) -> bool {
        self == kind || self == Memory::Any
    }
}

/// Which of [`KINDS`] are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Writes([bool; 3]);

impl Writes {
    pub fn add(&mut self, memory: Memory) {
        for (written, kind) in self.0.iter_mut().zip(KINDS) {
            *written |= memory.may_be(kind);
        }
    }

    pub fn merge(&mut self, other: Writes) {
        for (written, other) in self.0.iter_mut().zip(other.0) {
            *written |= other;
        }
    }
}

/// How often each of [`KINDS`] had been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State([u32; 3]);

/// Most writes after an access that are compared with it, so that the time of a pass is bounded.
const MOST_COMPARED: usize = 256;

/// The writes to each of [`KINDS`], in order, with their places where these are known.
#[derive(Default)]
pub struct History([Vec<Option<Place>>; 3]);

impl History {
    /// What a read of some memory depends on.
    pub fn state(&self, memory: Memory) -> State {
        let mut state = State::default();
        for ((count, writes), kind) in state.0.iter_mut().zip(&self.0).zip(KINDS) {
            if memory.may_be(kind) {
                *count = to_u32(writes.len());
            }
        }
        state
    }

    /// One more write, to a place if it is known.
    pub fn write(&mut self, writes: Writes, place: Option<Place>) {
        for (list, written) in self.0.iter_mut().zip(writes.0) {
            if written {
                list.push(place);
            }
        }
    }

    /// Forgets the writes after a state of all memory: those on another branch.
    pub fn return_to(&mut self, state: State) {
        for (list, count) in self.0.iter_mut().zip(state.0) {
            list.truncate(count as usize);
        }
    }

    /// Whether it is known that nothing has written a place since then.
    pub fn is_unchanged(&self, since: State, memory: Memory, place: Option<&Place>) -> bool {
        self.0.iter().zip(since.0).zip(KINDS).filter(|(_, kind)| memory.may_be(*kind)).all(|((list, count), _)| {
            let later = list.get(count as usize..).unwrap_or_default();
            let is_apart = |write: &Option<Place>| match (write, place) {
                (Some(write), Some(place)) => write.is_apart_from(place),
                _ => false,
            };
            later.len() <= MOST_COMPARED && later.iter().rev().all(is_apart)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Function, Space, Type};

    /// The places of so many neighbouring words.
    fn words(count: usize) -> Vec<Place> {
        let mut function = Function::new("f");
        let pointer = function.add_param(Type::ptr(Space::Global));
        let mut b = Builder::new(&mut function);
        let value = b.int(Type::I32, 1);
        for distance in (0..).step_by(4).take(count) {
            let address = b.offset(pointer, distance);
            b.store(address, value, 4);
        }
        let body = function.region(function.body);
        body.insts.iter().filter_map(|id| Place::of(&function, *id)).collect()
    }

    fn writes(memory: Memory) -> Writes {
        let mut writes = Writes::default();
        writes.add(memory);
        writes
    }

    #[test]
    fn so_many_writes_are_compared() {
        let places = words(MOST_COMPARED + 2);
        let mut history = History::default();
        let before = history.state(Memory::Global);
        for place in &places[1..=MOST_COMPARED] {
            history.write(writes(Memory::Global), Some(*place));
        }
        assert!(history.is_unchanged(before, Memory::Global, Some(&places[0])));
        assert!(!history.is_unchanged(before, Memory::Global, Some(&places[MOST_COMPARED])), "it is written");
        assert!(!history.is_unchanged(before, Memory::Global, None), "it may be any of them");
        assert!(history.is_unchanged(before, Memory::Local, None), "other memory");
        history.write(writes(Memory::Global), Some(places[MOST_COMPARED + 1]));
        assert!(!history.is_unchanged(before, Memory::Global, Some(&places[0])), "one more than are compared");
    }

    #[test]
    fn a_branch_does_not_see_the_other_one() {
        let places = words(1);
        let mut history = History::default();
        let before = history.state(Memory::Any);
        history.write(writes(Memory::Any), None);
        assert!(!history.is_unchanged(before, Memory::Any, Some(&places[0])));
        history.return_to(before);
        assert!(history.is_unchanged(before, Memory::Any, Some(&places[0])));
    }
}
