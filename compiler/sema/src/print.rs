//! The typed program as indented text, for `--emit hir` and tests.
//!
//! There is one node on each line, as in clang's `-ast-dump`: its name in [`crate::hir`], its type in quotes, and its
//! other properties. Its operands are on the lines below, indented by two columns, in the order of their evaluation. A
//! line that begins with a small letter names the part of the node above that follows.
//!
//! `$0` is a record or an enumeration, `@0` a variable of the program, `#0` a function, `%0` a variable of the function
//! at hand. Types are spelled as OpenCL C spells them; those of objects begin with their address space, `__private`
//! too, and those of values have none.

mod data;
mod expressions;
mod statements;

use crate::builtins;
use crate::hir::spelling::Spelling;
use crate::hir::types::{EnumId, Enumeration, Record, RecordId};
use crate::hir::{
    Function, FunctionId, InlineHint, KernelAttributes, KernelParameter, ModuleVariable, ModuleVariableId,
    PrivateVariable, Program, QualTy, Scalar, Ty,
};
use clforge_basic::source::{Interner, Symbol};
use clforge_syntax::ast::Qualifiers;
use std::fmt::{self, Write as _};

/// Levels of indentation. Deeper lines, of which chains of operators may have tens of thousands, begin with their depth.
const DEEPEST_INDENTATION: usize = 100;

/// The whole program as text.
pub fn print(program: &Program<'_>, interner: &Interner) -> String {
    let spelling = Spelling::for_dumps(&program.types, interner);
    let mut printer = Printer { out: String::new(), program, interner, spelling, depth: 0, function: None };
    printer.types();
    for (id, variable) in program.variables.iter_enumerated() {
        printer.separate();
        printer.module_variable(id, variable);
    }
    for (id, function) in program.functions.iter_enumerated() {
        printer.separate();
        printer.function(id, function);
    }
    printer.out
}

struct Printer<'p, 'h> {
    out: String,
    program: &'p Program<'h>,
    interner: &'p Interner,
    spelling: Spelling<'p>,
    depth: usize,
    /// The one whose body is printed.
    function: Option<&'p Function<'h>>,
}

impl<'p, 'h> Printer<'p, 'h> {
    /// A line; writing to a string cannot fail.
    fn line(&mut self, text: fmt::Arguments<'_>) {
        for _ in 0..self.depth.min(DEEPEST_INDENTATION) {
            self.out.push_str("  ");
        }
        if self.depth > DEEPEST_INDENTATION {
            let _ = write!(self.out, "[{}] ", self.depth);
        }
        let _ = writeln!(self.out, "{text}");
    }

    /// A line with what belongs to it below.
    fn group(&mut self, title: fmt::Arguments<'_>, inside: impl FnOnce(&mut Self)) {
        self.line(title);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    /// An empty line, except at the top.
    fn separate(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// A name with a space before it; nothing for the nameless.
    fn named(&self, name: Symbol) -> String {
        match self.interner.text(name) {
            "" => String::new(),
            text => format!(" {text}"),
        }
    }

    fn function_name(&self, id: FunctionId) -> String {
        let function = self.program.functions.get(id);
        format!("#{id}{}", function.map_or_else(String::new, |function| self.named(function.name)))
    }

    fn value_type(&self, ty: Ty) -> String {
        format!("'{}'", self.spelling.value(ty))
    }

    fn object_type(&self, ty: QualTy) -> String {
        format!("'{}'", self.spelling.object(ty))
    }

    // --- declarations ---

    fn types(&mut self) {
        let types = &self.program.types;
        for (id, record) in types.records.iter_enumerated() {
            self.separate();
            self.record(id, record);
        }
        for (id, enumeration) in types.enums.iter_enumerated() {
            self.separate();
            self.enumeration(id, enumeration);
        }
    }

    fn record(&mut self, id: RecordId, record: &Record) {
        let name = self.spelling.record(id);
        let Some(fields) = &record.fields else {
            return self.line(format_args!("Record ${id} '{name}' incomplete"));
        };
        let flexible = if record.flexible { " flexible" } else { "" };
        let layout = format!("size {} align {}{flexible}", record.size, record.align);
        self.group(format_args!("Record ${id} '{name}' {layout}"), |printer| {
            for field in fields {
                let name = field.name.map_or_else(String::new, |name| printer.named(name));
                let ty = printer.spelling.member(field.ty);
                printer.line(format_args!("Field{name} '{ty}' offset {}", field.offset));
            }
        });
    }

    fn enumeration(&mut self, id: EnumId, enumeration: &Enumeration) {
        let name = self.spelling.enumeration(id);
        let underlying = Scalar::Int(enumeration.underlying).name();
        let incomplete = if enumeration.complete { "" } else { " incomplete" };
        self.line(format_args!("Enumeration ${id} '{name}' underlying '{underlying}'{incomplete}"));
    }

    fn module_variable(&mut self, id: ModuleVariableId, variable: &ModuleVariable) {
        let (name, ty) = (self.named(variable.name), self.object_type(variable.ty));
        let mut facts = String::new();
        for (holds, word) in
            [(variable.internal, " internal"), (variable.external, " external"), (variable.is_string, " string")]
        {
            facts.push_str(if holds { word } else { "" });
        }
        if let Some(owner) = variable.owner {
            let _ = write!(facts, " owner {}", self.function_name(owner));
        }
        self.group(format_args!("ModuleVariable @{id}{name} {ty} align {}{facts}", variable.align), |printer| {
            if let Some(data) = &variable.init {
                printer.constant(data);
            }
        });
    }

    // --- functions ---

    fn function(&mut self, id: FunctionId, function: &'p Function<'h>) {
        self.function = Some(function);
        let parameters: Vec<Ty> = parameters(function).iter().map(|variable| variable.ty.ty).collect();
        let ty = self.spelling.function(function.result, &parameters, false);
        let mut facts = String::new();
        for (holds, word) in [
            (function.kernel.is_some(), " kernel"),
            (function.internal, " internal"),
            (function.expression_jumps, " expression_jumps"),
            (function.body.is_none(), " declaration"),
        ] {
            facts.push_str(if holds { word } else { "" });
        }
        facts.push_str(match function.inline_hint {
            InlineHint::None => "",
            InlineHint::Always => " always_inline",
            InlineHint::Never => " noinline",
        });
        let name = self.function_name(id);
        self.group(format_args!("Function {name} '{ty}'{facts}"), |printer| {
            printer.attributes(function);
            printer.private_variables(function);
            if let Some(body) = function.body {
                printer.statement_list("body", body);
            }
        });
    }

    /// What is known of a function besides its type and its body.
    fn attributes(&mut self, function: &Function<'h>) {
        if let Some(kernel) = &function.kernel {
            self.kernel(kernel);
        }
        if let Some(object) = &function.block {
            self.line(format_args!("BlockObject size {} align {}", object.size, object.align));
        }
        if !function.callees.is_empty() {
            let callees: Vec<String> = function.callees.iter().map(|id| self.function_name(*id)).collect();
            self.line(format_args!("callees {}", callees.join(", ")));
        }
        if !function.builtins.is_empty() {
            let names: Vec<&str> = function.builtins.iter().map(|id| builtins::name(*id)).collect();
            self.line(format_args!("builtins {}", names.join(", ")));
        }
        if function.label_count > 0 {
            self.line(format_args!("label_count {}", function.label_count));
        }
    }

    fn kernel(&mut self, kernel: &KernelAttributes) {
        let mut facts = String::new();
        let sizes = [
            ("reqd_work_group_size", kernel.required_work_group_size),
            ("work_group_size_hint", kernel.work_group_size_hint),
        ];
        for (name, size) in sizes {
            if let Some([x, y, z]) = size {
                let _ = write!(facts, " {name}({x}, {y}, {z})");
            }
        }
        if let Some(ty) = kernel.vec_type_hint {
            let _ = write!(facts, " vec_type_hint({})", self.spelling.value(ty));
        }
        if let Some(size) = kernel.required_sub_group_size {
            let _ = write!(facts, " intel_reqd_sub_group_size({size})");
        }
        self.group(format_args!("KernelAttributes{facts}"), |printer| {
            for KernelParameter { name, type_name, address_space, qualifiers } in &kernel.parameters {
                let (space, quals) = (address_space.name(), qualifier_names(*qualifiers));
                printer.line(format_args!("KernelParameter {name} '{type_name}' __{space}{quals}"));
            }
        });
    }

    fn private_variables(&mut self, function: &Function<'h>) {
        for (index, variable) in function.variables.iter().enumerate() {
            let kind = if index < parameters(function).len() { "Parameter" } else { "PrivateVariable" };
            let (name, ty) = (self.named(variable.name), self.object_type(variable.ty));
            self.line(format_args!("{kind} %{index}{name} {ty} align {}", variable.align));
        }
    }
}

fn parameters<'f>(function: &'f Function<'_>) -> &'f [PrivateVariable] {
    let variables = &function.variables.raw;
    variables.get(..function.parameter_count as usize).unwrap_or(variables)
}

/// With a space before each.
fn qualifier_names(qualifiers: Qualifiers) -> String {
    let mut text = String::new();
    for (flag, name) in
        [(Qualifiers::CONST, " const"), (Qualifiers::VOLATILE, " volatile"), (Qualifiers::RESTRICT, " restrict")]
    {
        text.push_str(if qualifiers.contains(flag) { name } else { "" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::{Expr, ExprKind, Stmt, StmtKind, UnaryOp};
    use bumpalo::Bump;
    use clforge_basic::source::Span;

    /// `return - - … 1;`: each operator is one level below the one before.
    #[test]
    fn deep_lines_begin_with_their_depth() {
        let (arena, span, mut interner) = (Bump::new(), Span::default(), Interner::new());
        let make = |kind| -> &Expr<'_> { arena.alloc(Expr { kind, ty: QualTy::plain(Ty::INT), span }) };
        let value = (0..200).fold(make(ExprKind::Int(1)), |inner, _| make(ExprKind::Unary(UnaryOp::Negate, inner)));
        let mut program = Program::default();
        program.functions.push(Function {
            name: interner.intern("deep"),
            span,
            result: Ty::INT,
            parameter_count: 0,
            variables: Default::default(),
            body: Some(arena.alloc_slice_copy(&[Stmt { kind: StmtKind::Return(Some(value)), span }])),
            label_count: 0,
            expression_jumps: false,
            kernel: None,
            inline_hint: InlineHint::None,
            internal: false,
            block: None,
            callees: Vec::new(),
            builtins: Vec::new(),
        });
        let text = print(&program, &interner);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..4], ["Function #0 deep 'int (void)'", "  body", "    Return", "      Unary 'int' '-'"]);
        let indentation = "  ".repeat(100);
        assert_eq!(lines[100], format!("{indentation}Unary 'int' '-'"));
        assert_eq!(lines[101], format!("{indentation}[101] Unary 'int' '-'"));
        assert_eq!(lines[203..], [format!("{indentation}[203] Int 'int' 1")]);
    }
}
