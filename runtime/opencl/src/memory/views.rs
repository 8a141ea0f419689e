//! Images whose texels are those of a buffer (`cl_khr_image2d_from_buffer`, `cl_ext_image_from_buffer`).
//!
//! Vulkan prescribes where the texels of an image are in its memory. Such an image therefore has texels of its own on a
//! device, which kernels use; all other commands use the buffer. Before a command uses either of them it is brought up to
//! date with what commands have written to the other since: [`Memory::bring_up`] copies, [`Memory::note_written`] and
//! [`Memory::note_texels_written`] remember. Where nothing has been written since, nothing is copied.
//!
//! Buffers that are also reached in ways that the driver does not see (shared virtual memory, device addresses, memory of
//! other interfaces) count as written before each use of their images, and are written right after each kernel that writes
//! these.

use super::copies::Copies;
use super::object::{Contents, Memory};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::Object;
use crate::image::ImageShape;
use clforge_runtime::{self as runtime, ImageRegion, PitchedTexels};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An image's own texels, and where they are in the whole buffer.
pub struct View {
    shape: ImageShape,
    range: Range<usize>,
    copies: Copies<runtime::Image>,
}

/// Which of the two has what was written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Newer {
    Neither,
    Buffer,
    Image,
}

/// An image over a buffer, as the buffer knows it.
struct Entry {
    view: Arc<View>,
    newer: Newer,
    /// The last copy between the two. Queues that do not execute it wait for it.
    copied: Option<runtime::Event>,
}

/// The images over a buffer and over its parts.
#[derive(Default)]
pub struct Views {
    any: AtomicBool,
    entries: Mutex<Vec<Entry>>,
}

impl View {
    /// The texels of an image whose first one is at a byte of the whole buffer.
    pub fn new(shape: ImageShape, start: usize) -> Arc<View> {
        let make = move |device: &Object<Device>| Ok(runtime::Image::zeroed(&device.open()?, shape.description())?);
        let range = start..start.saturating_add(shape.host_bytes());
        Arc::new(View { shape, range, copies: Copies::new(Box::new(make)) })
    }

    /// The image on a device.
    ///
    /// # Errors
    /// Those of [`Copies::on`].
    pub fn on(&self, device: &Object<Device>) -> Result<runtime::Image> {
        self.copies.on(device)
    }

    fn meets(&self, range: &Range<usize>) -> bool {
        self.range.start < range.end && range.start < self.range.end
    }
}

impl Entry {
    /// Copies the texels between the image and the whole buffer, as that which is newer says.
    fn copy(&mut self, device: &Object<Device>, queue: &runtime::Queue, buffer: &runtime::Buffer) -> Result<()> {
        let (image, shape) = (self.view.on(device)?, &self.view.shape);
        let region = ImageRegion { origin: [0; 3], size: shape.description().size };
        let pitches = shape.strides(shape.pitches()).map(|pitch| pitch as u64);
        let texels = PitchedTexels { buffer, offset: self.view.range.start as u64, pitches };
        self.copied = match self.newer {
            Newer::Neither => return Ok(()),
            Newer::Buffer => Some(queue.copy_pitched_to_image(texels, &image, &region)?),
            Newer::Image => Some(queue.copy_image_to_pitched(&image, &region, texels)?),
        };
        self.newer = Newer::Neither;
        Ok(())
    }

    /// Lets a queue wait for the last copy.
    fn wait(&mut self, queue: &runtime::Queue) -> Result<()> {
        let Some(event) = self.copied.clone().filter(|event| !queue.owns(event)) else { return Ok(()) };
        if matches!(event.status(), Ok(runtime::EventStatus::Complete)) {
            self.copied = None;
            return Ok(());
        }
        Ok(match queue.wait_for(&event) {
            // Of another device, which this one cannot wait for.
            Err(runtime::Error::Launch(_)) => event.wait()?,
            waited => waited?,
        })
    }
}

impl Views {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// Adds an image, whose texels are in the buffer so far.
    pub fn add(&self, view: &Arc<View>) {
        self.lock().push(Entry { view: view.clone(), newer: Newer::Buffer, copied: None });
        self.any.store(true, Ordering::Release);
    }

    /// Forgets an image that is destroyed, unless its texels are needed: then with the next use of the buffer.
    pub fn remove(&self, view: &Arc<View>) {
        let mut entries = self.lock();
        entries.retain(|entry| !Arc::ptr_eq(&entry.view, view) || entry.newer == Newer::Image);
        self.any.store(!entries.is_empty(), Ordering::Release);
    }

    /// Copies what images have that the buffer has not, for a range of the whole buffer and but for one image.
    fn write_back(
        &self,
        device: &Object<Device>,
        queue: &runtime::Queue,
        buffer: &runtime::Buffer,
        range: &Range<usize>,
        but: Option<&Arc<View>>,
    ) -> Result<()> {
        let mut entries = self.lock();
        for entry in entries.iter_mut().filter(|entry| entry.view.meets(range)) {
            entry.wait(queue)?;
            if entry.newer == Newer::Image && but.is_none_or(|view| !Arc::ptr_eq(view, &entry.view)) {
                entry.copy(device, queue, buffer)?;
            }
        }
        // An image that was destroyed is known here alone.
        entries.retain(|entry| entry.newer == Newer::Image || Arc::strong_count(&entry.view) > 1);
        self.any.store(!entries.is_empty(), Ordering::Release);
        Ok(())
    }

    /// Does something with what is known of an image.
    fn with<T>(&self, view: &Arc<View>, act: impl FnOnce(&mut Entry) -> T) -> Result<T> {
        let mut entries = self.lock();
        let found = entries.iter_mut().find(|entry| Arc::ptr_eq(&entry.view, view));
        found.map(act).ok_or_else(|| Error::internal("a buffer does not know an image over it"))
    }
}

impl Memory {
    /// The whole buffer that the object's bytes are in, and which of its bytes they are; none of an image with texels elsewhere.
    fn in_buffer(&self) -> Option<(&Memory, Range<usize>)> {
        match &self.contents {
            Contents::Buffer(_) => Some((self, 0..self.size)),
            Contents::Part(parent, origin) => Some((parent, *origin..origin + self.size)),
            Contents::View(_, buffer, view) => Some((buffer.in_buffer()?.0, view.range.clone())),
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
        let buffer = whole.buffer_on(device)?;
        let Some(view) = self.view().filter(|_| as_image) else {
            return whole.views.write_back(device, queue, &buffer, &range, None);
        };
        whole.views.write_back(device, queue, &buffer, &range, Some(view))?;
        whole.views.with(view, |entry| {
            if whole.is_reached_otherwise() && entry.newer == Newer::Neither {
                entry.newer = Newer::Buffer;
            }
            if entry.newer == Newer::Buffer { entry.copy(device, queue, &buffer) } else { Ok(()) }
        })?
    }

    /// A command that was given the current contents writes the object.
    pub fn note_written(&self) {
        let Some((whole, range)) = self.in_buffer().filter(|(whole, _)| whole.views.any()) else { return };
        for entry in whole.views.lock().iter_mut().filter(|entry| entry.view.meets(&range)) {
            entry.newer = Newer::Buffer;
        }
    }

    /// What it writes are the texels of an image over a buffer. Of all objects that a command writes, this follows
    /// [`Memory::note_written`]: images may lie between each other's rows.
    ///
    /// # Errors
    /// None but those of the driver itself.
    pub fn note_texels_written(&self) -> Result<()> {
        let (Some((whole, _)), Some(view)) = (self.in_buffer(), self.view()) else { return Ok(()) };
        whole.views.with(view, |entry| entry.newer = Newer::Image)
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
        whole.views.with(view, |entry| entry.copied.clone())
    }

    /// The buffer on a device for a command that reads it.
    ///
    /// # Errors
    /// As for [`Memory::buffer_on`].
    pub fn read_on(&self, device: &Object<Device>, queue: &runtime::Queue) -> Result<runtime::Buffer> {
        self.bring_up(device, queue, false)?;
        self.buffer_on(device)
    }

    /// The buffer on a device for a command that writes it.
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
