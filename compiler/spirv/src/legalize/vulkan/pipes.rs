//! `vulkan/pipes`: pipes become pointers to rings of packets in global memory, and their operations calls of the
//! library, whose `pipes.cl` describes the memory. A reservation becomes an integer.
//!
//! ```ir
//! ; pass: vulkan/pipes
//! func @f(%0: reserve_id) -> bool {
//!   %1: bool = device is_valid_reserve_id(%0)
//!   return %1
//! }
//! ; ---
//! func @f(%0: i64) -> bool {
//!   %1: bool = ne %0, i64 0
//!   return %1
//! }
//! ```

use super::builtins::library;
use crate::legalize::{Context, State};
use clforge_basic::narrow::to_i64;
use clforge_basic::options::AddressBits;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Bytes before the first packet: the largest alignment of a type.
const HEADER: i64 = 128;
/// Functions of the library.
const PACKETS: &str = "__clforge_pipe_packets";
const RESERVE_READ: &str = "__clforge_pipe_reserve_read";
const RESERVE_WRITE: &str = "__clforge_pipe_reserve_write";
const PLACE: &str = "__clforge_pipe_place";
const FUNCTIONS: [&str; 4] = [PACKETS, RESERVE_READ, RESERVE_WRITE, PLACE];

/// The pass. It runs before the library is linked, since what it makes of groups needs functions of the library.
pub struct Pipes;

impl Pass<State> for Pipes {
    fn name(&self) -> &'static str {
        "vulkan/pipes"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let users: Vec<FunctionId> =
            module.functions.iter_enumerated().filter(|(_, function)| uses_pipes(function)).map(|(id, _)| id).collect();
        let is_operation =
            |inst: &Inst| matches!(&inst.op, Op::Device(op) if !matches!(op, DeviceOp::IsValidReserveId { .. }));
        if users.iter().any(|id| module.functions[*id].insts.iter().any(is_operation)) {
            link::append(module, library(&FUNCTIONS, context.options)?);
        }
        let functions = module.functions.iter_enumerated();
        let functions = functions.filter_map(|(id, function)| {
            let name = FUNCTIONS.into_iter().find(|name| *name == function.name)?;
            Some((name, (id, function.result)))
        });
        let address_bits = context.options.language.address_bits;
        let mut pass = Rings { functions: functions.collect(), address_bits };
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        for id in &users {
            let function = &mut module.functions[*id];
            *function = rewrite(function, &mut pass, &mut room)?;
            for argument in function.kernel.iter_mut().flat_map(|kernel| &mut kernel.arguments) {
                if matches!(argument.kind, KernelParameter::Opaque(ty) if is_pipe(ty)) {
                    argument.kind = KernelParameter::Pointer(Space::Global);
                }
            }
        }
        Ok(if users.is_empty() { Changed::No } else { Changed::Maybe })
    }
}

/// Whether a module has pipes or reservations.
pub fn has_pipes(module: &Module) -> bool {
    module.functions.iter().any(uses_pipes)
}

fn uses_pipes(function: &Function) -> bool {
    let has = |ty: Type| is_pipe(ty) || is_reservation(ty);
    function.result.is_some_and(has)
        || function.params.iter().any(|value| has(function.ty(*value)))
        || function.values().any(|value| has(function.ty(value)))
}

fn is_pipe(ty: Type) -> bool {
    matches!(ty.scalar, ScalarType::Opaque(Opaque::Pipe { .. }))
}

fn is_reservation(ty: Type) -> bool {
    ty.scalar == ScalarType::Opaque(Opaque::ReserveId)
}

/// Which way packets go.
#[derive(Clone, Copy)]
enum Way {
    Read,
    Write,
}

/// Which work-items reserve together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Together {
    One,
    SubGroup,
    WorkGroup,
}

struct Rings {
    address_bits: AddressBits,
    functions: FxHashMap<&'static str, (FunctionId, Option<Type>)>,
}

impl Rewrite for Rings {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![match ty {
            _ if is_pipe(ty) => Type::pointer(Space::Global, self.address_bits),
            _ if is_reservation(ty) => Type::I64,
            _ => ty,
        }]
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        use DeviceOp as D;
        use Together as T;
        let Op::Device(op) = inst.op else { return Ok(None) };
        let value = match op {
            D::ReadPipe { pipe, packet } => self.single(r, Way::Read, pipe, packet)?,
            D::WritePipe { pipe, packet } => self.single(r, Way::Write, pipe, packet)?,
            D::ReservedReadPipe { pipe, reservation, index, packet } => {
                self.reserved(r, Way::Read, [pipe, reservation, index, packet])?
            }
            D::ReservedWritePipe { pipe, reservation, index, packet } => {
                self.reserved(r, Way::Write, [pipe, reservation, index, packet])?
            }
            D::ReserveRead { pipe, packets } => self.reserve(r, RESERVE_READ, T::One, [pipe, packets])?,
            D::ReserveWrite { pipe, packets } => self.reserve(r, RESERVE_WRITE, T::One, [pipe, packets])?,
            D::SubGroupReserveRead { pipe, packets } => self.reserve(r, RESERVE_READ, T::SubGroup, [pipe, packets])?,
            D::SubGroupReserveWrite { pipe, packets } => {
                self.reserve(r, RESERVE_WRITE, T::SubGroup, [pipe, packets])?
            }
            D::WorkGroupReserveRead { pipe, packets } => {
                self.reserve(r, RESERVE_READ, T::WorkGroup, [pipe, packets])?
            }
            D::WorkGroupReserveWrite { pipe, packets } => {
                self.reserve(r, RESERVE_WRITE, T::WorkGroup, [pipe, packets])?
            }
            // What was reserved belongs to the pipe from the start: nobody else looks before the kernel has ended.
            D::CommitRead { .. }
            | D::CommitWrite { .. }
            | D::WorkGroupCommitRead { .. }
            | D::WorkGroupCommitWrite { .. }
            | D::SubGroupCommitRead { .. }
            | D::SubGroupCommitWrite { .. } => return Ok(Some(smallvec![])),
            D::IsValidReserveId { reservation } => {
                let reservation = r.one(reservation, self)?;
                r.b.compare_int(CompareOp::Ne, reservation, 0)
            }
            D::PipePackets { pipe } => {
                let pipe = r.one(pipe, self)?;
                self.call(r, PACKETS, &[pipe])?
            }
            D::PipeMaxPackets { pipe } => {
                let pipe = r.one(pipe, self)?;
                r.b.load(Type::I32, pipe, 4)
            }
            _ => return Ok(None),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

impl Rings {
    fn call(&self, r: &mut Rewriter<'_>, name: &'static str, args: &[Value]) -> Result<Value, Error> {
        let (function, result) = *self.functions.get(name).or_internal("a function of pipes that is not linked")?;
        r.b.call(function, args, result).or_internal("a function of pipes without a result")
    }

    /// A reservation; of several work-items the first one makes it.
    fn reserve(
        &self,
        r: &mut Rewriter<'_>,
        function: &'static str,
        together: Together,
        [pipe, packets]: [Value; 2],
    ) -> Result<Value, Error> {
        let size = packet_size(r, pipe);
        let (pipe, packets) = (r.one(pipe, self)?, r.one(packets, self)?);
        let (callee, result) = *self.functions.get(function).or_internal("a function of pipes that is not linked")?;
        let query = match together {
            Together::One => return self.call(r, function, &[pipe, packets, size]),
            Together::SubGroup => WorkItemQuery::SubGroupLocalId,
            Together::WorkGroup => WorkItemQuery::LocalLinearId,
        };
        let id = r.b.emit(Op::WorkItem { query, dim: 0 }, query_type(query));
        let is_first = r.b.compare_int(CompareOp::Eq, id, 0);
        let then = r.b.nested(|b| {
            let made = b.call(callee, &[pipe, packets, size], result);
            b.effect(Op::Yield(made.into_iter().collect()));
        });
        let otherwise = r.b.nested(|b| {
            let none = b.int(Type::I64, 0);
            b.effect(Op::Yield(smallvec![none]));
        });
        let value = r.b.push(Op::If { condition: is_first, then, otherwise }, &[Type::I64])[0];
        let (scope, id) = match together {
            Together::WorkGroup => (Scope::WorkGroup, r.b.int(Type::I64, 0)),
            _ => (Scope::SubGroup, r.b.int(Type::I32, 0)),
        };
        // As words: devices need not move 64 bits within a sub-group.
        let upper = r.b.binary_int(BinaryOp::LShr, value, 32);
        let words = [value, upper].map(|word| {
            let value = r.b.convert(ConvertOp::Trunc, word, Type::I32);
            let op = GroupOp::Broadcast { value, id };
            let word = r.b.emit(Op::Group { op, scope, uniform: true }, Type::I32);
            r.b.convert(ConvertOp::ZExt, word, Type::I64)
        });
        let upper = r.b.binary_int(BinaryOp::Shl, words[1], 32);
        Ok(r.b.binary(BinaryOp::Or, words[0], upper))
    }

    /// `read_pipe` and `write_pipe` without a reservation: 0, or -1 where there is no packet or no room for one.
    fn single(&self, r: &mut Rewriter<'_>, way: Way, pipe: Value, packet: Value) -> Result<Value, Error> {
        let (ty, size) = (r.old.ty(pipe), packet_size(r, pipe));
        let (pipe, packet) = (r.one(pipe, self)?, r.one(packet, self)?);
        let function = if matches!(way, Way::Read) { RESERVE_READ } else { RESERVE_WRITE };
        let one = r.b.int(Type::I32, 1);
        let reservation = self.call(r, function, &[pipe, one, size])?;
        let is_made = r.b.compare_int(CompareOp::Ne, reservation, 0);
        let low = r.b.convert(ConvertOp::Trunc, reservation, Type::I32);
        let place = r.b.binary_int(BinaryOp::Sub, low, 1);
        Ok(transfer(&mut r.b, way, ty, is_made, [pipe, place, packet]))
    }

    /// The same with a packet of a reservation.
    fn reserved(&self, r: &mut Rewriter<'_>, way: Way, operands: [Value; 4]) -> Result<Value, Error> {
        let ty = r.old.ty(operands[0]);
        let [pipe, reservation, index, packet] = operands;
        let (pipe, reservation) = (r.one(pipe, self)?, r.one(reservation, self)?);
        let (index, packet) = (r.one(index, self)?, r.one(packet, self)?);
        let place = self.call(r, PLACE, &[pipe, reservation, index])?;
        let exists = r.b.compare_int(CompareOp::SGe, place, 0);
        Ok(transfer(&mut r.b, way, ty, exists, [pipe, place, packet]))
    }
}

/// The bytes of a packet of a pipe, as the kernel declares them.
fn packet_size(r: &mut Rewriter<'_>, pipe: Value) -> Value {
    let size = match r.old.ty(pipe).scalar {
        ScalarType::Opaque(Opaque::Pipe { size, .. }) => size,
        _ => 0,
    };
    r.b.int(Type::I32, i64::from(size))
}

fn query_type(query: WorkItemQuery) -> Type {
    if query == WorkItemQuery::SubGroupLocalId { Type::I32 } else { Type::I64 }
}

/// Copies a packet between its place in the ring of a pipe of type `ty` and the program's object; -1 where it has none.
fn transfer(b: &mut Builder<'_>, way: Way, ty: Type, exists: Value, operands: [Value; 3]) -> Value {
    let [pipe, place, packet] = operands;
    let (size, align) = match ty.scalar {
        ScalarType::Opaque(Opaque::Pipe { size, align, .. }) => (size, align),
        _ => (0, 1),
    };
    let (unit, bytes) = match align {
        1 => (Type::scalar(ScalarType::I8), 1),
        2 => (Type::scalar(ScalarType::I16), 2),
        _ => (Type::I32, 4),
    };
    let then = b.nested(|b| {
        let index = b.convert(ConvertOp::ZExt, place, Type::I64);
        let packets = b.offset(pipe, HEADER);
        let inside = b.ptr_add(packets, index, to_i64(size));
        let (from, to) = if matches!(way, Way::Read) { (inside, packet) } else { (packet, inside) };
        for at in (0..to_i64(size)).step_by(bytes) {
            let source = b.offset(from, at);
            let value = b.load(unit, source, unit.scalar.bits() / 8);
            let target = b.offset(to, at);
            b.store(target, value, unit.scalar.bits() / 8);
        }
        let done = b.int(Type::I32, 0);
        b.effect(Op::Yield(smallvec![done]));
    });
    let otherwise = b.nested(|b| {
        let failed = b.int(Type::I32, -1);
        b.effect(Op::Yield(smallvec![failed]));
    });
    b.push(Op::If { condition: exists, then, otherwise }, &[Type::I32])[0]
}
