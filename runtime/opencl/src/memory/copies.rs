//! The contents of a memory object on each device of its context: the copy that was used last is the current one. When
//! another device uses the object, the contents are copied to it through the host, when nobody has a turn who may still write
//! the other copy (`turns.rs`).

use super::turns::Turns;
use crate::device::Device;
use crate::error::Result;
use crate::handle::Object;
use clforge_runtime as runtime;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something on a device whose contents another device can get.
pub trait Portable: Clone + Send + Sync {
    /// All contents, after all work of its device.
    ///
    /// # Errors
    /// Those of the device.
    fn download(&self) -> Result<Vec<u8>>;
    /// Replaces the contents.
    ///
    /// # Errors
    /// Those of the device.
    fn upload(&self, bytes: &[u8]) -> Result<()>;
}

impl Portable for runtime::Buffer {
    fn download(&self) -> Result<Vec<u8>> {
        Ok(self.to_vec()?)
    }

    fn upload(&self, bytes: &[u8]) -> Result<()> {
        Ok(self.write(0, bytes)?)
    }
}

impl Portable for runtime::Image {
    fn download(&self) -> Result<Vec<u8>> {
        let levels = (0..self.levels()).map(|level| self.level_to_vec(level));
        Ok(levels.collect::<runtime::Result<Vec<_>>>()?.concat())
    }

    fn upload(&self, bytes: &[u8]) -> Result<()> {
        let mut rest = bytes;
        for level in 0..self.levels() {
            let size = self.description().level_bytes(level).and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
            let (first, others) = rest.split_at(size.min(rest.len()));
            self.write_level(level, first)?;
            rest = others;
        }
        Ok(())
    }
}

type Make<T> = Box<dyn Fn(&Object<Device>) -> Result<T> + Send + Sync>;

/// The copies of a memory object.
pub struct Copies<T> {
    make: Make<T>,
    /// By the handles of their devices; the current one is the last.
    copies: Mutex<Vec<(usize, T)>>,
    turns: Turns,
}

impl<T: Portable> Copies<T> {
    /// No copy yet; `make` makes one on a device.
    pub fn new(make: Make<T>) -> Copies<T> {
        Copies { make, copies: Mutex::default(), turns: Turns::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(usize, T)>> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose turn it is to use it.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The copy on a device, with the current contents. It waits for another device that has them. Who writes the copy has a turn
    /// from before this call until the command is recorded.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_RESOURCES`.
    pub fn on(&self, device: &Object<Device>) -> Result<T> {
        {
            let mut copies = self.lock();
            match copies.last() {
                Some((owner, copy)) if *owner == device.handle() => return Ok(copy.clone()),
                Some(_) => {}
                None => {
                    let copy = (self.make)(device)?;
                    copies.push((device.handle(), copy.clone()));
                    return Ok(copy);
                }
            }
        }
        let _turn = self.turns.take(device);
        self.bring_to(device)
    }

    /// The same in a turn of the device's.
    fn bring_to(&self, device: &Object<Device>) -> Result<T> {
        let mut copies = self.lock();
        let known = copies.iter().position(|(owner, _)| *owner == device.handle());
        let copy = match known {
            Some(at) => copies[at].1.clone(),
            None => (self.make)(device)?,
        };
        if let Some((owner, current)) = copies.last()
            && *owner != device.handle()
        {
            copy.upload(&current.download()?)?;
        }
        copies.retain(|(owner, _)| *owner != device.handle());
        copies.push((device.handle(), copy.clone()));
        Ok(copy)
    }

    /// Makes the copy on a device the current one as it is: something else than the driver has written it.
    ///
    /// # Errors
    /// As for [`Copies::on`].
    pub fn renew(&self, device: &Object<Device>) -> Result<()> {
        if self.lock().last().is_some_and(|(owner, _)| *owner == device.handle()) {
            return Ok(());
        }
        let _turn = self.turns.take(device);
        let mut copies = self.lock();
        let known = copies.iter().position(|(owner, _)| *owner == device.handle());
        let copy = match known {
            Some(at) => copies.remove(at).1,
            None => (self.make)(device)?,
        };
        copies.push((device.handle(), copy));
        Ok(())
    }
}
