//! Semaphores that other interfaces share by a file descriptor (`cl_khr_external_semaphore`): Vulkan's, which the device signals
//! and waits for.
//!
//! A wait is submitted at once, on a queue of the semaphore's own: other interfaces may signal it again when the call returns. The
//! command of the client's queue waits for that queue. Only if the signal that it waits for is a command of this driver that is
//! not recorded yet, it is submitted when the command starts, since a wait must come behind its signal.
#![cfg_attr(unix, allow(unsafe_code))]

#[cfg(unix)]
pub use with_descriptors::{Shared, Wait};
#[cfg(not(unix))]
pub use without_descriptors::{Shared, Wait};

/// A command that signals a semaphore: what it does when it starts.
pub type Signal = Box<dyn FnOnce(&clforge_runtime::Queue) -> crate::error::Result<clforge_runtime::Event> + Send>;

/// A command that waits for semaphores: what remains to be done when it starts.
pub type Rest = Box<dyn FnOnce(&clforge_runtime::Queue) -> crate::error::Result<()> + Send>;

#[cfg(unix)]
mod with_descriptors {
    use super::{Rest, Signal};
    use crate::descriptor::{self, close};
    use crate::device::Device;
    use crate::error::{Error, Result, ensure};
    use crate::event::Event;
    use crate::handle::Ref;
    use clforge_runtime::exit::{self, InDriver};
    use clforge_runtime::{self as runtime, SemaphoreHandle, SharedSemaphore};
    use opencl_sys::*;
    use std::os::fd::{IntoRawFd, OwnedFd};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

    /// A semaphore of Vulkan's.
    pub struct Shared {
        device: runtime::Device,
        kind: cl_external_semaphore_handle_type_khr,
        is_imported: bool,
        /// Executes waits.
        waiter: Arc<Waiter>,
        state: Mutex<State>,
    }

    /// The semaphore, and the last commands of this driver.
    struct State {
        /// Another import replaces it; commands that were enqueued before go on with this one.
        semaphore: Arc<SharedSemaphore>,
        /// The signal, if no command has waited for it.
        signal: Option<Ref<Event>>,
        wait: Option<Ref<Event>>,
    }

    impl State {
        fn new(semaphore: SharedSemaphore) -> State {
            State { semaphore: Arc::new(semaphore), signal: None, wait: None }
        }
    }

    /// A queue on which the device waits.
    struct Waiter(Option<runtime::Queue>);

    impl Waiter {
        fn new(device: &runtime::Device) -> Result<Arc<Waiter>> {
            Ok(Arc::new(Waiter(Some(runtime::Queue::new(device)?))))
        }

        /// Submits a wait, and returns what is complete when it is over.
        fn submit(&self, semaphore: &Arc<SharedSemaphore>) -> Result<runtime::Event> {
            let queue = self.0.as_ref().ok_or_else(|| Error::internal("the queue of a semaphore is gone"))?;
            queue.wait_for_shared(semaphore)?;
            let submitted = queue.marker()?;
            queue.flush()?;
            Ok(submitted)
        }
    }

    impl Drop for Waiter {
        /// The end of the queue waits for its commands, which neither a client that releases the semaphore may wait for nor a thread
        /// that holds the lock of its queue.
        fn drop(&mut self) {
            let Some(queue) = self.0.take() else { return };
            let end = move || {
                let _in_driver = InDriver::enter();
                drop(queue);
            };
            if let Err(error) = exit::spawn("clforge semaphore", end) {
                tracing::debug!("no thread for the end of a semaphore: {error}");
            }
        }
    }

    /// A wait for a semaphore that is not submitted yet.
    pub struct Wait {
        signal: Option<Ref<Event>>,
        semaphore: Arc<SharedSemaphore>,
        waiter: Arc<Waiter>,
    }

    impl Wait {
        /// Submits it now if it can be: the event to wait for first, and what a command does when it starts. A signal that is not
        /// recorded yet must be submitted first; after one that has failed the command fails, too, as nothing would end the wait.
        pub fn start(self) -> (Option<Ref<Event>>, Rest) {
            let Wait { signal, semaphore, waiter } = self;
            let signal = signal.filter(|signal| !signal.is_recorded() || signal.status() < CL_COMPLETE);
            if signal.is_some() {
                return (signal, Box::new(move |queue| Ok(queue.wait_for(&waiter.submit(&semaphore)?)?)));
            }
            // Of a failure the command tells: those for other semaphores may be submitted.
            let submitted = waiter.submit(&semaphore);
            (None, Box::new(move |queue| Ok(queue.wait_for(&submitted?)?)))
        }
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
            let state = Mutex::new(State::new(SharedSemaphore::exportable(&opened, handle(kind))?));
            let waiter = Waiter::new(&opened)?;
            Ok(Shared { device: opened, kind, is_imported: false, waiter, state })
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
            let (waiter, state) = (Waiter::new(&opened)?, Mutex::new(State::new(semaphore)));
            close(given);
            Ok(Shared { device: opened, kind, is_imported: true, waiter, state })
        }

        /// Gives a semaphore that was imported from a sync file the state of another one, which the driver closes
        /// (`clReImportSemaphoreSyncFdKHR`).
        ///
        /// # Errors
        /// `CL_INVALID_SEMAPHORE_KHR` for another semaphore, `CL_INVALID_VALUE` for a descriptor of something else.
        ///
        /// # Safety
        /// The descriptor is one of a sync file.
        pub unsafe fn import_again(&self, given: i32) -> Result<()> {
            let of_file = self.is_imported && self.kind == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
            ensure(of_file, CL_INVALID_SEMAPHORE_KHR, "the semaphore was not imported from a sync file")?;
            let wrong = |error: Error| error.with_code(CL_INVALID_VALUE);
            // SAFETY: the caller's promise.
            let descriptor = unsafe { duplicate(self.kind, given) }.map_err(wrong)?;
            // SAFETY: the caller's promise.
            let imported = unsafe { SharedSemaphore::from_descriptor(&self.device, handle(self.kind), descriptor) };
            let imported = imported.map_err(|error| Error::new(CL_INVALID_VALUE, error.to_string()))?;
            let replaced = std::mem::replace(&mut *self.lock(), State::new(imported));
            drop(replaced);
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
            let none = || Error::new(CL_INVALID_OPERATION, "no signal to export");
            if self.kind != CL_SEMAPHORE_HANDLE_SYNC_FD_KHR {
                return self.export_from(&self.lock());
            }
            let signal = self.lock().signal.clone().ok_or_else(none)?;
            exit::with_threads(|| signal.sleep_until_recorded(None));
            ensure(signal.status() >= CL_COMPLETE, CL_INVALID_OPERATION, "the signal has failed")?;
            let mut state = self.lock();
            // Another thread may have taken it meanwhile.
            let is_there = state.signal.as_ref().is_some_and(|known| known.handle() == signal.handle());
            if !is_there {
                return Err(none());
            }
            let descriptor = self.export_from(&state)?;
            state.signal = None;
            Ok(descriptor)
        }

        fn export_from(&self, state: &State) -> Result<i32> {
            // SAFETY: the semaphore is exportable, and the signal of a sync file was submitted.
            let descriptor = unsafe { state.semaphore.export() }?;
            Ok(descriptor.map_or(-1, IntoRawFd::into_raw_fd))
        }

        fn lock(&self) -> MutexGuard<'_, State> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Whether a wait can be enqueued.
        ///
        /// # Errors
        /// `CL_INVALID_OPERATION` for a semaphore that nobody can have signalled: of sync files other interfaces have copies only.
        pub fn check_wait(&self) -> Result<()> {
            let by_others = self.is_imported || self.kind != CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
            let is_signalled = by_others || self.lock().signal.is_some();
            ensure(is_signalled, CL_INVALID_OPERATION, "no command signals the semaphore")
        }

        /// A wait for the last signal, which no other command waits for then.
        pub fn wait(&self) -> Wait {
            let mut state = self.lock();
            Wait { signal: state.signal.take(), semaphore: state.semaphore.clone(), waiter: self.waiter.clone() }
        }

        /// A command that waits was enqueued.
        pub fn is_awaited_by(&self, event: &Ref<Event>) {
            self.lock().wait = Some(event.clone());
        }

        /// What must have ended before it is signalled again. A wait that has failed, as its signal has, is none.
        pub fn last_wait(&self) -> Option<Ref<Event>> {
            self.lock().wait.take().filter(|wait| wait.status() >= CL_COMPLETE)
        }

        /// A command that signals it was enqueued.
        pub fn is_signaled_by(&self, event: &Ref<Event>) {
            self.lock().signal = Some(event.clone());
        }

        /// What signals it when what a queue has executes is complete.
        pub fn signal(&self) -> Signal {
            let semaphore = self.lock().semaphore.clone();
            Box::new(move |queue| Ok(queue.signal_shared(&semaphore)?))
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
    use super::{Rest, Signal};
    use crate::device::Device;
    use crate::error::{Error, Result};
    use crate::event::Event;
    use crate::handle::Ref;
    use opencl_sys::*;

    /// There are none.
    pub enum Shared {}

    /// There are none.
    pub enum Wait {}

    impl Wait {
        pub fn start(self) -> (Option<Ref<Event>>, Rest) {
            match self {}
        }
    }

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

        pub fn check_wait(&self) -> Result<()> {
            match *self {}
        }

        pub fn wait(&self) -> Wait {
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

        pub fn signal(&self) -> Signal {
            match *self {}
        }

        pub fn is_signaled(&self) -> bool {
            match *self {}
        }
    }
}
