//! The names of warnings, and the options that turn them on, off, or into errors. Names and groups are clang's where clang
//! has them.

macro_rules! flags {
    ($($variant:ident $name:literal $default:literal)*) => {
        /// What a warning is about. Its name is that of clang's option where clang has the warning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum WarningFlag { $($variant),* }

        impl WarningFlag {
            /// Every flag.
            pub const ALL: &[WarningFlag] = &[$(WarningFlag::$variant),*];

            /// The name, as in `-Wname`.
            pub fn name(self) -> &'static str {
                match self { $(WarningFlag::$variant => $name),* }
            }

            /// Whether the warning is given without any option.
            pub fn is_on_by_default(self) -> bool {
                match self { $(WarningFlag::$variant => $default),* }
            }
        }
    };
}

flags! {
    ArrayBounds "array-bounds" true
    BuiltinMacroRedefined "builtin-macro-redefined" true
    CastAlign "cast-align" false
    CastQual "cast-qual" false
    C99Extensions "c99-extensions" true
    CompareDistinctPointerTypes "compare-distinct-pointer-types" true
    ConditionalUninitialized "conditional-uninitialized" false
    ConstantConversion "constant-conversion" true
    DanglingElse "dangling-else" true
    // Not in clang.
    DivergentBarrier "divergent-barrier" false
    DivisionByZero "division-by-zero" true
    DoublePromotion "double-promotion" false
    DuplicateDeclSpecifier "duplicate-decl-specifier" true
    EmptyBody "empty-body" true
    // Without a name in clang.
    EmptyCaseRange "empty-case-range" true
    ExcessInitializers "excess-initializers" true
    ExternInitializer "extern-initializer" true
    ExtraTokens "extra-tokens" true
    FloatConversion "float-conversion" false
    Format "format" true
    FormatExtraArgs "format-extra-args" true
    FormatInsufficientArgs "format-insufficient-args" true
    FormatInvalidSpecifier "format-invalid-specifier" true
    IgnoredAttributes "ignored-attributes" true
    // Not in clang, which calls a function.
    IgnoredBuiltins "ignored-builtins" true
    IgnoredPragmas "ignored-pragmas" true
    ImplicitConstIntFloatConversion "implicit-const-int-float-conversion" true
    ImplicitFloatConversion "implicit-float-conversion" false
    ImplicitInt "implicit-int" true
    ImplicitIntConversion "implicit-int-conversion" false
    ImplicitIntFloatConversion "implicit-int-float-conversion" false
    ImplicitlyUnsignedLiteral "implicitly-unsigned-literal" true
    IncompatiblePointerTypes "incompatible-pointer-types" true
    IncompatiblePointerTypesDiscardsQualifiers "incompatible-pointer-types-discards-qualifiers" true
    InvalidPpToken "invalid-pp-token" true
    LiteralConversion "literal-conversion" true
    LiteralRange "literal-range" true
    LogicalNotParentheses "logical-not-parentheses" true
    LogicalOpParentheses "logical-op-parentheses" false
    MacroRedefined "macro-redefined" true
    MissingBraces "missing-braces" false
    MissingDeclarations "missing-declarations" true
    // Without a name in clang.
    MissingSemicolon "missing-semicolon" true
    Multichar "multichar" true
    // Not in clang, where it is one of `shorten-64-to-32`.
    NarrowedGlobalId "narrowed-global-id" false
    Parentheses "parentheses" true
    Pedantic "pedantic" true
    PointerIntegerCompare "pointer-integer-compare" true
    PointerSign "pointer-sign" true
    PointerTypeMismatch "pointer-type-mismatch" true
    PoundPragmaMessages "#pragma-messages" true
    PoundWarnings "#warnings" true
    // Not in clang, which takes `long long` for what it is in C.
    ReservedTypes "reserved-types" true
    ReturnType "return-type" true
    SelfAssign "self-assign" false
    Shadow "shadow" false
    ShiftOpParentheses "shift-op-parentheses" true
    Shorten64To32 "shorten-64-to-32" false
    SignCompare "sign-compare" false
    SignConversion "sign-conversion" false
    SometimesUninitialized "sometimes-uninitialized" false
    Switch "switch" true
    TautologicalCompare "tautological-compare" true
    Trigraphs "trigraphs" true
    TautologicalConstantOutOfRangeCompare "tautological-constant-out-of-range-compare" true
    Uninitialized "uninitialized" false
    UnknownAttributes "unknown-attributes" true
    UnknownEscapeSequence "unknown-escape-sequence" true
    UnknownPragmas "unknown-pragmas" true
    UnknownWarningOption "unknown-warning-option" true
    UnusedCommandLineArgument "unused-command-line-argument" true
    UnusedComparison "unused-comparison" true
    UnusedFunction "unused-function" false
    UnusedLabel "unused-label" false
    UnusedValue "unused-value" true
    UnusedVariable "unused-variable" false
    // Not in clang.
    VectorBounds "vector-bounds" true
}

use WarningFlag as F;

/// Names that stand for several flags. A flag that has the name of a group is one of the group.
const GROUPS: [(&str, &[WarningFlag]); 22] = [
    ("everything", WarningFlag::ALL),
    (
        "all",
        &[
            F::DanglingElse,
            F::Format,
            F::FormatExtraArgs,
            F::FormatInsufficientArgs,
            F::FormatInvalidSpecifier,
            F::ImplicitInt,
            F::LogicalNotParentheses,
            F::LogicalOpParentheses,
            F::MissingBraces,
            F::Multichar,
            F::Parentheses,
            F::ReturnType,
            F::SelfAssign,
            F::ShiftOpParentheses,
            F::SometimesUninitialized,
            F::Switch,
            F::TautologicalCompare,
            F::TautologicalConstantOutOfRangeCompare,
            F::Uninitialized,
            F::UnknownPragmas,
            F::UnusedComparison,
            F::UnusedFunction,
            F::UnusedLabel,
            F::UnusedValue,
            F::UnusedVariable,
        ],
    ),
    (
        "most",
        &[
            F::Format,
            F::FormatExtraArgs,
            F::FormatInsufficientArgs,
            F::FormatInvalidSpecifier,
            F::ImplicitInt,
            F::MissingBraces,
            F::Multichar,
            F::ReturnType,
            F::SelfAssign,
            F::SometimesUninitialized,
            F::TautologicalCompare,
            F::TautologicalConstantOutOfRangeCompare,
            F::Uninitialized,
            F::UnknownPragmas,
            F::UnusedComparison,
            F::UnusedFunction,
            F::UnusedLabel,
            F::UnusedValue,
            F::UnusedVariable,
        ],
    ),
    // What else clang adds with it is not checked here.
    ("extra", &[F::SignCompare]),
    ("pedantic", &[F::C99Extensions, F::Pedantic]),
    ("attributes", &[F::IgnoredAttributes, F::UnknownAttributes]),
    (
        "conversion",
        &[
            F::ConstantConversion,
            F::FloatConversion,
            F::ImplicitConstIntFloatConversion,
            F::ImplicitFloatConversion,
            F::ImplicitIntConversion,
            F::ImplicitIntFloatConversion,
            F::LiteralConversion,
            F::NarrowedGlobalId,
            F::Shorten64To32,
            F::SignConversion,
        ],
    ),
    ("cpp", &[F::PoundWarnings]),
    ("div-by-zero", &[F::DivisionByZero]),
    ("format", &[F::Format, F::FormatExtraArgs, F::FormatInsufficientArgs, F::FormatInvalidSpecifier]),
    ("implicit", &[F::ImplicitInt]),
    (
        "implicit-float-conversion",
        &[F::ImplicitConstIntFloatConversion, F::ImplicitFloatConversion, F::ImplicitIntFloatConversion],
    ),
    ("implicit-int-float-conversion", &[F::ImplicitConstIntFloatConversion, F::ImplicitIntFloatConversion]),
    ("incompatible-pointer-types", &[F::IncompatiblePointerTypes, F::IncompatiblePointerTypesDiscardsQualifiers]),
    ("initializer-overrides", &[]),
    (
        "parentheses",
        &[F::DanglingElse, F::LogicalNotParentheses, F::LogicalOpParentheses, F::Parentheses, F::ShiftOpParentheses],
    ),
    ("pragmas", &[F::IgnoredPragmas, F::UnknownPragmas]),
    ("tautological-compare", &[F::TautologicalCompare, F::TautologicalConstantOutOfRangeCompare]),
    ("tautological-constant-compare", &[F::TautologicalConstantOutOfRangeCompare]),
    ("uninitialized", &[F::SometimesUninitialized, F::Uninitialized]),
    ("unused", &[F::UnusedComparison, F::UnusedFunction, F::UnusedLabel, F::UnusedValue, F::UnusedVariable]),
    ("unused-value", &[F::UnusedComparison, F::UnusedValue]),
];

/// What an option does to its warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningAction {
    /// `-WX`
    Enable,
    /// `-Wno-X`
    Disable,
    /// `-Werror=X`: given, and errors.
    MakeError,
    /// `-Wno-error=X`: no errors, also with `-Werror`.
    KeepWarning,
}

/// One option `-WX`, `-Wno-X`, `-Werror=X` or `-Wno-error=X`, where X is a flag or a group. Later ones take precedence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WarningSetting {
    /// The warnings.
    pub flags: &'static [WarningFlag],
    /// What becomes of them.
    pub action: WarningAction,
}

impl WarningSetting {
    /// Reads an option, its `-W` included; `None` where there is no such flag or group.
    pub fn parse(option: &str) -> Option<WarningSetting> {
        let (action, name) = split(option)?;
        let group = GROUPS.iter().find(|group| group.0 == name).map(|group| group.1);
        let flags = group.or_else(|| {
            let index = WarningFlag::ALL.iter().position(|flag| flag.name() == name)?;
            WarningFlag::ALL.get(index..=index)
        });
        Some(WarningSetting { flags: flags?, action })
    }

    /// Every option that differs from the given one in the name of the flag or group alone.
    pub fn alternatives(option: &str) -> impl Iterator<Item = String> {
        let prefix = split(option).map_or("-W", |(_, name)| option.strip_suffix(name).unwrap_or("-W"));
        let groups = GROUPS.iter().map(|group| group.0);
        groups.chain(WarningFlag::ALL.iter().map(|flag| flag.name())).map(move |name| format!("{prefix}{name}"))
    }
}

/// The names of clang 15, of which most are of warnings that are never given here.
const CLANG: &str = include_str!("warnings/clang.txt");

/// Whether an option, its `-W` included, is one of a flag or group that clang has.
pub fn is_of_clang(option: &str) -> bool {
    split(option).is_some_and(|(_, name)| CLANG.split_ascii_whitespace().any(|known| known == name))
}

fn split(option: &str) -> Option<(WarningAction, &str)> {
    let text = option.strip_prefix("-W")?;
    let forms = [
        ("no-error=", WarningAction::KeepWarning),
        ("error=", WarningAction::MakeError),
        ("no-", WarningAction::Disable),
        ("", WarningAction::Enable),
    ];
    forms.into_iter().find_map(|(prefix, action)| Some((action, text.strip_prefix(prefix)?)))
}

/// What becomes of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningLevel {
    /// It is not given.
    Ignored,
    /// It is a warning.
    Warning,
    /// It is an error.
    Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sorted_groups_are_known() {
        let names: Vec<&str> = WarningFlag::ALL.iter().map(|flag| flag.name()).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(names.len(), unique.len());
        for (name, flags) in GROUPS {
            let same = WarningFlag::ALL.iter().find(|flag| flag.name() == name);
            assert!(same.is_none_or(|same| flags.contains(same)), "{name}");
        }
        assert_eq!(WarningSetting::parse("-Wunused-varible"), None);
        assert!(WarningSetting::alternatives("-Wno-unused-varible").any(|option| option == "-Wno-unused-variable"));
        for option in ["-Wsign-compare", "-Wno-unused-parameter", "-Werror=shadow", "-Wno-error=c++11-extensions"] {
            assert!(is_of_clang(option), "{option}");
        }
        assert!(!is_of_clang("-Wunused-varible") && !is_of_clang("-Wno-"));
    }
}
