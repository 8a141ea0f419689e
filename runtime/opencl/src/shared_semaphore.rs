//! Semaphores that other interfaces share by a file descriptor (`cl_khr_external_semaphore`): Vulkan's, which the device signals
//! and waits for.
//!
//! A wait is submitted at once, on a queue of the semaphore's own: other interfaces may signal it again when the call returns. The
//! command of the client's queue waits for that queue. Only if the signal that it waits for is a command of this driver that is
//! not recorded yet, it is submitted when the command starts, since a wait must come behind its signal.
#![cfg_attr(unix, allow(unsafe_code))]

#[cfg(unix)]
pub use with_descriptors::Shared;
#[cfg(not(unix))]
pub use without_descriptors::Shared;

/// A command that waits for semaphores: what remains to be done when it starts.
pub type Rest = Box<dyn FnOnce(&clforge_runtime::Queue) -> crate::error::Result<()> + Send>;

#[cfg(unix)]
mod with_descriptors {
    use super::Rest;
    use crate::descriptor::{self, close};
    use crate::device::Device;
    use crate::error::{Error, Result, ensure};
    use crate::event::Event;
    use crate::handle::Ref;
    use clforge_runtime::{self as runtime, SemaphoreHandle, SharedSemaphore};
    use opencl_sys::*;
    use std::os::fd::{IntoRawFd, OwnedFd};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    /// How often an export looks whether the signal was submitted.
    const LOOK: Duration = Duration::from_micros(50);

    /// A semaphore of Vulkan's.
    pub struct Shared {
        semaphore: Arc<SharedSemaphore>,
        kind: cl_external_semaphore_handle_type_khr,
        is_imported: bool,
        /// Executes waits.
        waiter: runtime::Queue,
        last: Mutex<Last>,
    }

    /// The last commands of this driver.
    #[derive(Default)]
    struct Last {
        /// The signal, if no command has waited for it.
        signal: Option<Ref<Event>>,
        wait: Option<Ref<Event>>,
    }

    fn handle(kind: cl_external_semaphore_handle_type_khr) -> SemaphoreHandle {
        match kind {
            CL_SEMAPHORE_HANDLE_SYNC_FD_KHR => SemaphoreHandle::SyncFd,
            _ => SemaphoreHandle::OpaqueFd,
        }
    }

    /// A descriptor of the client's once more; -1 is a sync file that is signalled.
    ///
    /// # Safety
    /// The descriptor is negative, or one that stays open during the call.
    unsafe fn duplicate(kind: cl_external_semaphore_handle_type_khr, given: i32) -> Result<Option<OwnedFd>> {
        if given == -1 && kind == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR {
            return Ok(None);
        }
        // SAFETY: the caller's promise.
        unsafe { descriptor::duplicate(given) }.map(Some)
    }

    impl Shared {
        /// A semaphore that can be exported.
        ///
        /// # Errors
        /// `CL_INVALID_PROPERTY` if the device exports no such handles.
        pub fn exported(device: &Device, kind: cl_external_semaphore_handle_type_khr) -> Result<Shared> {
            let can = device.exported_semaphores().contains(&kind);
            ensure(can, CL_INVALID_PROPERTY, "the device exports no semaphores of this kind")?;
            let opened = device.open()?;
            let semaphore = Arc::new(SharedSemaphore::exportable(&opened, handle(kind))?);
            let waiter = runtime::Queue::new(&opened)?;
            Ok(Shared { semaphore, kind, is_imported: false, waiter, last: Mutex::default() })
        }

        /// The semaphore of a descriptor, which the driver closes unless this fails.
        ///
        /// # Errors
        /// `CL_INVALID_DEVICE` if the device imports no such handles, `CL_INVALID_PROPERTY` for a descriptor of something else.
        ///
        /// # Safety
        /// The descriptor is one of a semaphore of this kind, and of this driver and device if it is opaque.
        pub unsafe fn imported(
            device: &Device,
            kind: cl_external_semaphore_handle_type_khr,
            given: i32,
        ) -> Result<Shared> {
            let can = device.imported_semaphores().contains(&kind);
            ensure(can, CL_INVALID_DEVICE, "the device imports no semaphores of this kind")?;
            let opened = device.open()?;
            // SAFETY: the caller's promise.
            let descriptor = unsafe { duplicate(kind, given) }?;
            // SAFETY: the caller's promise.
            let semaphore = unsafe { SharedSemaphore::from_descriptor(&opened, handle(kind), descriptor) };
            let semaphore = semaphore.map_err(|error| Error::new(CL_INVALID_PROPERTY, error.to_string()))?;
            let waiter = runtime::Queue::new(&opened)?;
            close(given);
            Ok(Shared { semaphore: Arc::new(semaphore), kind, is_imported: true, waiter, last: Mutex::default() })
        }

        /// Gives a semaphore that was imported from a sync file the state of another one, which the driver closes
        /// (`clReImportSemaphoreSyncFdKHR`).
        ///
        /// # Errors
        /// `CL_INVALID_SEMAPHORE_KHR` for another semaphore, `CL_INVALID_VALUE` for a descriptor of something else.
        ///
        /// # Safety
        /// The descriptor is one of a sync file, and no command uses the semaphore.
        pub unsafe fn import_again(&self, given: i32) -> Result<()> {
            let of_file = self.is_imported && self.kind == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
            ensure(of_file, CL_INVALID_SEMAPHORE_KHR, "the semaphore was not imported from a sync file")?;
            let wrong = |error: Error| error.with_code(CL_INVALID_VALUE);
            // SAFETY: the caller's promise.
            let descriptor = unsafe { duplicate(self.kind, given) }.map_err(wrong)?;
            // SAFETY: the caller's promise.
            let imported = unsafe { self.semaphore.import(descriptor) };
            imported.map_err(|error| Error::new(CL_INVALID_VALUE, error.to_string()))?;
            *self.lock() = Last::default();
            close(given);
            Ok(())
        }

        /// The kind of handles that it can be exported as.
        pub fn exportable(&self) -> Option<cl_external_semaphore_handle_type_khr> {
            (!self.is_imported).then_some(self.kind)
        }

        /// A new descriptor for the client. Of a sync file it takes the signal, for whose submission it waits.
        ///
        /// # Errors
        /// `CL_INVALID_OPERATION` for a sync file that no command signals, and errors of the device.
        pub fn export(&self) -> Result<i32> {
            let mut last = self.lock();
            if self.kind == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR {
                let signal = last.signal.take();
                let signal = signal.ok_or_else(|| Error::new(CL_INVALID_OPERATION, "no signal to export"))?;
                while !signal.is_recorded() {
                    std::thread::sleep(LOOK);
                }
                ensure(signal.status() >= CL_COMPLETE, CL_INVALID_OPERATION, "the signal has failed")?;
            }
            // SAFETY: the semaphore is exportable, and the signal of a sync file was submitted.
            let descriptor = unsafe { self.semaphore.export() }?;
            Ok(descriptor.map_or(-1, IntoRawFd::into_raw_fd))
        }

        fn lock(&self) -> MutexGuard<'_, Last> {
            self.last.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// A wait, which is submitted now if it can be: the event to wait for first, and what a command does when it starts.
        ///
        /// # Errors
        /// Those of the device.
        pub fn wait(&self) -> Result<(Option<Ref<Event>>, Rest)> {
            let signal = self.lock().signal.take().filter(|signal| !signal.is_recorded());
            let (semaphore, waiter) = (self.semaphore.clone(), self.waiter.clone());
            let submit = move || -> Result<runtime::Event> {
                waiter.wait_for_shared(&semaphore)?;
                let submitted = waiter.marker()?;
                waiter.flush()?;
                Ok(submitted)
            };
            if signal.is_some() {
                return Ok((signal, Box::new(move |queue| Ok(queue.wait_for(&submit()?)?))));
            }
            let submitted = submit()?;
            Ok((None, Box::new(move |queue| Ok(queue.wait_for(&submitted)?))))
        }

        /// A command that waits was enqueued.
        pub fn is_awaited_by(&self, event: &Ref<Event>) {
            self.lock().wait = Some(event.clone());
        }

        /// What must have ended before it is signalled again.
        pub fn last_wait(&self) -> Option<Ref<Event>> {
            self.lock().wait.take()
        }

        /// A command that signals it was enqueued.
        pub fn is_signaled_by(&self, event: &Ref<Event>) {
            self.lock().signal = Some(event.clone());
        }

        /// Signals it when what the queue has executes is complete.
        ///
        /// # Errors
        /// Those of the device.
        pub fn signal(&self, queue: &runtime::Queue) -> Result<runtime::Event> {
            Ok(queue.signal_shared(&self.semaphore)?)
        }

        /// Whether a command of this driver has signalled it, and none waits.
        pub fn is_signaled(&self) -> bool {
            self.lock().signal.as_ref().is_some_and(|event| event.status() == CL_COMPLETE)
        }
    }
}

/// Other systems have no file descriptors of semaphores, and no device takes them.
#[cfg(not(unix))]
mod without_descriptors {
    use super::Rest;
    use crate::device::Device;
    use crate::error::{Error, Result};
    use crate::event::Event;
    use crate::handle::Ref;
    use clforge_runtime as runtime;
    use opencl_sys::*;

    /// There are none.
    pub enum Shared {}

    impl Shared {
        pub fn exported(_: &Device, kind: cl_external_semaphore_handle_type_khr) -> Result<Shared> {
            Err(Error::new(CL_INVALID_PROPERTY, format!("a semaphore of kind {kind:#x}")))
        }

        pub unsafe fn imported(_: &Device, kind: cl_external_semaphore_handle_type_khr, _: i32) -> Result<Shared> {
            Err(Error::new(CL_INVALID_DEVICE, format!("a semaphore of kind {kind:#x}")))
        }

        pub unsafe fn import_again(&self, _: i32) -> Result<()> {
            match *self {}
        }

        pub fn exportable(&self) -> Option<cl_external_semaphore_handle_type_khr> {
            match *self {}
        }

        pub fn export(&self) -> Result<i32> {
            match *self {}
        }

        pub fn wait(&self) -> Result<(Option<Ref<Event>>, Rest)> {
            match *self {}
        }

        pub fn is_awaited_by(&self, _: &Ref<Event>) {
            match *self {}
        }

        pub fn last_wait(&self) -> Option<Ref<Event>> {
            match *self {}
        }

        pub fn is_signaled_by(&self, _: &Ref<Event>) {
            match *self {}
        }

        pub fn signal(&self, _: &runtime::Queue) -> Result<runtime::Event> {
            match *self {}
        }

        pub fn is_signaled(&self) -> bool {
            match *self {}
        }
    }
}
