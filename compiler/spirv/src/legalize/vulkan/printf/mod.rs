//! `printf` on Vulkan: strings become numbers that the reflection maps to them, calls become records in a buffer, whose
//! layout is documented in [`clforge_basic::printf`]. Strings that are known only at run time are copied.

mod choices;
pub mod records;
mod strings;

use crate::interface::{Printf, PrintfFormat};
use crate::legalize::{Context, State};
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_basic::printf::{LOST_MESSAGES, MAX_READ, Specifier, conversions};
use clforge_ir::analysis::constant_offset;
use clforge_ir::error::{Invalid, Limited, Unsupported};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use strings::CopiedString;
use typed_index_collections::TiSlice;

/// Bytes of a string: its instruction has at most 65,535 words.
const MAX_STRING: usize = 65_000 * 4;
/// Most additions between an address and the string that it is in.
const MAX_STEPS: usize = 16;

/// `vulkan/printf_formats`: replaces the strings of every call by their numbers. Afterwards the first argument is the number
/// of the format, a constant, and no call refers to literals any more. What `%s` prints stays a pointer where it is not
/// known. A format that is not known, or that SPIR-V cannot hold, is an error.
pub struct PrintfFormats;

impl Pass<State> for PrintfFormats {
    fn name(&self) -> &'static str {
        "vulkan/printf_formats"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Builtins), after: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        context.state.interface.printf = number(module)?;
        Ok(Changed::Maybe)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::PrintfFormats))
    }
}

/// The strings of a module, each once.
#[derive(Default)]
struct Numbering {
    formats: Vec<PrintfFormat>,
    known: FxHashMap<(String, Vec<u32>), u32>,
    /// Bytes of the strings of all calls so far.
    read: usize,
}

fn number(module: &mut Module) -> Result<Printf, Error> {
    let mut numbering = Numbering::default();
    let Module { functions, globals, .. } = module;
    for function in functions {
        choices::split(function, globals);
        for inst in function.insts.keys() {
            let span = function.inst(inst).span;
            let Op::Intrinsic { function: Intrinsic::Printf, args } = function.inst(inst).op.clone() else { continue };
            let numbered = number_call(&mut numbering, function, globals, args);
            let args = numbered.map_err(|error| error.at(span).at(function.span))?;
            function.inst_mut(inst).op = Op::Intrinsic { function: Intrinsic::Printf, args };
        }
    }
    let mut printf = Printf { formats: numbering.formats, ..Printf::default() };
    if !printf.formats.is_empty() {
        let text = "messages of printf that were lost: %u\n".into();
        printf.formats.push(PrintfFormat { id: LOST_MESSAGES, text, argument_sizes: vec![4] });
    }
    Ok(printf)
}

fn number_call(
    numbering: &mut Numbering,
    function: &mut Function,
    globals: &TiSlice<GlobalId, Global>,
    mut args: Values,
) -> Result<Values, Error> {
    let (format, values) = args.split_first_mut().or_internal("'printf' without format")?;
    let bytes = string(function, globals, *format).ok_or_else(|| Error::invalid(Invalid::FormatString))?;
    let text = text_of(bytes)?;
    numbering.read(text.len())?;
    let mut sizes: Vec<u32> = values.iter().map(|value| words_of(function.ty(*value)) * 4).collect();
    for ((conversion, value), size) in conversions(&text).zip(values.iter_mut()).zip(&mut sizes) {
        if conversion.specifier == Specifier::String {
            let literal = string(function, globals, *value).and_then(|bytes| text_of(bytes).ok());
            if let Some(text) = literal {
                numbering.read(text.len())?;
                *value = function.int(Type::I32, i64::from(numbering.number_of(text, Vec::new())));
            }
            *size = 4;
        }
    }
    *format = function.int(Type::I32, i64::from(numbering.number_of(text, sizes)));
    Ok(args)
}

impl Numbering {
    /// Counts the bytes of a string.
    fn read(&mut self, bytes: usize) -> Result<(), Error> {
        self.read = self.read.saturating_add(bytes);
        match self.read > MAX_READ {
            true => Err(Error::limit(Limited::PrintfStrings, self.read, MAX_READ)),
            false => Ok(()),
        }
    }

    /// The number of a string with arguments of these sizes.
    fn number_of(&mut self, text: String, argument_sizes: Vec<u32>) -> u32 {
        let id = to_u32(self.formats.len());
        *self.known.entry((text, argument_sizes)).or_insert_with_key(|(text, argument_sizes)| {
            let (text, argument_sizes) = (text.clone(), argument_sizes.clone());
            self.formats.push(PrintfFormat { id, text, argument_sizes });
            id
        })
    }
}

/// The bytes of the string at an address, if it is in a literal.
fn string<'g>(function: &Function, globals: &'g TiSlice<GlobalId, Global>, address: Value) -> Option<&'g [u8]> {
    string_at(globals, literal(function, address)?)
}

/// A place in a global: its bytes from one on.
type Literal = (GlobalId, i64);

/// The place that an address is, if it is a constant one.
fn literal(function: &Function, address: Value) -> Option<Literal> {
    let (mut address, mut offset) = (address, 0_i64);
    for _ in 0..MAX_STEPS {
        match function.op(address)? {
            Op::GlobalAddress(global) => return Some((*global, offset)),
            op => (address, offset) = stepped(function, op, offset)?,
        }
    }
    None
}

/// The address that an operation adds a constant to, with what is added so far.
fn stepped(function: &Function, op: &Op, offset: i64) -> Option<(Value, i64)> {
    let Op::PtrAdd { base, index, stride, displacement } = op else { return None };
    Some((*base, offset.checked_add(constant_offset(function, *index, *stride, *displacement)?)?))
}

/// The bytes of the string at a place.
fn string_at(globals: &TiSlice<GlobalId, Global>, (id, offset): Literal) -> Option<&[u8]> {
    let global = globals.get(id).filter(|global| global.space == Space::Constant)?;
    let bytes = global.init.as_deref().unwrap_or_default();
    let bytes = bytes.get(usize::try_from(offset).ok()?..)?;
    bytes.get(..bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()))
}

/// A string without what does not fit an instruction of the module.
fn text_of(bytes: &[u8]) -> Result<String, Error> {
    if bytes.len() > MAX_STRING {
        return Err(Error::limit(Limited::PrintfString, bytes.len(), MAX_STRING));
    }
    let text = String::from_utf8(bytes.to_vec());
    text.map_err(|_| Error::unsupported(Unsupported::StringEncoding))
}

/// Whether a call takes strings that are not named in it; they can be known once functions are inlined and variables are
/// values.
pub fn has_unknown_strings(module: &Module) -> bool {
    let mut read = 0_usize;
    let mut unknown = |function: &Function, args: &[Value]| {
        let Some((format, values)) = args.split_first() else { return false };
        let Some(text) = string(function, &module.globals, *format) else { return true };
        read = read.saturating_add(text.len());
        // Which is an error of [`PrintfFormats`].
        if read > MAX_READ {
            return true;
        }
        conversions(&String::from_utf8_lossy(text)).zip(values).any(|(conversion, value)| {
            conversion.specifier == Specifier::String && string(function, &module.globals, *value).is_none()
        })
    };
    module.functions.iter().any(|function| {
        function.insts.iter().any(|inst| match &inst.op {
            Op::Intrinsic { function: Intrinsic::Printf, args } => unknown(function, args),
            _ => false,
        })
    })
}

/// Words that a value of this type takes in a record.
fn words_of(ty: Type) -> u32 {
    match ty.scalar {
        ScalarType::Ptr(_) => 2,
        scalar => (scalar.bits() * u32::from(ty.lanes)).div_ceil(32).max(1),
    }
}

/// Whether a function prints, not counting those it calls.
pub fn prints(function: &Function) -> bool {
    function.insts.iter().any(|inst| matches!(inst.op, Op::Intrinsic { function: Intrinsic::Printf, .. }))
}

/// What a call leaves in the buffer.
pub struct Record {
    /// The number of the format, and the arguments: words and vectors of words.
    pub fields: Fields,
    /// What follows them.
    copied: SmallVec<[CopiedString; 2]>,
}

/// What a record has before its strings. A vector of words takes as many as it has lanes.
pub type Fields = SmallVec<[Value; 8]>;

impl Record {
    /// A record without strings.
    pub fn of_fields(fields: Fields) -> Record {
        Record { fields, copied: SmallVec::new() }
    }

    /// Whether strings follow the fields.
    pub fn has_strings(&self) -> bool {
        !self.copied.is_empty()
    }

    /// Words of the record without its strings.
    pub fn words(&self, b: &Builder<'_>) -> usize {
        self.fields.iter().map(|field| usize::from(b.ty(*field).lanes)).sum()
    }
}

/// Words of records that a buffer has room for. Its first word counts what records take, the last one lost messages.
fn capacity(size: u32) -> u32 {
    (size / 4).saturating_sub(2)
}

/// Appends what makes the fields of a call's record; `size` is that of the buffer in bytes.
pub fn record(b: &mut Builder<'_>, size: u32, formats: &[PrintfFormat], args: &[Value]) -> Record {
    let mut fields = Fields::new();
    let mut copied: SmallVec<[CopiedString; 2]> = SmallVec::new();
    let is_copied = copied_arguments(b, formats, args);
    for (arg, is_copied) in args.iter().zip(is_copied) {
        if is_copied {
            let string = strings::measure(b, *arg, capacity(size));
            fields.push(string.word);
            copied.push(string);
        } else {
            push_fields(b, *arg, &mut fields);
        }
    }
    Record { fields, copied }
}

/// Lowers a call: reserves room for the record, then writes it. The result is 0, or -1 where there is no
/// room.
pub fn write(b: &mut Builder<'_>, buffer: Value, size: u32, record: &Record) -> Value {
    let capacity = capacity(size);
    let Record { fields, copied } = record;
    let count_lost = |b: &mut Builder<'_>| {
        let (one, at) = (b.int(Type::I32, 1), b.offset(buffer, i64::from(capacity) * 4 + 4));
        atomic(b, AtomicOp::Add, at, Some(one));
    };
    let words = record.words(b);
    let count = to_u32(words);
    let (ok, failed) = (b.int(Type::I32, 0), b.int(Type::I32, -1));
    if count > capacity {
        // It must not take the room of others.
        count_lost(b);
        return failed;
    }
    let count = strings::total_words(b, count, copied, capacity);
    let start = reserve(b, buffer, count, capacity);
    let (record_end, end) = (b.binary(BinaryOp::Add, start, count), b.int(Type::I32, i64::from(capacity)));
    let fits = b.compare(CompareOp::ULe, record_end, end);
    let write = b.nested(|b| {
        write_record(b, buffer, start, fields);
        strings::write(b, buffer, start, words, copied);
        b.effect(Op::Yield(smallvec![ok]));
    });
    // Readers must be able to recognise an incomplete record.
    let torn = if copied.is_empty() { fields[0] } else { b.int(Type::I32, i64::from(LOST_MESSAGES.cast_signed())) };
    let lose = b.nested(|b| {
        count_lost(b);
        let begins = b.compare(CompareOp::ULt, start, end);
        let write = b.nested(|b| {
            write_record(b, buffer, start, &[torn]);
            b.effect(Op::Yield(smallvec![]));
        });
        let nothing = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        b.effect(Op::If { condition: begins, then: write, otherwise: nothing });
        b.effect(Op::Yield(smallvec![failed]));
    });
    b.push(Op::If { condition: fits, then: write, otherwise: lose }, &[Type::I32])[0]
}

/// Of the number of the format and each argument, whether it is a string to copy.
fn copied_arguments(b: &Builder<'_>, formats: &[PrintfFormat], args: &[Value]) -> Vec<bool> {
    let mut copied = vec![false; args.len()];
    let id = args.first().and_then(|id| b.function.as_constant(*id)).and_then(Constant::splat_bits);
    let format =
        id.and_then(|id| formats.get(usize::try_from(id).ok()?)).filter(|format| Some(u64::from(format.id)) == id);
    for (index, conversion) in format.iter().flat_map(|format| conversions(&format.text)).enumerate() {
        if let Some(arg) = args.get(index + 1) {
            copied[index + 1] = conversion.specifier == Specifier::String && b.ty(*arg).space().is_some();
        }
    }
    copied
}

/// The start of a record of `count` words; it has no room where it ends after `capacity`. Once the buffer is full, its first
/// word is no longer added to, nor for records that never fit: so it cannot wrap around.
fn reserve(b: &mut Builder<'_>, buffer: Value, count: Value, capacity: u32) -> Value {
    let end = b.int(Type::I32, i64::from(capacity));
    let used = atomic(b, AtomicOp::Load, buffer, None);
    let is_full = b.compare(CompareOp::UGe, used, end);
    let is_too_long = b.compare(CompareOp::UGt, count, end);
    let is_hopeless = b.binary(BinaryOp::Or, is_full, is_too_long);
    let none = b.nested(|b| b.effect(Op::Yield(smallvec![end])));
    let reserve = b.nested(|b| {
        let start = atomic(b, AtomicOp::Add, buffer, Some(count));
        b.effect(Op::Yield(smallvec![start]));
    });
    b.push(Op::If { condition: is_hopeless, then: none, otherwise: reserve }, &[Type::I32])[0]
}

/// Stores fields of the record that begins at `start`.
fn write_record(b: &mut Builder<'_>, buffer: Value, start: Value, fields: &[Value]) {
    let record = b.ptr_add(buffer, start, 4);
    let mut offset = 4;
    for field in fields {
        let at = b.offset(record, offset);
        b.store(at, *field, 4);
        offset += i64::from(b.ty(*field).lanes) * 4;
    }
}

/// A relaxed atomic operation on a word that all work-items share.
pub(super) fn atomic(b: &mut Builder<'_>, op: AtomicOp, ptr: Value, operand: Option<Value>) -> Value {
    let order = MemoryOrder::Relaxed;
    let semantics = Semantics { order, scope: Scope::Device, local: false, global: true, image: false };
    let operands = operand.into_iter().collect();
    b.push(Op::Atomic { op, ptr, operands, semantics, unequal: order }, &[Type::I32])[0]
}

/// The fields of an argument: a vector of words where its bits make one, so that calls with vectors stay short.
fn push_fields(b: &mut Builder<'_>, value: Value, fields: &mut Fields) {
    let ty = b.ty(value);
    let value = match ty.scalar {
        ScalarType::Ptr(_) => b.convert(ConvertOp::PtrToInt, value, Type::I64),
        ScalarType::Ptr32(_) => b.convert(ConvertOp::PtrToInt, value, Type::I32),
        scalar => b.bitcast(value, ty.with_scalar(ScalarType::int(scalar.bits()))),
    };
    let Type { scalar, lanes } = b.ty(value);
    let bits = scalar.bits();
    if let Some(words) = vector_of_words(bits * u32::from(lanes)) {
        fields.push(b.bitcast(value, words));
        return;
    }
    let lanes: SmallVec<[Value; 16]> = (0..lanes).map(|lane| b.extract(value, lane)).collect();
    if let Some(words) = vector_of_words(bits) {
        fields.extend(lanes.iter().map(|lane| b.bitcast(*lane, words)));
        return;
    }
    for group in lanes.chunks((32 / bits.max(1)) as usize) {
        let mut word = b.resize(group[0], ScalarType::I32, false);
        for (index, lane) in group.iter().enumerate().skip(1) {
            let wide = b.resize(*lane, ScalarType::I32, false);
            let distance = b.int(Type::I32, i64::from(bits) * to_i64(index));
            let shifted = b.binary(BinaryOp::Shl, wide, distance);
            word = b.binary(BinaryOp::Or, word, shifted);
        }
        fields.push(word);
    }
}

/// The word or vector of words of so many bits. Vectors of three are left out: in memory they would take four.
fn vector_of_words(bits: u32) -> Option<Type> {
    let lanes = u8::try_from(bits / 32).ok()?;
    (bits.is_multiple_of(32) && matches!(lanes, 1 | 2 | 4 | 8 | 16)).then_some(Type { scalar: ScalarType::I32, lanes })
}
