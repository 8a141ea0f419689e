//! Answers to queries (`clGet*Info`).

use crate::error::{Error, Result};
use crate::handle::{Kind, Object};
use opencl_sys::{CL_NAME_VERSION_MAX_NAME_SIZE, cl_uint};

/// The value of a query: its bytes as the client sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value(Vec<u8>);

/// Something that can be queried.
pub trait Info {
    /// The value that `CL_…` constant names.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for a constant that does not name a value of this type of objects.
    fn info(&self, name: cl_uint) -> Result<Value>;
}

impl Value {
    /// A number or another plain value.
    pub fn of<T: bytemuck::NoUninit>(value: T) -> Value {
        Value(bytemuck::bytes_of(&value).to_vec())
    }

    /// An array of plain values.
    pub fn list<T: bytemuck::NoUninit>(values: &[T]) -> Value {
        Value(bytemuck::cast_slice(values).to_vec())
    }

    /// A `cl_bool`.
    pub fn flag(value: bool) -> Value {
        Value::of(cl_uint::from(value))
    }

    /// A string, with the zero at its end.
    pub fn text(text: &str) -> Value {
        let mut bytes = text.replace('\0', " ").into_bytes();
        bytes.push(0);
        Value(bytes)
    }

    /// The handle of an object; null for none.
    pub fn handle<T: Kind>(object: Option<&Object<T>>) -> Value {
        Value::of(object.map_or(0, Object::handle))
    }

    /// Handles of objects.
    pub fn handles<'a, T: Kind>(objects: impl IntoIterator<Item = &'a std::sync::Arc<Object<T>>>) -> Value {
        Value::list(&objects.into_iter().map(|object| object.handle()).collect::<Vec<usize>>())
    }

    /// `cl_name_version` of each name (section 4.2, `CL_DEVICE_EXTENSIONS_WITH_VERSION`). Names that are too long are cut.
    pub fn versions<'a>(names: impl IntoIterator<Item = (&'a str, u32)>) -> Value {
        let mut bytes = Vec::new();
        for (name, version) in names {
            let mut place = [0; CL_NAME_VERSION_MAX_NAME_SIZE];
            for (to, from) in place.iter_mut().zip(name.bytes().take(CL_NAME_VERSION_MAX_NAME_SIZE - 1)) {
                *to = from;
            }
            bytes.extend_from_slice(&version.to_ne_bytes());
            bytes.extend_from_slice(&place);
        }
        Value(bytes)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A version as OpenCL 3.0 packs it (`CL_MAKE_VERSION`).
pub const fn version(major: u32, minor: u32, patch: u32) -> u32 {
    major << 22 | minor << 12 | patch
}

/// The error for a name of a query that the type of objects does not have.
pub fn unknown(name: cl_uint) -> Error {
    Error::value(format!("there is no query {name:#06x} for this type"))
}
