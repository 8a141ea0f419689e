//! `__attribute__((…))`: layout, function and kernel attributes.

use super::Sema;
use super::scope::DeclTy;
use crate::hir::{FloatKind, InlineHint, IntKind, LoopHint, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_u8;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace, AttributeArgument};

/// `packed` and `aligned`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub packed: bool,
    /// A power of two.
    pub align: Option<u64>,
    /// The alignment that `_Alignas` requests, and where.
    pub alignas: Option<(u64, Span)>,
    /// `unused`: no warning about that.
    pub unused: bool,
}

impl Layout {
    /// Both together.
    pub fn or(self, other: Layout) -> Layout {
        Layout {
            packed: self.packed || other.packed,
            align: self.align.max(other.align),
            alignas: self.alignas.or(other.alignas),
            unused: self.unused || other.unused,
        }
    }
}

/// What a function's attributes say.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionAttributes {
    pub required_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    pub vec_type_hint: Option<Ty>,
    pub required_sub_group_size: Option<u32>,
    pub overloadable: bool,
    pub inline_hint: InlineHint,
    /// The first attribute that only kernels may have.
    pub kernel_only: Option<(Span, &'static str)>,
}

/// Attributes that are known and mean nothing here.
const IGNORED: &[&str] = &[
    "unused",
    "used",
    "const",
    "pure",
    "nothrow",
    "noreturn",
    "malloc",
    "deprecated",
    "weak",
    "visibility",
    "section",
    "endian",
    "nosvm",
    "may_alias",
    "convergent",
    "always_inline",
    "noinline",
    "overloadable",
    "packed",
    "aligned",
    "cold",
    "hot",
    "flatten",
    "warn_unused_result",
    "nonnull",
    "format",
    "artificial",
    "gnu_inline",
    "optnone",
    "amdgpu_flat_work_group_size",
    "amdgpu_waves_per_eu",
    "amdgpu_num_vgpr",
    "amdgpu_num_sgpr",
    "ext_vector_type",
    "vector_size",
    "opencl_unroll_hint",
    "reqd_work_group_size",
    "work_group_size_hint",
    "vec_type_hint",
    "intel_reqd_sub_group_size",
    "transparent_union",
    "annotate",
    "address_space",
    "opencl_constant",
    "opencl_generic",
    "opencl_global",
    "opencl_global_device",
    "opencl_global_host",
    "opencl_local",
    "opencl_private",
    "max_constant_size",
    "uniform_work_group_size",
    "nodebug",
    "no_sanitize",
    "mode",
    "bitwise",
    "coop_mat",
];

impl<'a> Sema<'a, '_, '_> {
    /// `packed` and `aligned` among attributes; unknown ones are warned about.
    pub(super) fn layout_attributes(&mut self, attributes: &[ast::Attribute<'a>]) -> Layout {
        let mut layout = Layout::default();
        for attribute in attributes {
            match self.text(attribute.name) {
                "packed" => layout.packed = true,
                "unused" => layout.unused = true,
                "aligned" => layout.align = layout.align.max(self.alignment(attribute)),
                "_Alignas" => {
                    let align = self.alignas(attribute);
                    layout.align = layout.align.max(align);
                    layout.alignas = layout.alignas.or(align.map(|align| (align, attribute.span)));
                }
                _ => self.known_attribute(attribute),
            }
        }
        layout
    }

    fn alignment(&mut self, attribute: &ast::Attribute<'a>) -> Option<u64> {
        let value = match attribute.arguments.first() {
            None => 16,
            Some(argument) => self.attribute_integer("aligned", argument)?,
        };
        self.checked_alignment(value, attribute.span)
    }

    /// An alignment that is requested.
    fn checked_alignment(&mut self, value: u64, span: Span) -> Option<u64> {
        const MAX: u64 = 1 << 28;
        if !value.is_power_of_two() {
            self.error(span, "requested alignment is not a power of 2");
            return None;
        }
        if value > MAX {
            self.error(span, format!("requested alignment must be {MAX} bytes or smaller"));
            return None;
        }
        Some(value)
    }

    /// `_Alignas(type)` or `_Alignas(bytes)` (C11 6.7.5); 0 bytes request nothing.
    fn alignas(&mut self, attribute: &ast::Attribute<'a>) -> Option<u64> {
        if let Some(AttributeArgument::Type(name)) = attribute.arguments.first() {
            let ty = self.type_name(name).ty;
            return Some(self.program.types.align_of(ty));
        }
        let argument = attribute.arguments.first()?;
        let value = self.attribute_integer("_Alignas", argument)?;
        if value == 0 { None } else { self.checked_alignment(value, attribute.span) }
    }

    /// The alignment of an object or member of that type and layout; `_Alignas` may not request less than the type's.
    pub(super) fn aligned(&mut self, ty: Ty, layout: Layout) -> u64 {
        let natural = self.program.types.align_of(ty);
        if let Some((requested, span)) = layout.alignas
            && layout.align.is_some_and(|align| align < natural)
            && requested < natural
        {
            let text = self.quoted(ty);
            self.error(
                span,
                format!("requested alignment is less than minimum alignment of {natural} for type {text}"),
            );
        }
        natural.max(layout.align.unwrap_or(1))
    }

    pub(super) fn attribute_integer(&mut self, attribute: &str, argument: &AttributeArgument<'a>) -> Option<u64> {
        let AttributeArgument::Expr(expr) = argument else { return None };
        let checked = self.value(expr);
        match self.integer_constant(checked) {
            Some((value, _)) => Some(value),
            None => {
                if checked.ty.ty != Ty::ERROR {
                    self.error(expr.span, format!("'{attribute}' attribute requires an integer constant"));
                }
                None
            }
        }
    }

    /// The type that attributes make of a type: vectors, and scalars of a size.
    pub(super) fn attributed_type(&mut self, declared: DeclTy, attributes: &[ast::Attribute<'a>]) -> DeclTy {
        let mut declared = declared;
        for attribute in attributes {
            let name = self.text(attribute.name);
            let by_size = match name {
                "ext_vector_type" => false,
                "vector_size" => true,
                "mode" => {
                    declared.ty = self.mode(declared.ty, attribute);
                    continue;
                }
                "coop_mat" => {
                    declared.ty = self.matrix_attribute(declared, attribute);
                    continue;
                }
                _ => {
                    declared.space = self.attributed_space(declared.space, attribute);
                    continue;
                }
            };
            let name = name.to_string();
            let Some((scalar, 1)) = self.program.types.lanes(declared.ty) else {
                if declared.ty != Ty::ERROR {
                    let text = self.quoted(declared.ty);
                    self.error(attribute.span, format!("'{name}' attribute cannot be applied to type {text}"));
                }
                declared.ty = Ty::ERROR;
                continue;
            };
            let argument = attribute.arguments.first();
            let Some(size) = argument.and_then(|argument| self.attribute_integer(&name, argument)) else {
                self.error(attribute.span, format!("'{name}' attribute takes one argument"));
                declared.ty = Ty::ERROR;
                continue;
            };
            let lanes = if by_size { size / scalar.size() } else { size };
            if !matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16) || (by_size && size % scalar.size() != 0) {
                let message =
                    format!("vectors of {lanes} elements are not supported: there are those of 2, 3, 4, 8 and 16");
                self.error(attribute.span, message);
                declared.ty = Ty::ERROR;
                continue;
            }
            if lanes == 1 {
                let message = "a vector of 1 element is taken for a scalar";
                self.warning(WarningFlag::IgnoredAttributes, attribute.span, message);
            }
            declared.ty = self.program.types.vector(scalar, to_u8(lanes));
        }
        declared
    }

    /// The address space that an attribute gives instead of `known`: clang's `opencl_global` and similar, and
    /// `address_space(number)` with the numbers of SPIR targets.
    pub(super) fn attributed_space(
        &mut self,
        known: Option<AddressSpace>,
        attribute: &ast::Attribute<'a>,
    ) -> Option<AddressSpace> {
        let space = match self.text(attribute.name) {
            "opencl_private" => AddressSpace::Private,
            "opencl_global" | "opencl_global_device" | "opencl_global_host" => AddressSpace::Global,
            "opencl_constant" => AddressSpace::Constant,
            "opencl_local" => AddressSpace::Local,
            "opencl_generic" => AddressSpace::Generic,
            "address_space" => self.numbered_space(attribute)?,
            _ => return known,
        };
        self.written_space(known, &[(space, attribute.span)])
    }

    fn numbered_space(&mut self, attribute: &ast::Attribute<'a>) -> Option<AddressSpace> {
        let argument = attribute.arguments.first();
        let Some(number) = argument.and_then(|argument| self.attribute_integer("address_space", argument)) else {
            self.error(attribute.span, "'address_space' attribute takes one argument");
            return None;
        };
        let space = match number {
            1 => AddressSpace::Global,
            2 => AddressSpace::Constant,
            3 => AddressSpace::Local,
            4 => AddressSpace::Generic,
            _ => {
                let message = format!(
                    "address space {} is not supported: 1 is '__global', 2 '__constant', 3 '__local', 4 '__generic'",
                    number.cast_signed()
                );
                self.error(attribute.span, message);
                return None;
            }
        };
        Some(space)
    }

    /// GNU's `mode(QI)` and similar: a type of the same kind with that size.
    fn mode(&mut self, ty: Ty, attribute: &ast::Attribute<'a>) -> Ty {
        let mode = match attribute.arguments.first() {
            Some(AttributeArgument::Expr(ast::Expr { kind: ast::ExprKind::Identifier(name), .. })) => self.text(*name),
            _ => "",
        };
        let mode = mode.trim_matches('_').to_string();
        let kind = match (mode.as_str(), self.kind(ty)) {
            (_, TyKind::Error) => return ty,
            ("QI" | "byte", TyKind::Int(kind)) => TyKind::Int(IntKind::of(8, kind.is_signed())),
            ("HI", TyKind::Int(kind)) => TyKind::Int(IntKind::of(16, kind.is_signed())),
            ("SI", TyKind::Int(kind)) => TyKind::Int(IntKind::of(32, kind.is_signed())),
            ("DI" | "word" | "pointer", TyKind::Int(kind)) => TyKind::Int(IntKind::of(64, kind.is_signed())),
            ("HF", TyKind::Float(_)) => TyKind::Float(FloatKind::Half),
            ("SF", TyKind::Float(_)) => TyKind::Float(FloatKind::Float),
            ("DF", TyKind::Float(_)) => TyKind::Float(FloatKind::Double),
            _ => {
                let text = self.quoted(ty);
                self.error(attribute.span, format!("mode '{mode}' is not supported for type {text}"));
                return Ty::ERROR;
            }
        };
        self.program.types.intern(kind)
    }

    fn known_attribute(&mut self, attribute: &ast::Attribute<'a>) {
        let name = self.text(attribute.name);
        if !IGNORED.contains(&name) {
            let message = format!("unknown attribute '{name}' ignored");
            self.warning(WarningFlag::UnknownAttributes, attribute.span, message);
        }
    }

    /// Reads a function's attributes into `into`.
    pub(super) fn function_attributes(&mut self, attributes: &[ast::Attribute<'a>], into: &mut FunctionAttributes) {
        for attribute in attributes {
            let span = attribute.span;
            match self.text(attribute.name) {
                "reqd_work_group_size" => {
                    let before = into.required_work_group_size;
                    into.required_work_group_size = self.three_sizes(attribute, "reqd_work_group_size");
                    if before.is_some_and(|before| into.required_work_group_size.is_some_and(|size| size != before)) {
                        let message = "attribute 'reqd_work_group_size' is already applied with different arguments";
                        self.warning(WarningFlag::IgnoredAttributes, span, message);
                    }
                    into.kernel_only = Some((span, "reqd_work_group_size"));
                }
                "work_group_size_hint" => {
                    into.work_group_size_hint = self.three_sizes(attribute, "work_group_size_hint");
                    into.kernel_only = Some((span, "work_group_size_hint"));
                }
                "vec_type_hint" => {
                    if let Some(AttributeArgument::Type(name)) = attribute.arguments.first() {
                        let ty = self.type_name(name).ty;
                        if ty != Ty::ERROR && self.program.types.lanes(ty).is_none() {
                            let text = self.quoted(ty);
                            let message =
                                format!("'vec_type_hint' attribute requires a scalar or vector type, not {text}");
                            self.error(name.span, message);
                        }
                        into.vec_type_hint = Some(ty);
                    }
                    into.kernel_only = Some((span, "vec_type_hint"));
                }
                "intel_reqd_sub_group_size" => {
                    let size = attribute.arguments.first();
                    let size = size.and_then(|argument| self.attribute_integer("intel_reqd_sub_group_size", argument));
                    into.required_sub_group_size = size.and_then(|size| u32::try_from(size).ok());
                    into.kernel_only = Some((span, "intel_reqd_sub_group_size"));
                }
                "overloadable" => into.overloadable = true,
                "always_inline" => into.inline_hint = InlineHint::Always,
                "noinline" => into.inline_hint = InlineHint::Never,
                _ => self.known_attribute(attribute),
            }
        }
    }

    fn three_sizes(&mut self, attribute: &ast::Attribute<'a>, name: &str) -> Option<[u32; 3]> {
        let [x, y, z] = attribute.arguments else {
            self.error(attribute.span, format!("'{name}' attribute requires exactly 3 arguments"));
            return None;
        };
        let mut sizes = [1; 3];
        for (size, argument) in sizes.iter_mut().zip([x, y, z]) {
            let value = self.attribute_integer(name, argument)?;
            *size = match u32::try_from(value) {
                Ok(value) if value > 0 => value,
                _ => {
                    let range = if value.cast_signed() <= 0 { "greater than 0" } else { "less than 2^32" };
                    self.error(attribute.span, format!("'{name}' attribute must be {range}"));
                    return None;
                }
            };
        }
        Some(sizes)
    }

    /// `opencl_unroll_hint` is allowed only before loops.
    pub(super) fn reject_unroll_hint(&mut self, attributes: &[ast::Attribute<'a>]) {
        if let Some(attribute) = attributes.iter().find(|attribute| self.text(attribute.name) == "opencl_unroll_hint") {
            let message = "'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements";
            self.error(attribute.span, message);
        }
    }

    /// `opencl_unroll_hint` among a statement's attributes.
    pub(super) fn loop_hint(&mut self, attributes: &[ast::Attribute<'a>]) -> LoopHint {
        let mut hint = LoopHint::None;
        for attribute in attributes {
            if self.text(attribute.name) != "opencl_unroll_hint" {
                self.known_attribute(attribute);
                continue;
            }
            hint = match attribute.arguments.first() {
                None => LoopHint::Unroll,
                Some(argument) => match self.attribute_integer("opencl_unroll_hint", argument) {
                    Some(count) if !(1..=i32::MAX as u64).contains(&count) => {
                        let message = "'opencl_unroll_hint' attribute requires a positive 32-bit integer constant";
                        self.error(attribute.span, message);
                        LoopHint::None
                    }
                    Some(1) => LoopHint::DontUnroll,
                    Some(count) => LoopHint::UnrollBy(u32::try_from(count).unwrap_or(u32::MAX)),
                    None => LoopHint::None,
                },
            };
        }
        hint
    }
}
