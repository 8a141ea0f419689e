//! `vulkan/device_enqueue`: enqueueing becomes writing of records to the memory of the launch's queues, which the runtime
//! reads when the launch has ended. `device_enqueue.cl` of the library describes that memory. Queues and events become
//! integers, and the kernels of blocks take the object of the block by value.
//!
//! Images and samplers that a block captures have no bytes. A record has their numbers ([`Op::HandleIndex`]), by which the
//! runtime passes them as arguments of the block's kernel, behind the object.
//!
//! ```ir
//! ; pass: vulkan/device_enqueue
//! func @f(%0: clk_event) -> bool {
//!   %1: bool = device is_valid_event(%0)
//!   return %1
//! }
//! ; ---
//! func @f(%0: i64) -> bool {
//!   %1: bool = ne %0, i64 0
//!   return %1
//! }
//! ```

use crate::legalize::{Context, State};
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_basic::options::Sanitizers;
use clforge_ir::error::Unsupported;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite_with};
use clforge_ir::room::Room;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Functions of the library.
const WORD: &str = "__clforge_queue_word";
const DEFAULT: &str = "__clforge_queue_default";
const KERNEL: &str = "__clforge_queue_kernel";
const MARKER: &str = "__clforge_queue_marker";
const USER_EVENT: &str = "__clforge_event_user";
const RETAIN: &str = "__clforge_event_retain";
const RELEASE: &str = "__clforge_event_release";
const STATUS: &str = "__clforge_event_status";
const CAPTURE: &str = "__clforge_event_capture";
const SUB_GROUPS: &str = "__clforge_range_sub_groups";
const SUB_GROUP_SIZE: &str = "__clforge_range_sub_group_size";
const SIZE_OF_SUB_GROUPS: &str = "__clforge_size_of_sub_groups";
const MOST_SUB_GROUPS: &str = "__clforge_most_sub_groups";

/// Bytes of a record before the sizes of local arguments.
const RECORD: i64 = 112;
/// Byte of a record where its event is.
const EVENT: i64 = 24;
/// Bytes and alignment of a pointer, an image or a sampler in the object of a block.
const REFERENCE_BYTES: i64 = 8;
const REFERENCE_ALIGN: u32 = 8;
/// Words of the memory.
const LARGEST_GROUP: i64 = 4;
const PREFERRED_MULTIPLE: i64 = 5;
/// From here on a record's address is an error instead.
const ERRORS: i64 = -4096;
/// `CLK_ENQUEUE_FAILURE`, which says nothing of the reason: programs without `-g` get it.
const ENQUEUE_FAILURE: i64 = -101;

/// The pass. It runs before the library is linked, since its functions need others of the library.
pub struct DeviceEnqueue;

impl Pass<State> for DeviceEnqueue {
    fn name(&self) -> &'static str {
        "vulkan/device_enqueue"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let users: Vec<FunctionId> =
            module.functions.iter_enumerated().filter(|(_, function)| is_user(function)).map(|(id, _)| id).collect();
        let untracked = Sanitizers::ADDRESS | Sanitizers::MEMORY | Sanitizers::RACE;
        if let Some(user) = users.first()
            && context.options.codegen.sanitizers().intersects(untracked)
        {
            return Err(Error::unsupported(Unsupported::EnqueueSanitizers).at(module.functions[*user].span));
        }
        let blocks = block_objects(module);
        let numbers = module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some());
        let numbers = numbers.enumerate().map(|(number, (id, _))| (id, number)).collect();
        let mut names: Vec<_> =
            users.iter().flat_map(|id| &module.functions[*id].insts).filter_map(|inst| function_of(&inst.op)).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            let library = clforge_library::library_module(&names);
            link::append(module, library.map_err(|error| Error::internal(format!("built-in library: {error}")))?);
        }
        let functions = module.functions.iter_enumerated();
        let functions = functions.filter_map(|(id, function)| {
            let name = names.iter().find(|name| **name == function.name)?;
            Some((*name, (id, function.result)))
        });
        let says_why = context.options.codegen.debug_info;
        let mut pass = Enqueueing { functions: functions.collect(), numbers, references: references(module), says_why };
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        for id in &users {
            let object = blocks.get(id).copied();
            let references = pass.references.get(id).cloned().unwrap_or_default();
            let function = &mut module.functions[*id];
            *function = rewrite_with(function, &mut pass, &mut room, |r, index| {
                let given = object.filter(|_| index == 0);
                Ok(given.map(|(size, align)| smallvec![given_object(&mut r.b, i64::from(size), align, &references)]))
            })?;
            if let Some(kernel) = &mut function.kernel {
                legalize_arguments(kernel, object);
            }
        }
        Ok(if users.is_empty() { Changed::No } else { Changed::Maybe })
    }
}

/// The function of the library that an operation becomes a call of.
fn function_of(op: &Op) -> Option<&'static str> {
    use DeviceOp as D;
    Some(match op {
        Op::Device(D::DefaultQueue) => DEFAULT,
        Op::Device(D::EnqueueMarker { .. }) => MARKER,
        Op::Device(D::CreateUserEvent) => USER_EVENT,
        Op::Device(D::RetainEvent { .. }) => RETAIN,
        Op::Device(D::ReleaseEvent { .. }) => RELEASE,
        Op::Device(D::SetUserEventStatus { .. }) => STATUS,
        Op::Device(D::CaptureEventProfilingInfo { .. }) => CAPTURE,
        Op::Enqueue { op: EnqueueOp::Kernel { .. }, .. } => KERNEL,
        Op::Enqueue { op: EnqueueOp::WorkGroupSize | EnqueueOp::PreferredWorkGroupSizeMultiple, .. } => WORD,
        Op::Enqueue { op: EnqueueOp::NdRangeSubGroupCount { .. }, .. } => SUB_GROUPS,
        Op::Enqueue { op: EnqueueOp::NdRangeMaxSubGroupSize { .. }, .. } => SUB_GROUP_SIZE,
        Op::Enqueue { op: EnqueueOp::LocalSizeForSubGroups { .. }, .. } => SIZE_OF_SUB_GROUPS,
        Op::Enqueue { op: EnqueueOp::MaxSubGroups, .. } => MOST_SUB_GROUPS,
        _ => return None,
    })
}

/// Whether a module enqueues on the device, or has what only enqueueing needs.
pub fn enqueues(module: &Module) -> bool {
    module.functions.iter().any(is_user)
}

fn is_user(function: &Function) -> bool {
    function.kernel.as_ref().is_some_and(|kernel| kernel.is_block)
        || function.result.is_some_and(is_queue)
        || function.values().any(|value| is_queue(function.ty(value)))
        || function.insts.iter().any(|inst| match &inst.op {
            Op::Enqueue { .. } => true,
            Op::Device(op) => {
                matches!(op, DeviceOp::NdRange1 { .. } | DeviceOp::NdRange2 { .. } | DeviceOp::NdRange3 { .. })
            }
            _ => false,
        })
}

/// Whether a type is that of queues or of their events.
fn is_queue(ty: Type) -> bool {
    matches!(ty.scalar, ScalarType::Opaque(Opaque::Queue | Opaque::ClkEvent))
}

/// The size and the alignment of the objects of blocks, which are where their kernels are enqueued.
fn block_objects(module: &Module) -> FxHashMap<FunctionId, (u32, u32)> {
    let mut objects = FxHashMap::default();
    for inst in module.functions.iter().flat_map(|function| &function.insts) {
        if let Op::Enqueue { kernel, size, align, .. } = inst.op {
            objects.insert(kernel, (size, align));
        }
    }
    objects
}

/// The pointers, images and samplers in the objects of blocks.
fn references(module: &Module) -> FxHashMap<FunctionId, Vec<Reference>> {
    let kernels = module.functions.iter_enumerated();
    kernels.filter_map(|(id, function)| Some((id, function.kernel.as_ref()?.references.clone()))).collect()
}

/// The object of a block in its kernel, which gets its bytes, and its images and samplers, as arguments.
fn given_object(b: &mut Builder<'_>, size: i64, align: u32, references: &[Reference]) -> Value {
    let mut object = b.function.add_param(Type::ptr(Space::Private));
    if references.iter().any(is_handle) {
        // Promotion divides an object into members that are always of the same type: the given one is words.
        let words = object;
        object = b.alloca(size.unsigned_abs(), align.into());
        copy(b, words, object, (size, align), references);
    }
    for (offset, ty) in references.iter().filter(|reference| is_handle(reference)) {
        let handle = b.function.add_param(*ty);
        let place = b.offset(object, i64::from(*offset));
        b.store(place, handle, REFERENCE_ALIGN);
    }
    b.convert(ConvertOp::PtrCast, object, Type::ptr(Space::Generic))
}

/// The arguments of a kernel that has been rewritten: of one of a block with an object of that size and alignment.
fn legalize_arguments(kernel: &mut KernelInfo, object: Option<(u32, u32)>) {
    for argument in &mut kernel.arguments {
        if matches!(argument.kind, KernelParameter::Opaque(ty) if is_queue(ty)) {
            argument.kind = KernelParameter::Value(Type::I64);
        }
    }
    let Some(((size, align), first)) = object.zip(kernel.arguments.first_mut()) else { return };
    first.kind = KernelParameter::ByValue { size, align };
    let span = first.span;
    let handles = kernel.references.iter().filter(|reference| is_handle(reference));
    let handles = handles.map(|(_, ty)| KernelParameter::Opaque(*ty));
    let handles = handles.map(|kind| KernelArgument { kind, info: ArgumentInfo::default(), layout: None, span });
    let handles: Vec<KernelArgument> = handles.collect();
    kernel.arguments.splice(1..1, handles);
}

/// A pointer, an image or a sampler in the object of a block: its byte, and its type.
type Reference = (u32, Type);

/// Whether it is an image or a sampler.
fn is_handle((_, ty): &Reference) -> bool {
    ty.space().is_none()
}

struct Enqueueing {
    functions: FxHashMap<&'static str, (FunctionId, Option<Type>)>,
    /// Of kernels, in the order of the module.
    numbers: FxHashMap<FunctionId, usize>,
    /// Of the kernels of blocks.
    references: FxHashMap<FunctionId, Vec<Reference>>,
    /// Whether enqueueing gives the reason why it failed.
    says_why: bool,
}

impl Rewrite for Enqueueing {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![if is_queue(ty) { Type::I64 } else { ty }]
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let value = match &inst.op {
            Op::Device(op) => match self.device(r, *op)? {
                Some(Done::Value(value)) => value,
                Some(Done::Effect) => return Ok(Some(smallvec![])),
                None => return Ok(None),
            },
            Op::Enqueue { op, .. } => match *op {
                EnqueueOp::Kernel { .. } => self.kernel(r, &inst.op)?,
                EnqueueOp::WorkGroupSize => self.word(r, LARGEST_GROUP)?,
                EnqueueOp::PreferredWorkGroupSizeMultiple => self.word(r, PREFERRED_MULTIPLE)?,
                EnqueueOp::NdRangeSubGroupCount { range } => {
                    let (launch, range) = (launch(&mut r.b), r.one(range, self)?);
                    self.call(r, SUB_GROUPS, &[launch, range])?
                }
                EnqueueOp::NdRangeMaxSubGroupSize { range } => {
                    let (launch, range) = (launch(&mut r.b), r.one(range, self)?);
                    self.call(r, SUB_GROUP_SIZE, &[launch, range])?
                }
                EnqueueOp::LocalSizeForSubGroups { count } => {
                    let (launch, count) = (launch(&mut r.b), r.one(count, self)?);
                    self.call(r, SIZE_OF_SUB_GROUPS, &[launch, count])?
                }
                EnqueueOp::MaxSubGroups => {
                    let launch = launch(&mut r.b);
                    self.call(r, MOST_SUB_GROUPS, &[launch])?
                }
            },
            _ => return Ok(None),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// What an operation has become.
enum Done {
    Value(Value),
    Effect,
}

impl Enqueueing {
    fn device(&self, r: &mut Rewriter<'_>, op: DeviceOp) -> Result<Option<Done>, Error> {
        use DeviceOp as D;
        let value = match op {
            D::DefaultQueue => {
                let launch = launch(&mut r.b);
                self.call(r, DEFAULT, &[launch])?
            }
            D::CreateUserEvent => {
                let launch = launch(&mut r.b);
                self.call(r, USER_EVENT, &[launch])?
            }
            D::IsValidEvent { event } => {
                let event = r.one(event, self)?;
                r.b.compare_int(CompareOp::Ne, event, 0)
            }
            D::EnqueueMarker { queue, event_count, wait_list, event } => {
                let events = Events::of(r, self, [event_count, wait_list, event])?;
                let (launch, queue) = (launch(&mut r.b), r.one(queue, self)?);
                let record =
                    self.call(r, MARKER, &[launch, queue, events.count, events.are_valid, events.is_wanted])?;
                self.filled(r, record, |b| events.write(b, record, RECORD))
            }
            D::RetainEvent { event } => return self.effect(r, RETAIN, &[event]),
            D::ReleaseEvent { event } => return self.effect(r, RELEASE, &[event]),
            D::SetUserEventStatus { event, status } => return self.effect(r, STATUS, &[event, status]),
            D::CaptureEventProfilingInfo { event, info, destination } => {
                let launch = launch(&mut r.b);
                let args = [event, info, destination].map(|value| r.one(value, self));
                let [event, info, destination] = args;
                self.call_any(r, CAPTURE, &[launch, event?, info?, destination?])?;
                return Ok(Some(Done::Effect));
            }
            D::NdRange1 { range, global_size, local_size, offset } => {
                return self.range(r, 1, range, [offset, global_size, local_size]);
            }
            D::NdRange2 { range, global_size, local_size, offset } => {
                return self.range(r, 2, range, [offset, global_size, local_size]);
            }
            D::NdRange3 { range, global_size, local_size, offset } => {
                return self.range(r, 3, range, [offset, global_size, local_size]);
            }
            _ => return Ok(None),
        };
        Ok(Some(Done::Value(value)))
    }

    fn call_any(&self, r: &mut Rewriter<'_>, name: &'static str, args: &[Value]) -> Result<Option<Value>, Error> {
        let (function, result) = *self.functions.get(name).or_internal("a function of queues that is not linked")?;
        Ok(r.b.call(function, args, result))
    }

    fn call(&self, r: &mut Rewriter<'_>, name: &'static str, args: &[Value]) -> Result<Value, Error> {
        self.call_any(r, name, args)?.or_internal("a function of queues without a result")
    }

    /// A word of the memory.
    fn word(&self, r: &mut Rewriter<'_>, index: i64) -> Result<Value, Error> {
        let (launch, index) = (launch(&mut r.b), r.b.int(Type::I32, index));
        self.call(r, WORD, &[launch, index])
    }

    /// A call with old values that gives nothing.
    fn effect(&self, r: &mut Rewriter<'_>, name: &'static str, args: &[Value]) -> Result<Option<Done>, Error> {
        let args = args.iter().map(|value| r.one(*value, self)).collect::<Result<Vec<_>, _>>()?;
        self.call_any(r, name, &args)?;
        Ok(Some(Done::Effect))
    }

    /// `ndrange_1D` and its kin. `numbers` are the offset, the global and the local size.
    fn range(&self, r: &mut Rewriter<'_>, dims: u32, range: Value, numbers: [Value; 3]) -> Result<Option<Done>, Error> {
        let range = r.one(range, self)?;
        let count = r.b.int(Type::I64, i64::from(dims));
        r.b.store(range, count, 8);
        for (first, number) in [8, 32, 56].into_iter().zip(numbers) {
            let is_null = r.old.as_int(number) == Some(0);
            let number = r.one(number, self)?;
            for dim in 0..i64::from(dims) {
                let value = match r.b.ty(number).space() {
                    None => number,
                    Some(_) if is_null => r.b.int(Type::I64, 0),
                    Some(_) => {
                        let from = r.b.offset(number, dim * 8);
                        r.b.load(Type::I64, from, 8)
                    }
                };
                let to = r.b.offset(range, first + dim * 8);
                r.b.store(to, value, 8);
            }
        }
        Ok(Some(Done::Effect))
    }

    /// `enqueue_kernel`.
    fn kernel(&self, r: &mut Rewriter<'_>, op: &Op) -> Result<Value, Error> {
        let Op::Enqueue {
            op: EnqueueOp::Kernel { queue, flags, range, event_count, wait_list, event },
            kernel,
            block,
            local_sizes,
            size,
            align,
        } = op
        else {
            return Err(Error::internal("not a kernel that is enqueued"));
        };
        let events = Events::of(r, self, [*event_count, *wait_list, *event])?;
        let number = *self.numbers.get(kernel).or_internal("a block without a kernel")?;
        let references = self.references.get(kernel).map_or(&[][..], Vec::as_slice);
        let number = r.b.int(Type::I32, i64::from(to_u32(number)));
        let locals = r.b.int(Type::I32, to_i64(local_sizes.len()));
        let bytes = r.b.int(Type::I32, i64::from(*size));
        let launch = launch(&mut r.b);
        let [queue, flags, range, block] = [queue, flags, range, block].map(|value| r.one(*value, self));
        let block = block?;
        let args =
            [launch, queue?, number, flags?, range?, events.count, events.are_valid, events.is_wanted, locals, bytes];
        let record = self.call(r, KERNEL, &args)?;
        let sizes = local_sizes.iter().map(|size| r.one(*size, self)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.filled(r, record, |b| {
            let to = b.convert(ConvertOp::IntToPtr, record, Type::ptr(Space::Global));
            let mut at = RECORD;
            for size in sizes {
                let size = b.load(Type::I64, size, 8);
                let place = b.offset(to, at);
                b.store(place, size, 8);
                at += 8;
            }
            let place = b.offset(to, at);
            copy(b, block, place, (i64::from(*size), *align), references);
            for (offset, ty) in references.iter().filter(|reference| is_handle(reference)) {
                let [from, to] = [block, place].map(|object| b.offset(object, i64::from(*offset)));
                let handle = b.load(*ty, from, REFERENCE_ALIGN);
                let number = b.emit(Op::HandleIndex(handle), Type::I64);
                b.store(to, number, REFERENCE_ALIGN);
            }
            events.write(b, record, at + (i64::from(*size) + 7) / 8 * 8);
        }))
    }

    /// The result of enqueueing a record, which is filled where it has a place.
    fn filled(&self, r: &mut Rewriter<'_>, record: Value, fill: impl FnOnce(&mut Builder<'_>)) -> Value {
        let errors = r.b.int(Type::I64, ERRORS);
        let is_made = r.b.compare(CompareOp::ULt, record, errors);
        let then = r.b.nested(|b| {
            fill(b);
            let done = b.int(Type::I32, 0);
            b.effect(Op::Yield(smallvec![done]));
        });
        let otherwise = r.b.nested(|b| {
            let error = match self.says_why {
                true => b.convert(ConvertOp::Trunc, record, Type::I32),
                false => b.int(Type::I32, ENQUEUE_FAILURE),
            };
            b.effect(Op::Yield(smallvec![error]));
        });
        r.b.push(Op::If { condition: is_made, then, otherwise }, &[Type::I32])[0]
    }
}

/// The events of something that is enqueued.
struct Events {
    /// The number of those that it waits for.
    count: Value,
    list: Value,
    /// Whether there is a list of that many, none of which is null, or none at all.
    are_valid: Value,
    /// Where its own event is to be stored, or null.
    own: Value,
    is_wanted: Value,
}

impl Events {
    fn of(r: &mut Rewriter<'_>, pass: &Enqueueing, operands: [Value; 3]) -> Result<Events, Error> {
        let [count, list, own] = operands.map(|value| r.one(value, pass));
        let (count, list, own) = (count?, list?, own?);
        let b = &mut r.b;
        let null = b.int(Type::ptr(Space::Generic), 0);
        let [has_list, is_wanted] = [list, own].map(|pointer| b.compare(CompareOp::Ne, pointer, null));
        let is_some = b.compare_int(CompareOp::Ne, count, 0);
        let fits = b.compare(CompareOp::Eq, has_list, is_some);
        let found = if b.function.as_int(count) == Some(0) { fits } else { all_valid(b, fits, count, list) };
        Ok(Events { count, list, are_valid: found, own, is_wanted })
    }

    /// Copies the list to a byte of the record, and stores the record's event where the program wants it.
    fn write(&self, b: &mut Builder<'_>, record: Value, at: i64) {
        let record = b.convert(ConvertOp::IntToPtr, record, Type::ptr(Space::Global));
        let to = b.offset(record, at);
        if b.function.as_int(self.count) != Some(0) {
            each(b, self.count, &[], |b, index| {
                let event = listed(b, self.list, index);
                let place = b.ptr_add(to, index, 8);
                b.store(place, event, 8);
            });
        }
        let then = b.nested(|b| {
            let from = b.offset(record, EVENT);
            let event = b.load(Type::I64, from, 8);
            b.store(self.own, event, 8);
            b.effect(Op::Yield(smallvec![]));
        });
        let otherwise = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        b.effect(Op::If { condition: self.is_wanted, then, otherwise });
    }
}

/// Whether none of the events of a list, which there is if `fits`, is null.
fn all_valid(b: &mut Builder<'_>, fits: Value, count: Value, list: Value) -> Value {
    let (none, yes) = (b.int(Type::I32, 0), b.int(Type::BOOL, 1));
    let count = b.select(fits, count, none);
    let found = each(b, count, &[yes], |b, index| {
        let event = listed(b, list, index);
        let is_null = b.compare_int(CompareOp::Eq, event, 0);
        let then = b.nested(|b| {
            let no = b.int(Type::BOOL, 0);
            b.effect(Op::Break(smallvec![no]));
        });
        let otherwise = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        b.effect(Op::If { condition: is_null, then, otherwise });
    });
    b.binary(BinaryOp::And, fits, found[0])
}

/// An event of a list.
fn listed(b: &mut Builder<'_>, list: Value, index: Value) -> Value {
    let from = b.ptr_add(list, index, 8);
    b.load(Type::I64, from, 8)
}

/// A loop for each index below a number. It gives `ends` when it has come to its end.
fn each(
    b: &mut Builder<'_>,
    count: Value,
    ends: &[Value],
    iteration: impl FnOnce(&mut Builder<'_>, Value),
) -> SmallVec<[Value; 1]> {
    let [zero, one] = [0, 1].map(|value| b.int(Type::I32, value));
    let types: Vec<Type> = ends.iter().map(|value| b.ty(*value)).collect();
    b.count_up((zero, one), LoopHint::None, &types, |b, index| {
        let is_left = b.compare(CompareOp::ULt, index, count);
        b.break_unless(is_left, ends);
        let wide = b.convert(ConvertOp::ZExt, index, Type::I64);
        iteration(b, wide);
    })
}

/// What a launch knows its queues' memory by.
fn launch(b: &mut Builder<'_>) -> Value {
    let address = b.emit(Op::WorkItem { query: WorkItemQuery::QueueMemory, dim: 0 }, Type::I64);
    b.convert(ConvertOp::IntToPtr, address, Type::ptr(Space::Global))
}

/// Copies the object of a block of that size and alignment, whose members are aligned, without its images and samplers.
fn copy(b: &mut Builder<'_>, from: Value, to: Value, (bytes, align): (i64, u32), references: &[Reference]) {
    let mut at = 0;
    while at < bytes {
        if let Some(reference) = references.iter().find(|(offset, _)| i64::from(*offset) == at) {
            if !is_handle(reference) {
                let [source, target] = [from, to].map(|object| b.offset(object, at));
                let pointer = b.load(reference.1, source, REFERENCE_ALIGN);
                b.store(target, pointer, REFERENCE_ALIGN);
            }
            at += REFERENCE_BYTES;
            continue;
        }
        let unit = [4, 2, 1].into_iter().find(|unit| i64::from(*unit) <= bytes - at && *unit <= align).unwrap_or(1);
        let ty = Type::scalar(ScalarType::int(unit * 8));
        let source = b.offset(from, at);
        let value = b.load(ty, source, unit);
        let target = b.offset(to, at);
        b.store(target, value, unit);
        at += i64::from(unit);
    }
}
