//! Predeclared type names, and types as text.

use super::Sema;
use crate::hir::spelling::{Spelling, c_name};
use crate::hir::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind};
use clforge_basic::image::ImageShape;
use clforge_basic::options::ClStd;
use clforge_basic::source::Symbol;

/// The meaning of a predeclared type name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Predeclared {
    Type(Ty),
    /// An image type: the access qualifier is beside it.
    Image(ImageShape),
}

/// `float4` and similar: a scalar type's OpenCL C name and a number of lanes.
pub(super) fn scalar_or_vector(name: &str) -> Option<(Scalar, u8)> {
    let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (base, lanes) = name.split_at(digits);
    let lanes = match lanes {
        "" => 1,
        "2" => 2,
        "3" => 3,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    let scalar = match base {
        "char" => Scalar::Int(IntKind::Char),
        "uchar" => Scalar::Int(IntKind::UChar),
        "short" => Scalar::Int(IntKind::Short),
        "ushort" => Scalar::Int(IntKind::UShort),
        "int" => Scalar::Int(IntKind::Int),
        "uint" => Scalar::Int(IntKind::UInt),
        "long" => Scalar::Int(IntKind::Long),
        "ulong" => Scalar::Int(IntKind::ULong),
        "half" => Scalar::Float(FloatKind::Half),
        "float" => Scalar::Float(FloatKind::Float),
        "double" => Scalar::Float(FloatKind::Double),
        _ => return None,
    };
    Some((scalar, lanes))
}

/// Types that OpenCL C 2.0 brought.
pub(super) fn is_2_0_type(name: &str) -> bool {
    matches!(name, "queue_t" | "ndrange_t" | "clk_event_t" | "reserve_id_t") || name.starts_with("atomic_")
}

fn image_shape(name: &str) -> Option<ImageShape> {
    ImageShape::ALL.into_iter().find(|shape| shape.name() == name)
}

impl Sema<'_, '_, '_> {
    /// The predeclared type of that name in the language in force.
    pub(super) fn predeclared_type(&mut self, name: Symbol) -> Option<Predeclared> {
        if let Some(known) = self.predeclared.get(&name) {
            return *known;
        }
        let found = self.find_predeclared(name);
        self.predeclared.insert(name, found);
        found
    }

    fn find_predeclared(&mut self, name: Symbol) -> Option<Predeclared> {
        let text = self.names.text(name);
        let types = &mut self.program.types;
        if let Some((scalar, lanes)) = scalar_or_vector(text) {
            return Some(Predeclared::Type(types.vector(scalar, lanes)));
        }
        if let Some(shape) = image_shape(text) {
            return Some(Predeclared::Image(shape));
        }
        let kind = match text {
            "bool" => TyKind::Bool,
            "void" => TyKind::Void,
            "size_t" | "uintptr_t" => return Some(Predeclared::Type(self.program.types.size_t())),
            "ptrdiff_t" | "intptr_t" => return Some(Predeclared::Type(self.program.types.ptrdiff_t())),
            "sampler_t" => TyKind::Sampler,
            "event_t" => TyKind::Event,
            "cl_mem_fence_flags" => TyKind::Int(IntKind::UInt),
            "memory_order" | "memory_scope" => TyKind::Int(IntKind::Int),
            "kernel_enqueue_flags_t" | "clk_profiling_info" => TyKind::Int(IntKind::Int),
            "coop_matrix_scope_t" | "coop_matrix_use_t" | "coop_matrix_layout_t" | "coop_matrix_operands_t" => {
                TyKind::Int(IntKind::Int)
            }
            "queue_t" => TyKind::Queue,
            "ndrange_t" => TyKind::NdRange,
            "clk_event_t" => TyKind::ClkEvent,
            "reserve_id_t" => TyKind::ReserveId,
            "atomic_int" => TyKind::Atomic(Scalar::Int(IntKind::Int)),
            "atomic_uint" => TyKind::Atomic(Scalar::Int(IntKind::UInt)),
            "atomic_flag" => TyKind::Atomic(Scalar::Int(IntKind::Int)),
            "atomic_long" => TyKind::Atomic(Scalar::Int(IntKind::Long)),
            "atomic_ulong" => TyKind::Atomic(Scalar::Int(IntKind::ULong)),
            "atomic_intptr_t" | "atomic_ptrdiff_t" => {
                TyKind::Atomic(Scalar::Int(self.int_kind(self.program.types.ptrdiff_t())?))
            }
            "atomic_uintptr_t" | "atomic_size_t" => {
                TyKind::Atomic(Scalar::Int(self.int_kind(self.program.types.size_t())?))
            }
            "atomic_float" => TyKind::Atomic(Scalar::Float(FloatKind::Float)),
            "atomic_double" => TyKind::Atomic(Scalar::Float(FloatKind::Double)),
            "atomic_half" => TyKind::Atomic(Scalar::Float(FloatKind::Half)),
            "unsigned" => TyKind::Int(IntKind::UInt),
            _ => return None,
        };
        let needs_2_0 =
            matches!(kind, TyKind::Queue | TyKind::NdRange | TyKind::ClkEvent | TyKind::ReserveId | TyKind::Atomic(_));
        if needs_2_0 && self.options.language.version() < ClStd::CL2_0 && !self.library {
            return None;
        }
        Some(Predeclared::Type(self.program.types.intern(kind)))
    }

    fn spelling(&self) -> Spelling<'_> {
        Spelling::for_messages(&self.program.types, self.names)
    }

    /// An unqualified type as text, without quotes.
    pub(super) fn ty_text(&self, ty: Ty) -> String {
        self.spelling().value(ty)
    }

    /// A qualified type as text, without quotes; `__private` is not shown.
    pub(super) fn qual_text(&self, q: QualTy) -> String {
        self.spelling().object(q)
    }

    /// A value's type in quotes, vectors explained as clang does.
    pub(super) fn quoted(&self, ty: Ty) -> String {
        match self.kind(ty) {
            TyKind::Vector(scalar, lanes) => {
                format!("'{}' (vector of {lanes} '{}' values)", self.ty_text(ty), c_name(scalar))
            }
            _ => format!("'{}'", self.ty_text(ty)),
        }
    }
}
