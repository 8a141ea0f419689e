//! `vulkan/narrow_memory`: loads and stores of 8 and 16 bits become accesses to words of 32 bits, for devices without
//! storage of that width ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)).
//!
//! A load takes its bits from the word that they are in. A store of less than a word clears its bits by an atomic *and*
//! and sets them by an atomic *or*: other work-items may write the other bytes of the word at the same time, and a
//! load, a change and a store would lose theirs. Buffers begin at multiples of a word and have whole words.
//!
//! ```ir
//! ; pass: vulkan/narrow_memory
//! ; options: --emulate=int8
//! variable @v0 "push" push_constant i32 bytes 8
//! func @f(%0: i64, %1: i64, %2: i8) {
//!   %3: i8 = load align 1 %0
//!   store align 1 %1, %3
//!   return
//! }
//! ; ---
//! variable @v0 "push" push_constant i32 bytes 8
//! func @f(%0: i64, %1: i64, %2: i8) {
//!   %3: i32 = trunc %0
//!   %4: i32 = and %3, i32 3
//!   %5: i32 = shl %4, i32 3
//!   %6: i64 = and %0, i64 -4
//!   %7: i32 = load align 4 %6
//!   %8: i32 = lshr %7, %5
//!   %9: i8 = trunc %8
//!   %10: i32 = trunc %1
//!   %11: i32 = and %10, i32 3
//!   %12: i32 = shl %11, i32 3
//!   %13: i64 = and %1, i64 -4
//!   %14: i32 = and %8, i32 255
//!   %15: i32 = shl i32 255, %12
//!   %16: i32 = not %15
//!   %17: i32 = shl %14, %12
//!   %18: i32 = atomic and relaxed device global relaxed %13, %16
//!   %19: i32 = atomic or relaxed device global relaxed %13, %17
//!   return
//! }
//! ```

use crate::legalize::{Context, State};
use clforge_basic::narrow::to_u8;
use clforge_basic::options::EmulatedTypes;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Bytes of a word.
const WORD: u64 = 4;

/// The pass. It runs where accesses have Vulkan's addresses, and before narrow integers are promoted.
pub struct NarrowMemory;

impl Pass<State> for NarrowMemory {
    fn name(&self) -> &'static str {
        "vulkan/narrow_memory"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), before: &["promote_integers"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
        let mut pass = Accesses { emulated: context.options.device.emulated };
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| pass.accessed(function, inst).is_some()) {
                *function = rewrite(function, &mut pass, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// Whether no values of a type are loaded and stored as they are.
pub fn is_narrow(scalar: ScalarType, emulated: EmulatedTypes) -> bool {
    match scalar {
        ScalarType::I8 => emulated.int8,
        ScalarType::I16 | ScalarType::F16 => emulated.int16,
        _ => false,
    }
}

struct Accesses {
    emulated: EmulatedTypes,
}

/// A part of an access: an address, the bytes from there on, and the alignment that is known.
#[derive(Clone, Copy)]
struct Part {
    address: Value,
    offset: u64,
    align: u64,
    volatile: bool,
}

impl Accesses {
    /// The type of what is loaded or stored by an access that is replaced.
    fn accessed(&self, function: &Function, inst: &Inst) -> Option<Type> {
        let value = match &inst.op {
            Op::Load { .. } => *inst.results.first()?,
            Op::Store { value, .. } => *value,
            _ => return None,
        };
        let ty = function.ty(value);
        is_narrow(ty.scalar, self.emulated).then_some(ty)
    }
}

impl Rewrite for Accesses {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(ty) = self.accessed(r.old, inst) else { return Ok(None) };
        match &inst.op {
            Op::Load { ptr, align, volatile, .. } => {
                let part = Part { address: r.one(*ptr, self)?, offset: 0, align: (*align).into(), volatile: *volatile };
                Ok(Some(smallvec![smallvec![load(&mut r.b, part, ty)]]))
            }
            Op::Store { ptr, value, align, volatile } => {
                let part = Part { address: r.one(*ptr, self)?, offset: 0, align: (*align).into(), volatile: *volatile };
                let value = r.one(*value, self)?;
                store(&mut r.b, part, value);
                Ok(Some(SmallVec::new()))
            }
            _ => Err(Error::internal("not an access")),
        }
    }
}

impl Part {
    fn plus(self, bytes: u64) -> Part {
        Part { offset: self.offset + bytes, ..self }
    }

    /// Whether the place in a word is known.
    fn is_placed(self) -> bool {
        self.align >= WORD
    }

    /// The address of the word that the first byte is in, and the number of its first bit there, as an `i32`.
    fn word(self, b: &mut Builder<'_>) -> (Value, Value) {
        let within = if self.is_placed() { self.offset % WORD } else { 0 };
        let offset = (self.offset - within).cast_signed();
        let address = b.binary_int(BinaryOp::Add, self.address, offset);
        if self.is_placed() {
            return (address, b.int(Type::I32, (within * 8).cast_signed()));
        }
        let low = b.resize(address, ScalarType::I32, false);
        let byte = b.binary_int(BinaryOp::And, low, WORD.cast_signed() - 1);
        let shift = b.binary_int(BinaryOp::Shl, byte, 3);
        (b.binary_int(BinaryOp::And, address, -WORD.cast_signed()), shift)
    }
}

fn load(b: &mut Builder<'_>, part: Part, ty: Type) -> Value {
    let bytes = ty.scalar.bytes();
    let mut last: Option<(u64, Value)> = None;
    let lanes: Vec<Value> = (0..u64::from(ty.lanes))
        .map(|lane| {
            let here = part.plus(lane * bytes);
            let (address, shift) = here.word(b);
            let number = here.offset / WORD;
            let known = last.filter(|(at, _)| here.is_placed() && *at == number);
            let word = known.map(|(_, word)| word).unwrap_or_else(|| load_word(b, address, here.volatile));
            last = Some((number, word));
            let bits = b.binary(BinaryOp::LShr, word, shift);
            let bits = b.resize(bits, ScalarType::int(ty.scalar.bits()), false);
            b.bitcast(bits, ty.lane())
        })
        .collect();
    b.construct(&lanes)
}

fn load_word(b: &mut Builder<'_>, ptr: Value, volatile: bool) -> Value {
    b.push(Op::Load { ptr, align: 4, volatile, invariant: false }, &[Type::I32])[0]
}

fn store(b: &mut Builder<'_>, part: Part, value: Value) {
    let (ty, bytes) = (b.ty(value), b.ty(value).scalar.bytes());
    let per_word = to_u8(u32::try_from(WORD / bytes).unwrap_or(1));
    let mut lane = 0;
    while lane < ty.lanes {
        let here = part.plus(u64::from(lane) * bytes);
        let whole = here.is_placed() && lane + per_word <= ty.lanes;
        let count = if whole { per_word } else { 1 };
        let (address, shift) = here.word(b);
        let mut word = b.int(Type::I32, 0);
        for at in 0..count {
            let scalar = b.extract(value, lane + at);
            let bits = b.to_bits(scalar);
            let wide = b.resize(bits, ScalarType::I32, false);
            let up = b.binary_int(BinaryOp::Shl, wide, i64::from(at) * i64::from(ty.scalar.bits()));
            word = b.binary(BinaryOp::Or, word, up);
        }
        if whole {
            b.effect(Op::Store { ptr: address, value: word, align: 4, volatile: here.volatile });
        } else {
            store_bits(b, address, shift, word, (1 << ty.scalar.bits()) - 1);
        }
        lane += count;
    }
}

/// Replaces the bits of a word from one on that the mask has.
fn store_bits(b: &mut Builder<'_>, ptr: Value, shift: Value, bits: Value, mask: i64) {
    let mask = b.int(Type::I32, mask);
    let mask = b.binary(BinaryOp::Shl, mask, shift);
    let keep = b.unary(UnaryOp::Not, mask);
    let placed = b.binary(BinaryOp::Shl, bits, shift);
    let relaxed = MemoryOrder::Relaxed;
    let semantics = Semantics { order: relaxed, scope: Scope::Device, local: false, global: true, image: false };
    for (op, operand) in [(AtomicOp::And, keep), (AtomicOp::Or, placed)] {
        b.push(Op::Atomic { op, ptr, operands: smallvec![operand], semantics, unequal: relaxed }, &[Type::I32]);
    }
}
