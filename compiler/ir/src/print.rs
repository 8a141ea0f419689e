//! The text form of the IR. [`super::read`] parses it back.
//!
//! ```text
//! global @g0 "table" constant size 16 align 4 init "00000000…"
//! kernel @add(%0: ptr.global, %1: i32) {
//!   %2: i64 = work_item global_id 0
//!   %3: ptr.global = ptr_add %0 [%2 * 4 + 0]
//!   %4: i32 = load align 4 %3
//!   %5: i32 = add %4, i32 5
//!   store align 4 %3, %5
//!   return
//! }
//! ```

use super::*;
use std::fmt::Write;

/// The whole module.
pub fn print(module: &Module) -> String {
    let mut out = String::new();
    for (index, global) in module.globals.iter().enumerate() {
        print_global(&mut out, index, global);
    }
    for (index, variable) in module.variables.iter().enumerate() {
        let Variable { name, storage, element, size, zero_initialized } = variable;
        let _ = write!(out, "variable @v{index} {name:?} {storage} {element} bytes {}", size.fixed);
        for (id, element_size) in &size.arguments {
            let _ = write!(out, " + {element_size} * spec {id}");
        }
        if size.per_work_item > 0 {
            let _ = write!(out, " per_work_item {}", size.per_work_item);
        }
        if *zero_initialized {
            out.push_str(" zero");
        }
        out.push('\n');
    }
    for function in &module.functions {
        print_function(&mut out, module, function);
    }
    out
}

fn print_global(out: &mut String, index: usize, global: &Global) {
    let Global { name, space, size, align, .. } = global;
    let _ = write!(out, "global @g{index} {name:?} {space} size {size} align {align}");
    if global.exported {
        out.push_str(if global.once { " exported once" } else { " exported" });
    }
    if global.imported {
        out.push_str(" imported");
    }
    if let Some((id, bytes)) = global.size_argument {
        let _ = write!(out, " size_argument {id} {bytes}");
    }
    if global.per_work_item > 0 {
        let _ = write!(out, " per_work_item {}", global.per_work_item);
    }
    if let Some(bytes) = &global.init {
        out.push_str(" init \"");
        for byte in bytes {
            let _ = write!(out, "{byte:02x}");
        }
        out.push('"');
    }
    for relocation in &global.relocations {
        let _ = write!(out, " reloc {} @g{} {}", relocation.offset, relocation.target, relocation.addend);
    }
    out.push('\n');
}

/// One function.
pub fn print_function(out: &mut String, module: &Module, function: &Function) {
    out.push_str(if function.kernel.is_some() { "kernel @" } else { "func @" });
    out.push_str(&function.name);
    out.push('(');
    for (index, param) in function.params.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let _ = write!(out, "{separator}%{}: {}", param, function.ty(*param));
    }
    out.push(')');
    if let Some(result) = function.result {
        let _ = write!(out, " -> {result}");
    }
    match function.inline {
        Some(true) => out.push_str(" inline"),
        Some(false) => out.push_str(" noinline"),
        None => {}
    }
    if function.exported {
        out.push_str(if function.once { " exported once" } else { " exported" });
    }
    print_kernel(out, function);
    if function.is_declaration() {
        out.push_str(";\n");
        return;
    }
    out.push_str(" {\n");
    Printer { out, module, function, indent: 1, with_regions: true }.region_body(function.body);
    out.push_str("}\n");
}

/// One instruction without its regions, for messages. What has no text form, because a value is missing, is printed as the
/// data that it is.
pub fn print_instruction(module: &Module, function: &Function, id: InstId) -> String {
    let inst = function.inst(id);
    let mut all_there = inst.results.iter().all(|value| usize::from(*value) < function.value_count());
    inst.op.for_each_operand(|value| all_there &= usize::from(value) < function.value_count());
    if !all_there {
        return format!("{:?}", inst.op);
    }
    let mut out = String::new();
    Printer { out: &mut out, module, function, indent: 0, with_regions: false }.inst(id);
    out
}

fn print_kernel(out: &mut String, function: &Function) {
    let Some(kernel) = &function.kernel else { return };
    out.push_str(" args (");
    for (index, argument) in kernel.arguments.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        let _ = match argument.kind {
            KernelParameter::Value(ty) => write!(out, "value {ty}"),
            KernelParameter::Pointer(space) => write!(out, "pointer {space}"),
            KernelParameter::Local { element_size, align } => write!(out, "local {element_size} align {align}"),
            KernelParameter::ByValue { size, align } => write!(out, "by_value {size} align {align}"),
            KernelParameter::Opaque(ty) => write!(out, "opaque {ty}"),
        };
    }
    out.push(')');
    if let Some([x, y, z]) = kernel.required_work_group_size {
        let _ = write!(out, " work_group_size ({x}, {y}, {z})");
    }
}

struct Printer<'p> {
    out: &'p mut String,
    module: &'p Module,
    function: &'p Function,
    indent: usize,
    with_regions: bool,
}

impl Printer<'_> {
    fn region_body(&mut self, region: RegionId) {
        for inst in &self.function.region(region).insts {
            for _ in 0..self.indent {
                self.out.push_str("  ");
            }
            self.inst(*inst);
            self.out.push('\n');
        }
    }

    /// ` (%1: i32) {` … `}`
    fn region(&mut self, region: RegionId) {
        if !self.with_regions {
            self.out.push('…');
            return;
        }
        let params = &self.function.region(region).params;
        if !params.is_empty() {
            self.out.push('(');
            for (index, param) in params.iter().enumerate() {
                let separator = if index == 0 { "" } else { ", " };
                let _ = write!(self.out, "{separator}%{}: {}", param, self.function.ty(*param));
            }
            self.out.push_str(") ");
        }
        self.out.push_str("{\n");
        self.indent += 1;
        self.region_body(region);
        self.indent -= 1;
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push('}');
    }

    fn value(&mut self, value: Value) {
        let _ = match self.function.as_constant(value) {
            Some(constant) => write!(self.out, "{constant}"),
            None => write!(self.out, "%{}", value),
        };
    }

    fn values(&mut self, values: &[Value]) {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.value(*value);
        }
    }

    fn word_and_values(&mut self, word: &str, values: &[Value]) {
        self.out.push_str(word);
        if !values.is_empty() {
            self.out.push(' ');
        }
        self.values(values);
    }

    fn inst(&mut self, id: InstId) {
        let function = self.function;
        let inst = function.inst(id);
        for (index, result) in inst.results.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let _ = write!(self.out, "{separator}%{}: {}", result, function.ty(*result));
        }
        if !inst.results.is_empty() {
            self.out.push_str(" = ");
        }
        match &inst.op {
            Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => self.structured(&inst.op),
            op if op.is_terminator() => self.terminator(op),
            op => self.simple(op),
        }
    }

    fn simple(&mut self, op: &Op) {
        match op {
            Op::Unary { op, operand } => self.word_and_values(op.text(), &[*operand]),
            Op::Binary { op, lhs, rhs } => self.word_and_values(op.text(), &[*lhs, *rhs]),
            Op::Compare { op, lhs, rhs } => self.word_and_values(op.text(), &[*lhs, *rhs]),
            Op::Convert { op, operand } => self.word_and_values(op.text(), &[*operand]),
            Op::Select { condition, if_true, if_false } => {
                self.word_and_values("select", &[*condition, *if_true, *if_false])
            }
            Op::Extract { vector, lane } => {
                self.word_and_values("extract", &[*vector]);
                let _ = write!(self.out, " {lane}");
            }
            Op::Insert { vector, scalar, lane } => {
                self.word_and_values("insert", &[*vector, *scalar]);
                let _ = write!(self.out, " {lane}");
            }
            Op::ExtractDynamic { vector, index } => self.word_and_values("extract_dynamic", &[*vector, *index]),
            Op::InsertDynamic { vector, scalar, index } => {
                self.word_and_values("insert_dynamic", &[*vector, *scalar, *index])
            }
            Op::Construct { elements } => self.word_and_values("construct", elements),
            Op::Shuffle { first, second, lanes } => {
                self.word_and_values("shuffle", &[*first, *second]);
                let _ = write!(self.out, " {:?}", lanes.as_slice());
            }
            Op::PtrAdd { base, index, stride, displacement } => {
                self.word_and_values("ptr_add", &[*base]);
                self.out.push_str(" [");
                if let Some(index) = index {
                    self.value(*index);
                    let _ = write!(self.out, " * {stride} + ");
                }
                let _ = write!(self.out, "{displacement}]");
            }
            Op::GlobalAddress(global) => {
                let _ = write!(self.out, "address @g{}", global);
            }
            Op::WorkItem { query, dim } => {
                let _ = write!(self.out, "work_item {} {dim}", query.text());
            }
            Op::Intrinsic { function, args } => {
                let _ = write!(self.out, "intrinsic {:?} ", function.name());
                self.values(args);
            }
            _ => self.memory(op),
        }
    }

    fn memory(&mut self, op: &Op) {
        match op {
            Op::Alloca { size, align } => {
                let _ = write!(self.out, "alloca size {size} align {align}");
            }
            Op::Load { ptr, align, volatile } => {
                let _ = write!(self.out, "load {}align {align} ", if *volatile { "volatile " } else { "" });
                self.value(*ptr);
            }
            Op::Store { ptr, value, align, volatile } => {
                let _ = write!(self.out, "store {}align {align} ", if *volatile { "volatile " } else { "" });
                self.values(&[*ptr, *value]);
            }
            Op::Atomic { op, ptr, operands, semantics, unequal } => {
                let _ = write!(self.out, "atomic {} {semantics} {} ", op.text(), unequal.text());
                self.value(*ptr);
                for operand in operands {
                    self.out.push_str(", ");
                    self.value(*operand);
                }
            }
            Op::Barrier { execution, semantics } => {
                let _ = write!(self.out, "barrier {} {semantics}", execution.text());
            }
            Op::Fence(semantics) => {
                let _ = write!(self.out, "fence {semantics}");
            }
            Op::Group { op, scope, uniform } => {
                let uniform = if *uniform { " uniform" } else { "" };
                let _ = write!(self.out, "group {}{uniform} {op} (", scope.text());
                self.values(&op.operands());
                self.out.push(')');
            }
            Op::Device(op) => {
                let _ = write!(self.out, "device {op} (");
                self.values(&op.operands());
                self.out.push(')');
            }
            Op::Enqueue { op: enqueue, kernel, size, align, .. } => {
                let name = self.module.functions.get(*kernel).map_or("?", |kernel| &kernel.name);
                let _ = write!(self.out, "enqueue {enqueue} @{name} size {size} align {align} (");
                let mut operands = Values::new();
                op.for_each_operand(|value| operands.push(value));
                self.values(&operands);
                self.out.push(')');
            }
            Op::ReadClock(scope) => {
                let _ = write!(self.out, "read_clock {}", scope.text());
            }
            Op::Call { function, args } => {
                let name = self.module.functions.get(*function).map_or("?", |callee| &callee.name);
                let _ = write!(self.out, "call @{name}(");
                self.values(args);
                self.out.push(')');
            }
            Op::VariableLoad { variable, index } => {
                let _ = write!(self.out, "variable_load @v{}", variable);
                self.index(*index);
            }
            Op::VariableStore { variable, index, value } => {
                let _ = write!(self.out, "variable_store @v{}", variable);
                self.index(*index);
                self.out.push_str(", ");
                self.value(*value);
            }
            Op::VariableAtomic { op, variable, index, operands, semantics, unequal } => {
                let _ = write!(self.out, "variable_atomic {} {semantics} {} @v{}", op.text(), unequal.text(), variable);
                self.index(*index);
                for operand in operands {
                    self.out.push_str(", ");
                    self.value(*operand);
                }
            }
            Op::Input { input, dim } => {
                let _ = write!(self.out, "input {} {dim}", input.text());
            }
            Op::Sampler(bits) => {
                let _ = write!(self.out, "sampler {bits}");
            }
            Op::Resource { set, binding, element } => {
                let _ = write!(self.out, "resource {set} {binding}");
                if let Some(element) = element {
                    let _ = write!(self.out, " {element}");
                }
            }
            Op::Image { op: image_op, texel, .. } => {
                let _ = write!(self.out, "image {image_op} {} ", texel.text());
                let mut operands = Values::new();
                op.for_each_operand(|value| operands.push(value));
                self.values(&operands);
            }
            Op::SpecConstant(id) => {
                let _ = write!(self.out, "spec_constant {id}");
            }
            _ => self.out.push_str("<unknown operation>"),
        }
    }

    /// `[%1]`, or nothing.
    fn index(&mut self, index: Option<Value>) {
        if let Some(index) = index {
            self.out.push('[');
            self.value(index);
            self.out.push(']');
        }
    }

    fn structured(&mut self, op: &Op) {
        match op {
            Op::If { condition, then, otherwise } => {
                self.word_and_values("if", &[*condition]);
                self.out.push(' ');
                self.region(*then);
                self.out.push_str(" else ");
                self.region(*otherwise);
            }
            Op::Switch { selector, inputs, cases } => {
                self.word_and_values("switch", &[*selector]);
                self.out.push_str(" (");
                self.values(inputs);
                self.out.push(')');
                for case in cases {
                    self.out.push_str(" case ");
                    for value in &case.values {
                        let _ = write!(self.out, "{value} ");
                    }
                    if case.default {
                        self.out.push_str("default ");
                    }
                    self.region(case.region);
                }
            }
            Op::Loop { inits, body, continuing, hint } => {
                self.out.push_str("loop (");
                self.values(inits);
                self.out.push_str(") ");
                match hint {
                    LoopHint::None => {}
                    LoopHint::Unroll => self.out.push_str("unroll "),
                    LoopHint::UnrollBy(count) => {
                        let _ = write!(self.out, "unroll_by {count} ");
                    }
                    LoopHint::DontUnroll => self.out.push_str("dont_unroll "),
                }
                self.region(*body);
                self.out.push_str(" continuing ");
                self.region(*continuing);
            }
            _ => {}
        }
    }

    fn terminator(&mut self, op: &Op) {
        match op {
            Op::Yield(values) => self.word_and_values("yield", values),
            Op::Break(values) => self.word_and_values("break", values),
            Op::Continue(values) => self.word_and_values("continue", values),
            Op::Fallthrough(values) => self.word_and_values("fallthrough", values),
            Op::Next(values) => self.word_and_values("next", values),
            Op::NextIf { condition, next, results } => {
                self.word_and_values("next_if", &[*condition]);
                self.out.push_str(" (");
                self.values(next);
                self.out.push_str(") (");
                self.values(results);
                self.out.push(')');
            }
            Op::Return(value) => self.word_and_values("return", value.as_slice()),
            _ => self.out.push_str("unreachable"),
        }
    }
}

impl std::fmt::Display for Constant {
    /// `i32 -1`, `f32 0x3f800000`, `i32x4 [1, 2, 3, 4]`, `undef f32`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Constant::Bits { ty, lanes } = self else { return write!(f, "undef {}", self.ty()) };
        write!(f, "{ty} ")?;
        let lane = |f: &mut std::fmt::Formatter<'_>, bits: u64| match ty.scalar {
            scalar if scalar.is_float() => write!(f, "{bits:#x}"),
            ScalarType::Bool => write!(f, "{bits}"),
            scalar => write!(f, "{}", constant::sign_extend(scalar, bits)),
        };
        if let [one] = lanes[..] {
            return lane(f, one);
        }
        f.write_str("[")?;
        for (index, bits) in lanes.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            lane(f, *bits)?;
        }
        f.write_str("]")
    }
}

impl std::fmt::Display for Storage {
    /// `workgroup`, `uniform 0 1` (set and binding), …
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Storage::Function => f.write_str("function"),
            Storage::Private => f.write_str("private"),
            Storage::Workgroup => f.write_str("workgroup"),
            Storage::PushConstant => f.write_str("push_constant"),
            Storage::Uniform { set, binding } => write!(f, "uniform {set} {binding}"),
        }
    }
}

impl std::fmt::Display for Semantics {
    /// `acquire_release work_group local global`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.order.text(), self.scope.text())?;
        for (flag, name) in [(self.local, " local"), (self.global, " global"), (self.image, " image")] {
            if flag {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}
