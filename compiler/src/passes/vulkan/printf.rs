//! `printf` on Vulkan: strings become numbers that the host knows, calls become records in a buffer. What is in the
//! buffer is told in [`crate::interface::printf`].

use crate::builtins::PRINTF;
use crate::interface::printf::{LOST_MESSAGES, Specifier, conversions};
use crate::interface::{Printf, PrintfFormat};
use crate::ir::*;
use crate::passes::common::dead_code;
use smallvec::{SmallVec, smallvec};

/// Bytes of a string: its instruction has at most 65,535 words.
const MAX_STRING: usize = 65_000 * 4;

/// Replaces the strings of every call by their numbers: afterwards the first argument is the number of the format, a
/// constant, and nothing refers to the strings any more.
///
/// # Errors
/// A string that SPIR-V cannot hold.
pub fn number(module: &mut Module) -> Result<Printf, Problem> {
    let mut printf = Printf::default();
    let Module { functions, globals, .. } = module;
    for function in functions {
        let mut prints = false;
        for index in 0..function.insts.len() {
            let inst = InstId(index as u32);
            let span = function.inst(inst).span;
            let Op::Builtin { function: PRINTF, args } = function.inst(inst).op.clone() else { continue };
            let numbered = number_call(&mut printf, function, globals, args);
            let args = numbered.map_err(|message| Problem::from(message).at(span).at(function.span))?;
            function.inst_mut(inst).op = Op::Builtin { function: PRINTF, args };
            prints = true;
        }
        if prints {
            // The strings' addresses are there still.
            dead_code::run(function);
        }
    }
    if !printf.formats.is_empty() {
        let text = "messages of printf that were lost: %u\n".into();
        printf.formats.push(PrintfFormat { id: LOST_MESSAGES, text, argument_sizes: vec![4] });
    }
    Ok(printf)
}

fn number_call(
    printf: &mut Printf,
    function: &mut Function,
    globals: &[Global],
    mut args: Values,
) -> Result<Values, String> {
    let (format, values) = args.split_first_mut().ok_or("internal: 'printf' without format")?;
    let text = string(function, globals, *format)?;
    for (conversion, value) in conversions(&text).zip(values.iter_mut()) {
        if conversion.specifier == Specifier::String {
            let text = string(function, globals, *value)?;
            *value = function.int(Type::I32, i64::from(number_of(printf, text, Vec::new())));
        }
    }
    let sizes = values.iter().map(|value| words_of(function.ty(*value)) * 4).collect();
    *format = function.int(Type::I32, i64::from(number_of(printf, text, sizes)));
    Ok(args)
}

/// The number of a string with arguments of these sizes.
fn number_of(printf: &mut Printf, text: String, argument_sizes: Vec<u32>) -> u32 {
    let same = |format: &&PrintfFormat| format.text == text && format.argument_sizes == argument_sizes;
    if let Some(known) = printf.formats.iter().find(same) {
        return known.id;
    }
    let id = printf.formats.len() as u32;
    printf.formats.push(PrintfFormat { id, text, argument_sizes });
    id
}

/// The string at an address.
fn string(function: &Function, globals: &[Global], address: Value) -> Result<String, String> {
    let Some(Op::GlobalAddress(id)) = function.op(address) else {
        return Err("internal: a string of 'printf' that is not a literal".into());
    };
    let bytes = globals.get(id.0 as usize).and_then(|global| global.init.as_deref()).unwrap_or_default();
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    if end > MAX_STRING {
        return Err(format!("a string of 'printf' has more than {MAX_STRING} bytes, the most SPIR-V has"));
    }
    let text = String::from_utf8(bytes[..end].to_vec());
    text.map_err(|_| "a string of 'printf' is not UTF-8, as strings in SPIR-V have to be".into())
}

/// Words that a value of this type takes in a record.
fn words_of(ty: Type) -> u32 {
    match ty.scalar {
        ScalarType::Ptr(_) => 2,
        scalar => (scalar.bits() * u32::from(ty.lanes)).div_ceil(32).max(1),
    }
}

/// Whether each function may print, itself or through what it calls.
pub fn printing(module: &Module) -> Vec<bool> {
    let mut printing = vec![false; module.functions.len()];
    let mut callers = vec![Vec::new(); module.functions.len()];
    let mut work = Vec::new();
    for (index, function) in module.functions.iter().enumerate() {
        for inst in &function.insts {
            match inst.op {
                Op::Builtin { function: PRINTF, .. } => work.push(index),
                // Calls that passes left behind may name functions that are gone.
                Op::Call { function: callee, .. } => {
                    if let Some(callers) = callers.get_mut(callee.0 as usize) {
                        callers.push(index);
                    }
                }
                _ => {}
            }
        }
    }
    while let Some(index) = work.pop() {
        if !std::mem::replace(&mut printing[index], true) {
            work.extend_from_slice(&callers[index]);
        }
    }
    printing
}

/// Appends what a call does: room for the record is reserved, then it is written. The result is 0, or -1 where there is no
/// room. `size` is that of the buffer in bytes.
pub fn expand(b: &mut Builder<'_>, buffer: Value, size: u32, args: &[Value]) -> Value {
    let mut words: SmallVec<[Value; 8]> = SmallVec::new();
    for arg in args {
        push_words(b, *arg, &mut words);
    }
    // The first word counts what records take, the last one lost messages.
    let capacity = (size / 4).saturating_sub(2);
    let count_lost = |b: &mut Builder<'_>| {
        let (one, at) = (b.int(Type::I32, 1), b.offset(buffer, i64::from(capacity) * 4 + 4));
        atomic(b, AtomicOp::Add, at, Some(one));
    };
    let count = words.len() as u32;
    let (ok, failed) = (b.int(Type::I32, 0), b.int(Type::I32, -1));
    if count > capacity {
        // It must not take the room of others.
        count_lost(b);
        return failed;
    }
    let start = reserve(b, buffer, count, capacity);
    let last_start = b.int(Type::I32, i64::from(capacity - count));
    let fits = b.compare(CompareOp::ULe, start, last_start);
    let write = b.nested(|b| {
        write_record(b, buffer, start, &words);
        b.effect(Op::Yield(smallvec![ok]));
    });
    let lose = b.nested(|b| {
        count_lost(b);
        // Readers must be able to tell that the record is not all there.
        let end = b.int(Type::I32, i64::from(capacity));
        let begins = b.compare(CompareOp::ULt, start, end);
        let write = b.nested(|b| {
            write_record(b, buffer, start, &words[..1]);
            b.effect(Op::Yield(smallvec![]));
        });
        let nothing = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        b.effect(Op::If { condition: begins, then: write, otherwise: nothing });
        b.effect(Op::Yield(smallvec![failed]));
    });
    b.push(Op::If { condition: fits, then: write, otherwise: lose }, &[Type::I32])[0]
}

/// Where a record of `count` words begins; it has no room where that is too near to `capacity`, or beyond. Once the buffer
/// is full nobody adds to its first word any more: it cannot wrap around.
fn reserve(b: &mut Builder<'_>, buffer: Value, count: u32, capacity: u32) -> Value {
    let end = b.int(Type::I32, i64::from(capacity));
    let used = atomic(b, AtomicOp::Load, buffer, None);
    let is_full = b.compare(CompareOp::UGe, used, end);
    let none = b.nested(|b| b.effect(Op::Yield(smallvec![end])));
    let reserve = b.nested(|b| {
        let count = b.int(Type::I32, i64::from(count));
        let start = atomic(b, AtomicOp::Add, buffer, Some(count));
        b.effect(Op::Yield(smallvec![start]));
    });
    b.push(Op::If { condition: is_full, then: none, otherwise: reserve }, &[Type::I32])[0]
}

/// Stores words of the record that begins at `start`.
fn write_record(b: &mut Builder<'_>, buffer: Value, start: Value, words: &[Value]) {
    let record = b.ptr_add(buffer, start, 4);
    for (index, word) in words.iter().enumerate() {
        let at = b.offset(record, index as i64 * 4 + 4);
        b.store(at, *word, 4);
    }
}

/// A relaxed atomic operation on a word that all work-items share.
pub(super) fn atomic(b: &mut Builder<'_>, op: AtomicOp, ptr: Value, operand: Option<Value>) -> Value {
    let order = MemoryOrder::Relaxed;
    let semantics = Semantics { order, scope: Scope::Device, local: false, global: true, image: false };
    let operands = operand.into_iter().collect();
    b.push(Op::Atomic { op, ptr, operands, semantics, unequal: order }, &[Type::I32])[0]
}

/// The words of an argument.
fn push_words(b: &mut Builder<'_>, value: Value, words: &mut SmallVec<[Value; 8]>) {
    let ty = b.ty(value);
    let value = match ty.scalar {
        ScalarType::Ptr(_) => b.convert(ConvertOp::PtrToInt, value, Type::I64),
        scalar => b.bitcast(value, ty.with_scalar(ScalarType::int(scalar.bits()))),
    };
    let bits = b.ty(value).scalar.bits();
    let lanes: SmallVec<[Value; 16]> = (0..ty.lanes).map(|lane| b.extract(value, lane)).collect();
    if bits == 64 {
        for lane in lanes {
            words.push(b.resize(lane, ScalarType::I32, false));
            let distance = b.int(Type::I64, 32);
            let high = b.binary(BinaryOp::LShr, lane, distance);
            words.push(b.resize(high, ScalarType::I32, false));
        }
        return;
    }
    for group in lanes.chunks((32 / bits.max(1)) as usize) {
        let mut word = b.resize(group[0], ScalarType::I32, false);
        for (index, lane) in group.iter().enumerate().skip(1) {
            let wide = b.resize(*lane, ScalarType::I32, false);
            let distance = b.int(Type::I32, i64::from(bits) * index as i64);
            let shifted = b.binary(BinaryOp::Shl, wide, distance);
            word = b.binary(BinaryOp::Or, word, shifted);
        }
        words.push(word);
    }
}
