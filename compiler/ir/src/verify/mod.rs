//! Checks the contract of the module documentation. Runs after every pass in debug builds and tests, and where
//! `CodegenOptions::verify_ir` asks for it.
//!
//! Every operation is checked for the dialect in force ([`dialect`]), its operands, its results and its place. `module`
//! checks globals, variables and calls, `structure` the nesting of regions and their terminators, `operation` the types
//! of operations on values, `intrinsic` those of intrinsics, `memory` those on memory, `image` and `group` those on images and
//! groups, `device` those on pipes, events and enqueued kernels, `matrix` those on cooperative matrices, and `input` those that read what a device provides.

mod device;
mod dialect;
mod group;
mod image;
mod input;
mod intrinsic;
mod matrix;
mod memory;
mod module;
mod operation;
mod structure;
#[cfg(test)]
mod tests;

use super::inst::ops;
use super::*;
use clforge_basic::matrix::MatrixUse;
use clforge_basic::source::Span;
pub use dialect::{Dialect, Legalized};
use std::fmt;
use typed_index_collections::{TiVec, ti_vec};

/// The violations of the contract, at least one and at most [`MAX_ERRORS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyErrors {
    /// Those of the module first, then function by function.
    pub list: Vec<VerifyError>,
}

/// A damaged module can have as many violations as instructions; the first ones are enough.
pub const MAX_ERRORS: usize = 100;

/// One violation of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function it is in; `None`: of the module.
    pub function: Option<String>,
    /// The instruction, with its operation in the text form, without regions.
    pub instruction: Option<(InstId, String)>,
    /// What kind of rule is broken.
    pub rule: Rule,
    /// What is wrong.
    pub message: String,
    /// The source of the instruction, or else of the function.
    pub span: Span,
}

/// The kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Globals, variables, signatures and the call graph.
    Module,
    /// What the dialect in force does not have.
    Dialect,
    /// The nesting of regions, and where instructions may be.
    Placement,
    /// Values are used only where their definition dominates.
    Dominance,
    /// Numbers and types of operands, and literals.
    Operands,
    /// Numbers and types of results.
    Results,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "in function '{function}': ")?;
        }
        f.write_str(&self.message)?;
        match &self.instruction {
            Some((_, op)) => write!(f, ", in '{op}'"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for VerifyError {}

impl fmt::Display for VerifyErrors {
    /// One line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.list.iter().enumerate() {
            f.write_str(if index > 0 { "\n" } else { "" })?;
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyErrors {}

/// Checks a module. A violation does not keep what follows it from being checked.
///
/// # Errors
/// The violations of the contract.
pub fn verify(module: &Module, dialect: Dialect) -> Result<(), VerifyErrors> {
    let mut list = Vec::new();
    let mut in_module =
        |check: Check| list.extend(check.err().map(|violation| violation.into_error(module, None, None)));
    module::check(module, dialect, &mut in_module);
    for function in module.functions.iter().filter(|function| !function.is_declaration()) {
        if list.len() >= MAX_ERRORS {
            break;
        }
        list.extend(Verifier::new(module, function, dialect).function());
    }
    if list.is_empty() {
        // It follows calls, so it needs those that lead somewhere.
        list.extend(module::check_calls(module).err().map(|violation| violation.into_error(module, None, None)));
    }
    list.truncate(MAX_ERRORS);
    if list.is_empty() { Ok(()) } else { Err(VerifyErrors { list }) }
}

/// A violation whose place is added on the way out.
struct Violation {
    rule: Rule,
    message: String,
}

impl Violation {
    fn into_error(self, module: &Module, function: Option<&Function>, inst: Option<InstId>) -> VerifyError {
        let op = inst.and_then(|id| Some((id, function?.insts.get(id)?)));
        let span = function.map_or(Span::default(), |function| function.span);
        let span = op.map(|(_, inst)| inst.span).filter(|span| *span != Span::default()).unwrap_or(span);
        VerifyError {
            function: function.map(|function| function.name.clone()),
            instruction: op
                .zip(function)
                .map(|((id, _), function)| (id, print::print_instruction(module, function, id))),
            rule: self.rule,
            message: self.message,
            span,
        }
    }
}

type Check<T = ()> = Result<T, Violation>;

fn violation<T>(rule: Rule, message: impl Into<String>) -> Check<T> {
    Err(Violation { rule, message: message.into() })
}

/// Checks a condition.
fn require(condition: bool, rule: Rule, message: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { violation(rule, message()) }
}

/// Checks a condition on operands.
fn operands(condition: bool, message: &str) -> Check {
    require(condition, Rule::Operands, || message.to_owned())
}

/// Checks that the results of an instruction have these types.
fn results(found: &[Type], expected: &[Type]) -> Check {
    require(found == expected, Rule::Results, || {
        format!("the results have the types {}, should be {}", list(found), list(expected))
    })
}

/// The type of the only result.
fn only_result(found: &[Type]) -> Check<Type> {
    match found {
        [one] => Ok(*one),
        [] | [_, _, ..] => violation(Rule::Results, format!("{} results, should be one", found.len())),
    }
}

fn list(types: &[Type]) -> String {
    let names: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", names.join(", "))
}

/// Checks one function.
struct Verifier<'v> {
    module: &'v Module,
    function: &'v Function,
    dialect: Dialect,
    /// Values whose definition dominates the instruction being checked.
    visible: TiVec<Value, bool>,
    /// Regions that were nested in something.
    nested: TiVec<RegionId, bool>,
    /// Instructions that were in a region.
    placed: TiVec<InstId, bool>,
    context: structure::Context,
    errors: Vec<VerifyError>,
}

impl<'v> Verifier<'v> {
    fn new(module: &'v Module, function: &'v Function, dialect: Dialect) -> Verifier<'v> {
        Verifier {
            module,
            function,
            dialect,
            visible: ti_vec![false; function.value_count()],
            nested: ti_vec![false; function.regions.len()],
            placed: ti_vec![false; function.insts.len()],
            context: structure::Context::default(),
            errors: Vec::new(),
        }
    }

    /// All violations in the function.
    fn function(mut self) -> Vec<VerifyError> {
        let checked = self.signature();
        self.note(checked, None);
        let checked = self.body();
        self.note(checked, None);
        self.errors
    }

    /// Keeps a violation, and the instruction that has it.
    fn note(&mut self, check: Check, inst: Option<InstId>) {
        if let Err(violation) = check
            && self.errors.len() < MAX_ERRORS
        {
            self.errors.push(violation.into_error(self.module, Some(self.function), inst));
        }
    }

    fn signature(&mut self) -> Check {
        let function = self.function;
        for (param, index) in function.params.iter().zip(0..) {
            require(matches!(function.def(*param), ValueDef::FunctionParam(at) if *at == index), Rule::Module, || {
                format!("%{param} does not name its definition")
            })?;
            self.dialect.check_type(function.ty(*param))?;
        }
        function.result.map_or(Ok(()), |ty| self.dialect.check_type(ty))?;
        let Some(kernel) = &function.kernel else { return Ok(()) };
        let parameters = function.params.len();
        if self.dialect.reached(Legalized::KernelAbi) {
            require(parameters == 0, Rule::Dialect, || "a kernel has parameters".into())?;
        }
        require(kernel.arguments.len() >= parameters, Rule::Module, || "more parameters than kernel arguments".into())?;
        require(function.result.is_none(), Rule::Module, || "a kernel has a result".into())
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|value| self.function.ty(*value)).collect()
    }

    fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// Checks that an operand has a type.
    fn operand(&self, value: Value, expected: Type, what: &str) -> Check {
        let found = self.ty(value);
        require(found == expected, Rule::Operands, || format!("the {what} is of type {found}, should be {expected}"))
    }

    fn pointer_operand(&self, value: Value, space: Space, what: &str) -> Check {
        let found = self.ty(value);
        let message = || format!("the {what} is of type {found}, should be a pointer to {space} memory");
        require(found.space() == Some(space), Rule::Operands, message)
    }

    /// The rules of an instruction, in the file of its family. Each file rejects the operations of its family that it
    /// has no rules for.
    fn instruction(&self, inst: &Inst, region: RegionId) -> Check {
        let found = self.types(&inst.results);
        match family(&inst.op) {
            Family::Values => self.value_operation(&inst.op, &found),
            Family::Memory => self.memory_operation(&inst.op, region, &found),
            Family::Inputs => self.input_operation(&inst.op, &found),
            Family::Devices => match &inst.op {
                Op::Image { op, texel, image } => self.image(*op, *texel, *image, &found),
                Op::Group { op, scope, .. } => self.group(*op, *scope, &found),
                Op::Device(op) => self.device(*op, &found),
                Op::Matrix(op) => self.matrix(*op, &found),
                Op::Enqueue { op, kernel, block, local_sizes, .. } => {
                    self.enqueue(*op, *kernel, *block, local_sizes)?;
                    results(&found, &[Type::I32])
                }
                op => violation(Rule::Operands, format!("not an operation of devices: {op:?}")),
            },
            Family::Control => Ok(()),
        }
    }
}

/// The families of operations, each with its rules in files of its own.
enum Family {
    /// `operation.rs` and `intrinsic.rs`: they compute values from values.
    Values,
    /// `memory.rs`: they access or order memory, or make addresses.
    Memory,
    /// `input.rs`: they read what a device provides.
    Inputs,
    /// `image.rs`, `group.rs`, `device.rs` and `matrix.rs`: families of devices' operations.
    Devices,
    /// `structure.rs`: structured control flow, and terminators.
    Control,
}

/// The family of each operation, as the table says.
macro_rules! families {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt
            [$effect:ident, $family:ident, $($legal:ident)+];
    )*) => {
        fn family(op: &Op) -> Family {
            match op {
                $(Op::$name { .. } => Family::$family,)*
            }
        }
    };
}

ops!(families);
