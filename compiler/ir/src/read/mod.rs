//! Reads the text form that [`super::print`] writes.
//!
//! Values keep their numbers, so that what is read prints as it was. What the text form does not say is left empty:
//! spans, and of a kernel its argument names, hints and attributes.

mod instruction;
mod lexer;
#[cfg(test)]
pub(crate) mod tests;

pub use crate::parse_error::ParseError;
use clforge_basic::narrow::to_u32;

use super::*;
use clforge_basic::image::{AccessQualifier, ImageShape};
use clforge_basic::matrix::MatrixUse;
use clforge_basic::options::AddressBits;
use clforge_basic::source::Span;
use lexer::{Kind, Token};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Larger numbers of values, globals and regions inside each other are mistakes.
const MAX_VALUE: u32 = 1 << 20;
const MAX_DEPTH: usize = 200;

/// A module from its text. The contract of the IR is [`verify`]'s to check.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str) -> Result<Module, ParseError> {
    let tokens = lexer::tokens(text)?;
    let mut functions = FxHashMap::default();
    let starts = tokens.windows(2).filter_map(|pair| match (pair[0].kind, pair[1].kind) {
        (Kind::Word("func" | "kernel"), Kind::Symbol(name)) => Some(name),
        _ => None,
    });
    for (index, name) in starts.enumerate() {
        functions.entry(name).or_insert(FunctionId::from(index));
    }
    let mut reader = Reader { tokens: &tokens, at: 0, functions, depth: 0 };
    // What is wrong is the last token that was taken, or that nothing right follows it.
    let line = |reader: &Reader<'_>| reader.tokens.get(reader.at.max(1) - 1).map_or(0, |token| token.line);
    reader.module().map_err(|error| error.on_line(line(&reader)))
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    functions: FxHashMap<&'t str, FunctionId>,
    depth: usize,
}

type Read<T> = Result<T, ParseError>;

impl<'t> Reader<'t> {
    fn token(&self) -> Token<'t> {
        let end = Token { kind: Kind::End, line: 0 };
        self.tokens.get(self.at).or(self.tokens.last()).copied().unwrap_or(end)
    }

    fn kind(&self) -> Kind<'t> {
        self.token().kind
    }

    fn next(&mut self) -> Kind<'t> {
        let kind = self.kind();
        self.at += 1;
        kind
    }

    /// Whether the next token is on the line of the last one.
    fn same_line(&self) -> bool {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.is_some_and(|last| last.line == self.token().line) && self.kind() != Kind::End
    }

    /// Takes a token if it is this one.
    fn take(&mut self, kind: Kind<'_>) -> bool {
        let found = self.kind() == kind;
        self.at += usize::from(found);
        found
    }

    fn mark(&mut self, mark: &str) -> bool {
        self.take(Kind::Mark(mark))
    }

    fn word(&mut self, word: &str) -> bool {
        self.take(Kind::Word(word))
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        Err(format!("expected {what}, found {:?}", self.kind()).into())
    }

    fn need_mark(&mut self, mark: &str) -> Read<()> {
        if self.mark(mark) { Ok(()) } else { self.expected(&format!("'{mark}'")) }
    }

    fn need_word(&mut self, word: &str) -> Read<()> {
        if self.word(word) { Ok(()) } else { self.expected(&format!("'{word}'")) }
    }

    fn any_word(&mut self) -> Read<&'t str> {
        match self.kind() {
            Kind::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.expected("a word"),
        }
    }

    fn symbol(&mut self) -> Read<&'t str> {
        match self.kind() {
            Kind::Symbol(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.expected("a name with '@'"),
        }
    }

    /// The number behind `@g` or `@v`.
    fn numbered(&mut self, letter: char) -> Read<u32> {
        let symbol = self.symbol()?;
        let number = symbol.strip_prefix(letter).and_then(|number| number.parse().ok());
        number.ok_or_else(|| format!("'@{symbol}' should be '@{letter}' and a number").into())
    }

    fn text(&mut self) -> Read<String> {
        let Kind::Text(raw) = self.kind() else { return self.expected("a string") };
        self.at += 1;
        let mut text = String::new();
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            match (c, c == '\\') {
                (_, true) => text.extend(chars.next()),
                (c, false) => text.push(c),
            }
        }
        Ok(text)
    }

    /// An integer of any type; its bits.
    fn bits(&mut self) -> Read<u64> {
        let Kind::Number(text) = self.kind() else { return self.expected("a number") };
        self.at += 1;
        let bits = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => text.parse::<i64>().map(|value| value.cast_unsigned()).or_else(|_| text.parse()).ok(),
        };
        bits.ok_or_else(|| format!("'{text}' is not a number").into())
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Read<T> {
        let bits = self.bits()?;
        T::try_from(bits).map_err(|_| format!("{bits} is out of range").into())
    }

    fn signed(&mut self) -> Read<i64> {
        Ok(self.bits()?.cast_signed())
    }

    /// `word N`
    fn named<T: TryFrom<u64>>(&mut self, word: &str) -> Read<T> {
        self.need_word(word)?;
        self.number()
    }

    fn module(&mut self) -> Read<Module> {
        let mut module = Module::default();
        loop {
            match self.next() {
                Kind::Word("global") => {
                    let global = self.global(module.globals.len())?;
                    module.globals.push(global);
                }
                Kind::Word("variable") => {
                    let variable = self.variable(module.variables.len())?;
                    module.variables.push(variable);
                }
                Kind::Word("func") => module.functions.push(self.function(false)?),
                Kind::Word("kernel") => module.functions.push(self.function(true)?),
                Kind::End => return Ok(module),
                other => {
                    return Err(format!("expected 'global', 'variable', 'func' or 'kernel', found {other:?}").into());
                }
            }
        }
    }

    fn global(&mut self, index: usize) -> Read<Global> {
        if self.numbered('g')? as usize != index {
            return Err("globals are numbered in order".into());
        }
        let mut global = Global {
            name: self.text()?,
            space: self.space()?,
            size: self.named("size")?,
            align: self.named("align")?,
            init: None,
            relocations: Vec::new(),
            exported: self.word("exported"),
            once: self.word("once"),
            imported: self.word("imported"),
            size_argument: None,
            per_work_item: 0,
            span: Default::default(),
        };
        if self.word("size_argument") {
            global.size_argument = Some((self.number()?, self.number()?));
        }
        if self.word("per_work_item") {
            global.per_work_item = self.number()?;
        }
        if self.word("init") {
            let hex = self.text()?;
            let byte = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
            let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
            global.init = Some(bytes.ok_or("bad initial bytes")?);
        }
        while self.word("reloc") {
            let offset = self.number()?;
            let target = GlobalId::new(self.numbered('g')?);
            global.relocations.push(Relocation { offset, target, addend: self.signed()? });
        }
        Ok(global)
    }

    fn variable(&mut self, index: usize) -> Read<Variable> {
        if self.numbered('v')? as usize != index {
            return Err("variables are numbered in order".into());
        }
        let name = self.text()?;
        let storage = match self.any_word()? {
            "function" => Storage::Function,
            "private" => Storage::Private,
            "workgroup" => Storage::Workgroup,
            "push_constant" => Storage::PushConstant,
            "uniform" => Storage::Uniform { set: self.number()?, binding: self.number()? },
            "storage_buffer" => Storage::StorageBuffer { set: self.number()?, binding: self.number()? },
            word => return Err(format!("'{word}' is not a storage").into()),
        };
        let element = self.ty()?;
        let mut size = VariableSize { fixed: self.named("bytes")?, ..VariableSize::default() };
        while self.mark("+") {
            let element_size = self.number()?;
            self.need_mark("*")?;
            size.arguments.push((self.named("spec")?, element_size));
        }
        if self.word("per_work_item") {
            size.per_work_item = self.number()?;
        }
        let zero_initialized = self.word("zero");
        Ok(Variable { name, storage, element, size, zero_initialized })
    }

    fn space(&mut self) -> Read<Space> {
        let word = self.any_word()?;
        space(word).ok_or_else(|| format!("'{word}' is not an address space").into())
    }

    fn ty(&mut self) -> Read<Type> {
        let word = self.any_word()?;
        parse_type(word).ok_or_else(|| format!("'{word}' is not a type").into())
    }

    fn function(&mut self, is_kernel: bool) -> Read<Function> {
        let mut function = Function::new(self.symbol()?);
        self.reserve(&mut function)?;
        self.need_mark("(")?;
        for param in self.definitions(")")? {
            let (param, ty) = param;
            let index = to_u32(function.params.len());
            define(&mut function, param, ty, ValueDef::FunctionParam(index))?;
            function.params.push(param);
        }
        if self.mark("->") {
            function.result = Some(self.ty()?);
        }
        function.inline = match () {
            () if self.word("inline") => Some(true),
            () if self.word("noinline") => Some(false),
            () => None,
        };
        function.exported = self.word("exported");
        function.once = self.word("once");
        if is_kernel {
            function.kernel = Some(self.kernel()?);
        }
        if self.mark(";") {
            return Ok(function);
        }
        self.need_mark("{")?;
        let body = function.body;
        self.region_body(&mut function, body)?;
        Ok(function)
    }

    /// Makes room for every value the function numbers, so that they keep their numbers.
    fn reserve(&self, function: &mut Function) -> Read<()> {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let own = rest.iter().take_while(|token| !matches!(token.kind, Kind::Word("func" | "kernel")));
        let last = own.filter_map(|token| match token.kind {
            Kind::Value(number) => Some(number),
            _ => None,
        });
        let Some(last) = last.max() else { return Ok(()) };
        if last > MAX_VALUE {
            return Err(format!("%{last} is too large a number").into());
        }
        function.constants.push(Constant::Undef(Type::BOOL));
        for _ in 0..=last {
            function.new_value(Type::BOOL, ValueDef::Constant(PLACEHOLDER));
        }
        Ok(())
    }

    /// `%1: i32, %2: f32` up to a mark, which is taken.
    fn definitions(&mut self, end: &str) -> Read<Vec<(Value, Type)>> {
        let mut list = Vec::new();
        while !self.mark(end) {
            if !list.is_empty() {
                self.need_mark(",")?;
            }
            let Kind::Value(number) = self.next() else { return self.expected("a value") };
            self.need_mark(":")?;
            list.push((Value::new(number), self.ty()?));
        }
        Ok(list)
    }

    fn kernel(&mut self) -> Read<KernelInfo> {
        let mut info = KernelInfo::default();
        if self.word("args") {
            self.need_mark("(")?;
            while !self.mark(")") {
                if !info.arguments.is_empty() {
                    self.need_mark(",")?;
                }
                let kind = match self.any_word()? {
                    "value" => KernelParameter::Value(self.ty()?),
                    "pointer" => KernelParameter::Pointer(self.space()?),
                    "local" => KernelParameter::Local { element_size: self.number()?, align: self.named("align")? },
                    "by_value" => KernelParameter::ByValue { size: self.number()?, align: self.named("align")? },
                    "opaque" => KernelParameter::Opaque(self.ty()?),
                    word => return Err(format!("'{word}' is not a kind of argument").into()),
                };
                info.arguments.push(KernelArgument {
                    kind,
                    info: Default::default(),
                    layout: None,
                    span: Span::default(),
                });
            }
        }
        if self.word("work_group_size") {
            self.need_mark("(")?;
            let mut size = [0; 3];
            for (index, extent) in size.iter_mut().enumerate() {
                if index > 0 {
                    self.need_mark(",")?;
                }
                *extent = self.number()?;
            }
            self.need_mark(")")?;
            info.required_work_group_size = Some(size);
        }
        info.is_block = self.word("block");
        while self.word("reference") {
            info.references.push((self.number()?, self.ty()?));
        }
        Ok(info)
    }
}

/// What defines a value whose definition has not been read. No other value is this constant: it is not among those that are
/// interned.
const PLACEHOLDER: ConstantId = ConstantId::new(0);

/// Says what a reserved value is.
fn define(function: &mut Function, value: Value, ty: Type, def: ValueDef) -> Read<()> {
    match function.values.get_mut(value) {
        Some(slot) if matches!(slot.1, ValueDef::Constant(PLACEHOLDER)) => {
            *slot = (ty, def);
            Ok(())
        }
        _ => Err(format!("%{value} is defined twice").into()),
    }
}

fn space(word: &str) -> Option<Space> {
    let all = [Space::Private, Space::Local, Space::Global, Space::Constant, Space::Generic];
    all.into_iter().find(|space| space.to_string() == word)
}

/// A type from the word it prints as.
fn parse_type(word: &str) -> Option<Type> {
    if let Some(word) = word.strip_prefix("ptr.") {
        return space(word).map(Type::ptr);
    }
    if let Some(word) = word.strip_prefix("ptr32.") {
        return space(word).map(|space| Type::pointer(space, AddressBits::Bits32));
    }
    let (name, lanes) = match word.split_once('x') {
        Some((name, lanes)) if !word.contains('.') => (name, lanes.parse().ok()?),
        _ => (word, 1),
    };
    let scalar = match name {
        "bool" => ScalarType::Bool,
        "i8" => ScalarType::I8,
        "i16" => ScalarType::I16,
        "i32" => ScalarType::I32,
        "i64" => ScalarType::I64,
        "f16" => ScalarType::F16,
        "f32" => ScalarType::F32,
        "f64" => ScalarType::F64,
        name => return opaque(name).map(|opaque| Type::scalar(ScalarType::Opaque(opaque))),
    };
    matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16).then_some(Type::vector(scalar, lanes))
}

fn opaque(name: &str) -> Option<Opaque> {
    let parts: SmallVec<[&str; 5]> = name.split('.').collect();
    Some(match parts[..] {
        ["event"] => Opaque::Event,
        ["sampler"] => Opaque::Sampler,
        ["queue"] => Opaque::Queue,
        ["clk_event"] => Opaque::ClkEvent,
        ["reserve_id"] => Opaque::ReserveId,
        ["pipe", size, align, way @ ("read" | "write")] => {
            Opaque::Pipe { size: size.parse().ok()?, align: align.parse().ok()?, write: way == "write" }
        }
        ["matrix", component, rows, columns, usage] => {
            let component = parse_type(component).and_then(|ty| MatrixType::component_of(ty.scalar))?;
            let usage = MatrixUse::ALL.into_iter().find(|candidate| format!("{candidate:?}") == usage)?;
            Opaque::Matrix(MatrixType { component, rows: rows.parse().ok()?, columns: columns.parse().ok()?, usage })
        }
        ["image", shape, access] => {
            let shape = ImageShape::ALL.into_iter().find(|candidate| format!("{candidate:?}") == shape)?;
            let access = AccessQualifier::ALL.into_iter().find(|candidate| format!("{candidate:?}") == access)?;
            Opaque::Image(ImageType { shape, access })
        }
        _ => return None,
    })
}
