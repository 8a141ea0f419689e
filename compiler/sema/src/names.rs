//! Predeclared type names, and types as text.

use super::Sema;
use crate::hir::types::{PTRDIFF_T, SIZE_T};
use crate::hir::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind};
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_basic::options::ClStd;
use clforge_basic::source::Symbol;
use clforge_syntax::ast::{Qualifiers, RecordKind};

/// What a predeclared type name stands for.
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
    Some(match name {
        "image1d_t" => ImageShape::D1,
        "image1d_buffer_t" => ImageShape::D1Buffer,
        "image1d_array_t" => ImageShape::D1Array,
        "image2d_t" => ImageShape::D2,
        "image2d_array_t" => ImageShape::D2Array,
        "image3d_t" => ImageShape::D3,
        "image2d_depth_t" => ImageShape::D2Depth,
        "image2d_array_depth_t" => ImageShape::D2ArrayDepth,
        "image2d_msaa_t" => ImageShape::D2Msaa,
        "image2d_array_msaa_t" => ImageShape::D2ArrayMsaa,
        "image2d_msaa_depth_t" => ImageShape::D2MsaaDepth,
        "image2d_array_msaa_depth_t" => ImageShape::D2ArrayMsaaDepth,
        _ => return None,
    })
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
            "size_t" | "uintptr_t" => return Some(Predeclared::Type(SIZE_T)),
            "ptrdiff_t" | "intptr_t" => return Some(Predeclared::Type(PTRDIFF_T)),
            "sampler_t" => TyKind::Sampler,
            "event_t" => TyKind::Event,
            "cl_mem_fence_flags" => TyKind::Int(IntKind::UInt),
            "memory_order" | "memory_scope" => TyKind::Int(IntKind::Int),
            "kernel_enqueue_flags_t" | "clk_profiling_info" => TyKind::Int(IntKind::Int),
            "queue_t" => TyKind::Queue,
            "ndrange_t" => TyKind::NdRange,
            "clk_event_t" => TyKind::ClkEvent,
            "reserve_id_t" => TyKind::ReserveId,
            "atomic_int" => TyKind::Atomic(Scalar::Int(IntKind::Int)),
            "atomic_uint" => TyKind::Atomic(Scalar::Int(IntKind::UInt)),
            "atomic_flag" => TyKind::Atomic(Scalar::Int(IntKind::Int)),
            "atomic_long" | "atomic_intptr_t" | "atomic_ptrdiff_t" => TyKind::Atomic(Scalar::Int(IntKind::Long)),
            "atomic_ulong" | "atomic_uintptr_t" | "atomic_size_t" => TyKind::Atomic(Scalar::Int(IntKind::ULong)),
            "atomic_float" => TyKind::Atomic(Scalar::Float(FloatKind::Float)),
            "atomic_double" => TyKind::Atomic(Scalar::Float(FloatKind::Double)),
            "atomic_half" => TyKind::Atomic(Scalar::Float(FloatKind::Half)),
            "unsigned" => TyKind::Int(IntKind::UInt),
            _ => return None,
        };
        let needs_2_0 =
            matches!(kind, TyKind::Queue | TyKind::NdRange | TyKind::ClkEvent | TyKind::ReserveId | TyKind::Atomic(_));
        if needs_2_0 && self.options.language() < ClStd::CL2_0 && !self.library {
            return None;
        }
        Some(Predeclared::Type(self.program.types.intern(kind)))
    }

    /// An unqualified type as text, without quotes.
    pub(super) fn ty_text(&self, ty: Ty) -> String {
        match self.kind(ty) {
            TyKind::Error => "<error>".into(),
            TyKind::Void => "void".into(),
            TyKind::Bool => "bool".into(),
            TyKind::Int(kind) => c_name(Scalar::Int(kind)).into(),
            TyKind::Float(kind) => c_name(Scalar::Float(kind)).into(),
            TyKind::Vector(scalar, lanes) => format!("{}{lanes}", scalar.name()),
            TyKind::Pointer(_) | TyKind::Array(..) | TyKind::Function(_) | TyKind::Block(_) => {
                self.declarator_text(QualTy::plain(ty), String::new())
            }
            TyKind::Record(id) => {
                let record = self.program.types.record(id);
                let keyword = keyword(record.kind);
                match (record.tag, record.typedef_name) {
                    (Some(tag), _) => format!("{keyword} {}", self.text(tag)),
                    (None, Some(name)) => self.text(name).into(),
                    (None, None) => format!("{keyword} (unnamed)"),
                }
            }
            TyKind::Enum(id) => match self.program.types.enumeration(id).tag {
                Some(tag) => format!("enum {}", self.text(tag)),
                None => "enum (unnamed)".into(),
            },
            TyKind::Atomic(scalar) => format!("_Atomic({})", c_name(scalar)),
            TyKind::Image(shape, access) => {
                let access = match access {
                    AccessQualifier::ReadOnly => "__read_only",
                    AccessQualifier::WriteOnly => "__write_only",
                    AccessQualifier::ReadWrite => "__read_write",
                };
                format!("{access} {}", shape.name())
            }
            TyKind::Pipe(element, access) => {
                let access = if access == AccessQualifier::WriteOnly { "write_only" } else { "read_only" };
                format!("{access} pipe {}", self.ty_text(element))
            }
            TyKind::Sampler => "sampler_t".into(),
            TyKind::Event => "event_t".into(),
            TyKind::Queue => "queue_t".into(),
            TyKind::NdRange => "ndrange_t".into(),
            TyKind::ClkEvent => "clk_event_t".into(),
            TyKind::ReserveId => "reserve_id_t".into(),
        }
    }

    /// A type around a declarator's text so far, as C writes it.
    fn declarator_text(&self, q: QualTy, inner: String) -> String {
        let quals = qualifier_text(q.quals);
        match self.kind(q.ty) {
            TyKind::Pointer(pointee) => {
                let needs_parentheses = matches!(self.kind(pointee.ty), TyKind::Array(..) | TyKind::Function(_));
                let quals = format!("{}{quals}", q.space.prefix());
                let plain = q.space.prefix().is_empty();
                let tight = needs_parentheses || inner.is_empty() || (inner.starts_with('*') && plain);
                let space = if tight { "" } else { " " };
                let quals = if quals.is_empty() { String::new() } else { quals.trim_end().to_string() + space };
                let inner = if needs_parentheses { format!("(*{quals}{inner})") } else { format!("*{quals}{inner}") };
                self.declarator_text(pointee, inner)
            }
            TyKind::Array(element, count) => {
                let size = count.map(|count| count.to_string()).unwrap_or_default();
                self.declarator_text(QualTy { space: q.space, ..element }, format!("{inner}[{size}]"))
            }
            TyKind::Function(id) | TyKind::Block(id) => {
                let block = matches!(self.kind(q.ty), TyKind::Block(_));
                let inner = if block { format!("(^{inner})") } else { inner };
                let function = self.program.types.function_ty(id);
                let parameters: Vec<String> = function.parameters.iter().map(|p| self.qual_text(*p)).collect();
                let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
                self.declarator_text(function.result, format!("{inner}({parameters})"))
            }
            _ => {
                let space = q.space.prefix();
                let base = self.ty_text(q.ty);
                let gap = if inner.is_empty() || inner.starts_with('[') { "" } else { " " };
                format!("{quals}{space}{base}{gap}{inner}")
            }
        }
    }

    /// A qualified type as text, without quotes; `__private` is not shown.
    pub(super) fn qual_text(&self, q: QualTy) -> String {
        self.declarator_text(q, String::new())
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

/// `struct` or `union`.
pub(super) fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// C's own name of a scalar type.
fn c_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Int(IntKind::UChar) => "unsigned char",
        Scalar::Int(IntKind::UShort) => "unsigned short",
        Scalar::Int(IntKind::UInt) => "unsigned int",
        Scalar::Int(IntKind::ULong) => "unsigned long",
        other => other.name(),
    }
}

/// With a space after each.
pub(super) fn qualifier_text(quals: Qualifiers) -> String {
    let mut text = String::new();
    for (flag, name) in
        [(Qualifiers::CONST, "const "), (Qualifiers::VOLATILE, "volatile "), (Qualifiers::RESTRICT, "restrict ")]
    {
        if quals.contains(flag) {
            text.push_str(name);
        }
    }
    text
}
