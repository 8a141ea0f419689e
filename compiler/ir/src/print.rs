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

use super::field::Kind;
use super::inst::ops;
use super::*;
use std::fmt::{Display, Write};

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
    Printer { out, module, function, indent: 1, with_regions: true, last: Last::Open }.region_body(function.body);
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
    Printer { out: &mut out, module, function, indent: 0, with_regions: false, last: Last::Open }.inst(id);
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
    if kernel.is_block {
        out.push_str(" block");
    }
    for (offset, ty) in &kernel.references {
        let _ = write!(out, " reference {offset} {ty}");
    }
}

/// Prints an instruction, item by item.
struct Printer<'p> {
    out: &'p mut String,
    module: &'p Module,
    function: &'p Function,
    indent: usize,
    with_regions: bool,
    /// What the next item follows.
    last: Last,
}

/// What the last item was, as far as the space behind it is concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// There is none, or it opens brackets: no space follows.
    Open,
    /// A name: a space follows, but not before brackets.
    Name,
    /// Anything else: a space follows.
    Word,
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

    /// `(%1: i32) {` … `}`
    fn region(&mut self, region: RegionId) {
        if !self.with_regions {
            self.item('…');
            return;
        }
        let params = &self.function.region(region).params;
        if !params.is_empty() {
            self.item('(');
            for (index, param) in params.iter().enumerate() {
                let separator = if index == 0 { "" } else { ", " };
                let _ = write!(self.out, "{separator}%{}: {}", param, self.function.ty(*param));
            }
            self.out.push(')');
        }
        self.item("{\n");
        self.indent += 1;
        self.region_body(region);
        self.indent -= 1;
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push('}');
        self.last = Last::Word;
    }

    /// One item, after a space where one belongs.
    fn item(&mut self, item: impl Display) {
        self.out.push_str(if self.last == Last::Open { "" } else { " " });
        let _ = write!(self.out, "{item}");
        self.last = Last::Word;
    }

    /// `@name`
    fn name(&mut self, name: impl Display) {
        self.item(format_args!("@{name}"));
        self.last = Last::Name;
    }

    /// A word or a mark.
    fn literal(&mut self, text: &str) {
        match text {
            "(" | "[" => {
                self.out.push_str(if self.last == Last::Word { " " } else { "" });
                self.out.push_str(text);
                self.last = Last::Open;
            }
            ")" | "]" | "," => {
                self.out.push_str(text);
                self.last = Last::Word;
            }
            word => self.item(word),
        }
    }

    fn value(&mut self, value: Value) {
        match self.function.as_constant(value) {
            Some(constant) => self.item(constant),
            None => self.item(format_args!("%{value}")),
        }
    }

    fn values(&mut self, values: &[Value]) {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.literal(",");
            }
            self.value(*value);
        }
    }

    /// Values in brackets.
    fn list(&mut self, values: &[Value]) {
        self.literal("(");
        self.values(values);
        self.literal(")");
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
        self.last = Last::Open;
        self.operation(&inst.op);
    }

    /// The name of a function.
    fn function_name(&mut self, function: FunctionId) {
        let name = self.module.functions.get(function).map_or("?", |function| &function.name);
        self.name(name);
    }

    /// `%0 [%2 * 4 + 0]`
    fn ptr_add(&mut self, op: &Op) {
        let Op::PtrAdd { base, index, stride, displacement } = op else { return };
        self.value(*base);
        self.literal("[");
        if let Some(index) = index {
            self.value(*index);
            self.item(format_args!("* {stride} +"));
        }
        self.item(displacement);
        self.literal("]");
    }

    /// The operation, the texels and all operands.
    fn image(&mut self, op: &Op) {
        let Op::Image { op: image_op, texel, .. } = op else { return };
        self.item(image_op);
        self.item(texel.text());
        self.values(&all_operands(op));
    }

    /// The operation, the kernel and all operands.
    fn enqueue(&mut self, op: &Op) {
        let Op::Enqueue { op: enqueue, kernel, size, align, .. } = op else { return };
        self.item(enqueue);
        self.function_name(*kernel);
        self.item(format_args!("size {size} align {align}"));
        self.list(&all_operands(op));
    }
}

fn all_operands(op: &Op) -> Values {
    let mut operands = Values::new();
    op.for_each_operand(|value| operands.push(value));
    operands
}

/// Prints operations by their text form in the table ([`inst::ops`](super::inst)).
macro_rules! print_operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt $properties:tt;
    )*) => {
        impl Printer<'_> {
            #[allow(unused_variables, reason = "methods of custom forms take the fields themselves")]
            fn operation(&mut self, op: &Op) {
                match op {
                    $(Op::$name $({ $($field),+ })? $(($part))? => print_operations!(@form self op $syntax),)*
                }
            }
        }
    };
    (@form $printer:ident $op:ident (custom $method:ident)) => {{
        $printer.literal(stringify!($method));
        $printer.$method($op);
    }};
    (@form $printer:ident $op:ident ($($item:tt)*)) => {{ $(print_operations!(@item $printer $item);)* }};
    (@item $printer:ident $word:literal) => { $printer.literal($word) };
    (@item $printer:ident $field:ident) => { $field.print($printer, stringify!($field)) };
    (@item $printer:ident [$field:ident]) => {
        if let Some(value) = $field {
            $printer.literal("[");
            $printer.value(*value);
            $printer.literal("]");
        }
    };
    (@item $printer:ident {, $field:ident}) => {
        for value in $field {
            $printer.literal(",");
            $printer.value(*value);
        }
    };
}

ops!(print_operations);

/// A field of an operation in the text form.
trait Print {
    fn print(&self, to: &mut Printer<'_>, name: &str);
}

/// Fields of these types.
macro_rules! print_fields {
    ($($ty:ty: |$field:ident, $to:ident| $print:expr;)*) => {
        $(impl Print for $ty {
            fn print(&self, $to: &mut Printer<'_>, _: &str) {
                let $field = self;
                $print
            }
        })*
    };
}

print_fields! {
    Value: |value, to| to.value(*value);
    Option<Value>: |value, to| to.values(value.as_slice());
    Values: |values, to| to.values(values);
    RegionId: |region, to| to.region(*region);
    u8: |number, to| to.item(number);
    u32: |number, to| to.item(number);
    u64: |number, to| to.item(number);
    Option<u32>: |number, to| number.iter().for_each(|number| to.item(number));
    Lanes: |lanes, to| to.item(format_args!("{:?}", lanes.as_slice()));
    GlobalId: |global, to| to.name(format_args!("g{global}"));
    VariableId: |variable, to| to.name(format_args!("v{variable}"));
    FunctionId: |function, to| to.function_name(*function);
    Semantics: |semantics, to| to.item(semantics);
    Intrinsic: |function, to| to.item(format_args!("{:?}", function.name()));
    GroupOp: |op, to| {
        to.item(op);
        to.list(&op.operands());
    };
    DeviceOp: |op, to| {
        to.item(op);
        to.list(&op.operands());
    };
    MatrixOp: |op, to| {
        to.item(op);
        to.list(&op.operands());
    };
    LoopHint: |hint, to| match hint {
        LoopHint::None => {}
        LoopHint::Unroll => to.item("unroll"),
        LoopHint::UnrollBy(count) => to.item(format_args!("unroll_by {count}")),
        LoopHint::DontUnroll => to.item("dont_unroll"),
    };
    Vec<Case>: |cases, to| for case in cases {
        to.item("case");
        case.values.iter().for_each(|value| to.item(value));
        if case.default {
            to.item("default");
        }
        to.region(case.region);
    };
}

impl Print for bool {
    fn print(&self, to: &mut Printer<'_>, name: &str) {
        if *self {
            to.item(name);
        }
    }
}

impl<K: Kind> Print for K {
    fn print(&self, to: &mut Printer<'_>, _: &str) {
        to.item(self.text());
    }
}

impl Display for Constant {
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

impl Display for Storage {
    /// `workgroup`, `uniform 0 1` (set and binding), …
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Storage::Function => f.write_str("function"),
            Storage::Private => f.write_str("private"),
            Storage::Workgroup => f.write_str("workgroup"),
            Storage::PushConstant => f.write_str("push_constant"),
            Storage::Uniform { set, binding } => write!(f, "uniform {set} {binding}"),
            Storage::StorageBuffer { set, binding } => write!(f, "storage_buffer {set} {binding}"),
        }
    }
}

impl Display for Semantics {
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
