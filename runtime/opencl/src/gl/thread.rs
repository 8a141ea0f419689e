//! The thread that has a context of OpenGL current, for a context of OpenCL that shares its objects.

use super::binding::Binding;
use super::driver::Driver;
use crate::error::{Error, Result};
use clforge_runtime::exit;
use opencl_sys::*;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often the thread looks at fences that somebody waits for.
const LOOK: Duration = Duration::from_micros(500);

/// What the thread has to do.
enum Job {
    Call(Box<dyn FnOnce(&Driver) + Send>),
    /// To call a function when a fence has passed.
    Fence(Fence),
}

/// A fence of the driver's own, and what is called when all before it is complete.
type Fence = (usize, Box<dyn FnOnce() + Send>);

/// A context of OpenGL, by whose thread OpenCL gets at the objects of the client's context.
pub struct Sharing {
    binding: Binding,
    display: usize,
    /// `None` at the end.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Sharing {
    /// Shares the objects of a context, or, where that is 0, the images of a display of EGL only.
    ///
    /// # Errors
    /// `CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR` for what is no display or context, or one whose objects OpenGL 3.3 does not share.
    pub fn new(binding: Binding, display: usize, context: usize) -> Result<Sharing> {
        let (jobs, received) = mpsc::channel();
        let (answer, answered) = mpsc::channel();
        let run = move || {
            let driver = Driver::new(binding, display, context);
            let is_made = driver.is_some();
            if answer.send(is_made).is_ok()
                && let Some(driver) = driver
            {
                work(&driver, &received);
            }
        };
        let thread = thread::Builder::new().name("clforge OpenGL".into()).spawn(run);
        let thread = thread.map_err(|error| Error::new(CL_OUT_OF_HOST_MEMORY, error.to_string()))?;
        let sharing = Sharing { binding, display, jobs: Some(jobs), thread: Some(thread) };
        const REASON: &str = "no context whose objects OpenGL 3.3 of the driver's own shares";
        match answered.recv() {
            Ok(true) => Ok(sharing),
            _ => Err(Error::new(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, REASON)),
        }
    }

    /// Whether it is on a display of EGL.
    pub fn is_on(&self, display: usize) -> bool {
        self.binding == Binding::Egl && self.display == display
    }

    /// Calls a function in the thread of the context, and waits for it.
    ///
    /// # Errors
    /// Those of the function.
    pub fn call<T: Send + 'static>(&self, job: impl FnOnce(&Driver) -> Result<T> + Send + 'static) -> Result<T> {
        let (answer, answered) = mpsc::channel();
        let job = move |driver: &Driver| {
            let _ = answer.send(job(driver));
        };
        self.send(Job::Call(Box::new(job)));
        answered.recv().unwrap_or_else(|_| Err(Error::internal("the thread of OpenGL has ended")))
    }

    /// The UUID of the device, as Vulkan has it, where OpenGL tells it.
    pub fn uuid(&self) -> Option<[u8; 16]> {
        self.call(|driver| Ok(driver.uuid())).ok().flatten()
    }

    /// Deletes a texture of the driver's own.
    pub(super) fn delete_texture(&self, name: u32) {
        self.send(Job::Call(Box::new(move |driver| driver.delete_texture(name))));
    }

    /// Calls a function when a fence of the client's has passed. The client may delete the fence.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if there is no such fence.
    pub fn when_passed(&self, sync: usize, then: Box<dyn FnOnce() + Send>) -> Result<()> {
        let fence = self.call(move |driver| driver.fence_behind(sync))?;
        self.send(Job::Fence((fence, then)));
        Ok(())
    }

    /// A thread that has ended does nothing.
    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        self.jobs = None;
        // The last reference may be that of a fence's function.
        let thread = self.thread.take().filter(|thread| thread.thread().id() != thread::current().id());
        // The message of a panic was printed.
        thread.map(JoinHandle::join);
    }
}

/// Does what comes, until nothing can come any more.
fn work(driver: &Driver, jobs: &Receiver<Job>) {
    let mut fences: Vec<Fence> = Vec::new();
    loop {
        let job = match fences.is_empty() {
            true => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => jobs.recv_timeout(LOOK),
        };
        match job {
            Ok(Job::Call(call)) => call(driver),
            Ok(Job::Fence(fence)) => fences.push(fence),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        // Not while the process exits: OpenGL may be gone.
        if !fences.is_empty() && !exit::stops_threads() {
            fences.extract_if(.., |(fence, _)| driver.has_passed(*fence)).for_each(|(_, then)| then());
        }
    }
}
