//! The turns of commands with the memory objects that they use.

use super::object::{Contents, Memory};
use super::turns::{Turn, Turns};
use crate::device::Device;
use crate::handle::{Object, Ref};
use std::ptr;

impl Memory {
    /// The turns with what has the object's bytes; none in a context of one device.
    fn turns(&self) -> Option<&Turns> {
        if !self.has_several_devices() {
            return None;
        }
        match &self.contents {
            Contents::Buffer(copies) | Contents::Pipe(_, copies) => Some(copies.turns()),
            Contents::Image(_, copies) | Contents::Level(_, copies, _) => Some(copies.turns()),
            Contents::Part(of, _)
            | Contents::BufferImage(_, of)
            | Contents::View(_, of, _)
            | Contents::Alias(_, of) => of.turns(),
        }
    }

    /// A further turn of a device with the object, or one that ends before anything else is waited for.
    pub(super) fn turn(&self, device: &Object<Device>) -> Option<Turn<'_>> {
        Some(self.turns()?.take(device))
    }

    /// The first turns of a thread, with all objects that a command uses, until it is recorded on a device. The objects are of one
    /// context.
    pub fn turns_with<'m>(
        objects: impl IntoIterator<Item = &'m Ref<Memory>>,
        device: &Object<Device>,
    ) -> Vec<Turn<'m>> {
        let mut objects = objects.into_iter().peekable();
        if !objects.peek().is_some_and(|first| first.has_several_devices()) {
            return Vec::new();
        }
        let mut turns: Vec<&Turns> = objects.filter_map(|object| object.turns()).collect();
        turns.sort_unstable_by_key(|turns| ptr::from_ref(*turns).addr());
        turns.dedup_by(|one, other| ptr::eq(*one, *other));
        turns.into_iter().map(|turns| turns.take_by(device.handle(), true)).collect()
    }
}
