//! The tree as indented text, for `--emit ast` and tests.
//!
//! Statements and declarations are S-expressions, one a line; expressions are S-expressions inside the line; types are
//! read aloud from the name outward: `p: pointer(const) to global float`.

mod expressions;
mod statements;

use super::*;
use clforge_basic::image::AccessQualifier;
use clforge_basic::source::{Interner, Span, Symbol};

/// The whole unit as text.
pub fn print(unit: &TranslationUnit<'_>, interner: &Interner) -> String {
    let mut printer = Printer { out: String::new(), interner, indent: 0 };
    for declaration in unit.declarations {
        printer.external(declaration);
        printer.out.push('\n');
    }
    printer.out
}

/// One expression as text.
pub fn print_expr(expr: &Expr<'_>, interner: &Interner) -> String {
    let mut printer = Printer { out: String::new(), interner, indent: 0 };
    printer.expr(expr);
    printer.out
}

struct Printer<'i> {
    out: String,
    interner: &'i Interner,
    indent: usize,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, symbol: Symbol) {
        let text = self.interner.text(symbol);
        self.out.push_str(text);
    }

    /// A new line, indented; writing to a string cannot fail.
    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    fn external(&mut self, declaration: &ExternalDeclaration<'_>) {
        match declaration {
            ExternalDeclaration::Declaration(declaration) => self.declaration(declaration),
            ExternalDeclaration::Function(function) => {
                self.put("(function ");
                self.declared(&function.declarator, &function.specifiers);
                self.body(function.body);
                self.put(")");
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        self.put("(declare");
        if declaration.declarators.is_empty() {
            self.put(" ");
            self.specifiers(&declaration.specifiers);
        }
        for (index, declarator) in declaration.declarators.iter().enumerate() {
            if index > 0 {
                self.put(";");
            }
            self.put(" ");
            self.declared(&declarator.declarator, &declaration.specifiers);
            if let Some(initializer) = &declarator.initializer {
                self.put(" = ");
                self.initializer(initializer);
            }
        }
        self.put(")");
    }

    /// `name: steps specifiers`
    fn declared(&mut self, declarator: &Declarator<'_>, specifiers: &DeclarationSpecifiers<'_>) {
        if let Some((name, _)) = declarator.name {
            self.name(name);
            self.put(": ");
        }
        for step in declarator.derived {
            self.step(step);
        }
        self.specifiers(specifiers);
        self.attributes(declarator.attributes);
    }

    fn step(&mut self, step: &Derived<'_>) {
        match step {
            Derived::Pointer { qualifiers, address_spaces, attributes, .. } => {
                self.put("pointer");
                self.pointer_qualifiers(*qualifiers, address_spaces);
                self.attributes(attributes);
                self.put(" to ");
            }
            Derived::Block { qualifiers, .. } => {
                self.put("block");
                self.pointer_qualifiers(*qualifiers, &[]);
                self.put(" to ");
            }
            Derived::Array { qualifiers, is_static, star, size, .. } => {
                self.put("array[");
                if *is_static {
                    self.put("static ");
                }
                self.qualifiers(*qualifiers);
                match size {
                    Some(size) => self.expr(size),
                    None if *star => self.put("*"),
                    None => {}
                }
                self.put("] of ");
            }
            Derived::Function { parameters, variadic, prototype, .. } => {
                self.put("function(");
                for (index, parameter) in parameters.iter().enumerate() {
                    self.put(if index > 0 { ", " } else { "" });
                    self.declared(&parameter.declarator, &parameter.specifiers);
                }
                match (*prototype, *variadic, parameters.is_empty()) {
                    (_, true, _) => self.put(", ..."),
                    (true, _, true) => self.put("void"),
                    _ => {}
                }
                self.put(") returning ");
            }
        }
    }

    fn pointer_qualifiers(&mut self, qualifiers: Qualifiers, address_spaces: &[(AddressSpace, Span)]) {
        if qualifiers.is_empty() && address_spaces.is_empty() {
            return;
        }
        self.put("(");
        for (space, _) in address_spaces {
            self.put(space.name());
            self.put(" ");
        }
        self.qualifiers(qualifiers);
        self.out.truncate(self.out.trim_end().len());
        self.put(")");
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        for (flag, text) in
            [(Qualifiers::CONST, "const "), (Qualifiers::VOLATILE, "volatile "), (Qualifiers::RESTRICT, "restrict ")]
        {
            if qualifiers.contains(flag) {
                self.put(text);
            }
        }
    }

    fn specifiers(&mut self, specifiers: &DeclarationSpecifiers<'_>) {
        for (class, _) in specifiers.storage {
            self.put(match class {
                StorageClass::Typedef => "typedef ",
                StorageClass::Extern => "extern ",
                StorageClass::Static => "static ",
                StorageClass::Auto => "auto ",
                StorageClass::Register => "register ",
            });
        }
        if specifiers.function.contains(FunctionSpecifiers::INLINE) {
            self.put("inline ");
        }
        if specifiers.function.contains(FunctionSpecifiers::KERNEL) {
            self.put("kernel ");
        }
        for (space, _) in specifiers.address_spaces {
            self.put(space.name());
            self.put(" ");
        }
        for (access, _) in specifiers.access {
            self.put(match access {
                AccessQualifier::ReadOnly => "read_only ",
                AccessQualifier::WriteOnly => "write_only ",
                AccessQualifier::ReadWrite => "read_write ",
            });
        }
        self.qualifiers(specifiers.qualifiers);
        self.type_specifier(&specifiers.ty);
        self.attributes(specifiers.attributes);
    }

    fn type_specifier(&mut self, ty: &TypeSpecifier<'_>) {
        match &ty.kind {
            TypeSpecifierKind::Missing => self.put("<missing>"),
            TypeSpecifierKind::Keywords(keywords) => {
                for (index, keyword) in keywords.iter().enumerate() {
                    self.put(if index > 0 { " " } else { "" });
                    self.put(type_keyword(*keyword));
                }
            }
            TypeSpecifierKind::Name(name) => self.name(*name),
            TypeSpecifierKind::Record(record) => self.record(record),
            TypeSpecifierKind::Enum(specifier) => self.enumeration(specifier),
            TypeSpecifierKind::TypeofExpr(expr) => {
                self.put("typeof(");
                self.expr(expr);
                self.put(")");
            }
            TypeSpecifierKind::TypeofType(ty) => {
                self.put("typeof(");
                self.type_name(ty);
                self.put(")");
            }
            TypeSpecifierKind::Atomic(ty) => {
                self.put("_Atomic(");
                self.type_name(ty);
                self.put(")");
            }
            TypeSpecifierKind::StaticAssert(assertion) => {
                self.put("static-assert ");
                self.expr(assertion.condition);
            }
            TypeSpecifierKind::Pipe(element) => {
                self.put("pipe ");
                self.type_specifier(element);
            }
            TypeSpecifierKind::Conflict(name) => {
                self.put("<conflict ");
                self.name(*name);
                self.put(">");
            }
        }
    }

    fn record(&mut self, record: &RecordSpecifier<'_>) {
        self.put(if record.kind == RecordKind::Union { "union" } else { "struct" });
        if let Some((tag, _)) = record.tag {
            self.put(" ");
            self.name(tag);
        }
        if let Some(members) = record.members {
            self.put(" {");
            for member in members {
                self.put(" (member");
                if member.declarators.is_empty() {
                    self.put(" ");
                    self.specifiers(&member.specifiers);
                }
                for (index, declarator) in member.declarators.iter().enumerate() {
                    self.put(if index > 0 { "; " } else { " " });
                    self.declared(&declarator.declarator, &member.specifiers);
                    if let Some(width) = declarator.bit_width {
                        self.put(" bits ");
                        self.expr(width);
                    }
                }
                self.put(")");
            }
            self.put(" }");
        }
        self.attributes(record.attributes);
    }

    fn enumeration(&mut self, specifier: &EnumSpecifier<'_>) {
        self.put("enum");
        if let Some((tag, _)) = specifier.tag {
            self.put(" ");
            self.name(tag);
        }
        if let Some(enumerators) = specifier.enumerators {
            self.put(" {");
            for enumerator in enumerators {
                self.put(" ");
                self.name(enumerator.name);
                if let Some(value) = enumerator.value {
                    self.put("=");
                    self.expr(value);
                }
            }
            self.put(" }");
        }
        self.attributes(specifier.attributes);
    }

    fn type_name(&mut self, ty: &TypeName<'_>) {
        self.declared(&ty.declarator, &ty.specifiers);
    }

    fn attributes(&mut self, attributes: &[Attribute<'_>]) {
        for attribute in attributes {
            self.put(" @");
            self.name(attribute.name);
            if attribute.arguments.is_empty() {
                continue;
            }
            self.put("(");
            for (index, argument) in attribute.arguments.iter().enumerate() {
                self.put(if index > 0 { ", " } else { "" });
                match argument {
                    AttributeArgument::Expr(expr) => self.expr(expr),
                    AttributeArgument::Type(ty) => self.type_name(ty),
                }
            }
            self.put(")");
        }
    }

    fn initializer(&mut self, initializer: &Initializer<'_>) {
        match initializer {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(list) => self.list(list),
        }
    }

    fn list(&mut self, list: &InitializerList<'_>) {
        self.put("{");
        for (index, item) in list.items.iter().enumerate() {
            self.put(if index > 0 { ", " } else { "" });
            self.designators(item.designators);
            if !item.designators.is_empty() {
                self.put(" = ");
            }
            self.initializer(&item.value);
        }
        self.put("}");
    }

    fn designators(&mut self, designators: &[Designator<'_>]) {
        for designator in designators {
            match designator {
                Designator::Member(name, _) => {
                    self.put(".");
                    self.name(*name);
                }
                Designator::Index(index) => {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
                Designator::Range(first, last) => {
                    self.put("[");
                    self.expr(first);
                    self.put(" ... ");
                    self.expr(last);
                    self.put("]");
                }
            }
        }
    }
}

fn type_keyword(keyword: TypeKeyword) -> &'static str {
    match keyword {
        TypeKeyword::Void => "void",
        TypeKeyword::Bool => "bool",
        TypeKeyword::Char => "char",
        TypeKeyword::Short => "short",
        TypeKeyword::Int => "int",
        TypeKeyword::Long => "long",
        TypeKeyword::Float => "float",
        TypeKeyword::Double => "double",
        TypeKeyword::Half => "half",
        TypeKeyword::Signed => "signed",
        TypeKeyword::Unsigned => "unsigned",
        TypeKeyword::Complex => "_Complex",
        TypeKeyword::Imaginary => "_Imaginary",
        TypeKeyword::Auto => "__auto_type",
    }
}
