//! The flags of memory objects (table 12 of section 5.2.1).

use crate::error::{Error, Result, ensure};
use opencl_sys::*;

/// Valid flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(cl_mem_flags);

const ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
const HOST_ACCESS: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
const HOST_POINTER: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

impl Flags {
    /// Checks flags for a new object, and whether a pointer is given where they need one.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`, `CL_INVALID_HOST_PTR`.
    pub fn new(flags: cl_mem_flags, has_pointer: bool) -> Result<Flags> {
        let made = Flags::without_contents(flags, has_pointer)?;
        let has_contents = has_pointer || !made.has(CL_MEM_IMMUTABLE_EXT);
        ensure(has_contents, CL_INVALID_VALUE, "an object that nothing can write has no contents")?;
        Ok(made)
    }

    /// The same for a buffer, which can be forced into the host's memory (`cl_intel_mem_force_host_memory`), or have its contents in
    /// external memory.
    ///
    /// # Errors
    /// As for [`Flags::new`].
    pub fn of_buffer(flags: cl_mem_flags, has_pointer: bool, is_external: bool) -> Result<Flags> {
        let forced = flags & CL_MEM_FORCE_HOST_MEMORY_INTEL;
        let check = if is_external { Flags::without_contents } else { Flags::new };
        Ok(Flags(check(flags & !forced, has_pointer)?.0 | forced))
    }

    /// The same for an object that shares the contents of another one.
    ///
    /// # Errors
    /// As for [`Flags::new`].
    pub fn without_contents(flags: cl_mem_flags, has_pointer: bool) -> Result<Flags> {
        // The last is for queries of formats only.
        let known = ACCESS | HOST_ACCESS | HOST_POINTER | CL_MEM_IMMUTABLE_EXT | CL_MEM_KERNEL_READ_AND_WRITE;
        if flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS) != 0 || flags & !known != 0 {
            return Err(Error::value(format!("memory flags {flags:#x}")));
        }
        let exclusive = |group: cl_mem_flags| (flags & group).count_ones() <= 1;
        ensure(exclusive(ACCESS), CL_INVALID_VALUE, "flags of access by kernels exclude each other")?;
        ensure(exclusive(HOST_ACCESS), CL_INVALID_VALUE, "flags of access by the host exclude each other")?;
        let uses = flags & CL_MEM_USE_HOST_PTR != 0;
        let clash = uses && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
        ensure(!clash, CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR excludes the other flags of host pointers")?;
        let needs = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
        ensure(needs == has_pointer, CL_INVALID_HOST_PTR, "a host pointer without its flag, or the other way round")?;
        let is_immutable = flags & CL_MEM_IMMUTABLE_EXT != 0;
        let writes = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
        ensure(!is_immutable || flags & writes == 0, CL_INVALID_VALUE, "an immutable object is not written")?;
        Ok(Flags(if flags & ACCESS == 0 && !is_immutable { flags | CL_MEM_READ_WRITE } else { flags }))
    }

    /// Checks flags for a part of a buffer, which inherits what is not given (`clCreateSubBuffer`).
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn part(self, flags: cl_mem_flags) -> Result<Flags> {
        ensure(flags & HOST_POINTER == 0, CL_INVALID_VALUE, "a part of a buffer takes no flags of host pointers")?;
        Flags::without_contents(flags, false)?;
        let changes = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
        let keeps = !self.has(CL_MEM_IMMUTABLE_EXT) || flags & changes == 0;
        ensure(keeps, CL_INVALID_VALUE, "a part of an immutable buffer is immutable")?;
        let own = flags & ACCESS;
        let host = flags & HOST_ACCESS;
        let widens = (self.has(CL_MEM_WRITE_ONLY) && own & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) != 0)
            || (self.has(CL_MEM_READ_ONLY) && own & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY) != 0)
            || (self.has(CL_MEM_HOST_WRITE_ONLY) && host & CL_MEM_HOST_READ_ONLY != 0)
            || (self.has(CL_MEM_HOST_READ_ONLY) && host & CL_MEM_HOST_WRITE_ONLY != 0)
            || (self.has(CL_MEM_HOST_NO_ACCESS) && host & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY) != 0);
        ensure(!widens, CL_INVALID_VALUE, "a part of a buffer allows no more access than the buffer")?;
        let inherited = |group: cl_mem_flags| if flags & group == 0 { self.0 & group } else { flags & group };
        let immutable = (self.0 | flags) & CL_MEM_IMMUTABLE_EXT;
        // An immutable part of a writable buffer has no other access.
        let access = if flags & CL_MEM_IMMUTABLE_EXT == 0 { inherited(ACCESS) } else { flags & ACCESS };
        Ok(Flags(access | inherited(HOST_ACCESS) | immutable | self.0 & HOST_POINTER))
    }

    /// Whether one of these is among them.
    pub fn has(self, flags: cl_mem_flags) -> bool {
        self.0 & flags != 0
    }

    /// The number.
    pub fn bits(self) -> cl_mem_flags {
        self.0
    }

    /// Checks that the host may read the object.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`.
    pub fn host_reads(self) -> Result<()> {
        let may = !self.has(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS);
        ensure(may, CL_INVALID_OPERATION, "the host may not read this memory object")
    }

    /// Checks that the host may write the object.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`.
    pub fn host_writes(self) -> Result<()> {
        let may = !self.has(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
        ensure(may, CL_INVALID_OPERATION, "the host may not write this memory object")?;
        self.commands_write()
    }

    /// Checks that commands may change the object (`cl_ext_immutable_memory_objects`).
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`.
    pub fn commands_write(self) -> Result<()> {
        ensure(!self.has(CL_MEM_IMMUTABLE_EXT), CL_INVALID_OPERATION, "the memory object is immutable")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(flags: cl_mem_flags, has_pointer: bool) -> cl_int {
        Flags::new(flags, has_pointer).err().map_or(CL_SUCCESS, |error| error.code)
    }

    #[test]
    fn rules_of_new_objects() {
        assert_eq!(Flags::new(0, false).unwrap().bits(), CL_MEM_READ_WRITE);
        assert_eq!(code(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, false), CL_INVALID_VALUE);
        assert_eq!(code(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, false), CL_INVALID_VALUE);
        assert_eq!(code(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, true), CL_INVALID_VALUE);
        assert_eq!(code(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, true), CL_SUCCESS);
        assert_eq!(code(CL_MEM_USE_HOST_PTR, false), CL_INVALID_HOST_PTR);
        assert_eq!(code(CL_MEM_READ_ONLY, true), CL_INVALID_HOST_PTR);
        assert_eq!(code(1 << 40, false), CL_INVALID_VALUE);
        assert_eq!(code(CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR, true), CL_SUCCESS);
        assert_eq!(code(CL_MEM_IMMUTABLE_EXT, false), CL_INVALID_VALUE);
        assert_eq!(code(CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, true), CL_INVALID_VALUE);
    }

    #[test]
    fn buffers_in_memory_of_the_host() {
        let forced = Flags::of_buffer(CL_MEM_FORCE_HOST_MEMORY_INTEL | CL_MEM_READ_ONLY, false, false).unwrap();
        assert_eq!(forced.bits(), CL_MEM_FORCE_HOST_MEMORY_INTEL | CL_MEM_READ_ONLY);
        assert_eq!(code(CL_MEM_FORCE_HOST_MEMORY_INTEL, false), CL_INVALID_VALUE);
        assert!(forced.part(CL_MEM_FORCE_HOST_MEMORY_INTEL).is_err());
        assert_eq!(forced.part(0).unwrap().bits(), CL_MEM_READ_ONLY);
    }

    #[test]
    fn parts_inherit_and_do_not_widen() {
        let parent = Flags::new(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, false).unwrap();
        assert_eq!(parent.part(0).unwrap(), parent);
        assert!(parent.part(CL_MEM_READ_WRITE).is_err());
        assert!(parent.part(CL_MEM_HOST_WRITE_ONLY).is_err());
        assert!(parent.part(CL_MEM_HOST_NO_ACCESS).unwrap().host_reads().is_err());
        assert!(parent.part(CL_MEM_COPY_HOST_PTR).is_err());
    }
}
