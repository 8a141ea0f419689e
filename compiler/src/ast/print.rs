//! The tree as indented text, for `--emit ast` and tests.
//!
//! Statements and declarations are S-expressions, one a line; expressions are S-expressions inside the line; types are
//! read aloud from the name outward: `p: pointer(const) to global float`.

use std::fmt::Write as _;

use super::{
    Access, AddressSpace, Attribute, AttributeArgument, BinaryOp, Declaration, DeclarationSpecifiers, Declarator,
    Derived, Designator, EnumSpecifier, Expr, ExprKind, ExternalDeclaration, FloatSuffix, ForInit, FunctionSpecifiers,
    Initializer, InitializerList, IntegerLiteral, Qualifiers, RecordKind, RecordSpecifier, Statement, StatementKind,
    StorageClass, TranslationUnit, TypeKeyword, TypeName, TypeSpecifier, TypeSpecifierKind, UnaryOp,
};
use crate::source::{Interner, Span, Symbol};

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

    // ---- Declarations ----

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
            self.put(address_space(*space));
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
            self.put(address_space(*space));
            self.put(" ");
        }
        for (access, _) in specifiers.access {
            self.put(match access {
                Access::ReadOnly => "read_only ",
                Access::WriteOnly => "write_only ",
                Access::ReadWrite => "read_write ",
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

    // ---- Statements ----

    /// A statement on its own line, one level deeper.
    fn body(&mut self, statement: &Statement<'_>) {
        self.indent += 1;
        self.line();
        self.statement(statement);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        match &statement.kind {
            StatementKind::Empty => self.put("(empty)"),
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Compound(items) => {
                self.put("(block");
                for item in *items {
                    self.body(item);
                }
                self.put(")");
            }
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Break => self.put("(break)"),
            StatementKind::Continue => self.put("(continue)"),
            StatementKind::Asm => self.put("(asm)"),
            StatementKind::Goto { label, .. } => {
                self.put("(goto ");
                self.name(*label);
                self.put(")");
            }
            StatementKind::LocalLabels(names) => {
                self.put("(local-labels");
                for (name, _) in *names {
                    self.put(" ");
                    self.name(*name);
                }
                self.put(")");
            }
            StatementKind::Return(None) => self.put("(return)"),
            StatementKind::Return(Some(expr)) => {
                self.put("(return ");
                self.expr(expr);
                self.put(")");
            }
            _ => self.nesting_statement(statement),
        }
    }

    /// Statements with statements inside.
    fn nesting_statement(&mut self, statement: &Statement<'_>) {
        match &statement.kind {
            StatementKind::If { arms, otherwise } => {
                for (index, (condition, body)) in arms.iter().enumerate() {
                    if index > 0 {
                        self.line();
                    }
                    self.put(if index > 0 { " else-if " } else { "(if " });
                    self.expr(condition);
                    self.body(body);
                }
                if let Some(otherwise) = otherwise {
                    self.line();
                    self.put(" else");
                    self.body(otherwise);
                }
            }
            StatementKind::While { condition, body } => {
                self.put("(while ");
                self.expr(condition);
                self.body(body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.put("(do-while ");
                self.expr(condition);
                self.body(body);
            }
            StatementKind::For { init, condition, step, body } => {
                self.put("(for ");
                match init {
                    ForInit::None => self.put("_"),
                    ForInit::Expr(expr) => self.expr(expr),
                    ForInit::Declaration(declaration) => self.declaration(declaration),
                }
                for clause in [condition, step] {
                    self.put("; ");
                    match clause {
                        Some(expr) => self.expr(expr),
                        None => self.put("_"),
                    }
                }
                self.body(body);
            }
            StatementKind::Switch { selector, body } => {
                self.put("(switch ");
                self.expr(selector);
                self.body(body);
            }
            StatementKind::Case { low, high, body } => {
                self.put("(case ");
                self.expr(low);
                if let Some(high) = high {
                    self.put(" ... ");
                    self.expr(high);
                }
                self.body(body);
            }
            StatementKind::Default { body } => {
                self.put("(default");
                self.body(body);
            }
            StatementKind::Label { name, body, .. } => {
                self.put("(label ");
                self.name(*name);
                self.body(body);
            }
            StatementKind::Attributed { attributes, body } => {
                self.put("(attributed");
                self.attributes(attributes);
                self.body(body);
            }
            _ => self.put("("),
        }
        self.put(")");
    }

    // ---- Expressions ----

    fn expr(&mut self, expr: &Expr<'_>) {
        match &expr.kind {
            ExprKind::Identifier(name) => self.name(*name),
            ExprKind::Integer(literal) => self.integer(literal),
            ExprKind::Floating(literal) => {
                self.name(literal.digits);
                self.put(match literal.suffix {
                    FloatSuffix::None => "",
                    FloatSuffix::Float => "f",
                    FloatSuffix::Half => "h",
                    FloatSuffix::Long => "l",
                });
            }
            ExprKind::Character(value) => {
                let _ = write!(self.out, "(char {value})");
            }
            ExprKind::String(bytes) => {
                let _ = write!(self.out, "\"{}\"", bytes.escape_ascii());
            }
            ExprKind::Paren(inner) => self.form("paren", &[inner]),
            ExprKind::Call { callee, arguments } => {
                self.put("(call ");
                self.expr(callee);
                self.operands(arguments);
                self.put(")");
            }
            ExprKind::Index { base, index } => self.form("index", &[base, index]),
            ExprKind::Member { base, name, arrow, .. } => {
                self.put(if *arrow { "(-> " } else { "(. " });
                self.expr(base);
                self.put(" ");
                self.name(*name);
                self.put(")");
            }
            ExprKind::Unary { op, operand } => self.form(unary_text(*op), &[operand]),
            ExprKind::Increment { operand, decrement, postfix } => {
                let name = match (decrement, postfix) {
                    (false, false) => "++_",
                    (true, false) => "--_",
                    (false, true) => "_++",
                    (true, true) => "_--",
                };
                self.form(name, &[operand]);
            }
            ExprKind::Binary { .. } => self.binary(expr),
            ExprKind::Assign { op, left, right, .. } => {
                let name = format!("{}=", op.map_or("", BinaryOp::text));
                self.form(&name, &[left, right]);
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.form("?", &[condition, then, otherwise]);
            }
            ExprKind::Conditional { condition, then: None, otherwise } => self.form("?:", &[condition, otherwise]),
            ExprKind::Comma(list) => self.form(",", list),
            ExprKind::SizeofExpr(operand) => self.form("sizeof", &[operand]),
            ExprKind::AlignofExpr(operand) => self.form("alignof", &[operand]),
            _ => self.typed_expr(expr),
        }
    }

    /// Expressions with types or statements inside.
    fn typed_expr(&mut self, expr: &Expr<'_>) {
        match &expr.kind {
            ExprKind::Cast { ty, operand } => {
                self.put("(cast <");
                self.type_name(ty);
                self.put("> ");
                self.expr(operand);
            }
            ExprKind::CompoundLiteral { ty, list } => {
                self.put("(literal <");
                self.type_name(ty);
                self.put("> ");
                self.list(list);
            }
            ExprKind::SizeofType(ty) => self.of_type("sizeof", ty),
            ExprKind::AlignofType(ty) => self.of_type("alignof", ty),
            ExprKind::VecStepType(ty) => self.of_type("vec_step", ty),
            ExprKind::AsType { operand, ty } => {
                self.of_type("as_type", ty);
                self.put(" ");
                self.expr(operand);
            }
            ExprKind::ConvertVector { operand, ty } => {
                self.of_type("convert-vector", ty);
                self.put(" ");
                self.expr(operand);
            }
            ExprKind::TypesCompatible(first, second) => {
                self.of_type("types-compatible", first);
                self.of_type("", second);
            }
            ExprKind::Generic { control, associations } => {
                self.put("(generic ");
                self.expr(control);
                for (ty, value) in *associations {
                    self.put(" (");
                    match ty {
                        Some(ty) => self.type_name(ty),
                        None => self.put("default"),
                    }
                    self.put(" ");
                    self.expr(value);
                    self.put(")");
                }
                self.put(")");
            }
            ExprKind::OffsetOf { ty, path } => {
                self.of_type("offsetof", ty);
                self.put(" ");
                self.designators(path);
            }
            ExprKind::StatementExpr(body) => {
                self.put("(statement");
                self.body(body);
            }
            ExprKind::Block { ty, parameters, body } => {
                self.put("(closure");
                if let Some(ty) = ty {
                    self.put(" <");
                    self.type_name(ty);
                    self.put(">");
                }
                for step in parameters.iter().flat_map(|declarator| declarator.derived) {
                    self.put(" ");
                    self.step(step);
                }
                self.body(body);
            }
            _ => self.put("("),
        }
        self.put(")");
    }

    fn of_type(&mut self, name: &str, ty: &TypeName<'_>) {
        self.put("(");
        self.put(name);
        self.put(" <");
        self.type_name(ty);
        self.put(">");
    }

    /// `(name operand …)`
    fn form(&mut self, name: &str, operands: &[&Expr<'_>]) {
        self.put("(");
        self.put(name);
        self.operands(operands);
        self.put(")");
    }

    fn operands(&mut self, operands: &[&Expr<'_>]) {
        for operand in operands {
            self.put(" ");
            self.expr(operand);
        }
    }

    /// A chain of binary operators; its left spine may be long, so it is walked without recursion.
    fn binary(&mut self, expr: &Expr<'_>) {
        let mut rights = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary { op, left, right, .. } = &at.kind {
            rights.push(*right);
            self.put("(");
            self.put(op.text());
            self.put(" ");
            at = left;
        }
        self.expr(at);
        for right in rights.iter().rev() {
            self.put(" ");
            self.expr(right);
            self.put(")");
        }
    }

    fn integer(&mut self, literal: &IntegerLiteral) {
        let _ = match literal.decimal {
            true => write!(self.out, "{}", literal.value),
            false => write!(self.out, "{:#x}", literal.value),
        };
        if literal.unsigned {
            self.put("u");
        }
        for _ in 0..literal.long {
            self.put("l");
        }
    }
}

fn address_space(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Private => "private",
        AddressSpace::Global => "global",
        AddressSpace::Constant => "constant",
        AddressSpace::Local => "local",
        AddressSpace::Generic => "generic",
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

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::LogicalNot => "!",
        UnaryOp::AddressOf => "&",
        UnaryOp::Dereference => "*",
        UnaryOp::Real => "__real__",
        UnaryOp::Imag => "__imag__",
    }
}
