//! The properties of a context of OpenCL that name a context of OpenGL (section 4.4).

use super::binding::Binding;
use super::thread::Sharing;
use crate::error::{Error, Result, ensure};
use opencl_sys::*;

/// The properties, whose values are 0 by default.
const PROPERTIES: [cl_context_properties; 5] =
    [CL_GL_CONTEXT_KHR, CL_EGL_DISPLAY_KHR, CL_GLX_DISPLAY_KHR, CL_WGL_HDC_KHR, CL_CGL_SHAREGROUP_KHR];

/// Whether a property is one of these.
pub fn is_property(name: cl_context_properties) -> bool {
    PROPERTIES.contains(&name)
}

/// A context of OpenGL that the client names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    binding: Binding,
    display: usize,
    context: usize,
}

impl Reference {
    /// What a list of properties names; `None` for nothing.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` for a system of windows that is not supported, or several; `CL_INVALID_PROPERTY`,
    /// `CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR`.
    pub fn of(list: &[cl_context_properties]) -> Result<Option<Reference>> {
        let pairs = || list.as_chunks::<2>().0.iter();
        let value = |name| pairs().find(|pair| pair[0] == name).map_or(0, |pair| pair[1].cast_unsigned());
        let [context, egl, glx, wgl, group] = PROPERTIES.map(value);
        if [context, egl, glx, wgl, group] == [0; 5] {
            return Ok(None);
        }
        let asks = pairs().any(|pair| pair[0] == CL_CONTEXT_INTEROP_USER_SYNC);
        ensure(!asks, CL_INVALID_PROPERTY, "synchronisation by the user, with a context of OpenGL")?;
        let systems = [egl, glx, wgl, group].into_iter().filter(|value| *value != 0).count();
        ensure(systems <= 1, CL_INVALID_OPERATION, "displays of several systems of windows")?;
        ensure(wgl == 0 && group == 0, CL_INVALID_OPERATION, "contexts of WGL or CGL are not supported")?;
        if context == 0 {
            return Ok(None);
        }
        match (egl, glx) {
            (0, 0) => Err(Error::new(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "a context of OpenGL without a display")),
            (0, display) => Ok(Some(Reference { binding: Binding::Glx, display, context })),
            (display, _) => Ok(Some(Reference { binding: Binding::Egl, display, context })),
        }
    }

    /// Shares its objects.
    ///
    /// # Errors
    /// Those of [`Sharing::new`].
    pub fn share(self) -> Result<Sharing> {
        Sharing::new(self.binding, self.display, self.context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(cl_context_properties, isize)]) -> Result<Option<Reference>> {
        let list: Vec<isize> = pairs.iter().flat_map(|(name, value)| [*name, *value]).chain([0]).collect();
        Reference::of(&list)
    }

    #[test]
    fn properties_that_name_a_context() {
        let code = |pairs: &[(isize, isize)]| of(pairs).map_or_else(|error| error.code, |_| CL_SUCCESS);
        assert_eq!(of(&[]).unwrap(), None);
        assert_eq!(of(&[(CL_EGL_DISPLAY_KHR, 8)]).unwrap(), None);
        let both = [(CL_GL_CONTEXT_KHR, 16), (CL_EGL_DISPLAY_KHR, 8)];
        let found = |binding| Some(Reference { binding, display: 8, context: 16 });
        assert_eq!(of(&both).unwrap(), found(Binding::Egl));
        assert_eq!(of(&[both[0], (CL_GLX_DISPLAY_KHR, 8)]).unwrap(), found(Binding::Glx));
        assert_eq!(code(&[both[0]]), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
        assert_eq!(code(&[both[0], both[1], (CL_GLX_DISPLAY_KHR, 8)]), CL_INVALID_OPERATION);
        assert_eq!(code(&[both[0], (CL_WGL_HDC_KHR, 8)]), CL_INVALID_OPERATION);
        assert_eq!(code(&[(CL_CGL_SHAREGROUP_KHR, 8)]), CL_INVALID_OPERATION);
        assert_eq!(code(&[both[0], both[1], (CL_CONTEXT_INTEROP_USER_SYNC, 0)]), CL_INVALID_PROPERTY);
    }
}
