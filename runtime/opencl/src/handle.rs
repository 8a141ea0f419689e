//! Handles: the addresses by which a client program names objects, and their reference counts.
//!
//! A loader (ICD) finds the table of our functions through the first word at the address of every handle, so the
//! address is that of a [`Head`]. Everything else is kept here, in a table of the objects that are alive, so a foreign
//! or released handle is detected without reading the memory that it points to. Heads are never freed but reused, the
//! oldest first, so that a loader that follows a released handle still finds the functions, which then report the
//! error.
//!
//! An object lives as long as the client retains it or another object needs it, as sections 2.1 and 4.4 of the API
//! specification say; until then its handle is valid.

use crate::error::{Error, Result};
use opencl_sys::cl_int;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

/// What is at the address of a handle: the address of the dispatch table.
#[repr(C)]
struct Head {
    dispatch: AtomicUsize,
}

/// Heads without an object that are kept before one is used again.
const RESTING: usize = 1024;

/// The address of the dispatch table.
static DISPATCH: AtomicUsize = AtomicUsize::new(0);
/// Addresses of heads without an object, those that were freed first in front.
static RESTED: Mutex<VecDeque<usize>> = Mutex::new(VecDeque::new());
/// The objects that are alive, by their handles.
static OBJECTS: LazyLock<RwLock<FxHashMap<usize, Entry>>> = LazyLock::new(RwLock::default);

type AnyObject = dyn Any + Send + Sync;

struct Entry {
    object: Weak<AnyObject>,
    /// The client's reference, while its count is not zero.
    retained: Option<Arc<AnyObject>>,
    /// References of the client.
    count: u32,
}

/// A type of objects.
pub trait Kind: Send + Sync + 'static {
    /// The error code for a handle that is not one of this type.
    const INVALID: cl_int;
}

/// An object with its handle.
pub struct Object<T: Kind> {
    // Dropped first: nobody finds an object that is being dropped.
    handle: Handle,
    value: T,
}

/// A reference to an object of the driver's own, which the client's count does not include.
pub type Ref<T> = Arc<Object<T>>;

/// The address that stands for an object, as long as this value exists.
struct Handle(usize);

fn read() -> RwLockReadGuard<'static, FxHashMap<usize, Entry>> {
    OBJECTS.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, FxHashMap<usize, Entry>> {
    OBJECTS.write().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the address of the dispatch table, before the first object is made.
pub fn set_dispatch(table: usize) {
    DISPATCH.store(table, Ordering::Relaxed);
}

impl Handle {
    fn new() -> Handle {
        let mut rested = RESTED.lock().unwrap_or_else(PoisonError::into_inner);
        let reused = if rested.len() > RESTING { rested.pop_front() } else { None };
        Handle(reused.unwrap_or_else(|| {
            let dispatch = AtomicUsize::new(DISPATCH.load(Ordering::Relaxed));
            std::ptr::from_ref(Box::leak(Box::new(Head { dispatch }))).expose_provenance()
        }))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let entry = write().remove(&self.0);
        drop(entry);
        RESTED.lock().unwrap_or_else(PoisonError::into_inner).push_back(self.0);
    }
}

impl<T: Kind> Object<T> {
    /// An object that the client does not know yet.
    pub fn new(value: T) -> Ref<T> {
        let object = Arc::new(Object { handle: Handle::new(), value });
        let weak: Weak<AnyObject> = Arc::downgrade(&(object.clone() as Arc<AnyObject>));
        let entry = Entry { object: weak, retained: None, count: 0 };
        write().insert(object.handle.0, entry);
        object
    }

    /// Gives the client a reference: the handle that a function returns.
    pub fn expose(self: &Arc<Self>) -> usize {
        if let Some(entry) = write().get_mut(&self.handle.0) {
            entry.count += 1;
            entry.retained = Some(self.clone());
        }
        self.handle.0
    }

    /// The handle, as queries return it.
    pub fn handle(&self) -> usize {
        self.handle.0
    }

    /// References of the client (`CL_CONTEXT_REFERENCE_COUNT` and so on). Queries of it are for finding leaks only.
    pub fn references(&self) -> u32 {
        read().get(&self.handle.0).map_or(0, |entry| entry.count)
    }
}

impl<T: Kind> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// The object of a handle.
///
/// # Errors
/// [`Kind::INVALID`] if it is not the handle of such an object.
pub fn find<T: Kind>(handle: usize) -> Result<Ref<T>> {
    let found = read().get(&handle).and_then(|entry| entry.object.upgrade());
    let object = found.and_then(|object| object.downcast::<Object<T>>().ok());
    object.ok_or_else(|| Error::new(T::INVALID, format!("{handle:#x} is not a handle of this type")))
}

/// Adds a reference of the client.
///
/// # Errors
/// [`Kind::INVALID`].
pub fn retain<T: Kind>(handle: usize) -> Result<()> {
    find::<T>(handle)?.expose();
    Ok(())
}

/// Takes a reference of the client away.
///
/// # Errors
/// [`Kind::INVALID`], also for an object that only other objects need.
pub fn release<T: Kind>(handle: usize) -> Result<()> {
    let object = find::<T>(handle)?;
    let last = {
        let mut objects = write();
        let entry = objects.get_mut(&handle).filter(|entry| entry.retained.is_some());
        let entry = entry.ok_or_else(|| Error::new(T::INVALID, "the object was released before"))?;
        entry.count -= 1;
        if entry.count == 0 { entry.retained.take() } else { None }
    };
    // Without the lock: dropping an object takes it.
    drop((last, object));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(u32);
    struct Other;

    impl Kind for Thing {
        const INVALID: cl_int = -1;
    }

    impl Kind for Other {
        const INVALID: cl_int = -2;
    }

    fn code<T>(result: Result<T>) -> cl_int {
        result.err().map_or(0, |error| error.code)
    }

    #[test]
    fn only_live_handles_of_the_type_are_found() {
        let handle = Object::new(Thing(7)).expose();
        assert_eq!(find::<Thing>(handle).unwrap().0, 7);
        assert_eq!(code(find::<Other>(handle)), -2);
        assert_eq!(code(find::<Thing>(handle + 8)), -1);
        assert_eq!(code(find::<Thing>(0)), -1);
        retain::<Thing>(handle).unwrap();
        assert_eq!(find::<Thing>(handle).unwrap().references(), 2);
        release::<Thing>(handle).unwrap();
        release::<Thing>(handle).unwrap();
        assert_eq!(code(find::<Thing>(handle)), -1);
        assert_eq!(code(release::<Thing>(handle)), -1);
    }

    #[test]
    fn needed_objects_stay() {
        let object = Object::new(Thing(1));
        let handle = object.expose();
        release::<Thing>(handle).unwrap();
        assert_eq!(find::<Thing>(handle).unwrap().references(), 0);
        assert_eq!(code(release::<Thing>(handle)), -1);
        drop(object);
        assert_eq!(code(find::<Thing>(handle)), -1);
    }
}
