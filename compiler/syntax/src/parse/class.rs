//! The classes of tokens that the grammar distinguishes, and the characters that stand for them in its input.

const TABLE: &[u8] = include_bytes!("token_classes.pest");

/// The character of a terminal: `I` of the line `kw_if = _{ "I" }`. A name without a line does not compile.
const fn code(rule: &str) -> u8 {
    let rule = rule.as_bytes();
    let mut line = 0;
    loop {
        let mut at = 0;
        while at < rule.len() && TABLE[line + at] == rule[at] {
            at += 1;
        }
        let is_rule = at == rule.len() && TABLE[line + at] == b' ';
        at += line;
        while TABLE[at] != if is_rule { b'"' } else { b'\n' } {
            at += 1;
        }
        if is_rule {
            return TABLE[at + 1];
        }
        line = at + 1;
    }
}

macro_rules! token_classes {
    ($($class:ident = $rule:ident,)*) => {
        /// What the grammar knows of a token. The discriminants are the characters in `token_classes.pest`, where the
        /// classes are documented.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum TokenClass {
            /// No token: the end of the input.
            End = 0,
            /// A token that no rule of the grammar accepts.
            Invalid = b'~',
            $($class = code(stringify!($rule)),)*
        }

        impl TokenClass {
            /// Every class that is a terminal of the grammar, with the name of its rule.
            const TERMINALS: &[(TokenClass, &str)] = &[$((TokenClass::$class, stringify!($rule))),*];
        }
    };
}

token_classes! {
    Identifier = identifier,
    TypedefName = typedef_name,
    Number = number,
    Character = character,
    String = string,
    StorageClass = storage_class,
    TypeQualifier = type_qualifier,
    FunctionSpecifier = function_specifier,
    AddressSpace = address_space,
    AccessQualifier = access_qualifier,
    TypeKeyword = type_keyword,
    StructOrUnion = struct_or_union,
    KwEnum = kw_enum,
    KwTypeof = kw_typeof,
    KwAtomic = kw_atomic,
    KwPipe = kw_pipe,
    KwStaticAssert = kw_static_assert,
    KwAttribute = kw_attribute,
    ExtensionSpecifier = extension_specifier,
    KwAlignas = kw_alignas,
    KwIf = kw_if,
    KwElse = kw_else,
    KwWhile = kw_while,
    KwDo = kw_do,
    KwFor = kw_for,
    KwSwitch = kw_switch,
    KwCase = kw_case,
    KwDefault = kw_default,
    KwGoto = kw_goto,
    KwBreakOrContinue = kw_break_or_continue,
    KwReturn = kw_return,
    KwAsm = kw_asm,
    AsmText = asm_text,
    LabelName = label_name,
    KwLocalLabel = kw_local_label,
    StatementAttribute = statement_attribute,
    Skipped = skipped,
    SkippedDeclaration = skipped_declaration,
    KwSizeofOrAlignof = kw_sizeof_or_alignof,
    KwVecStep = kw_vec_step,
    KwAstype = kw_astype,
    KwOffsetof = kw_offsetof,
    KwExtension = kw_extension,
    KwRealOrImag = kw_real_or_imag,
    KwGeneric = kw_generic,
    KwTypesCompatible = kw_types_compatible,
    LBrace = lbrace,
    RBrace = rbrace,
    LParen = lparen,
    RParen = rparen,
    LBracket = lbracket,
    RBracket = rbracket,
    Semicolon = semicolon,
    Comma = comma,
    Colon = colon,
    Question = question,
    Dot = dot,
    Arrow = arrow,
    Ellipsis = ellipsis,
    Star = star,
    Sign = sign,
    SlashOrPercent = slash_or_percent,
    CompoundAssign = compound_assign,
    PipePipe = pipe_pipe,
    AmpAmp = amp_amp,
    Pipe = pipe,
    Caret = caret,
    Ampersand = ampersand,
    EqualityOperator = equality_operator,
    RelationalOperator = relational_operator,
    ShiftOperator = shift_operator,
    Equals = equals,
    Increment = increment,
    Not = not,
}

/// The class of each character.
const CLASSES: [TokenClass; 128] = {
    let mut classes = [TokenClass::Invalid; 128];
    classes[0] = TokenClass::End;
    let mut index = 0;
    while index < TokenClass::TERMINALS.len() {
        let class = TokenClass::TERMINALS[index].0;
        classes[class as usize] = class;
        index += 1;
    }
    classes
};

impl TokenClass {
    /// The class that a character of the grammar's input stands for.
    pub(super) fn of_code(code: u8) -> TokenClass {
        CLASSES.get(usize::from(code)).copied().unwrap_or(TokenClass::Invalid)
    }

    /// The class at an offset of the grammar's input; [`TokenClass::End`] past its end.
    pub(super) fn at(codes: &[u8], offset: usize) -> TokenClass {
        codes.get(offset).map_or(TokenClass::End, |code| TokenClass::of_code(*code))
    }

    /// The classes of the grammar's input, in order.
    pub(super) fn all(codes: &[u8]) -> impl DoubleEndedIterator<Item = TokenClass> + ExactSizeIterator {
        codes.iter().map(|code| TokenClass::of_code(*code))
    }

    /// The character that stands for a token of this class in the grammar's input.
    pub(super) fn code(self) -> char {
        char::from(self as u8)
    }

    /// Whether such a token begins a declaration or a type name.
    pub(super) fn starts_declaration(self) -> bool {
        self.is_declaration_keyword() || matches!(self, TokenClass::TypedefName | TokenClass::KwAlignas)
    }

    /// Whether such a token is a keyword of declarations (`_Alignas` is not among them, as attributes may have it).
    pub(super) fn is_declaration_keyword(self) -> bool {
        (TokenClass::StorageClass as u8..=TokenClass::ExtensionSpecifier as u8).contains(&(self as u8))
    }

    /// Whether such a token is a keyword that begins a statement or, as `else` does, continues one.
    pub(super) fn is_statement_keyword(self) -> bool {
        (TokenClass::KwIf as u8..=TokenClass::KwAsm as u8).contains(&(self as u8))
    }
}

#[cfg(test)]
mod tests {
    use pest::Parser as _;

    use super::*;
    use crate::parse::grammar::{OpenClC, Rule};

    /// The names of the table's terminals: the lines with a quoted character.
    fn table() -> Vec<&'static str> {
        let lines = include_str!("token_classes.pest").lines().filter(|line| !line.starts_with("//"));
        lines.filter(|line| line.contains("_{ \"")).filter_map(|line| line.split_whitespace().next()).collect()
    }

    #[test]
    fn every_terminal_of_the_table_is_a_class() {
        let names: Vec<_> = TokenClass::TERMINALS.iter().map(|(_, name)| *name).collect();
        assert_eq!(names, table());
    }

    #[test]
    fn characters_stand_in_the_table_alone() {
        let grammar = include_str!("opencl_c.pest").lines().map(|line| line.split("//").next().unwrap_or_default());
        let quoted: Vec<_> = grammar.filter(|line| line.replace("\"\"", "").contains(['"', '\''])).collect();
        assert_eq!(quoted, Vec::<&str>::new());
    }

    #[test]
    fn sets_of_classes_are_those_of_the_grammar() {
        for (class, name) in TokenClass::TERMINALS {
            let accepts = |rule| OpenClC::parse(rule, &class.code().to_string()).is_ok();
            assert_eq!(class.starts_declaration(), accepts(Rule::declaration_start), "{name}");
            assert_eq!(class.is_statement_keyword(), accepts(Rule::statement_keyword), "{name}");
            assert_eq!(TokenClass::of_code(*class as u8), *class, "{name}");
        }
    }
}
