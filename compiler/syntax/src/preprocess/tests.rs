//! Tests of the preprocessor as a whole; expected values are worked out by hand from C99 6.10.

use std::collections::HashMap;
use std::sync::Arc;

use super::*;
use clforge_basic::options::{IncludeLoader, IncludedFile};
use clforge_basic::source::Pragma;

struct Files(HashMap<&'static str, &'static str>);

impl IncludeLoader for Files {
    fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
        self.0.get(path).map(|text| IncludedFile { name: path.to_string(), text: text.as_bytes().to_vec() })
    }
}

struct Outcome {
    /// Spellings joined with single spaces.
    tokens: String,
    /// `LINE:COLUMN: message` of each diagnostic, notes after them indented.
    messages: Vec<String>,
    pragmas: Vec<Pragma>,
    printed: String,
}

fn run_with(text: &[u8], options: &Options) -> Outcome {
    let (mut interner, mut sources, mut sink, mut table) =
        (Interner::new(), SourceMap::new(), Sink::new(), TokenTable::default());
    let source = clforge_basic::Source { name: "a.cl", text };
    let range = preprocess(source, options, &mut interner, &mut sources, &mut sink, &mut table);
    let tokens: Vec<&str> = table.tokens[range.start as usize..range.end as usize - 1]
        .iter()
        .map(|token| interner.text(token.text))
        .collect();
    let place = |range: Option<SourceRange>| {
        let loc = sources.file_loc(range.map_or(Loc::at(0), |range| range.start));
        sources.locate(loc.pos).map_or("?".to_string(), |(file, offset)| {
            let (line, column) = sources.file(file).line_column(offset);
            format!("{line}:{column}")
        })
    };
    let mut messages = Vec::new();
    for diagnostic in sink.into_parts().0 {
        messages.push(format!("{}: {}", place(diagnostic.range), diagnostic.message));
        messages.extend(diagnostic.notes.iter().map(|note| format!("  {}: {}", place(note.range), note.message)));
    }
    let printed = print(&table, range, &interner, &sources);
    Outcome { tokens: tokens.join(" "), messages, pragmas: table.pragmas, printed }
}

fn run(text: &str) -> Outcome {
    run_with(text.as_bytes(), &Options::default())
}

/// Preprocesses without any diagnostic.
#[track_caller]
fn expand(text: &str) -> String {
    let outcome = run(text);
    assert_eq!(outcome.messages, Vec::<String>::new());
    outcome.tokens
}

/// What `text` gives must be the tokens of `expected`.
#[track_caller]
fn same(text: &str, expected: &str) {
    let printed = run(text).printed;
    assert_eq!(expand(text), expand(expected));
    assert_eq!(expand(&printed), expand(expected), "after printing: {printed}");
}

#[track_caller]
fn messages(text: &str, expected: &[&str]) {
    assert_eq!(run(text).messages, expected);
}

fn with_files(files: &[(&'static str, &'static str)]) -> Options {
    Options::default().with_includes(Arc::new(Files(files.iter().copied().collect())))
}

#[test]
fn object_like_macros_are_rescanned_and_painted() {
    same("#define A B\n#define B A\nA B", "A B");
    same("#define x x + y\n#define y x\nx", "x + x");
    same("#define EMPTY\n EMPTY a EMPTY b", "a b");
}

// C99 6.10.3.5 example 3.
#[test]
fn standard_rescanning() {
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
        #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n\
        #define r(x,y) x ## y\n#define str(x) # x\n\
        f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
        g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
        p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
        char c[2][6] = { str(hello), str() };\n";
    let expected = "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n\
        f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);\n\
        int i[] = { 1, 23, 4, 5, };\n\
        char c[2][6] = { \"hello\", \"\" };\n";
    same(text, expected);
}

// C99 6.10.3.5 example 4.
#[test]
fn standard_strings_and_pasting() {
    let text = "#define str(s) # s\n#define xstr(s) str(s)\n\
        #define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n x ## s, x ## t)\n\
        #define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
        #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
        debug(1, 2);\n\
        fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n == 0) str(: @\\n), s);\n\
        xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n";
    let expected = "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);\n\
        fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s);\n\
        \"vers2.h\"\n\"hello\";\n\"hello\" \", world\"\n";
    same(text, expected);
}

// C99 6.10.3.5 example 5.
#[test]
fn standard_placemarkers() {
    same(
        "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    );
}

// C99 6.10.3.3 p4: `##` made by pasting is no operator.
#[test]
fn standard_hash_hash() {
    same(
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
         #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
        "char p[] = \"x ## y\";",
    );
}

// C99 6.10.3.5 example 7.
#[test]
fn standard_variable_arguments() {
    same(
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
         #define report(test, ...) ((test)?puts(#test):\\\n printf(__VA_ARGS__))\n\
         debug(\"Flag\");\ndebug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\n\
         report(x>y, \"x is %d but y is %d\", x, y);",
        "fprintf(stderr, \"Flag\" );\nfprintf(stderr, \"X = %d\\n\", x );\n\
         puts( \"The first, second, and third items.\" );\n\
         ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));",
    );
}

#[test]
fn gnu_variable_arguments() {
    same("#define L(f, ...) p(f, ##__VA_ARGS__)\nL(1) L(1,) L(1, 2, 3)", "p(1) p(1) p(1, 2, 3)");
    same("#define L(f, args...) p(f, ## args)\nL(1) L(1, 2, 3)", "p(1) p(1, 2, 3)");
    same("#define L(args...) p(args)\nL() L(1, 2)", "p() p(1, 2)");
    same("#define O(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\nO(1) O(1,) O(1, 2, 3)", "p(1) p(1) p(1, 2, 3)");
    same("#define O(...) __VA_OPT__(q(__VA_ARGS__))\nO() | O(1)", "| q(1)");
    same("#define O(a, ...) a ## __VA_OPT__(x)\nO(y) O(y, 1)", "y yx");
    same("#define L(...) p(0, ##__VA_ARGS__)\nL() L(a)", "p(0) p(0, a)");
}

#[test]
fn function_like_names_without_parenthesis() {
    same("#define f(x) <x>\nf\nf /* c */\n // d\n (1) f", "f <1> f");
    same("#define f(x) x\n#define g f\ng(1) g", "1 f");
    same("#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42");
}

#[test]
fn painted_for_ever() {
    same("#define foo foo a bar\n#define bar foo\nfoo", "foo a foo");
    same("#define f(x) x f\n f(1)(2)", "1 f(2)");
    same("#define AA BB\n#define BB AA\n#define id(x) x\nid(AA) id(id(AA))", "AA AA");
}

#[test]
fn macros_reach_past_their_expansion() {
    same("#define LPAREN (\n#define f(x) [x]\n#define g f LPAREN 1)\n#define e(x) x\ng e(g)", "f(1) [1]");
    same(
        "#define f(x, y) x + y\n#define args 1, 2\n#define call(x) f(x)\n#define c2(m, x) m x\nc2(f, (args))",
        "1 + 2",
    );
}

#[test]
fn directives_among_arguments() {
    same("#define f(x) [x]\nf(1\n#define y 2\n#ifdef y\n+ y\n#else\n- y\n#endif\n)", "[1 + 2]");
}

#[test]
fn conditions_choose_groups() {
    let choose = |condition: &str| expand(&format!("#if {condition}\nyes\n#else\nno\n#endif"));
    for condition in [
        "1 + 2 * 3 == 7",
        "-1 < 0",
        "-1 > 0u",
        "(2 || 1 / 0) && !(0 && 1 / 0)",
        "1 ? 2 : (1 / 0)",
        "(1 ? -1 : 0u) > 0",
        "0x7fffffffffffffff > 0",
        "18446744073709551615u == -1",
        "0xFFFFFFFFFFFFFFFF == ~0u",
        "'A' == 65 && '\\n' == 10 && '\\x41' == '\\101' && '\\377' < 0",
        "-8 >> 1 == -4 && 1 << 3 == 8",
        "defined X || !defined(X)",
        "!undefined_thing && int == 0",
        "7 % 4 == 3 && -7 / 2 == -3 && (5 ^ 3) == 6 && (5 & 3) == 1 && (5 | 3) == 7",
        "0b101 == 5 && 010 == 8 && 10l == 10ULL",
        "!(1 ? 0 : 1 ? 1 : 1)",
        "true && !false",
    ] {
        assert_eq!(choose(condition), "yes", "{condition}");
    }
    assert_eq!(choose("2 - 1 - 1"), "no");
    assert_eq!(expand("#define D defined(E) && 1\n#define E\n#if D\nyes\n#endif"), "yes");
    assert_eq!(expand("#if 0\n#elif 1\na\n#elif 1 / 0\nb\n#else\nc\n#endif"), "a");
    assert_eq!(expand("#if 0\n#if 1\na\n#else\nb\n#endif\n#bogus ' \n#else\nc\n#endif"), "c");
    assert_eq!(expand("#ifdef __OPENCL_VERSION__\n#ifndef nope\nyes\n#endif\n#endif"), "yes");
}

#[test]
fn wrong_conditions() {
    messages("#if 1 / 0\n#endif", &["1:7: division by zero in preprocessor expression"]);
    messages("#if\n#endif", &["1:2: expected value in expression"]);
    messages("#if 1.0\n#endif", &["1:5: floating point literal in preprocessor expression"]);
    messages("#if F(1)\n#endif", &["1:6: function-like macro 'F' is not defined"]);
    messages("#if (1\n#endif", &["1:5: expected ')' in preprocessor expression"]);
    messages("#if 1, 2\n#endif", &["1:6: comma operator in operand of #if"]);
    messages("#if 1 2\n#endif", &["1:7: token is not a valid binary operator in a preprocessor subexpression"]);
    messages("#if defined(X\n#endif", &["1:13: missing ')' after 'defined'"]);
    messages("\n  #if 1\n", &["2:4: unterminated conditional directive"]);
    messages(
        "#endif\n#else\n#elif 1\n",
        &["1:2: #endif without #if", "2:2: #else without #if", "3:2: #elif without #if"],
    );
    messages(
        "#if 0\n#else\n#else\n#endif",
        &["3:2: #else after #else", "  2:2: previous #else is here", "  1:2: to match this '#if'"],
    );
    messages("#if (1 ? 2)\n#endif", &["1:8: expected ':' in conditional expression"]);
    messages("#if 1 : 2\n#endif", &["1:7: ':' without preceding '?' in preprocessor expression"]);
    messages("#if (1 : 2)\n#endif", &["1:8: expected ')' in preprocessor expression"]);
    messages("#if 1)\n#endif", &["1:6: missing '(' in preprocessor expression"]);
    messages("#if (X(1))\n#endif", &["1:7: function-like macro 'X' is not defined"]);
    messages("#if 1 +\n#endif", &["1:7: expected value in expression"]);
    messages("#if * 1\n#endif", &["1:5: invalid token at start of a preprocessor expression"]);
}

/// clang's parser of conditions recurses, and gives up at some ten thousands.
#[test]
fn conditions_nest_as_deep_as_they_like() {
    let choose = |condition: &str| expand(&format!("#if {condition}\nyes\n#else\nno\n#endif"));
    let around =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000));
    assert_eq!(choose(&around("(", "1", ")")), "yes");
    assert_eq!(choose(&around("!", "1", "")), "yes");
    assert_eq!(choose(&around("!(- ~", "0", ")")), "no");
    assert_eq!(choose(&around("1 ? ", "0", " : 1")), "no");
    assert_eq!(choose(&around("0 ? 1 / 0 : ", "1", "")), "yes");
    assert_eq!(choose(&around("1 + (", "0", ") * 1")), "yes");
    assert_eq!(choose(&around("0 && (", "1", " / 0)")), "no");
}

/// As clang 15 has them in every version of OpenCL C (C99 5.2.1.1); it tells of those in comments in none.
#[test]
fn trigraphs_are_characters() {
    let text = "??=define A ??( ??/\n1 // why??!\nA ??) \"??/??/ ???!\"";
    assert_eq!(run(text).tokens, r#"[ 1 ] "\\ ?|""#);
    let converted = |place: &str, to: char| format!("{place}: trigraph converted to '{to}' character");
    let lines = "// what??!\n??=define B ??<\nint a; /* ??= */ B";
    assert_eq!(run(lines).messages, [converted("2:1", '#'), converted("2:13", '{')]);
    assert_eq!(run("int a ??( ??) ;").messages, [converted("1:7", '['), converted("1:11", ']')]);
}

#[test]
fn wrong_definitions_and_uses() {
    messages("#define", &["1:8: macro name missing"]);
    messages("#define 1 2", &["1:9: macro name must be an identifier"]);
    messages("#define defined", &["1:9: 'defined' cannot be used as a macro name"]);
    messages("#define f(a, a) a", &["1:14: duplicate macro parameter name 'a'"]);
    messages("#define f(a", &["1:12: missing ')' in macro parameter list"]);
    messages("#define f(a b) a", &["1:13: expected comma in macro parameter list"]);
    messages("#define f(a) #b", &["1:14: '#' is not followed by a macro parameter"]);
    messages("#define f ## b", &["1:11: '##' cannot appear at start of macro expansion"]);
    messages("#define f a ##", &["1:13: '##' cannot appear at end of macro expansion"]);
    messages(
        "#define f(a) a\nf(1, 2)",
        &["2:1: too many arguments provided to function-like macro invocation", "  1:9: macro 'f' defined here"],
    );
    messages(
        "#define f(a, b) a\n f(1)",
        &["2:2: too few arguments provided to function-like macro invocation", "  1:9: macro 'f' defined here"],
    );
    messages(
        "#define f(a) a\nx f(1, (2)",
        &["2:3: unterminated function-like macro invocation", "  1:9: macro 'f' defined here"],
    );
    messages(
        "#define X 1\n#define X  1\n#define X 2",
        &["3:9: 'X' macro redefined", "  2:9: previous definition is here"],
    );
    messages("#define p(a, b) a ## b\np(+, /)", &["2:1: pasting formed '+/', an invalid preprocessing token"]);
}

#[test]
fn wrong_tokens() {
    messages("a \"b\nc", &["1:3: missing terminating '\"' character"]);
    messages("a 'b\nc", &["1:3: missing terminating ' character"]);
    messages("#if 0\ndon't `\n#endif", &[]);
    messages("#define X it's\n", &[]);
    messages("a ` €", &["1:3: stray '`' in program", "1:5: unexpected character <U+20AC>"]);
    messages("a /* b\nc", &["1:3: unterminated /* comment"]);
    messages("#if 0\n /* b\nc", &["2:2: unterminated /* comment", "1:2: unterminated conditional directive"]);
    let outcome = run_with(b"a\0b /* \xff */ \"\xfe\" \xff", &Options::default());
    assert_eq!(outcome.tokens, "a b \"\u{fffd}\"");
    assert_eq!(outcome.messages, ["1:17: unexpected character <U+FFFD>"]);
}

#[test]
fn other_directives() {
    messages("#error no  luck // c\n", &["1:2: no  luck // c"]);
    messages("#warning careful\n", &["1:2: careful"]);
    messages("#bogus\n", &["1:2: invalid preprocessing directive '#bogus'"]);
    messages("#endif x\n", &["1:8: extra tokens at end of #endif directive", "1:2: #endif without #if"]);
    assert_eq!(expand("#\n # /* c */\n%: define A 1\n#ident \"x\"\nA"), "1");
}

#[test]
fn lines_and_files() {
    assert_eq!(expand("__LINE__\n__LINE__ \\\n__LINE__\n  __LINE__"), "1 2 3 4");
    assert_eq!(
        expand("#line 42\n__LINE__ __FILE__\n#line 7 \"b\\\\c.cl\"\n\n__LINE__ __FILE__"),
        "42 \"a.cl\" 8 \"b\\\\c.cl\""
    );
    assert_eq!(expand("#define L __LINE__\n#define f(x) x __LINE__\nL\nf(\n__LINE__\n)"), "3 5 6");
    assert_eq!(expand("# 30 \"z.h\" 1\n__LINE__ __FILE__"), "30 \"z.h\"");
    assert_eq!(expand("__COUNTER__ __COUNTER__ __INCLUDE_LEVEL__"), "0 1 0");
    messages("#line x", &["1:7: #line directive requires a positive integer argument"]);
}

#[test]
fn includes() {
    let options = with_files(&[
        ("a.h", "#pragma once\nA __FILE__ __INCLUDE_LEVEL__\n"),
        ("dir/b.h", "#ifndef B\n#define B 1\nB\n#endif"),
        ("open.h", "#if 1\n f("),
        ("self.h", "#include \"self.h\"\n"),
    ]);
    let text = "#include \"a.h\"\n#include <a.h>\n#define M2S(x) S2(x)\n#define S2(x) #x\n#define PATH dir\n\
        #include M2S(PATH/b.h)\n#define ANGLED <dir/b.h>\n#include ANGLED\nend";
    let outcome = run_with(text.as_bytes(), &options);
    assert_eq!(outcome.tokens, "A \"a.h\" 1 1 end");
    assert_eq!(outcome.messages, Vec::<String>::new());
    let outcome = run_with(b"#include \"none.h\"\n#include\n#include x\n#include \"\"\nend", &options);
    assert_eq!(outcome.tokens, "end");
    assert_eq!(
        outcome.messages,
        [
            "1:10: 'none.h' file not found",
            "2:2: expected \"FILENAME\" or <FILENAME>",
            "3:10: expected \"FILENAME\" or <FILENAME>",
            "4:10: empty filename"
        ]
    );
    let outcome = run_with(b"#define f(x) x\n#include \"open.h\"\n1) #endif", &options);
    assert!(
        outcome.messages[0].ends_with("2:2: unterminated function-like macro invocation"),
        "{:?}",
        outcome.messages
    );
    let outcome = run_with(b"#include \"self.h\"\n", &options);
    assert_eq!(outcome.messages, ["1:10: #include nested too deeply"]);
    let text = "#if __has_include(\"a.h\") && __has_include(<dir/b.h>) && !__has_include(\"c\")\nyes\n#endif";
    assert_eq!(run_with(text.as_bytes(), &options).tokens, "yes");
}

#[test]
fn queries() {
    assert_eq!(expand("#if defined(__has_attribute) && __has_attribute(__packed__)\nyes\n#endif"), "yes");
    assert_eq!(expand("__has_extension(cl_khr_fp64) __has_feature(modules) __has_builtin(__builtin_inff)"), "1 0 1");
}

#[test]
fn pragmas() {
    let outcome = run(
        "a\n#pragma OPENCL EXTENSION cl_khr_fp64:enable\n#define N 4\nb\n#pragma unroll N\nc _Pragma(\"unroll (2)\") d\n\
         #define P(x) _Pragma(#x)\nP(OPENCL FP_CONTRACT OFF) e\n#pragma omp parallel\n#pragma clang diagnostic push\n",
    );
    assert_eq!(outcome.tokens, "a b c d e");
    assert_eq!(outcome.messages, ["9:9: unknown pragma ignored"]);
    let pragmas: Vec<(u32, &str)> = outcome.pragmas.iter().map(|pragma| (pragma.before, &pragma.text[..])).collect();
    let expected = [
        (1, "OPENCL EXTENSION cl_khr_fp64 : enable"),
        (2, "unroll 4"),
        (3, "unroll ( 2 )"),
        (4, "OPENCL FP_CONTRACT OFF"),
    ];
    assert_eq!(pragmas, expected);
    let again = run(&outcome.printed);
    let pragmas: Vec<(u32, &str)> = again.pragmas.iter().map(|pragma| (pragma.before, &pragma.text[..])).collect();
    assert_eq!(pragmas, expected, "{}", outcome.printed);
    same("#define X 1\n#pragma push_macro(\"X\")\n#undef X\n#define X 2\nX\n#pragma pop_macro(\"X\")\nX", "2 1");
    let outcome = run("#define N 4\n#pragma pack(push, N)\nx");
    assert_eq!(outcome.pragmas[0].text, "pack ( push , 4 )");
}

#[test]
fn command_line() {
    let options = Options::default().with(|o| {
        o.language.macros = vec![
            MacroOption::Define("A".into(), None),
            MacroOption::Define("B".into(), Some("x y".into())),
            MacroOption::Define("F(x)".into(), Some("<x>".into())),
            MacroOption::Define("E".into(), Some(String::new())),
            MacroOption::Define("M_PI".into(), Some("3".into())),
            MacroOption::Undefine("NULL".into()),
            MacroOption::Define("I".into(), Some("1\n#error injected".into())),
        ]
    });
    let outcome = run_with(b"A B F(2) E M_PI NULL I __LINE__", &options);
    assert_eq!(outcome.tokens, "1 x y < 2 > 3 NULL 1 1");
    assert_eq!(outcome.messages, Vec::<String>::new());
}

#[test]
fn predefined() {
    assert_eq!(expand("__OPENCL_C_VERSION__ NULL CHAR_MIN"), "120 ( ( void * ) 0 ) ( - 127 - 1 )");
    assert_eq!(
        expand("kernel_exec(8, float4)"),
        "__kernel __attribute__ ( ( work_group_size_hint ( 8 , 1 , 1 ) ) ) __attribute__ ( ( vec_type_hint ( float4 ) ) )"
    );
    assert_eq!(expand("#undef M_PI\n#ifdef M_PI\nno\n#endif\nM_PI"), "M_PI");
    messages("#define M_PI 3", &["1:9: 'M_PI' macro redefined", "  1:9: previous definition is here"]);
    assert_eq!(expand("#define NULL ((void*)0)\nNULL"), "( ( void * ) 0 )");
}

#[test]
fn macro_bombs_end() {
    let mut text = String::from("#define A0 x x\n");
    for level in 1..40 {
        text.push_str(&format!("#define A{level} A{0} A{0}\n", level - 1));
    }
    text.push_str("A39\n");
    assert_eq!(run(&text).messages, ["41:1: macro expansion makes too many tokens"]);
    let nested = format!("#define f(x) x x\n{}1{}", "f(".repeat(39), ")".repeat(39));
    assert!(run(&nested).messages[0].ends_with("macro expansion makes too many tokens"));
    let nested = format!("#define f(x) x\n{}1{}", "f(".repeat(5000), ")".repeat(5000));
    assert!(run(&nested).messages[0].ends_with("macro arguments are nested too deeply"));
    let nested = format!("#define s(x) #x\n#define t(x) s(x)\n{}\"\"{}", "t(".repeat(60), ")".repeat(60));
    assert!(run(&nested).messages[0].ends_with("macro expansion makes too many tokens"));
}

#[test]
fn printing_keeps_tokens_apart() {
    same("#define f(x) -x\n#define g +\n#define e\nf(-1) + g= a e+ e+ .e.", "- -1 + + = a + + . .");
    same("#define H #\n a H define X\nX", "a # define X X");
    assert_eq!(run("int  a ;\n\n\tb=c;\n").printed, "int a ;\n\tb=c;\n");
}

#[test]
fn library_ignores_user_macros_but_not_its_pragmas() {
    let options = Options::default().with_macro("A", None);
    let (mut interner, mut sources, mut sink, mut table) =
        (Interner::new(), SourceMap::new(), Sink::new(), TokenTable::default());
    let text = "#pragma OPENCL FP_CONTRACT OFF\nA M_PI_F".to_owned();
    let range = preprocess_library("lib.cl", text, &options, &mut interner, &mut sources, &mut sink, &mut table);
    let tokens: Vec<&str> = table.tokens.iter().map(|token| interner.text(token.text)).collect();
    assert_eq!((range, &tokens[..]), (0..3, &["A", "3.141592653589793238462643f", ""][..]));
    assert_eq!((table.pragmas.len(), table.pragmas[0].before), (1, 0));
}
