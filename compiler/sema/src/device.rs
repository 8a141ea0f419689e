//! Calls of functions that only OpenCL devices have: pipes (6.15.18) and enqueueing on the device (6.15.19). Their
//! arguments have types that no pattern of the table of built-ins describes: blocks, and pipes of some packet.

use super::conversions::AssignmentAction;
use super::{ExprRef, Sema};
use crate::builtins;
use crate::hir::types::TyKind;
use crate::hir::{Enqueue, EnqueueOp, ExprKind, QualTy, Ty};
use clforge_basic::image::AccessQualifier;
use clforge_basic::options::{AddressBits, ClStd};
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{AddressSpace, Qualifiers};

const PIPES: &str = "__opencl_c_pipes";
const DEVICE_ENQUEUE: &str = "__opencl_c_device_enqueue";

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// Whether the target has what a name needs; reports where it does not. `what` is the name in quotes.
    pub(super) fn device_feature(&mut self, feature: &str, what: &str, span: Span) -> bool {
        let target = self.options.target;
        if self.options.has_device_enqueue() || (feature == PIPES && target.has_pipes()) {
            return true;
        }
        let missing = match (target.is_vulkan(), self.options.language.address_bits) {
            // On OpenCL 1.2 the target is told first.
            (false, AddressBits::Bits32) if target.has_pipes() => "which needs '--address-bits 64'",
            (true, _) => "which needs '--addressing physical64'",
            (false, _) => "which needs '--target opencl2.0' or later",
        };
        self.error(span, format!("{what} requires the feature '{feature}', {missing}"));
        false
    }

    /// Checks a predeclared handle type; false where the target does not have it.
    pub(super) fn device_type(&mut self, ty: Ty, span: Span) -> bool {
        let feature = match self.kind(ty) {
            TyKind::Queue | TyKind::NdRange | TyKind::ClkEvent => DEVICE_ENQUEUE,
            TyKind::ReserveId | TyKind::Pipe(..) => PIPES,
            _ => return true,
        };
        let what = match self.kind(ty) {
            TyKind::Pipe(..) => "the type specifier 'pipe'".to_owned(),
            _ => format!("type '{}'", self.ty_text(ty)),
        };
        self.device_feature(feature, &what, span)
    }

    /// `None`: the name is not one of these functions, or one that the table of built-ins describes.
    pub(super) fn device_call(
        &mut self,
        name: Symbol,
        values: &[ExprRef<'h>],
        name_span: Span,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let text = self.text(name).to_owned();
        let feature = match text.as_str() {
            "enqueue_marker"
            | "retain_event"
            | "release_event"
            | "create_user_event"
            | "is_valid_event"
            | "set_user_event_status"
            | "capture_event_profiling_info"
            | "get_default_queue"
            | "ndrange_1D"
            | "ndrange_2D"
            | "ndrange_3D" => DEVICE_ENQUEUE,
            "is_valid_reserve_id" => PIPES,
            _ if enqueue_op(&text).is_some() => DEVICE_ENQUEUE,
            _ if pipe_function(&text).is_some() => PIPES,
            _ => return None,
        };
        if self.language() < ClStd::CL2_0 {
            return None;
        }
        if !self.device_feature(feature, &format!("'{text}'"), name_span) {
            return Some(self.error_expr(span));
        }
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return Some(self.error_expr(span));
        }
        if let Some(op) = enqueue_op(&text) {
            let checked = match op {
                EnqueueOp::Kernel => self.enqueue_kernel(values, name_span),
                op => self.kernel_query(op, &text, values, name_span),
            };
            return Some(match checked {
                Some(enqueue) => {
                    let result = if enqueue.op == EnqueueOp::Kernel { Ty::INT } else { Ty::UINT };
                    self.make(ExprKind::Enqueue(self.arena.alloc(enqueue)), result, span)
                }
                None => self.error_expr(span),
            });
        }
        if let Some(function) = pipe_function(&text) {
            return Some(match self.pipe_arguments(&text, function, values, name_span) {
                Some(arguments) => self.device_builtin(&text, arguments, function.result(), span),
                None => self.error_expr(span),
            });
        }
        if text == "enqueue_marker" {
            return Some(match self.marker_arguments(values, name_span) {
                Some(arguments) => self.device_builtin(&text, arguments, Some(Ty::INT), span),
                None => self.error_expr(span),
            });
        }
        None
    }

    /// A call of a function of the table whose arguments were checked here; `None` as a result: a `reserve_id_t`.
    fn device_builtin(
        &mut self,
        name: &str,
        arguments: Vec<ExprRef<'h>>,
        result: Option<Ty>,
        span: Span,
    ) -> ExprRef<'h> {
        let Some(function) = builtins::by_name(name) else { return self.error_expr(span) };
        let result = result.unwrap_or_else(|| self.program.types.intern(TyKind::ReserveId));
        let arguments = self.arena.alloc_slice_copy(&arguments);
        self.make(ExprKind::Builtin { function, arguments }, result, span)
    }

    fn wrong_count(&mut self, expected: &str, have: usize, few: bool, span: Span) {
        let amount = if few { "few" } else { "many" };
        self.error(span, format!("too {amount} arguments to function call, expected {expected}, have {have}"));
    }

    // --- blocks ---

    fn enqueue_kernel(&mut self, values: &[ExprRef<'h>], span: Span) -> Option<Enqueue<'h>> {
        let (&[queue, flags, range, fourth, ref rest @ ..], true) = (values, values.len() >= 4) else {
            self.wrong_count("at least 4", values.len(), true, span);
            return None;
        };
        let queue = self.enqueue_argument(queue, TyKind::Queue, "'queue_t' argument type")?;
        let flags = self.enqueue_integer(flags, Ty::UINT, "'kernel_enqueue_flags_t' (i.e. uint) argument type")?;
        let range = self.enqueue_argument(range, TyKind::NdRange, "'ndrange_t' argument type")?;
        let is_block = |sema: &Self, e: ExprRef<'h>| matches!(sema.kind(e.ty.ty), TyKind::Block(_));
        let (events, block, sizes) = if is_block(self, fourth) {
            let (count, none) = (self.int(0, Ty::UINT, span), self.null_event(span));
            ([count, none, none], fourth, rest)
        } else if let [list, returned, block, sizes @ ..] = rest {
            let count = self.enqueue_integer(fourth, Ty::UINT, "integer argument type")?;
            let list = self.event_pointer(list, Qualifiers::CONST)?;
            let returned = self.event_pointer(returned, Qualifiers::empty())?;
            ([count, list, returned], *block, sizes)
        } else {
            self.error(span, "illegal call to 'enqueue_kernel', incorrect argument types");
            return None;
        };
        let function = self.enqueued_block(block, "enqueue_kernel")?;
        let parameters = self.block_parameters(block);
        if parameters != sizes.len() {
            let message = match sizes {
                [] => "blocks with parameters are not accepted in this prototype of 'enqueue_kernel' call",
                _ => "mismatch in number of block parameters and local size arguments passed",
            };
            self.error(span, message);
            return None;
        }
        let mut lengths = Vec::with_capacity(sizes.len());
        for size in sizes {
            lengths.push(self.enqueue_integer(size, Ty::ULONG, "a size of integer type for each block parameter")?);
        }
        let arguments = [&[queue, flags, range][..], &events].concat();
        Some(Enqueue {
            op: EnqueueOp::Kernel,
            arguments: self.arena.alloc_slice_copy(&arguments),
            function,
            block,
            sizes: self.arena.alloc_slice_copy(&lengths),
        })
    }

    fn kernel_query(&mut self, op: EnqueueOp, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<Enqueue<'h>> {
        let with_range = matches!(op, EnqueueOp::NdRangeSubGroupCount | EnqueueOp::NdRangeMaxSubGroupSize);
        let expected = 1 + usize::from(with_range);
        let (Some((block, before)), true) = (values.split_last(), values.len() == expected) else {
            self.wrong_count(&expected.to_string(), values.len(), values.len() < expected, span);
            return None;
        };
        let mut arguments = Vec::with_capacity(1);
        for range in before {
            arguments.push(self.enqueue_argument(range, TyKind::NdRange, "'ndrange_t' argument type")?);
        }
        let function = self.enqueued_block(block, name)?;
        let arguments = self.arena.alloc_slice_copy(&arguments);
        Some(Enqueue { op, arguments, function, block, sizes: &[] })
    }

    /// The body of a block that is to run as a kernel: its parameters are pointers to local memory.
    fn enqueued_block(&mut self, block: ExprRef<'h>, name: &str) -> Option<crate::hir::FunctionId> {
        let TyKind::Block(signature) = self.kind(block.ty.ty) else {
            self.error(block.span, format!("illegal call to '{name}', expected block argument type"));
            return None;
        };
        let signature = self.program.types.function_ty(signature).clone();
        if signature.result.ty != Ty::VOID {
            self.error(block.span, format!("blocks used in '{name}' call are expected to return 'void'"));
            return None;
        }
        let is_local = |parameter: &QualTy| match self.kind(parameter.ty) {
            // Of any type with cl_khr_device_enqueue_local_arg_types, which all targets with device enqueue have.
            TyKind::Pointer(pointee) => pointee.space == AddressSpace::Local,
            _ => false,
        };
        if !signature.parameters.iter().all(is_local) {
            let message =
                format!("blocks used in '{name}' call are expected to have parameters of pointer to 'local' type");
            self.error(block.span, message);
            return None;
        }
        let function = self.block_body(block)?;
        if let Some(object) = &mut self.program.functions[function].block {
            object.is_enqueued = true;
        }
        Some(function)
    }

    fn block_parameters(&self, block: ExprRef<'h>) -> usize {
        match self.kind(block.ty.ty) {
            TyKind::Block(signature) => self.program.types.function_ty(signature).parameters.len(),
            _ => 0,
        }
    }

    /// An argument that must have that type.
    fn enqueue_argument(&mut self, value: ExprRef<'h>, kind: TyKind, expected: &str) -> Option<ExprRef<'h>> {
        if self.kind(value.ty.ty) == kind {
            return Some(value);
        }
        let ty = self.program.types.intern(kind);
        if kind == TyKind::Queue && self.is_null_constant(value) {
            return Some(self.int(0, ty, value.span));
        }
        self.error(value.span, format!("illegal call to 'enqueue_kernel', expected {expected}"));
        None
    }

    fn enqueue_integer(&mut self, value: ExprRef<'h>, to: Ty, expected: &str) -> Option<ExprRef<'h>> {
        if self.int_kind(value.ty.ty).is_none() {
            self.error(value.span, format!("illegal call to 'enqueue_kernel', expected {expected}"));
            return None;
        }
        Some(self.convert(value, to))
    }

    fn event_pointer_type(&mut self, quals: Qualifiers) -> Ty {
        let event = self.program.types.intern(TyKind::ClkEvent);
        self.program.types.pointer_to(QualTy { ty: event, quals, space: AddressSpace::Generic })
    }

    fn null_event(&mut self, span: Span) -> ExprRef<'h> {
        let ty = self.event_pointer_type(Qualifiers::empty());
        self.int(0, ty, span)
    }

    /// A pointer to events, or null.
    fn event_pointer(&mut self, value: ExprRef<'h>, quals: Qualifiers) -> Option<ExprRef<'h>> {
        let ty = self.event_pointer_type(quals);
        let is_events = match self.kind(value.ty.ty) {
            TyKind::Pointer(pointee) => self.kind(pointee.ty) == TyKind::ClkEvent,
            _ => false,
        };
        if !is_events && !self.is_null_constant(value) {
            let text = self.quoted(value.ty.ty);
            self.error(value.span, format!("expected a pointer to 'clk_event_t' or a null pointer, not {text}"));
            return None;
        }
        let converted = self.convert_for_assignment(value, ty, AssignmentAction::Passing(None));
        (converted.ty.ty != Ty::ERROR).then_some(converted)
    }

    fn marker_arguments(&mut self, values: &[ExprRef<'h>], span: Span) -> Option<Vec<ExprRef<'h>>> {
        let &[queue, count, list, returned] = values else {
            self.wrong_count("4", values.len(), values.len() < 4, span);
            return None;
        };
        let queue_ty = self.program.types.intern(TyKind::Queue);
        let (list_ty, returned_ty) =
            (self.event_pointer_type(Qualifiers::CONST), self.event_pointer_type(Qualifiers::empty()));
        let arguments = vec![
            self.convert_for_assignment(queue, queue_ty, AssignmentAction::Passing(None)),
            self.convert_for_assignment(count, Ty::UINT, AssignmentAction::Passing(None)),
            self.convert_for_assignment(list, list_ty, AssignmentAction::Passing(None)),
            self.convert_for_assignment(returned, returned_ty, AssignmentAction::Passing(None)),
        ];
        arguments.iter().all(|argument| argument.ty.ty != Ty::ERROR).then_some(arguments)
    }

    // --- pipes ---

    fn pipe_arguments(
        &mut self,
        name: &str,
        function: PipeFunction,
        values: &[ExprRef<'h>],
        span: Span,
    ) -> Option<Vec<ExprRef<'h>>> {
        let counts = function.counts();
        if !counts.contains(&values.len()) {
            let few = values.len() < counts[0];
            let expected: Vec<String> = counts.iter().map(usize::to_string).collect();
            self.wrong_count(&expected.join(" or "), values.len(), few, span);
            return None;
        }
        let (pipe, rest) = values.split_first()?;
        let TyKind::Pipe(packet, access) = self.kind(pipe.ty.ty) else {
            self.error(pipe.span, format!("first argument to '{name}' must be a pipe type"));
            return None;
        };
        if function.access.is_some_and(|wanted| wanted != access) {
            let wanted = if function.access == Some(AccessQualifier::WriteOnly) { "write_only" } else { "read_only" };
            self.error(pipe.span, format!("invalid pipe access modifier (expecting {wanted})"));
            return None;
        }
        let id = self.program.types.intern(TyKind::ReserveId);
        let writes = function.access == Some(AccessQualifier::WriteOnly);
        let mut types = Vec::new();
        match function.kind {
            PipeKind::Packets => {}
            PipeKind::Reserve => types.push(Ty::UINT),
            PipeKind::Commit => types.push(id),
            PipeKind::Transfer => {
                if rest.len() == 3 {
                    types.extend([id, Ty::UINT]);
                }
                let quals = if writes { Qualifiers::CONST } else { Qualifiers::empty() };
                let object = QualTy { ty: packet, quals, space: AddressSpace::Generic };
                types.push(self.program.types.pointer_to(object));
            }
        }
        let mut arguments = vec![*pipe];
        for (value, ty) in rest.iter().zip(types) {
            let is_packet = |sema: &Self| match (sema.kind(value.ty.ty), sema.kind(ty)) {
                (TyKind::Pointer(from), TyKind::Pointer(to)) => from.ty == to.ty,
                (TyKind::Pointer(_), _) | (_, TyKind::Pointer(_)) => false,
                _ => true,
            };
            if !is_packet(self) {
                // The packet may be in any address space.
                let expected = match self.kind(ty) {
                    TyKind::Pointer(packet) => self.program.types.pointer_to(packet.in_space(AddressSpace::Private)),
                    _ => ty,
                };
                let (expected, have) = (self.quoted(expected), self.quoted(value.ty.ty));
                let message =
                    format!("invalid argument type to function '{name}' (expecting {expected} having {have})");
                self.error(value.span, message);
                return None;
            }
            arguments.push(self.convert_for_assignment(value, ty, AssignmentAction::Passing(None)));
        }
        arguments.iter().all(|argument| argument.ty.ty != Ty::ERROR).then_some(arguments)
    }
}

fn enqueue_op(name: &str) -> Option<EnqueueOp> {
    Some(match name {
        "enqueue_kernel" => EnqueueOp::Kernel,
        "get_kernel_work_group_size" => EnqueueOp::WorkGroupSize,
        "get_kernel_preferred_work_group_size_multiple" => EnqueueOp::PreferredWorkGroupSizeMultiple,
        "get_kernel_sub_group_count_for_ndrange" => EnqueueOp::NdRangeSubGroupCount,
        "get_kernel_max_sub_group_size_for_ndrange" => EnqueueOp::NdRangeMaxSubGroupSize,
        _ => return None,
    })
}

/// What a pipe function takes behind the pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PipeKind {
    /// Nothing.
    Packets,
    /// A number of packets; gives a reservation.
    Reserve,
    /// A reservation.
    Commit,
    /// A pointer to a packet, before it perhaps a reservation and an index.
    Transfer,
}

#[derive(Clone, Copy)]
struct PipeFunction {
    kind: PipeKind,
    /// `None`: a pipe of either.
    access: Option<AccessQualifier>,
}

impl PipeFunction {
    /// Numbers of arguments it may have.
    fn counts(self) -> &'static [usize] {
        match self.kind {
            PipeKind::Packets => &[1],
            PipeKind::Reserve | PipeKind::Commit => &[2],
            PipeKind::Transfer => &[2, 4],
        }
    }

    /// The result; `None`: `reserve_id_t`.
    fn result(self) -> Option<Ty> {
        match self.kind {
            PipeKind::Packets => Some(Ty::UINT),
            PipeKind::Reserve => None,
            PipeKind::Commit => Some(Ty::VOID),
            PipeKind::Transfer => Some(Ty::INT),
        }
    }
}

fn pipe_function(name: &str) -> Option<PipeFunction> {
    let base = name.strip_prefix("work_group_").or_else(|| name.strip_prefix("sub_group_"));
    let in_group = base.is_some();
    let (kind, access) = match base.unwrap_or(name) {
        "reserve_read_pipe" => (PipeKind::Reserve, Some(AccessQualifier::ReadOnly)),
        "reserve_write_pipe" => (PipeKind::Reserve, Some(AccessQualifier::WriteOnly)),
        "commit_read_pipe" => (PipeKind::Commit, Some(AccessQualifier::ReadOnly)),
        "commit_write_pipe" => (PipeKind::Commit, Some(AccessQualifier::WriteOnly)),
        "read_pipe" if !in_group => (PipeKind::Transfer, Some(AccessQualifier::ReadOnly)),
        "write_pipe" if !in_group => (PipeKind::Transfer, Some(AccessQualifier::WriteOnly)),
        "get_pipe_num_packets" | "get_pipe_max_packets" if !in_group => (PipeKind::Packets, None),
        _ => return None,
    };
    Some(PipeFunction { kind, access })
}
