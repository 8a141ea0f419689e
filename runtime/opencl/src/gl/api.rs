//! The functions of EGL and OpenGL. They are looked up at run time: nothing links the libraries. Handles are passed as numbers of
//! the size of a pointer.

use libloading::Library;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files of the libraries of EGL, GLX and X.
const EGL: &str = "libEGL.so.1";
const GLX: &str = "libGL.so.1";
const X11: &str = "libX11.so.6";

/// Folders of libraries that loaders search without being told.
const FOLDERS: [&str; 6] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64", "/lib"];

macro_rules! functions {
    ($(#[$doc:meta])* $table:ident { $($field:ident = $symbol:literal ($($type:ty),*) $(-> $result:ty)?;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $table {
            $(pub(super) $field: unsafe extern "system" fn($($type),*) $(-> $result)?,)*
        }

        impl $table {
            /// Looks all of them up; `None` if one is missing.
            ///
            /// # Safety
            /// `find` gives functions of these types.
            pub(super) unsafe fn look_up(find: impl Fn(&CStr) -> *const c_void) -> Option<$table> {
                $(
                    let $field = find($symbol);
                    if $field.is_null() {
                        tracing::debug!("there is no function {:?}", $symbol);
                        return None;
                    }
                )*
                // SAFETY: the caller's promise; no address is null.
                Some(unsafe { $table { $($field: std::mem::transmute::<
                    *const c_void, unsafe extern "system" fn($($type),*) $(-> $result)?
                >($field),)* } })
            }
        }
    };
}

functions! {
    /// EGL.
    Egl {
        get_address = c"eglGetProcAddress" (*const c_char) -> *const c_void;
        query_string = c"eglQueryString" (usize, i32) -> *const c_char;
        query_context = c"eglQueryContext" (usize, usize, i32, *mut i32) -> u32;
        choose_config = c"eglChooseConfig" (usize, *const i32, *mut usize, i32, *mut i32) -> u32;
        bind_api = c"eglBindAPI" (u32) -> u32;
        create_context = c"eglCreateContext" (usize, usize, usize, *const i32) -> usize;
        make_current = c"eglMakeCurrent" (usize, usize, usize, usize) -> u32;
        destroy_context = c"eglDestroyContext" (usize, usize) -> u32;
        current_context = c"eglGetCurrentContext" () -> usize;
        release_thread = c"eglReleaseThread" () -> u32;
    }
}

functions! {
    /// GLX, but for what is looked up by its own function.
    GlxCore {
        get_address = c"glXGetProcAddressARB" (*const c_char) -> *const c_void;
        query_context = c"glXQueryContext" (usize, usize, i32, *mut i32) -> i32;
        configs = c"glXGetFBConfigs" (usize, i32, *mut i32) -> *mut usize;
        config_number = c"glXGetFBConfigAttrib" (usize, usize, i32, *mut i32) -> i32;
        make_current = c"glXMakeContextCurrent" (usize, usize, usize, usize) -> i32;
        destroy_context = c"glXDestroyContext" (usize, usize);
        current_context = c"glXGetCurrentContext" () -> usize;
    }
}

functions! {
    /// `GLX_ARB_create_context`.
    GlxCreation {
        create_context = c"glXCreateContextAttribsARB" (usize, usize, usize, i32, *const i32) -> usize;
    }
}

functions! {
    /// The X Window System.
    X {
        free = c"XFree" (*mut c_void) -> i32;
        sync = c"XSync" (usize, i32) -> i32;
        set_error_handler = c"XSetErrorHandler" (Option<ErrorHandler>) -> Option<ErrorHandler>;
        add_extension = c"XAddExtension" (usize) -> *const i32;
        set_close_function = c"XESetCloseDisplay" (usize, i32, CloseFunction) -> Option<CloseFunction>;
        lock_function = c"_XLockMutex_fn" ();
    }
}

/// Called with an error of X.
type ErrorHandler = unsafe extern "C" fn(usize, *const c_void) -> i32;
/// Called when a display of X is closed.
type CloseFunction = extern "C" fn(usize, *const c_void) -> i32;

functions! {
    /// OpenGL 3.3.
    Gl {
        get_error = c"glGetError" () -> u32;
        get_integers = c"glGetIntegerv" (u32, *mut i32);
        get_string = c"glGetString" (u32) -> *const c_char;
        get_string_at = c"glGetStringi" (u32, u32) -> *const c_char;
        finish = c"glFinish" ();
        flush = c"glFlush" ();
        pixel_store = c"glPixelStorei" (u32, i32);
        clamp_color = c"glClampColor" (u32, u32);
        is_buffer = c"glIsBuffer" (u32) -> u8;
        bind_buffer = c"glBindBuffer" (u32, u32);
        buffer_parameters = c"glGetBufferParameteri64v" (u32, u32, *mut i64);
        read_buffer = c"glGetBufferSubData" (u32, isize, isize, *mut c_void);
        write_buffer = c"glBufferSubData" (u32, isize, isize, *const c_void);
        is_texture = c"glIsTexture" (u32) -> u8;
        bind_texture = c"glBindTexture" (u32, u32);
        make_textures = c"glGenTextures" (i32, *mut u32);
        delete_textures = c"glDeleteTextures" (i32, *const u32);
        texture_parameters = c"glGetTexParameteriv" (u32, u32, *mut i32);
        level_parameters = c"glGetTexLevelParameteriv" (u32, i32, u32, *mut i32);
        read_texture = c"glGetTexImage" (u32, i32, u32, u32, *mut c_void);
        make_level_2d = c"glTexImage2D" (u32, i32, i32, i32, i32, i32, u32, u32, *const c_void);
        write_1d = c"glTexSubImage1D" (u32, i32, i32, i32, u32, u32, *const c_void);
        write_2d = c"glTexSubImage2D" (u32, i32, i32, i32, i32, i32, u32, u32, *const c_void);
        write_3d = c"glTexSubImage3D" (u32, i32, i32, i32, i32, i32, i32, i32, u32, u32, *const c_void);
        is_renderbuffer = c"glIsRenderbuffer" (u32) -> u8;
        bind_renderbuffer = c"glBindRenderbuffer" (u32, u32);
        renderbuffer_parameters = c"glGetRenderbufferParameteriv" (u32, u32, *mut i32);
        make_framebuffers = c"glGenFramebuffers" (i32, *mut u32);
        delete_framebuffers = c"glDeleteFramebuffers" (i32, *const u32);
        bind_framebuffer = c"glBindFramebuffer" (u32, u32);
        attach_renderbuffer = c"glFramebufferRenderbuffer" (u32, u32, u32, u32);
        attach_texture = c"glFramebufferTexture2D" (u32, u32, u32, u32, i32);
        read_pixels = c"glReadPixels" (i32, i32, i32, i32, u32, u32, *mut c_void);
        blit = c"glBlitFramebuffer" (i32, i32, i32, i32, i32, i32, i32, i32, u32, u32);
        make_fence = c"glFenceSync" (u32, u32) -> usize;
        is_sync = c"glIsSync" (usize) -> u8;
        wait_on_device = c"glWaitSync" (usize, u32, u64);
        wait_for_sync = c"glClientWaitSync" (usize, u32, u64) -> u32;
        delete_sync = c"glDeleteSync" (usize);
    }
}

functions! {
    /// `GL_OES_EGL_image`.
    Images {
        use_for_texture = c"glEGLImageTargetTexture2DOES" (u32, usize);
    }
}

functions! {
    /// `GL_EXT_memory_object`.
    Identity {
        get_bytes_at = c"glGetUnsignedBytei_vEXT" (u32, u32, *mut u8);
    }
}

/// A library, which then stays.
fn open(file: &str) -> Option<&'static Library> {
    if !cfg!(unix) {
        return None;
    }
    // SAFETY: the initialisers of these libraries have no requirements.
    Some(Box::leak(Box::new(unsafe { Library::new(file) }.ok()?)))
}

/// The address of a symbol.
fn symbol(library: &Library, name: &CStr) -> *const c_void {
    // SAFETY: a symbol is only looked up; its type is that of the list.
    let symbol = unsafe { library.get::<*const c_void>(name.to_bytes_with_nul()) };
    symbol.map_or(std::ptr::null(), |symbol| *symbol)
}

impl Egl {
    /// EGL, which is loaded at the first call and then stays.
    pub fn load() -> Option<Egl> {
        static LOADED: OnceLock<Option<Egl>> = OnceLock::new();
        *LOADED.get_or_init(|| {
            let library = open(EGL)?;
            // SAFETY: the types are those of `egl.h`.
            unsafe { Egl::look_up(|name| symbol(library, name)) }
        })
    }

    /// A function of OpenGL.
    pub(super) fn address(&self, name: &CStr) -> *const c_void {
        // SAFETY: the name ends with a zero.
        unsafe { (self.get_address)(name.as_ptr()) }
    }
}

/// GLX.
#[derive(Clone, Copy)]
pub struct Glx {
    core: GlxCore,
    creation: GlxCreation,
}

impl Glx {
    /// GLX and the library of X, which are loaded at the first call and then stay.
    pub fn load() -> Option<(Glx, X)> {
        static LOADED: OnceLock<Option<(Glx, X)>> = OnceLock::new();
        *LOADED.get_or_init(|| {
            let (library, x) = (open(GLX)?, open(X11)?);
            // SAFETY: the types are those of `glx.h`, `glxext.h`, `Xlib.h` and `Xlibint.h`.
            unsafe {
                let core = GlxCore::look_up(|name| symbol(library, name))?;
                let creation = GlxCreation::look_up(|name| (core.get_address)(name.as_ptr()))?;
                Some((Glx { core, creation }, X::look_up(|name| symbol(x, name))?))
            }
        })
    }

    /// A function of OpenGL.
    pub(super) fn address(&self, name: &CStr) -> *const c_void {
        // SAFETY: the name ends with a zero.
        unsafe { (self.get_address)(name.as_ptr()) }
    }

    /// Makes a context.
    pub(super) fn creation(&self) -> GlxCreation {
        self.creation
    }
}

impl std::ops::Deref for Glx {
    type Target = GlxCore;

    fn deref(&self) -> &GlxCore {
        &self.core
    }
}

impl X {
    /// Whether threads may use a display at the same time: since version 1.8 of the library always, before that after
    /// `XInitThreads`.
    pub(super) fn is_locked(&self) -> bool {
        let place: *const usize = (self.lock_function as *const ()).cast();
        // SAFETY: the symbol is a variable with the address of a function, or null.
        unsafe { place.read() != 0 }
    }

    /// Has a function called when the client closes a display.
    pub(super) fn when_closed(&self, display: usize, function: CloseFunction) {
        // SAFETY: the client has opened the display; the first number of an extension's codes is its own.
        unsafe {
            let codes = (self.add_extension)(display);
            if !codes.is_null() {
                (self.set_close_function)(display, codes.read(), function);
            }
        }
    }

    /// Ignores errors of X until the value is dropped.
    ///
    /// # Safety
    /// The client has opened the display.
    pub(super) unsafe fn without_errors(self, display: usize) -> Quiet {
        unsafe extern "C" fn ignore(_: usize, _: *const c_void) -> i32 {
            0
        }
        // SAFETY: the caller's promise.
        let before = unsafe {
            (self.sync)(display, 0);
            (self.set_error_handler)(Some(ignore))
        };
        Quiet { x: self, display, before }
    }
}

/// While it lives errors of X are ignored.
pub struct Quiet {
    x: X,
    display: usize,
    before: Option<ErrorHandler>,
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // SAFETY: the promise of `without_errors`; the handler is the one that was there.
        unsafe {
            (self.x.sync)(self.display, 0);
            (self.x.set_error_handler)(self.before);
        }
    }
}

/// A function of the context of EGL or GLX that is current on this thread; `None` if none is.
fn of_current(name: &CStr) -> Option<*const c_void> {
    // What the process has not loaded has no context.
    let egl = is_loaded(EGL).then(Egl::load).flatten();
    // SAFETY: it has no requirements.
    if let Some(egl) = egl.filter(|egl| unsafe { (egl.current_context)() != 0 }) {
        return Some(egl.address(name));
    }
    let (glx, _) = is_loaded(GLX).then(Glx::load).flatten()?;
    // SAFETY: as above.
    (unsafe { (glx.current_context)() } != 0).then(|| glx.address(name))
}

/// Whether a context of EGL or GLX is current on this thread.
pub fn has_current() -> bool {
    of_current(c"glFinish").is_some()
}

/// Waits for all that the context which is current on this thread has to do, if there is one.
pub fn finish_current() {
    if let Some(finish) = of_current(c"glFinish").filter(|finish| !finish.is_null()) {
        // SAFETY: the function has this type, and a context is current.
        unsafe { std::mem::transmute::<*const c_void, unsafe extern "system" fn()>(finish)() };
    }
}

/// Whether EGL is installed; it is not loaded.
pub fn has_egl() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| is_installed(EGL))
}

/// Whether EGL or GLX is installed; they are not loaded.
pub fn has_gl() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    has_egl() || *FOUND.get_or_init(|| is_installed(GLX))
}

fn is_installed(library: &str) -> bool {
    is_loaded(library) || is_in_a_folder(library)
}

/// Whether the process has loaded a library already, wherever that is.
#[cfg(unix)]
fn is_loaded(library: &str) -> bool {
    use libloading::os::unix::{Library, RTLD_LAZY};
    // SAFETY: nothing is loaded, and the reference is given back at once.
    unsafe { Library::open(Some(library), libc::RTLD_NOLOAD | RTLD_LAZY) }.is_ok()
}

#[cfg(not(unix))]
fn is_loaded(_: &str) -> bool {
    false
}

fn is_in_a_folder(library: &str) -> bool {
    let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&given).chain(FOLDERS.map(PathBuf::from));
    cfg!(unix) && folders.any(|folder: PathBuf| folder.is_absolute() && Path::join(&folder, library).exists())
}
