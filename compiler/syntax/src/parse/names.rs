//! What an identifier token is: keyword, type name or plain identifier, with C's scopes (C99 6.2.1, 6.2.3).

use super::class::TokenClass;
use clforge_basic::options::ClStd;
use clforge_basic::source::{Interner, Symbol};

macro_rules! keywords {
    ($($name:ident $class:ident: $($text:literal),+;)*) => {
        /// Every keyword; alternative spellings are one keyword.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Keyword { $($name),* }

        impl Keyword {
            const ALL: &'static [(Keyword, TokenClass, &'static [&'static str])] =
                &[$((Keyword::$name, TokenClass::$class, &[$($text),+])),*];
        }
    };
}

// With the class of its tokens: keywords with one syntax share a class.
keywords! {
    Typedef StorageClass: "typedef";
    Extern StorageClass: "extern";
    Static StorageClass: "static";
    Auto StorageClass: "auto";
    Register StorageClass: "register";
    Const TypeQualifier: "const", "__const", "__const__";
    Volatile TypeQualifier: "volatile", "__volatile", "__volatile__";
    Restrict TypeQualifier: "restrict", "__restrict", "__restrict__";
    Inline FunctionSpecifier: "inline", "__inline", "__inline__";
    Kernel FunctionSpecifier: "kernel", "__kernel";
    Noreturn FunctionSpecifier: "_Noreturn";
    Private AddressSpace: "private", "__private";
    Global AddressSpace: "global", "__global";
    Constant AddressSpace: "constant", "__constant";
    Local AddressSpace: "local", "__local";
    Generic AddressSpace: "__generic";
    ReadOnly AccessQualifier: "read_only", "__read_only";
    WriteOnly AccessQualifier: "write_only", "__write_only";
    ReadWrite AccessQualifier: "read_write", "__read_write";
    Void TypeKeyword: "void";
    Bool TypeKeyword: "bool", "_Bool";
    Char TypeKeyword: "char";
    Short TypeKeyword: "short";
    Int TypeKeyword: "int";
    Long TypeKeyword: "long";
    Float TypeKeyword: "float";
    Double TypeKeyword: "double";
    Half TypeKeyword: "half";
    Signed TypeKeyword: "signed", "__signed", "__signed__";
    Unsigned TypeKeyword: "unsigned";
    Complex TypeKeyword: "_Complex", "__complex", "__complex__";
    Imaginary TypeKeyword: "_Imaginary";
    Struct StructOrUnion: "struct";
    Union StructOrUnion: "union";
    Enum KwEnum: "enum";
    Typeof KwTypeof: "typeof", "__typeof", "__typeof__";
    Atomic KwAtomic: "_Atomic";
    Pipe KwPipe: "__pipe";
    StaticAssert KwStaticAssert: "_Static_assert";
    Attribute KwAttribute: "__attribute__", "__attribute";
    If KwIf: "if";
    Else KwElse: "else";
    While KwWhile: "while";
    Do KwDo: "do";
    For KwFor: "for";
    Switch KwSwitch: "switch";
    Case KwCase: "case";
    Default KwDefault: "default";
    Goto KwGoto: "goto";
    Break KwBreakOrContinue: "break";
    Continue KwBreakOrContinue: "continue";
    Return KwReturn: "return";
    Asm KwAsm: "asm", "__asm", "__asm__";
    Sizeof KwSizeofOrAlignof: "sizeof";
    Alignof KwSizeofOrAlignof: "_Alignof", "__alignof", "__alignof__";
    VecStep KwVecStep: "vec_step";
    AsType KwAstype: "__builtin_astype";
    ConvertVector KwAstype: "__builtin_convertvector";
    GenericSelection KwGeneric: "_Generic";
    TypesCompatible KwTypesCompatible: "__builtin_types_compatible_p";
    AutoType TypeKeyword: "__auto_type";
    OffsetOf KwOffsetof: "__builtin_offsetof", "offsetof";
    Extension KwExtension: "__extension__";
    Real KwRealOrImag: "__real", "__real__";
    Imag KwRealOrImag: "__imag", "__imag__";
    Alignas KwAlignas: "_Alignas";
    LocalLabel KwLocalLabel: "__label__";
    Unsupported Invalid: "_Thread_local", "__thread", "__builtin_va_arg";
}

/// Types that need no declaration (OpenCL C 6.3.1 to 6.3.4 and the types of later chapters).
const PREDECLARED_TYPES: &[&str] = &[
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "sampler_t",
    "event_t",
    "cl_mem_fence_flags",
    "image1d_t",
    "image1d_array_t",
    "image1d_buffer_t",
    "image2d_t",
    "image2d_array_t",
    "image2d_depth_t",
    "image2d_array_depth_t",
    "image2d_msaa_t",
    "image2d_array_msaa_t",
    "image2d_msaa_depth_t",
    "image2d_array_msaa_depth_t",
    "image3d_t",
    "queue_t",
    "ndrange_t",
    "clk_event_t",
    "reserve_id_t",
    "kernel_enqueue_flags_t",
    "clk_profiling_info",
    "coop_matrix_scope_t",
    "coop_matrix_use_t",
    "coop_matrix_layout_t",
    "coop_matrix_operands_t",
    "memory_order",
    "memory_scope",
    "atomic_int",
    "atomic_uint",
    "atomic_long",
    "atomic_ulong",
    "atomic_half",
    "atomic_float",
    "atomic_double",
    "atomic_flag",
    "atomic_intptr_t",
    "atomic_uintptr_t",
    "atomic_size_t",
    "atomic_ptrdiff_t",
];

/// Element types of vectors (OpenCL C 6.3.2).
const VECTOR_ELEMENTS: &[&str] =
    &["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"];

/// Whether programs may not give a type that name (OpenCL C 6.3.4): `bool4`, `float5`, `quad`, `float4x4`.
pub fn is_reserved_type(name: &str) -> bool {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
    let Some(size) = name.strip_prefix(base) else { return false };
    match size.split_once('x') {
        None if size.is_empty() => base == "quad",
        None => {
            let is_element = VECTOR_ELEMENTS.contains(&base);
            let exists = is_element && matches!(size, "2" | "3" | "4" | "8" | "16");
            digits(size) == size.len() && (is_element || matches!(base, "bool" | "quad")) && !exists
        }
        Some((rows, columns)) => {
            let count = |text: &str| matches!(text, "2" | "3" | "4" | "8" | "16");
            matches!(base, "float" | "double") && count(rows) && count(columns)
        }
    }
}

const IDENTIFIER: u8 = 0;
const TYPE: u8 = 1;
/// The first meaning of a keyword.
const KEYWORD: u8 = 2;

/// The meaning of every name at the current place of the source.
pub(super) struct Names {
    /// By symbol index; symbols past the end are identifiers.
    meanings: Vec<u8>,
    /// Meanings to restore at the end of a scope.
    undo: Vec<(Symbol, u8)>,
    /// Lengths of `undo` at the starts of open scopes.
    scopes: Vec<usize>,
    /// Every symbol that ever named a type.
    types: Vec<Symbol>,
    /// Every tag with its keyword, whatever its scope: for diagnostics alone.
    tags: rustc_hash::FxHashMap<Symbol, &'static str>,
}

impl Names {
    /// The file scope, with what the language predeclares.
    pub(super) fn new(interner: &mut Interner, language: ClStd) -> Names {
        let mut names = Names {
            meanings: Vec::new(),
            undo: Vec::new(),
            scopes: Vec::new(),
            types: Vec::new(),
            tags: Default::default(),
        };
        for (keyword, _, texts) in Keyword::ALL {
            for text in *texts {
                names.set(interner.intern(text), KEYWORD + *keyword as u8);
            }
        }
        if language >= ClStd::CL2_0 {
            names.set(interner.intern("generic"), KEYWORD + Keyword::Generic as u8);
            names.set(interner.intern("pipe"), KEYWORD + Keyword::Pipe as u8);
        }
        for text in PREDECLARED_TYPES {
            names.set(interner.intern(text), TYPE);
        }
        for element in VECTOR_ELEMENTS {
            for width in [2, 3, 4, 8, 16] {
                names.set(interner.intern(&format!("{element}{width}")), TYPE);
            }
        }
        names
    }

    fn set(&mut self, symbol: Symbol, meaning: u8) {
        let index = symbol.index();
        if index >= self.meanings.len() {
            self.meanings.resize(index + 1, IDENTIFIER);
        }
        if let Some(slot) = self.meanings.get_mut(index) {
            *slot = meaning;
        }
        if meaning == TYPE {
            self.types.push(symbol);
        }
    }

    fn meaning(&self, symbol: Symbol) -> u8 {
        self.meanings.get(symbol.index()).copied().unwrap_or(IDENTIFIER)
    }

    /// The class of an identifier token spelled `symbol`.
    pub(super) fn class(&self, symbol: Symbol) -> TokenClass {
        match self.meaning(symbol) {
            IDENTIFIER => TokenClass::Identifier,
            TYPE => TokenClass::TypedefName,
            keyword => {
                Keyword::ALL.get(usize::from(keyword - KEYWORD)).map_or(TokenClass::Identifier, |(_, class, _)| *class)
            }
        }
    }

    /// The keyword spelled `symbol`.
    pub(super) fn keyword(&self, symbol: Symbol) -> Option<Keyword> {
        let index = self.meaning(symbol).checked_sub(KEYWORD)?;
        Keyword::ALL.get(usize::from(index)).map(|(keyword, _, _)| *keyword)
    }

    /// Whether `symbol` may be declared and is not a type name.
    pub(super) fn is_plain(&self, symbol: Symbol) -> bool {
        self.meaning(symbol) == IDENTIFIER
    }

    /// Declares a name in the innermost scope: a type if `is_type`, else a variable, function or enumerator.
    pub(super) fn declare(&mut self, symbol: Symbol, is_type: bool) {
        let meaning = self.meaning(symbol);
        let new = if is_type { TYPE } else { IDENTIFIER };
        if meaning == new || meaning >= KEYWORD {
            return;
        }
        if !self.scopes.is_empty() {
            self.undo.push((symbol, meaning));
        }
        self.set(symbol, new);
    }

    /// Notes that `keyword symbol` is a type.
    pub(super) fn declare_tag(&mut self, symbol: Symbol, keyword: &'static str) {
        self.tags.insert(symbol, keyword);
    }

    /// The keyword of the type with this tag.
    pub(super) fn tag(&self, symbol: Symbol) -> Option<&'static str> {
        self.tags.get(&symbol).copied()
    }

    /// Opens a scope.
    pub(super) fn open(&mut self) {
        self.scopes.push(self.undo.len());
    }

    /// Closes the innermost scope; the names it hid are back.
    pub(super) fn close(&mut self) {
        let length = self.scopes.pop().unwrap_or(0);
        while self.undo.len() > length {
            if let Some((symbol, meaning)) = self.undo.pop() {
                self.set(symbol, meaning);
            }
        }
    }

    /// Closes all scopes down to `count`.
    pub(super) fn close_to(&mut self, count: usize) {
        while self.scopes.len() > count {
            self.close();
        }
    }

    /// Names of types known here, for suggestions.
    pub(super) fn types<'n>(&'n self, interner: &'n Interner) -> impl Iterator<Item = &'n str> {
        let declared = self.types.iter().filter(|symbol| self.meaning(**symbol) == TYPE);
        let keywords = Keyword::ALL
            .iter()
            .filter(|(_, class, _)| *class == TokenClass::TypeKeyword)
            .flat_map(|(_, _, texts)| texts.iter());
        declared.map(|symbol| interner.text(*symbol)).chain(keywords.copied())
    }
}
