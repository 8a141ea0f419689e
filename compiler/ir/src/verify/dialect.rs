//! Dialects: which types and operations are legal, before legalisation and after each of its passes.

use super::*;

/// What is legal in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// What lowering makes, for any target.
    Core,
    /// What the OpenCL target emits.
    OpenCl {
        /// Whether the environment has generic pointers.
        generic_pointers: bool,
    },
    /// For Vulkan, after the legalisation passes up to this one.
    Vulkan(Legalized),
}

/// The passes that legalise for Vulkan, in their order. Each removes types or operations, or introduces those of Vulkan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Legalized {
    /// No operations of whole work-groups, no intrinsics that Vulkan has no instruction for, and no atomics of 16 bits.
    Builtins,
    /// Formats of `printf` are numbers.
    PrintfFormats,
    /// Nothing is imported. Kernels have no parameters and ask for no work-item functions. Variables, inputs,
    /// specialisation constants and descriptors are legal from here on.
    KernelAbi,
    /// Images are descriptors, and their operations those of Vulkan, with exactly the image's coordinates.
    Images,
    /// No vectors of more than four lanes.
    WideVectors,
    /// No pointers.
    Memory,
    /// No order of memory is sequentially consistent, and no fence is of one work-item: everything is legal for Vulkan.
    MemoryModel,
}

impl Legalized {
    /// All of them.
    pub const ALL: [Legalized; 7] = [
        Legalized::Builtins,
        Legalized::PrintfFormats,
        Legalized::KernelAbi,
        Legalized::Images,
        Legalized::WideVectors,
        Legalized::Memory,
        Legalized::MemoryModel,
    ];
}

impl Dialect {
    /// The dialect that is emitted for Vulkan.
    pub const VULKAN: Dialect = Dialect::Vulkan(Legalized::MemoryModel);

    fn is_vulkan(self) -> bool {
        matches!(self, Dialect::Vulkan(_))
    }

    /// Whether a pass that legalises for Vulkan has run.
    pub fn reached(self, pass: Legalized) -> bool {
        matches!(self, Dialect::Vulkan(last) if last >= pass)
    }

    pub(super) fn check_type(self, ty: Type) -> Check {
        let Type { scalar, lanes } = ty;
        let is_number = !matches!(scalar, ScalarType::Ptr(_) | ScalarType::Ptr32(_) | ScalarType::Opaque(_));
        let well_formed = matches!(lanes, 1) || (is_number && matches!(lanes, 2 | 3 | 4 | 8 | 16));
        require(well_formed, Rule::Operands, || format!("there is no type {ty}"))?;
        let legal = match scalar {
            ScalarType::Ptr(Space::Generic) | ScalarType::Ptr32(Space::Generic)
                if self == (Dialect::OpenCl { generic_pointers: false }) =>
            {
                false
            }
            ScalarType::Ptr(_) | ScalarType::Ptr32(_) => !self.reached(Legalized::Memory),
            ScalarType::Opaque(Opaque::Queue | Opaque::ClkEvent | Opaque::ReserveId | Opaque::Pipe { .. }) => {
                !self.is_vulkan()
            }
            ScalarType::Opaque(Opaque::Event | Opaque::Sampler | Opaque::Image(_) | Opaque::Matrix(_))
            | ScalarType::Bool
            | ScalarType::I8
            | ScalarType::I16
            | ScalarType::I32
            | ScalarType::I64
            | ScalarType::F16
            | ScalarType::F32
            | ScalarType::F64 => lanes <= 4 || !self.reached(Legalized::WideVectors),
        };
        require(legal, Rule::Dialect, || format!("the type {ty} is not legal in the dialect {self:?}"))
    }

    pub(super) fn check_inst(self, function: &Function, inst: &Inst) -> Check {
        let legal = match legality(&inst.op) {
            Legality::Always => true,
            Legality::Until(pass) => !self.reached(pass),
            Legality::Since(pass) => self.reached(pass),
            Legality::OpenCl => !self.is_vulkan(),
            Legality::Operands => self.has_operands(function, inst),
        };
        require(legal, Rule::Dialect, || format!("an operation that is not legal in the dialect {self:?}"))
    }

    /// Whether operations whose operands decide it are legal.
    fn has_operands(self, function: &Function, inst: &Inst) -> bool {
        match &inst.op {
            Op::Image { op, texel, .. } => self.has_image_op(op) && (*texel != Texel::F16 || !self.is_vulkan()),
            Op::Group { scope, .. } => *scope != Scope::WorkGroup || !self.is_vulkan(),
            Op::Atomic { op, operands, semantics, unequal, .. } => {
                let object = inst.results.first().or(operands.first());
                self.has_atomic(*op, object.map_or(ScalarType::I32, |value| function.ty(*value).scalar))
                    && [semantics.order, *unequal].into_iter().all(|order| self.has_order(order))
            }
            Op::VariableAtomic { semantics, unequal, .. } => {
                let orders = [semantics.order, *unequal];
                self.reached(Legalized::KernelAbi) && orders.into_iter().all(|order| self.has_order(order))
            }
            Op::Fence(semantics) => {
                self.has_order(semantics.order) && self.has_scope(semantics.scope > Scope::WorkItem)
            }
            Op::Barrier { execution, semantics } => {
                self.has_order(semantics.order) && self.has_scope(semantics.scope >= *execution)
            }
            _ => false,
        }
    }

    fn has_order(self, order: MemoryOrder) -> bool {
        order != MemoryOrder::SequentiallyConsistent || !self.reached(Legalized::MemoryModel)
    }

    /// Fences and barriers order memory for the work-items that they are about, and for more than one.
    fn has_scope(self, is_wide_enough: bool) -> bool {
        is_wide_enough || !self.reached(Legalized::MemoryModel)
    }

    fn has_atomic(self, op: AtomicOp, object: ScalarType) -> bool {
        match self {
            Dialect::Core => true,
            Dialect::OpenCl { .. } => object.bits() >= 32 && !op.is_float(),
            Dialect::Vulkan(_) => object.bits() >= 32,
        }
    }

    fn has_image_op(self, op: &ImageOp) -> bool {
        match op {
            ImageOp::Sample { .. }
            | ImageOp::SampleLod { .. }
            | ImageOp::SampleGrad { .. }
            | ImageOp::Read { .. }
            | ImageOp::Write { .. }
            | ImageOp::Size
            | ImageOp::Levels => true,
            ImageOp::ChannelOrder | ImageOp::ChannelDataType => !self.reached(Legalized::KernelAbi),
            ImageOp::WriteLod { .. } => !self.reached(Legalized::Images),
            ImageOp::ReadSample { .. } | ImageOp::Samples => !self.reached(Legalized::Images),
        }
    }
}

/// In which dialects an operation is legal.
enum Legality {
    Always,
    /// Before a pass that legalises for Vulkan.
    Until(Legalized),
    /// After it.
    Since(Legalized),
    /// Before all of them.
    OpenCl,
    /// The operands decide: see [`Dialect::has_operands`].
    Operands,
}

/// The legality of each operation, as the table says. That of intrinsics is in `intrinsic.rs`.
macro_rules! legalities {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt
            [$effect:ident, $family:ident, $($legal:ident)+];
    )*) => {
        fn legality(op: &Op) -> Legality {
            match op {
                $(Op::$name { .. } => legalities!(@ $($legal)+),)*
            }
        }
    };
    (@ always) => { Legality::Always };
    (@ until $pass:ident) => { Legality::Until(Legalized::$pass) };
    (@ since $pass:ident) => { Legality::Since(Legalized::$pass) };
    (@ opencl) => { Legality::OpenCl };
    (@ operands) => { Legality::Operands };
}

ops!(legalities);
