//! The signatures of built-in functions as patterns over a generic type ("gentype" in the specification).

use crate::hir::types::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind, TypeTable};
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_basic::narrow::to_u32;
use clforge_syntax::ast::{AddressSpace, Qualifiers};

/// A set of scalar types: bit `i` is `SCALARS[i]`.
pub type Scalars = u16;
/// A set of lane counts: bit `i` is `LANES[i]`.
pub type LaneSet = u8;

/// The scalars a generic type ranges over, in the order of the bits of [`Scalars`].
pub const SCALARS: [Scalar; 11] = [
    Scalar::Int(IntKind::Char),
    Scalar::Int(IntKind::UChar),
    Scalar::Int(IntKind::Short),
    Scalar::Int(IntKind::UShort),
    Scalar::Int(IntKind::Int),
    Scalar::Int(IntKind::UInt),
    Scalar::Int(IntKind::Long),
    Scalar::Int(IntKind::ULong),
    Scalar::Float(FloatKind::Float),
    Scalar::Float(FloatKind::Double),
    Scalar::Float(FloatKind::Half),
];

/// The lane counts a generic type ranges over, in the order of the bits of [`LaneSet`].
pub const LANES: [u8; 6] = [1, 2, 3, 4, 8, 16];

pub const SIGNED: Scalars = 0x55;
pub const INTS: Scalars = 0xff;
/// `int` and `uint`.
pub const INTS32: Scalars = 0x30;
/// `long` and `ulong`.
pub const INTS64: Scalars = 0xc0;
/// Integers that have an integer of twice their width.
pub const NARROW_INTS: Scalars = 0x3f;
pub const FLOAT: Scalars = 0x100;
pub const DOUBLE: Scalars = 0x200;
pub const HALF: Scalars = 0x400;
pub const FLOATS: Scalars = 0x700;
pub const NUMBERS: Scalars = 0x7ff;

pub const ONE: LaneSet = 1;
pub const ALL: LaneSet = 0x3f;
pub const VECTORS: LaneSet = 0x3e;
pub const UP_TO_4: LaneSet = 0x0f;
pub const THREE_OR_FOUR: LaneSet = 0x0c;
/// The lane counts of `shuffle`.
pub const EVEN: LaneSet = 0x3a;

/// A set of address spaces.
pub type Spaces = u8;
pub const PRIVATE: Spaces = 1;
pub const GLOBAL: Spaces = 2;
pub const CONSTANT: Spaces = 4;
pub const LOCAL: Spaces = 8;
pub const GENERIC: Spaces = 16;
pub const WRITABLE: Spaces = PRIVATE | GLOBAL | LOCAL | GENERIC;
pub const ANY_SPACE: Spaces = WRITABLE | CONSTANT;
pub const SHARED: Spaces = GLOBAL | LOCAL | GENERIC;

/// The bit of an address space.
pub fn space_bit(space: AddressSpace) -> Spaces {
    match space {
        AddressSpace::Private => PRIVATE,
        AddressSpace::Global => GLOBAL,
        AddressSpace::Constant => CONSTANT,
        AddressSpace::Local => LOCAL,
        AddressSpace::Generic => GENERIC,
    }
}

/// A parameter's or result's type in terms of the generic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Void,
    /// The generic type.
    Gen,
    /// One lane of the generic type.
    Elem,
    /// Signed integer of the generic type's width and lanes.
    SignedGen,
    /// Unsigned integer of the generic type's width and lanes.
    UnsignedGen,
    /// What comparisons give: `int` for scalars, [`Pattern::SignedGen`] for vectors.
    Relational,
    /// Integer of twice the generic type's width.
    Wide,
    /// A scalar.
    One(Scalar),
    /// `size_t`. The function takes and returns 64 bits, whatever the program's pointers have: calls convert.
    Size,
    /// A scalar with the generic type's lanes.
    Lanes(Scalar),
    /// A fixed vector.
    Vector(Scalar, u8),
    /// The generic type's scalar with the second generic lane count.
    Elem2,
    /// Unsigned integer of the generic type's width with the second generic lane count.
    Mask2,
    Bool,
    /// Pointer: pointee, qualifiers the pointee may have (bits of [`Qualifiers`]), address spaces.
    Ptr(Pointee, u8, Spaces),
    Event,
    Sampler,
    /// A handle of no further parts: a queue, an event of one, …
    Handle(TyKind),
    /// As a result: the first argument, a pointer, in that address space.
    Into(AddressSpace),
    /// An image of one of those shapes (bits of [`shape_bit`]) with one of those accesses (bits of [`access_bit`]).
    Image(u16, u8),
}

/// The pattern of a pointer parameter's pointee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    Gen,
    Elem,
    /// A scalar with the generic type's lanes.
    Lanes(Scalar),
    One(Scalar),
    /// `atomic_int` and so on of the generic scalar.
    AtomicGen,
    Event,
    /// Any object.
    Anything,
}

pub const INT: Pattern = Pattern::One(Scalar::Int(IntKind::Int));
pub const UINT: Pattern = Pattern::One(Scalar::Int(IntKind::UInt));
pub const SIZE: Pattern = Pattern::Size;
pub const CONST: u8 = Qualifiers::CONST.bits();
pub const VOLATILE: u8 = Qualifiers::VOLATILE.bits();

/// The bit of an image shape in [`Pattern::Image`].
pub const fn shape_bit(shape: ImageShape) -> u16 {
    1 << shape as u16
}

/// The bit of an access in [`Pattern::Image`].
pub const fn access_bit(access: AccessQualifier) -> u8 {
    1 << access as u8
}

/// One overload set: all instances of a pattern over `scalars` × `lanes` (× `lanes2`).
#[derive(Clone, Copy, Debug)]
pub struct Sig {
    pub scalars: Scalars,
    pub lanes: LaneSet,
    /// Lane counts of [`Pattern::Elem2`] and [`Pattern::Mask2`]; 0 where there is none.
    pub lanes2: LaneSet,
    pub result: Pattern,
    pub params: &'static [Pattern],
    pub variadic: bool,
}

/// A signature generic over scalars and lanes.
pub const fn sig(scalars: Scalars, lanes: LaneSet, result: Pattern, params: &'static [Pattern]) -> Sig {
    Sig { scalars, lanes, lanes2: 0, result, params, variadic: false }
}

/// A signature without a generic type.
pub const fn fixed(result: Pattern, params: &'static [Pattern]) -> Sig {
    Sig { scalars: FLOAT, lanes: ONE, lanes2: 0, result, params, variadic: false }
}

/// A choice of the generic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    pub scalar: Scalar,
    pub lanes: u8,
    pub lanes2: u8,
}

/// A parameter type of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    Number(Scalar, u8),
    Ptr(Target, u8, Spaces),
    Void,
    Event,
    Sampler,
    Handle(TyKind),
    Image(u16, u8),
    Into(AddressSpace),
}

/// What a pointer parameter of an instance points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Number(Scalar, u8),
    Atomic(Scalar),
    Event,
    Anything,
}

fn integer(scalar: Scalar, signed: bool, factor: u32) -> Scalar {
    Scalar::Int(IntKind::of(to_u32(scalar.size() * 8) * factor, signed))
}

impl Pattern {
    /// Whether all instances have the same type here.
    pub fn is_fixed(self) -> bool {
        match self {
            Pattern::Ptr(to, ..) => matches!(to, Pointee::One(_) | Pointee::Event | Pointee::Anything),
            Pattern::Void
            | Pattern::One(_)
            | Pattern::Size
            | Pattern::Vector(..)
            | Pattern::Bool
            | Pattern::Event
            | Pattern::Sampler
            | Pattern::Handle(_) => true,
            Pattern::Image(..) | Pattern::Into(_) => true,
            _ => false,
        }
    }

    /// The type for a choice of the generic type.
    pub fn of(self, instance: Instance) -> Param {
        let Instance { scalar, lanes, lanes2 } = instance;
        match self {
            Pattern::Void => Param::Void,
            Pattern::Gen => Param::Number(scalar, lanes),
            Pattern::Elem => Param::Number(scalar, 1),
            Pattern::SignedGen => Param::Number(integer(scalar, true, 1), lanes),
            Pattern::UnsignedGen => Param::Number(integer(scalar, false, 1), lanes),
            Pattern::Relational if lanes == 1 => Param::Number(Scalar::Int(IntKind::Int), 1),
            Pattern::Relational => Param::Number(integer(scalar, true, 1), lanes),
            Pattern::Wide => {
                let signed = matches!(scalar, Scalar::Int(kind) if kind.is_signed());
                Param::Number(integer(scalar, signed, 2), lanes)
            }
            Pattern::One(scalar) => Param::Number(scalar, 1),
            Pattern::Size => Param::Number(Scalar::Int(IntKind::ULong), 1),
            Pattern::Lanes(scalar) => Param::Number(scalar, lanes),
            Pattern::Vector(scalar, lanes) => Param::Number(scalar, lanes),
            Pattern::Elem2 => Param::Number(scalar, lanes2),
            Pattern::Mask2 => Param::Number(integer(scalar, false, 1), lanes2),
            Pattern::Bool => Param::Number(Scalar::Bool, 1),
            Pattern::Ptr(to, quals, spaces) => {
                let target = match to {
                    Pointee::Gen => Target::Number(scalar, lanes),
                    Pointee::Elem => Target::Number(scalar, 1),
                    Pointee::Lanes(scalar) => Target::Number(scalar, lanes),
                    Pointee::One(scalar) => Target::Number(scalar, 1),
                    Pointee::AtomicGen => Target::Atomic(scalar),
                    Pointee::Event => Target::Event,
                    Pointee::Anything => Target::Anything,
                };
                Param::Ptr(target, quals, spaces)
            }
            Pattern::Event => Param::Event,
            Pattern::Sampler => Param::Sampler,
            Pattern::Handle(kind) => Param::Handle(kind),
            Pattern::Into(space) => Param::Into(space),
            Pattern::Image(shapes, accesses) => Param::Image(shapes, accesses),
        }
    }
}

impl Param {
    /// The interned type; where the pattern leaves it open (address space, image), the argument decides.
    pub fn intern(self, types: &mut TypeTable, argument: Option<QualTy>) -> Ty {
        match self {
            Param::Number(scalar, lanes) => types.vector(scalar, lanes),
            Param::Void => Ty::VOID,
            Param::Event => Ty::EVENT,
            Param::Sampler => Ty::SAMPLER,
            Param::Handle(kind) => types.intern(kind),
            Param::Image(..) => argument.map_or(Ty::ERROR, |argument| argument.ty),
            Param::Into(space) => match argument.map(|argument| types.kind(argument.ty)) {
                Some(TyKind::Pointer(pointee)) => types.pointer_to(pointee.in_space(space)),
                _ => Ty::ERROR,
            },
            Param::Ptr(target, quals, _) => {
                let pointee = match argument.map(|argument| types.kind(argument.ty)) {
                    Some(TyKind::Pointer(pointee)) => pointee,
                    _ => return Ty::ERROR,
                };
                let ty = match target {
                    Target::Number(scalar, lanes) => types.vector(scalar, lanes),
                    Target::Atomic(scalar) => types.intern(TyKind::Atomic(scalar)),
                    Target::Event => Ty::EVENT,
                    Target::Anything => pointee.ty,
                };
                types.pointer_to(QualTy { ty, quals: Qualifiers::from_bits_truncate(quals), space: pointee.space })
            }
        }
    }

    /// Its spelling for messages.
    pub fn spelling(self) -> String {
        let number = |scalar: Scalar, lanes: u8| match lanes {
            1 => scalar.name().to_string(),
            _ => format!("{}{lanes}", scalar.name()),
        };
        match self {
            Param::Number(scalar, lanes) => number(scalar, lanes),
            Param::Void => "void".into(),
            Param::Event => "event_t".into(),
            Param::Sampler => "sampler_t".into(),
            Param::Handle(kind) => match kind {
                TyKind::Queue => "queue_t",
                TyKind::NdRange => "ndrange_t",
                TyKind::ReserveId => "reserve_id_t",
                _ => "clk_event_t",
            }
            .into(),
            Param::Image(..) => "image".into(),
            Param::Into(AddressSpace::Global) => "global void *".into(),
            Param::Into(AddressSpace::Local) => "local void *".into(),
            Param::Into(_) => "private void *".into(),
            Param::Ptr(target, quals, spaces) => {
                let space = match spaces {
                    GLOBAL => "global ",
                    LOCAL => "local ",
                    CONSTANT => "constant ",
                    _ => "",
                };
                let constant = if quals & CONST != 0 { "const " } else { "" };
                let target = match target {
                    Target::Number(scalar, lanes) => number(scalar, lanes),
                    Target::Atomic(scalar) => format!("atomic_{}", scalar.name()),
                    Target::Event => "event_t".into(),
                    Target::Anything => "void".into(),
                };
                format!("{space}{constant}{target} *")
            }
        }
    }
}

impl Sig {
    /// Every choice of the generic type.
    pub fn instances(&self) -> impl Iterator<Item = Instance> + '_ {
        let lanes2 = if self.lanes2 == 0 { ONE } else { self.lanes2 };
        let bits = |set: u16, count: usize| (0..count).filter(move |bit| set >> bit & 1 != 0);
        bits(self.scalars, SCALARS.len()).flat_map(move |scalar| {
            bits(u16::from(self.lanes), LANES.len()).flat_map(move |lanes| {
                bits(u16::from(lanes2), LANES.len()).map(move |second| Instance {
                    scalar: SCALARS[scalar],
                    lanes: LANES[lanes],
                    lanes2: LANES[second],
                })
            })
        })
    }

    /// The number of lanes, where there is no choice.
    pub fn only_lanes(&self) -> Option<u8> {
        let only = self.lanes.is_power_of_two().then_some(self.lanes.trailing_zeros())?;
        LANES.get(only as usize).copied()
    }

    /// Whether the generic type may be that.
    pub fn admits(&self, scalar: Scalar, lanes: u8) -> bool {
        let scalar = SCALARS.iter().position(|known| *known == scalar);
        let lanes = LANES.iter().position(|known| *known == lanes);
        matches!((scalar, lanes), (Some(s), Some(l)) if self.scalars >> s & 1 != 0 && self.lanes >> l & 1 != 0)
    }

    /// The instance as a declaration.
    pub fn spelling(&self, name: &str, instance: Instance) -> String {
        let params: Vec<Param> = self.params.iter().map(|param| param.of(instance)).collect();
        self.spelling_of(name, instance, &params)
    }

    /// The declaration of the instance with these parameters.
    pub fn spelling_of(&self, name: &str, instance: Instance, params: &[Param]) -> String {
        let mut params: Vec<String> = params.iter().map(|param| param.spelling()).collect();
        if self.variadic {
            params.push("...".into());
        }
        format!("{} {name}({})", self.result.of(instance).spelling(), params.join(", "))
    }
}
