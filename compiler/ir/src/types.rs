//! Types of values.

use clforge_basic::image::ImageShape;
use clforge_basic::matrix::{MatrixComponent, MatrixUse};
use clforge_basic::options::AddressBits;
use std::fmt;

/// Address spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    Private,
    Local,
    Global,
    Constant,
    Generic,
}

/// Handles: values with no bits of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    Event,
    Sampler,
    Image(ImageType),
    Queue,
    ClkEvent,
    ReserveId,
    /// A pipe of packets of that size and alignment, readable or writable.
    Pipe {
        size: u32,
        align: u32,
        write: bool,
    },
    /// A cooperative matrix: a value whose components the work-items of a sub-group share.
    Matrix(MatrixType),
}

/// The type of a cooperative matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixType {
    pub component: MatrixComponent,
    pub rows: u32,
    pub columns: u32,
    pub usage: MatrixUse,
}

impl MatrixType {
    /// The type of one component.
    pub fn scalar(self) -> ScalarType {
        match self.component {
            MatrixComponent::I8 => ScalarType::I8,
            MatrixComponent::I16 => ScalarType::I16,
            MatrixComponent::I32 => ScalarType::I32,
            MatrixComponent::I64 => ScalarType::I64,
            MatrixComponent::F16 => ScalarType::F16,
            MatrixComponent::F32 => ScalarType::F32,
            MatrixComponent::F64 => ScalarType::F64,
        }
    }

    /// The components that are numbers of a type.
    pub fn component_of(scalar: ScalarType) -> Option<MatrixComponent> {
        Some(match scalar {
            ScalarType::I8 => MatrixComponent::I8,
            ScalarType::I16 => MatrixComponent::I16,
            ScalarType::I32 => MatrixComponent::I32,
            ScalarType::I64 => MatrixComponent::I64,
            ScalarType::F16 => MatrixComponent::F16,
            ScalarType::F32 => MatrixComponent::F32,
            ScalarType::F64 => MatrixComponent::F64,
            ScalarType::Bool | ScalarType::Ptr(_) | ScalarType::Ptr32(_) | ScalarType::Opaque(_) => return None,
        })
    }
}

/// An image handle's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageType {
    pub shape: ImageShape,
    pub access: clforge_basic::image::AccessQualifier,
}

/// What a value or a lane of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    /// A pointer of 64 bits.
    Ptr(Space),
    /// A pointer of 32 bits, in programs whose pointers are as wide. Passes for Vulkan may give addresses of objects of their own
    /// the other type, if these are not stored: the form of both is the same there.
    Ptr32(Space),
    Opaque(Opaque),
}

impl ScalarType {
    /// Width in bits: 1 for `bool`, 0 for handles.
    pub fn bits(self) -> u32 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::I8 => 8,
            ScalarType::I16 | ScalarType::F16 => 16,
            ScalarType::I32 | ScalarType::F32 | ScalarType::Ptr32(_) => 32,
            ScalarType::I64 | ScalarType::F64 | ScalarType::Ptr(_) => 64,
            ScalarType::Opaque(_) => 0,
        }
    }

    /// Size in memory in bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    pub fn is_int(self) -> bool {
        matches!(self, ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64)
    }

    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::F16 | ScalarType::F32 | ScalarType::F64)
    }

    /// The mask of a floating type's sign bit, as a (sign-extended) integer constant.
    pub fn sign_mask(self) -> i64 {
        i64::MIN >> (64 - self.bits().clamp(1, 64))
    }

    /// The bits of a floating type's infinity.
    pub fn infinity_bits(self) -> i64 {
        match self {
            ScalarType::F16 => 0x7c00,
            ScalarType::F32 => 0x7f80_0000,
            _ => 0x7ff0_0000_0000_0000,
        }
    }

    /// The integer type of a width of 8, 16, 32 or 64 bits (64 for anything else).
    pub fn int(bits: u32) -> ScalarType {
        match bits {
            8 => ScalarType::I8,
            16 => ScalarType::I16,
            32 => ScalarType::I32,
            _ => ScalarType::I64,
        }
    }
}

/// The type of a value: a scalar (`lanes == 1`) or a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub scalar: ScalarType,
    pub lanes: u8,
}

impl Type {
    pub const BOOL: Type = Type::scalar(ScalarType::Bool);
    pub const I8: Type = Type::scalar(ScalarType::I8);
    pub const I16: Type = Type::scalar(ScalarType::I16);
    pub const I32: Type = Type::scalar(ScalarType::I32);
    pub const I64: Type = Type::scalar(ScalarType::I64);
    pub const I32X2: Type = Type::vector(ScalarType::I32, 2);
    pub const F16: Type = Type::scalar(ScalarType::F16);
    pub const F32: Type = Type::scalar(ScalarType::F32);
    pub const F64: Type = Type::scalar(ScalarType::F64);

    pub const fn scalar(scalar: ScalarType) -> Type {
        Type { scalar, lanes: 1 }
    }

    pub const fn vector(scalar: ScalarType, lanes: u8) -> Type {
        Type { scalar, lanes }
    }

    pub const fn ptr(space: Space) -> Type {
        Type::scalar(ScalarType::Ptr(space))
    }

    /// A pointer as wide as the program's.
    pub const fn pointer(space: Space, bits: AddressBits) -> Type {
        match bits {
            AddressBits::Bits32 => Type::scalar(ScalarType::Ptr32(space)),
            AddressBits::Bits64 => Type::ptr(space),
        }
    }

    /// A pointer of the same width into another space.
    #[must_use]
    pub const fn in_space(self, space: Space) -> Type {
        match self.scalar {
            ScalarType::Ptr32(_) => Type::scalar(ScalarType::Ptr32(space)),
            _ => Type::ptr(space),
        }
    }

    /// Whether it is a pointer whose address space is not known.
    pub fn is_generic(self) -> bool {
        self.space() == Some(Space::Generic)
    }

    /// The type of a cooperative matrix.
    pub const fn of_matrix(matrix: MatrixType) -> Type {
        Type::scalar(ScalarType::Opaque(Opaque::Matrix(matrix)))
    }

    /// What kind of cooperative matrix it is.
    pub fn matrix(self) -> Option<MatrixType> {
        match self.scalar {
            ScalarType::Opaque(Opaque::Matrix(matrix)) => Some(matrix),
            _ => None,
        }
    }

    /// The same lanes of another scalar.
    pub fn with_scalar(self, scalar: ScalarType) -> Type {
        Type { scalar, ..self }
    }

    /// One lane.
    pub fn lane(self) -> Type {
        Type::scalar(self.scalar)
    }

    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    pub fn space(self) -> Option<Space> {
        match self.scalar {
            ScalarType::Ptr(space) | ScalarType::Ptr32(space) => Some(space),
            _ => None,
        }
    }

    /// Bytes a load or store of it touches (three scalars for three lanes).
    pub fn access_size(self) -> u64 {
        self.scalar.bytes() * u64::from(self.lanes)
    }

    /// Total bits of all lanes.
    pub fn bits(self) -> u32 {
        self.scalar.bits() * u32::from(self.lanes)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Private => "private",
            Space::Local => "local",
            Space::Global => "global",
            Space::Constant => "constant",
            Space::Generic => "generic",
        })
    }
}

impl fmt::Display for Type {
    /// `i32`, `f32x4`, `ptr.global`, `event`, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scalar {
            ScalarType::Bool => f.write_str("bool")?,
            ScalarType::I8 => f.write_str("i8")?,
            ScalarType::I16 => f.write_str("i16")?,
            ScalarType::I32 => f.write_str("i32")?,
            ScalarType::I64 => f.write_str("i64")?,
            ScalarType::F16 => f.write_str("f16")?,
            ScalarType::F32 => f.write_str("f32")?,
            ScalarType::F64 => f.write_str("f64")?,
            ScalarType::Ptr(space) => write!(f, "ptr.{space}")?,
            ScalarType::Ptr32(space) => write!(f, "ptr32.{space}")?,
            ScalarType::Opaque(Opaque::Event) => f.write_str("event")?,
            ScalarType::Opaque(Opaque::Sampler) => f.write_str("sampler")?,
            ScalarType::Opaque(Opaque::Image(image)) => write!(f, "image.{:?}.{:?}", image.shape, image.access)?,
            ScalarType::Opaque(Opaque::Queue) => f.write_str("queue")?,
            ScalarType::Opaque(Opaque::ClkEvent) => f.write_str("clk_event")?,
            ScalarType::Opaque(Opaque::ReserveId) => f.write_str("reserve_id")?,
            ScalarType::Opaque(Opaque::Pipe { size, align, write }) => {
                write!(f, "pipe.{size}.{align}.{}", if write { "write" } else { "read" })?;
            }
            ScalarType::Opaque(Opaque::Matrix(matrix)) => {
                let MatrixType { rows, columns, usage, .. } = matrix;
                write!(f, "matrix.{}.{rows}.{columns}.{usage:?}", Type::scalar(matrix.scalar()))?;
            }
        }
        if self.lanes > 1 { write!(f, "x{}", self.lanes) } else { Ok(()) }
    }
}
