//! The functions of EGL and OpenGL. They are looked up at run time: nothing links the libraries. Handles are passed as numbers of
//! the size of a pointer.

use libloading::Library;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The file of EGL's library.
const LIBRARY: &str = "libEGL.so.1";

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
    /// OpenGL 3.3.
    Gl {
        get_error = c"glGetError" () -> u32;
        get_integers = c"glGetIntegerv" (u32, *mut i32);
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

impl Egl {
    /// EGL, which is loaded at the first call and then stays.
    pub fn load() -> Option<Egl> {
        static LOADED: OnceLock<Option<Egl>> = OnceLock::new();
        *LOADED.get_or_init(|| {
            if !cfg!(unix) {
                return None;
            }
            // SAFETY: the initialisers of EGL have no requirements.
            let library: &'static Library = Box::leak(Box::new(unsafe { Library::new(LIBRARY) }.ok()?));
            let find = |name: &CStr| {
                // SAFETY: a symbol is only looked up; its type is that of the list.
                let symbol = unsafe { library.get::<*const c_void>(name.to_bytes_with_nul()) };
                symbol.map_or(std::ptr::null(), |symbol| *symbol)
            };
            // SAFETY: the types are those of `egl.h`.
            unsafe { Egl::look_up(find) }
        })
    }

    /// A function of OpenGL.
    pub(super) fn address(&self, name: &CStr) -> *const c_void {
        // SAFETY: the name ends with a zero.
        unsafe { (self.get_address)(name.as_ptr()) }
    }
}

impl Egl {
    /// Whether a context is current on this thread.
    pub fn has_current(&self) -> bool {
        // SAFETY: it has no requirements.
        unsafe { (self.current_context)() != 0 }
    }

    /// Waits for all that the context which is current on this thread has to do. Returns whether there is one.
    pub fn finish_current(&self) -> bool {
        let finish = self.address(c"glFinish");
        if finish.is_null() || !self.has_current() {
            return false;
        }
        // SAFETY: the function has this type, and a context is current.
        unsafe { std::mem::transmute::<*const c_void, unsafe extern "system" fn()>(finish)() };
        true
    }
}

/// Whether EGL is installed; it is not loaded.
pub fn is_installed() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| is_loaded() || is_in_a_folder())
}

/// Whether the process has loaded EGL already, wherever it is.
#[cfg(unix)]
pub fn is_loaded() -> bool {
    use libloading::os::unix::{Library, RTLD_LAZY};
    // SAFETY: nothing is loaded, and the reference is given back at once.
    unsafe { Library::open(Some(LIBRARY), libc::RTLD_NOLOAD | RTLD_LAZY) }.is_ok()
}

#[cfg(not(unix))]
pub fn is_loaded() -> bool {
    false
}

fn is_in_a_folder() -> bool {
    let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&given).chain(FOLDERS.map(PathBuf::from));
    cfg!(unix) && folders.any(|folder: PathBuf| folder.is_absolute() && Path::join(&folder, LIBRARY).exists())
}
