//! Contexts of OpenGL of the driver's own, which share the objects of a context of the client's and are current on the thread that
//! makes them: by EGL, or by GLX for the X Window System.

use super::api::{Egl, Glx, X};
use std::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

/// Which interface a display and a context of the client's belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// `EGLDisplay`, `EGLContext`.
    Egl,
    /// `Display *`, `GLXContext`.
    Glx,
}

/// A context of the driver's own, which is current on this thread until it is dropped.
pub enum Current {
    /// Of EGL.
    Egl(Egl, [usize; 2]),
    /// Of GLX.
    Glx(Glx, [usize; 2], Visit),
}

impl Current {
    /// A context on a display, which shares the objects of another one unless that is 0. `None` if there is no such display or
    /// context, as far as that can be told, or if they have no OpenGL that shares.
    pub fn new(binding: Binding, display: usize, shared: usize) -> Option<Current> {
        match binding {
            Binding::Egl => {
                let egl = Egl::load()?;
                let context = context_of_egl(egl, display, shared)?;
                Some(Current::Egl(egl, [display, context]))
            }
            Binding::Glx => {
                let (glx, x) = Glx::load()?;
                let context = context_of_glx(glx, x, display, shared)?;
                Some(Current::Glx(glx, [display, context], Visit::begin(x, display)))
            }
        }
    }

    /// A function of OpenGL.
    pub fn address(&self, name: &CStr) -> *const c_void {
        match self {
            Current::Egl(egl, _) => egl.address(name),
            Current::Glx(glx, ..) => glx.address(name),
        }
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        match *self {
            // SAFETY: the context is of this thread. EGL knows its handles, also where the client has ended the display.
            Current::Egl(egl, [display, context]) => unsafe {
                (egl.make_current)(display, 0, 0, 0);
                (egl.destroy_context)(display, context);
                (egl.release_thread)();
            },
            // SAFETY: as above; the client has not closed the display.
            Current::Glx(glx, [display, context], ref visit) if visit.is_open() => unsafe {
                (glx.make_current)(display, 0, 0, 0);
                (glx.destroy_context)(display, context);
            },
            Current::Glx(..) => {}
        }
    }
}

/// A context of EGL that is current on this thread.
fn context_of_egl(egl: Egl, display: usize, shared: usize) -> Option<usize> {
    const NONE: i32 = 0x3038;
    const CONFIG_ID: i32 = 0x3028;
    const VERSION: i32 = 0x3054;
    const OPENGL: u32 = 0x30A2;
    // A core profile of version 3.3, of which drivers give the last compatible version; and what a driver gives by itself.
    const CORE: [i32; 7] = [0x3098, 3, 0x30FB, 3, 0x30FD, 1, NONE];
    const ANY: [i32; 1] = [NONE];
    // SAFETY: EGL knows its displays.
    if display == 0 || unsafe { (egl.query_string)(display, VERSION) }.is_null() {
        return None;
    }
    let mut configs = vec![0];
    if shared != 0 {
        let (mut id, mut config, mut count) = (0, 0, 0);
        // SAFETY: EGL knows its handles; the place is for one number.
        if unsafe { (egl.query_context)(display, shared, CONFIG_ID, &raw mut id) } == 0 {
            return None;
        }
        let wanted = [CONFIG_ID, id, NONE];
        // SAFETY: the list ends as it must, and there is room for one configuration.
        let found = unsafe { (egl.choose_config)(display, wanted.as_ptr(), &raw mut config, 1, &raw mut count) } != 0;
        configs.extend(Some(config).filter(|_| found && count == 1));
    }
    // SAFETY: it has no requirements.
    unsafe { (egl.bind_api)(OPENGL) };
    let mut tries =
        [&CORE[..], &ANY].into_iter().flat_map(|wanted| configs.iter().map(move |config| (wanted, *config)));
    tries.find_map(|(wanted, config)| {
        // SAFETY: EGL knows its handles; the list ends as it must.
        let context = unsafe { (egl.create_context)(display, config, shared, wanted.as_ptr()) };
        // SAFETY: it is a context of this display, which no thread uses.
        if context == 0 || unsafe { (egl.make_current)(display, 0, 0, context) } != 0 {
            return Some(context).filter(|context| *context != 0);
        }
        // SAFETY: as above.
        unsafe { (egl.destroy_context)(display, context) };
        None
    })
}

/// The configuration of a context of GLX.
///
/// # Safety
/// The client has opened the display, whose connection is locked.
unsafe fn config_of(glx: Glx, x: X, display: usize, context: usize) -> Option<usize> {
    const FBCONFIG_ID: i32 = 0x8013;
    const SCREEN: i32 = 0x800C;
    let (mut id, mut screen, mut count) = (0, 0, 0);
    // SAFETY: the caller's promise; the places are for one number each, and there are as many configurations as GLX says.
    unsafe {
        let failed = (glx.query_context)(display, context, SCREEN, &raw mut screen) != 0
            || (glx.query_context)(display, context, FBCONFIG_ID, &raw mut id) != 0;
        if failed {
            return None;
        }
        let configs = (glx.configs)(display, screen, &raw mut count);
        if configs.is_null() {
            return None;
        }
        let mut all = (0..usize::try_from(count).unwrap_or(0)).map(|at| configs.add(at).read());
        let config = all.find(|config| {
            let mut its = 0;
            (glx.config_number)(display, *config, FBCONFIG_ID, &raw mut its) == 0 && its == id
        });
        (x.free)(configs.cast());
        config
    }
}

/// A context of GLX that is current on this thread.
fn context_of_glx(glx: Glx, x: X, display: usize, shared: usize) -> Option<usize> {
    const NONE: i32 = 0;
    // As for EGL.
    const CORE: [i32; 7] = [0x2091, 3, 0x2092, 3, 0x9126, 1, NONE];
    const ANY: [i32; 1] = [NONE];
    if display == 0 || shared == 0 || !x.is_locked() {
        return None;
    }
    // SAFETY: the client has opened the display, and its connection is locked.
    unsafe {
        let config = config_of(glx, x, display, shared)?;
        // What fails is an error of X, which ends the process otherwise.
        let _quiet = x.without_errors(display);
        [&CORE[..], &ANY].into_iter().find_map(|wanted| {
            let context = (glx.creation().create_context)(display, config, shared, 1, wanted.as_ptr());
            if context == 0 || (glx.make_current)(display, 0, 0, context) != 0 {
                return Some(context).filter(|context| *context != 0);
            }
            (glx.destroy_context)(display, context);
            None
        })
    }
}

/// Displays that are in use, and numbers by which an address that is used again is another display.
static VISITS: Mutex<(u64, Vec<(usize, u64)>)> = Mutex::new((0, Vec::new()));

/// The use of a display of X that the client may close meanwhile.
pub struct Visit {
    display: usize,
    number: u64,
}

impl Visit {
    fn begin(x: X, display: usize) -> Visit {
        let mut visits = VISITS.lock().unwrap_or_else(PoisonError::into_inner);
        visits.0 += 1;
        let number = visits.0;
        visits.1.push((display, number));
        drop(visits);
        x.when_closed(display, forget);
        Visit { display, number }
    }

    /// Whether the display is still open.
    fn is_open(&self) -> bool {
        let visits = VISITS.lock().unwrap_or_else(PoisonError::into_inner);
        visits.1.contains(&(self.display, self.number))
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut visits = VISITS.lock().unwrap_or_else(PoisonError::into_inner);
        visits.1.retain(|(_, number)| *number != self.number);
    }
}

/// Notes that a display is closed.
extern "C" fn forget(display: usize, _: *const c_void) -> i32 {
    let mut visits = VISITS.lock().unwrap_or_else(PoisonError::into_inner);
    visits.1.retain(|(closed, _)| *closed != display);
    0
}
