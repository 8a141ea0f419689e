//! Which of a buffer and the images over it has what was written last, for commands that use either: see `views.rs`.
//!
//! Before a command [`Memory::bring_up`] copies; [`Memory::note_written`] and [`Memory::note_texels_written`] remember what it
//! writes. Buffers that are also reached in ways that the driver does not see (shared virtual memory, device addresses, memory
//! of other interfaces) count as written before each use of their images, and are written right after each kernel that writes
//! these ([`Memory::write_back`]).
//!
//! What is recorded and remembered for one command is so in its turn with the buffer (`turns.rs`).

use super::object::{Contents, Memory};
use super::views::View;
use crate::device::Device;
use crate::error::Result;
use crate::handle::Object;
use clforge_runtime as runtime;
use std::ops::Range;
use std::sync::Arc;

impl Memory {
    /// The whole buffer that the object's bytes are in, and which of its bytes they are; none of an image with texels elsewhere.
    fn in_buffer(&self) -> Option<(&Memory, Range<usize>)> {
        match &self.contents {
            Contents::Buffer(_) => Some((self, 0..self.size)),
            Contents::Part(parent, origin) => Some((parent, *origin..origin + self.size)),
            Contents::View(_, buffer, view) => Some((buffer.in_buffer()?.0, view.range())),
            Contents::BufferImage(_, buffer) => {
                let (whole, range) = buffer.in_buffer()?;
                Some((whole, range.start..range.start + self.size))
            }
            Contents::Image(..) | Contents::Level(..) | Contents::Alias(..) | Contents::Pipe(..) => None,
        }
    }

    /// Whether there are images over the buffer that it is or is made of, which have texels of their own.
    pub fn has_views(&self) -> bool {
        self.in_buffer().is_some_and(|(whole, _)| whole.views.any())
    }

    /// Records what gives a command on a queue the current contents: of the image if it is one over a buffer and `as_image`, else
    /// of the buffer.
    ///
    /// # Errors
    /// Those of the device.
    pub fn bring_up(&self, device: &Object<Device>, queue: &runtime::Queue, as_image: bool) -> Result<()> {
        let Some((whole, range)) = self.in_buffer().filter(|(whole, _)| whole.views.any()) else { return Ok(()) };
        // No other device takes the buffer's contents before they are complete.
        let _turn = whole.turn(device);
        let buffer = whole.buffer_on(device)?;
        let Some(view) = self.view().filter(|_| as_image) else {
            return whole.views.write_back(device, queue, &buffer, &range, None);
        };
        whole.views.write_back(device, queue, &buffer, &range, Some(view))?;
        whole.views.renew(device, queue, &buffer, view, whole.is_reached_otherwise())
    }

    /// A command that was given the current contents writes the object.
    pub fn note_written(&self) {
        let Some((whole, range)) = self.in_buffer().filter(|(whole, _)| whole.views.any()) else { return };
        whole.views.buffer_written(&range);
    }

    /// What it writes are the texels of an image over a buffer. Of all objects that a command writes, this follows
    /// [`Memory::note_written`]: images may lie between each other's rows.
    ///
    /// # Errors
    /// None but those of the driver itself.
    pub fn note_texels_written(&self) -> Result<()> {
        let (Some((whole, _)), Some(view)) = (self.in_buffer(), self.view()) else { return Ok(()) };
        whole.views.image_written(view)
    }

    /// Records, behind a command that has written the texels of an image over a buffer, a copy to the buffer if that is used
    /// without the driver's knowledge.
    ///
    /// # Errors
    /// Those of the device.
    pub fn write_back(&self, device: &Object<Device>, queue: &runtime::Queue) -> Result<Option<runtime::Event>> {
        let (Some((whole, range)), Some(view)) = (self.in_buffer(), self.view()) else { return Ok(None) };
        if !whole.is_reached_otherwise() {
            return Ok(None);
        }
        whole.views.write_back(device, queue, &whole.buffer_on(device)?, &range, None)?;
        whole.views.copied(view)
    }

    /// The buffer on a device for a command that reads it.
    ///
    /// # Errors
    /// As for [`Memory::buffer_on`].
    pub fn read_on(&self, device: &Object<Device>, queue: &runtime::Queue) -> Result<runtime::Buffer> {
        self.bring_up(device, queue, false)?;
        self.buffer_on(device)
    }

    /// The buffer on a device for a command that writes it, which has a turn with it (`turns.rs`).
    ///
    /// # Errors
    /// As for [`Memory::buffer_on`].
    pub fn write_on(&self, device: &Object<Device>, queue: &runtime::Queue) -> Result<runtime::Buffer> {
        let buffer = self.read_on(device, queue)?;
        self.note_written();
        Ok(buffer)
    }

    /// The texels of its own, of an image over a buffer.
    fn view(&self) -> Option<&Arc<View>> {
        if let Contents::View(_, _, view) = &self.contents { Some(view) } else { None }
    }

    /// Lets the whole buffer know of a new image over it.
    pub(super) fn add_view(&self) {
        if let (Some((whole, _)), Some(view)) = (self.in_buffer(), self.view()) {
            whole.views.add(view);
        }
    }

    /// The place of a buffer's first byte in the whole buffer.
    pub(super) fn first_byte(&self) -> usize {
        self.in_buffer().map_or(0, |(_, range)| range.start)
    }

    /// Forgets the texels of an image over a buffer that is destroyed.
    pub(super) fn forget_view(&self) {
        if let (Some((whole, _)), Some(view)) = (self.in_buffer(), self.view()) {
            whole.views.remove(view);
        }
    }
}
