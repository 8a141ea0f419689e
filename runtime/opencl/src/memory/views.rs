//! Images whose texels are those of a buffer (`cl_khr_image2d_from_buffer`, `cl_ext_image_from_buffer`).
//!
//! Vulkan prescribes where the texels of an image are in its memory. Such an image therefore has texels of its own on a
//! device, which kernels use; all other commands use the buffer. Before a command uses either of them it is brought up to
//! date with what commands have written to the other since (`current.rs`). Where nothing has been written since, nothing is
//! copied.
//!
//! Images of packed texels (`packing.rs`), which Vulkan does not have, are such images too, over a buffer that is theirs alone
//! where the client gives none. Their texels pass through the host, where they are decoded and encoded.

use super::copies::Copies;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::Object;
use crate::image::ImageShape;
use crate::packing::Packing;
use crate::region::{gather, scatter};
use clforge_runtime::{self as runtime, ImageRegion, PitchedTexels};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An image's own texels, and where they are in the whole buffer.
pub struct View {
    shape: ImageShape,
    range: Range<usize>,
    /// Whether the client does not know the buffer.
    is_hidden: bool,
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
        Arc::new(View::over(shape, start, false))
    }

    /// The texels of an image over the first bytes of a buffer that the client does not know.
    pub fn hidden(shape: ImageShape) -> Arc<View> {
        Arc::new(View::over(shape, 0, true))
    }

    fn over(shape: ImageShape, start: usize, is_hidden: bool) -> View {
        let make = move |device: &Object<Device>| {
            let image = runtime::Image::zeroed(&device.open()?, shape.description())?;
            Ok(shape.packing().map_or(image.clone(), |packing| image.with_channel_type(packing.name)))
        };
        let range = start..start.saturating_add(shape.host_bytes());
        View { shape, range, is_hidden, copies: Copies::new(Box::new(make)) }
    }

    /// Whether the client does not know the buffer.
    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// The image on a device.
    ///
    /// # Errors
    /// Those of [`Copies::on`].
    pub fn on(&self, device: &Object<Device>) -> Result<runtime::Image> {
        self.copies.on(device)
    }

    /// Its bytes in the whole buffer.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    fn meets(&self, range: &Range<usize>) -> bool {
        self.range.start < range.end && range.start < self.range.end
    }
}

impl Entry {
    /// Copies the texels between the image and the whole buffer, as that which is newer says.
    fn copy(&mut self, device: &Object<Device>, queue: &runtime::Queue, buffer: &runtime::Buffer) -> Result<()> {
        let (image, shape) = (self.view.on(device)?, &self.view.shape);
        if let Some(packing) = shape.packing() {
            return self.convert(packing, queue, buffer, &image);
        }
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

    /// The same for packed texels, by way of the host.
    fn convert(
        &mut self,
        packing: Packing,
        queue: &runtime::Queue,
        buffer: &runtime::Buffer,
        image: &runtime::Image,
    ) -> Result<()> {
        let shape = &self.view.shape;
        let region = ImageRegion { origin: [0; 3], size: shape.description().size };
        let (strides, size) = (shape.strides(shape.pitches()), shape.region_bytes(shape.size()));
        let start = self.view.range.start as u64;
        let mut packed = vec![0; self.view.range.len()];
        match self.newer {
            Newer::Neither => {}
            Newer::Buffer => {
                queue.read(buffer, start, &mut packed)?;
                let texels = packing.decode(&gather(&packed, strides, size));
                self.copied = Some(queue.write_image(image, &region, &texels)?);
                self.newer = Newer::Neither;
            }
            Newer::Image => {
                let mut texels =
                    vec![0; image.description().bytes().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0)];
                queue.read_image(image, &region, &mut texels)?;
                let encoded = packing.encode(&texels);
                if encoded.len() == packed.len() {
                    packed = encoded;
                } else {
                    // What is between the rows is not the image's.
                    queue.read(buffer, start, &mut packed)?;
                    scatter(&mut packed, strides, size, &encoded);
                }
                self.copied = Some(queue.write(buffer, start, &packed)?);
                // Kernels write more values than packed texels have.
                self.newer = Newer::Buffer;
            }
        }
        Ok(())
    }

    /// Lets a queue wait for the last copy.
    fn wait(&mut self, queue: &runtime::Queue) -> Result<()> {
        let Some(event) = self.copied.clone().filter(|event| !queue.owns(event)) else { return Ok(()) };
        if matches!(event.status(), Ok(runtime::EventStatus::Complete)) {
            self.copied = None;
            return Ok(());
        }
        match queue.wait_for(&event) {
            // Of another device, which this one cannot wait for.
            Err(runtime::Error::Launch(_)) => event.wait()?,
            waited => waited?,
        }
        Ok(())
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
    ///
    /// # Errors
    /// Those of the device.
    pub fn write_back(
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

    /// Copies to an image what the buffer has that it has not; all of it if `is_written` says that the buffer may have been
    /// written.
    ///
    /// # Errors
    /// Those of the device.
    pub fn renew(
        &self,
        device: &Object<Device>,
        queue: &runtime::Queue,
        buffer: &runtime::Buffer,
        view: &Arc<View>,
        is_written: bool,
    ) -> Result<()> {
        self.with(view, |entry| {
            if view.shape.packing().is_some() && entry.newer == Newer::Image {
                entry.copy(device, queue, buffer)?;
            }
            if is_written && entry.newer == Newer::Neither {
                entry.newer = Newer::Buffer;
            }
            if entry.newer == Newer::Buffer { entry.copy(device, queue, buffer) } else { Ok(()) }
        })?
    }

    /// A command writes a range of the whole buffer.
    pub fn buffer_written(&self, range: &Range<usize>) {
        for entry in self.lock().iter_mut().filter(|entry| entry.view.meets(range)) {
            entry.newer = Newer::Buffer;
        }
    }

    /// A command writes the texels of an image.
    ///
    /// # Errors
    /// None but those of the driver itself.
    pub fn image_written(&self, view: &Arc<View>) -> Result<()> {
        self.with(view, |entry| entry.newer = Newer::Image)
    }

    /// The last copy between an image and the buffer.
    ///
    /// # Errors
    /// None but those of the driver itself.
    pub fn copied(&self, view: &Arc<View>) -> Result<Option<runtime::Event>> {
        self.with(view, |entry| entry.copied.clone())
    }

    /// Does something with what is known of an image.
    fn with<T>(&self, view: &Arc<View>, act: impl FnOnce(&mut Entry) -> T) -> Result<T> {
        let mut entries = self.lock();
        let found = entries.iter_mut().find(|entry| Arc::ptr_eq(&entry.view, view));
        found.map(act).ok_or_else(|| Error::internal("a buffer does not know an image over it"))
    }
}
