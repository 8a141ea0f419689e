//! Types as text, as C declares a nameless object of them: `const __global float *`, `__constant int (*)[3]`.

use super::types::{EnumId, IntKind, MatrixTy, QualTy, RecordId, Scalar, Ty, TyKind, TypeTable};
use clforge_basic::image::AccessQualifier;
use clforge_basic::source::{Interner, Symbol};
use clforge_syntax::ast::{AddressSpace, Qualifiers, RecordKind};
use rustc_hash::FxHashSet;

/// For whom types are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// As in diagnostics: `unsigned int`, and private is the address space that is not shown.
    Message,
    /// As in dumps: `uint`, every address space, and tags that several types share are distinguished.
    Dump,
}

/// Spells the types of a table.
pub struct Spelling<'t> {
    types: &'t TypeTable,
    names: &'t Interner,
    style: Style,
    /// Tags, and names of untagged records, that several types have.
    shared: FxHashSet<Symbol>,
}

impl<'t> Spelling<'t> {
    /// Spells types as diagnostics show them.
    pub fn for_messages(types: &'t TypeTable, names: &'t Interner) -> Spelling<'t> {
        Spelling { types, names, style: Style::Message, shared: FxHashSet::default() }
    }

    /// Spells types so that different types have different texts.
    pub fn for_dumps(types: &'t TypeTable, names: &'t Interner) -> Spelling<'t> {
        let records = types.records.iter().filter_map(|record| record.tag.or(record.typedef_name));
        let tags = records.chain(types.enums.iter().filter_map(|enumeration| enumeration.tag));
        let mut seen = FxHashSet::default();
        let shared = tags.filter(|tag| !seen.insert(*tag)).collect();
        Spelling { types, names, style: Style::Dump, shared }
    }

    /// The type of a value.
    pub fn value(&self, ty: Ty) -> String {
        self.declarator(QualTy::plain(ty), false, String::new())
    }

    /// The type of an object, with its address space.
    pub fn object(&self, q: QualTy) -> String {
        self.declarator(q, true, String::new())
    }

    /// The type of a member, which is in the address space of its record.
    pub fn member(&self, q: QualTy) -> String {
        self.declarator(q, false, String::new())
    }

    /// A member with its name.
    pub fn named_member(&self, q: QualTy, name: &str) -> String {
        self.declarator(q, false, name.to_owned())
    }

    /// The type of a function.
    pub fn function(&self, result: Ty, parameters: &[Ty], variadic: bool) -> String {
        let mut parameters: Vec<String> = parameters.iter().map(|ty| self.value(*ty)).collect();
        if variadic {
            parameters.push("...".into());
        }
        self.declarator(QualTy::plain(result), false, list(&parameters))
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> String {
        let record = self.types.record(id);
        let keyword = keyword(record.kind);
        match (record.tag, record.typedef_name) {
            (Some(tag), _) => format!("{keyword} {}", self.name(tag, id.number())),
            (None, Some(name)) => self.name(name, id.number()),
            (None, None) => self.unnamed(keyword, id.number()),
        }
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> String {
        match self.types.enumeration(id).tag {
            Some(tag) => format!("enum {}", self.name(tag, id.number())),
            None => self.unnamed("enum", id.number()),
        }
    }

    /// A type around a declarator's text so far; `object`: whether its own address space is shown.
    fn declarator(&self, q: QualTy, object: bool, inner: String) -> String {
        match self.types.kind(q.ty) {
            TyKind::Pointer(pointee) => {
                let parenthesised = matches!(self.types.kind(pointee.ty), TyKind::Array(..) | TyKind::Function(_));
                let inner = format!("*{}{inner}", self.after_star(q, object, &inner));
                let inner = if parenthesised { format!("({inner})") } else { inner };
                self.declarator(pointee, true, inner)
            }
            TyKind::Array(element, count) => {
                let size = count.map(|count| count.to_string()).unwrap_or_default();
                let element = QualTy { ty: element.ty, quals: q.quals | element.quals, space: q.space };
                self.declarator(element, object, format!("{inner}[{size}]"))
            }
            TyKind::Function(id) => {
                let function = self.types.function_ty(id);
                let parameters: Vec<String> = function.parameters.iter().map(|p| self.member(*p)).collect();
                self.declarator(function.result, false, inner + &list(&parameters))
            }
            TyKind::Block(id) => {
                let function = self.types.function_ty(id);
                let parameters: Vec<String> = function.parameters.iter().map(|p| self.member(*p)).collect();
                // Messages leave out that block variables are `const`, which is not written.
                let own = match self.style {
                    Style::Message => String::new(),
                    Style::Dump => self.after_star(q, object, &inner),
                };
                let inner = format!("(^{own}{inner}){}", list(&parameters));
                self.declarator(function.result, false, inner)
            }
            kind => {
                let gap = if inner.is_empty() || inner.starts_with('[') { "" } else { " " };
                let quals = qualifier_text(q.quals);
                format!("{quals}{}{}{gap}{inner}", self.space(q.space, object), self.base(kind))
            }
        }
    }

    /// The qualifiers and the address space of a pointer, which follow its star.
    fn after_star(&self, q: QualTy, object: bool, inner: &str) -> String {
        let text = format!("{}{}", qualifier_text(q.quals), self.space(q.space, object));
        if inner.is_empty() { text.trim_end().to_owned() } else { text }
    }

    fn space(&self, space: AddressSpace, object: bool) -> &'static str {
        if !object {
            return "";
        }
        match space {
            AddressSpace::Private if self.style == Style::Dump => "__private ",
            AddressSpace::Private
            | AddressSpace::Global
            | AddressSpace::Constant
            | AddressSpace::Local
            | AddressSpace::Generic => space.prefix(),
        }
    }

    /// What stands before all declarators.
    fn base(&self, kind: TyKind) -> String {
        match kind {
            TyKind::Error => "<error>".into(),
            TyKind::Void => "void".into(),
            TyKind::Bool => "bool".into(),
            TyKind::Int(kind) => self.scalar(Scalar::Int(kind)).into(),
            TyKind::Float(kind) => self.scalar(Scalar::Float(kind)).into(),
            TyKind::Vector(scalar, lanes) => format!("{}{lanes}", scalar.name()),
            TyKind::Record(id) => self.record(id),
            TyKind::Enum(id) => self.enumeration(id),
            TyKind::Atomic(scalar) => format!("_Atomic({})", self.scalar(scalar)),
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
                format!("{access} pipe {}", self.value(element))
            }
            TyKind::Sampler => "sampler_t".into(),
            TyKind::Event => "event_t".into(),
            TyKind::Queue => "queue_t".into(),
            TyKind::NdRange => "ndrange_t".into(),
            TyKind::ClkEvent => "clk_event_t".into(),
            TyKind::ReserveId => "reserve_id_t".into(),
            TyKind::Matrix(matrix) => {
                let MatrixTy { component, rows, columns, usage } = matrix;
                format!("{} {rows}x{columns} CLK_COOPERATIVE_MATRIX_{}", self.scalar(component), usage.name())
            }
            TyKind::UntypedMatrix => "cooperative matrix".into(),
            // Declarators: their base is that of what they are made of.
            TyKind::Pointer(_) | TyKind::Array(..) | TyKind::Function(_) | TyKind::Block(_) => String::new(),
        }
    }

    /// The name of a record or enumeration, with its index where it is not the only one.
    fn name(&self, name: Symbol, id: u32) -> String {
        let text = self.names.text(name);
        if self.shared.contains(&name) { format!("{text}${id}") } else { text.into() }
    }

    fn unnamed(&self, keyword: &str, id: u32) -> String {
        match self.style {
            Style::Message => format!("{keyword} (unnamed)"),
            Style::Dump => format!("{keyword} (unnamed ${id})"),
        }
    }

    fn scalar(&self, scalar: Scalar) -> &'static str {
        match self.style {
            Style::Message => c_name(scalar),
            Style::Dump => scalar.name(),
        }
    }
}

/// A list of parameters.
fn list(parameters: &[String]) -> String {
    if parameters.is_empty() { "(void)".into() } else { format!("({})", parameters.join(", ")) }
}

/// `struct` or `union`.
pub fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// C's own name of a scalar type.
pub fn c_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Int(IntKind::UChar) => "unsigned char",
        Scalar::Int(IntKind::UShort) => "unsigned short",
        Scalar::Int(IntKind::UInt) => "unsigned int",
        Scalar::Int(IntKind::ULong) => "unsigned long",
        other => other.name(),
    }
}

/// With a space after each.
pub fn qualifier_text(quals: Qualifiers) -> String {
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
