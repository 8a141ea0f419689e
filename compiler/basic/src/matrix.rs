//! Cooperative matrices (`cl_khr_cooperative_matrix`, `SPV_KHR_cooperative_matrix`): terms that the types, the IR, the
//! emitters and the facts of a device share.

/// What a matrix is in a multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MatrixUse {
    /// The left factor, M rows of K columns.
    A,
    /// The right factor, K rows of N columns.
    B,
    /// The summand and the result, M rows of N columns.
    Accumulator,
}

impl MatrixUse {
    /// All uses, in the order of their numbers in OpenCL C and SPIR-V.
    pub const ALL: [MatrixUse; 3] = [MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator];

    /// The use of a number of OpenCL C and SPIR-V.
    pub fn of_number(number: u64) -> Option<MatrixUse> {
        MatrixUse::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Its number in OpenCL C and SPIR-V.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// Its name in the enumerators of OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            MatrixUse::A => "A",
            MatrixUse::B => "B",
            MatrixUse::Accumulator => "ACCUMULATOR",
        }
    }
}

/// The components of a matrix. Integers have no sign; operations have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum MatrixComponent {
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
}

impl MatrixComponent {
    /// Its size in memory.
    pub fn bytes(self) -> u32 {
        match self {
            MatrixComponent::I8 => 1,
            MatrixComponent::I16 | MatrixComponent::F16 => 2,
            MatrixComponent::I32 | MatrixComponent::F32 => 4,
            MatrixComponent::I64 | MatrixComponent::F64 => 8,
        }
    }

    /// Whether it is a floating type.
    pub fn is_float(self) -> bool {
        matches!(self, MatrixComponent::F16 | MatrixComponent::F32 | MatrixComponent::F64)
    }
}

/// A component with its sign, which floating types always have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SignedComponent {
    /// The type.
    pub component: MatrixComponent,
    /// Whether negative numbers are among its values.
    pub signed: bool,
}

/// A multiplication that a device has an instruction for: A of M rows and K columns, B of K rows and N columns, and the
/// summand and the result of M rows and N columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixVariant {
    /// Rows of A, of the summand and of the result.
    pub m: u32,
    /// Columns of B, of the summand and of the result.
    pub n: u32,
    /// Columns of A and rows of B.
    pub k: u32,
    /// Components of A.
    pub a: SignedComponent,
    /// Components of B.
    pub b: SignedComponent,
    /// Components of the summand.
    pub c: SignedComponent,
    /// Components of the result.
    pub result: SignedComponent,
    /// Whether sums saturate.
    pub saturating: bool,
}

impl MatrixVariant {
    /// Whether one of its matrices has this use and shape, and these components, of whatever sign.
    pub fn has(&self, usage: MatrixUse, component: MatrixComponent, rows: u32, columns: u32) -> bool {
        match usage {
            MatrixUse::A => (self.a.component, self.m, self.k) == (component, rows, columns),
            MatrixUse::B => (self.b.component, self.k, self.n) == (component, rows, columns),
            MatrixUse::Accumulator => {
                (self.c.component == component || self.result.component == component)
                    && (self.m, self.n) == (rows, columns)
            }
        }
    }
}
