//! Tests of the parser. Expected trees are derived by hand from the C99 grammar; which sources are errors, and where,
//! is taken from clang.

use super::*;
use crate::ast::print;
use clforge_basic::diag::Severity;
use clforge_basic::options::Options;
use clforge_basic::source::SourceMap;

/// Tree and diagnostics (`line:column: message`) of a source.
fn parse_with(text: &str, options: &Options) -> (String, Vec<String>) {
    let mut interner = Interner::new();
    let mut sources = SourceMap::new();
    let mut sink = Sink::new();
    let mut table = TokenTable::default();
    let source = clforge_basic::Source { name: "test.cl", text: text.as_bytes() };
    let range = crate::preprocess::preprocess(source, options, &mut interner, &mut sources, &mut sink, &mut table);
    let arena = Bump::new();
    let unit = parse(&arena, &table, range, &mut interner, &mut sink, options.language.version());
    let tree = print::print(&unit, &interner);
    let place = |diagnostic: &Diagnostic| {
        let loc = sources.file_loc(diagnostic.range?.start);
        let (file, offset) = sources.locate(loc.pos)?;
        Some(sources.file(file).line_column(offset))
    };
    let (diagnostics, _) = sink.into_parts();
    let messages = diagnostics.iter().map(|diagnostic| {
        let (line, column) = place(diagnostic).unwrap_or((0, 0));
        let kind = if diagnostic.severity == Severity::Warning { "warning: " } else { "" };
        format!("{line}:{column}: {kind}{}", diagnostic.message)
    });
    (tree, messages.collect())
}

/// The tree of a correct source.
#[track_caller]
fn tree(text: &str) -> String {
    let (tree, messages) = parse_with(text, &Options::default());
    assert_eq!(messages, Vec::<String>::new(), "in {text}");
    tree
}

/// The tree of a correct expression.
#[track_caller]
fn expression(text: &str) -> String {
    let tree = tree(&format!("typedef int T; void f(void) {{ {text}; }}"));
    let body = tree.split_once("(block\n").map(|(_, body)| body.trim().trim_end_matches('\n')).unwrap_or_default();
    body.strip_suffix("))").unwrap_or(body).to_owned()
}

/// The diagnostics of a source.
fn errors(text: &str) -> Vec<String> {
    parse_with(text, &Options::default()).1
}

/// Runs `test` with the stack the compiler has.
fn with_compiler_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread");
    thread.join().expect("the test passes");
}

#[test]
fn operators_bind_as_in_c() {
    let cases = [
        ("a + b * c - d", "(- (+ a (* b c)) d)"),
        ("a = b = c", "(= a (= b c))"),
        ("a += b -= 1", "(+= a (-= b 1))"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a ? b, c : d", "(? a (, b c) d)"),
        ("a ? b ? 1 : 2 : 3", "(? a (? b 1 2) 3)"),
        ("a ?: b", "(?: a b)"),
        ("a = b ? c : d", "(= a (? b c d))"),
        (
            "a || b && c | d ^ e & f == g < h << i + j * k",
            "(|| a (&& b (| c (^ d (& e (== f (< g (<< h (+ i (* j k))))))))))",
        ),
        ("a * b / c % d", "(% (/ (* a b) c) d)"),
        ("a < b == c > d", "(== (< a b) (> c d))"),
        ("a, b = c, d", "(, a (= b c) d)"),
        ("-a - -b", "(- (- a) (- b))"),
        ("!~a", "(! (~ a))"),
        ("*p++", "(* (_++ p))"),
        ("++*p", "(++_ (* p))"),
        ("a+++b", "(+ (_++ a) b)"),
        ("&a[1].b->c(2, 3)(4)", "(& (call (call (-> (. (index a 1) b) c) 2 3) 4))"),
        ("f((a, b), c)", "(call f (paren (, a b)) c)"),
        ("f()", "(call f)"),
    ];
    for (text, tree) in cases {
        assert_eq!(expression(text), tree, "for {text}");
    }
}

#[test]
fn types_and_operands_in_parentheses() {
    let cases = [
        ("(T)(x)", "(cast <T> (paren x))"),
        ("(T)*p", "(cast <T> (* p))"),
        ("(T)-x", "(cast <T> (- x))"),
        ("(x)-y", "(- (paren x) y)"),
        ("(T)x.y", "(cast <T> (. x y))"),
        ("(T){1}.y", "(. (literal <T> {1}) y)"),
        ("-(T){1}", "(- (literal <T> {1}))"),
        ("(T)(T)x", "(cast <T> (cast <T> x))"),
        ("(float4)(a, 1.0f)", "(cast <float4> (paren (, a 1.0f)))"),
        ("(global int *)p", "(cast <pointer to global int> p)"),
        ("(int (*)[3])p", "(cast <pointer to array[3] of int> p)"),
        ("sizeof(T)", "(sizeof <T>)"),
        ("sizeof(T) - 1", "(- (sizeof <T>) 1)"),
        ("sizeof (T){0}", "(sizeof (literal <T> {0}))"),
        ("sizeof (T){0}.x", "(sizeof (. (literal <T> {0}) x))"),
        ("sizeof(x).y", "(sizeof (. (paren x) y))"),
        ("sizeof -x * 2", "(* (sizeof (- x)) 2)"),
        ("sizeof sizeof x", "(sizeof (sizeof x))"),
        ("__alignof__(T)", "(alignof <T>)"),
        ("vec_step(float4)", "(vec_step <float4>)"),
        ("vec_step(x)", "(call vec_step x)"),
        ("__builtin_astype(a + b, float)", "(as_type <float> (+ a b))"),
        ("__builtin_offsetof(struct S, a.b[2].T)", "(offsetof <struct S> .a.b[2].T)"),
        ("__extension__ (x + 1)", "(paren (+ x 1))"),
        ("x.T", "(. x T)"),
        ("\"a\\n\" \"b\\x41\\101\"", "\"a\\nbAA\""),
        ("'a' + '\\n' + '\\xff'", "(+ (+ (char 97) (char 10)) (char -1))"),
    ];
    for (text, tree) in cases {
        assert_eq!(expression(text), tree, "for {text}");
    }
}

#[test]
fn declarators_read_from_the_name_outward() {
    let cases = [
        ("int *a[3];", "(declare a: array[3] of pointer to int)"),
        ("int (*a)[3];", "(declare a: pointer to array[3] of int)"),
        (
            "int *(*f(int a))(float, char *);",
            "(declare f: function(a: int) returning pointer to function(float, pointer to char) returning pointer to int)",
        ),
        (
            "int f(void), g(), *h(int, ...);",
            "(declare f: function(void) returning int; g: function() returning int; h: function(int, ...) returning pointer to int)",
        ),
        ("__global float * const restrict p;", "(declare p: pointer(const restrict) to global float)"),
        (
            "constant int a[2][2] = { { 1, 2 }, [1] = { [0 ... 1] = 3, }, };",
            "(declare a: array[2] of array[2] of constant int = {{1, 2}, [1] = {[0 ... 1] = 3}})",
        ),
        (
            "int f(int a[static 3], int b[const], int c[*]);",
            "(declare f: function(a: array[static 3] of int, b: array[const ] of int, c: array[*] of int) returning int)",
        ),
        ("unsigned long int x, y;", "(declare x: unsigned long int; y: unsigned long int)"),
        (
            "void f(int (x), int (*)(int), int ());",
            "(declare f: function(x: int, pointer to function(int) returning int, function() returning int) returning void)",
        ),
        (
            "struct S { int a, *b; union { int c; float d; }; ; };",
            "(declare struct S { (member a: int; b: pointer to int) (member union { (member c: int) (member d: float) }) })",
        ),
        (
            "typedef struct { char c; } __attribute__((__packed__)) S;",
            "(declare S: typedef struct { (member c: char) } @packed)",
        ),
        ("enum E { A, B = 1 + 2, C, } e;", "(declare e: enum E { A B=(+ 1 2) C })"),
        ("int x __attribute__((aligned(16), unused));", "(declare x: int @aligned(16) @unused)"),
        (
            "__attribute__((vec_type_hint(float4))) kernel void f(read_only image2d_t i, sampler_t s);",
            "(declare f: function(i: read_only image2d_t, s: sampler_t) returning kernel void @vec_type_hint(float4))",
        ),
        ("typeof(1 + 2) x; __typeof__(int *) y;", "(declare x: typeof((+ 1 2)))\n(declare y: typeof(pointer to int))"),
        ("struct P { int x; } p = { .x = 3 };", "(declare p: struct P { (member x: int) } = {.x = 3})"),
        (";_Static_assert(1, \"x\"); int x;", "(declare static-assert 1)\n(declare x: int)"),
        ("__extension__ typedef int T; T x;", "(declare T: typedef int)\n(declare x: T)"),
    ];
    for (text, expected) in cases {
        assert_eq!(tree(text).trim_end(), expected, "for {text}");
    }
}

#[test]
fn statements() {
    let text = "kernel void f(int n) {
        if (n) ; else if (n == 1) n = 2; else { }
        for (int i = 0; i < 3; i++) continue;
        for (;;) break;
        while (n) do n--; while (n > 1);
        switch (n) { case 1: case 2 ... 5: int q = 3; default: ; }
        if (n) if (n) ; else ;
        __attribute__((opencl_unroll_hint(4))) for (n = 1;; n++) { }
        int w = ({ int r = 3; r; });
        end: goto end;
        return;
        last: }";
    let expected = "(function f: function(n: int) returning kernel void
  (block
    (if n
      (empty)
     else-if (== n 1)
      (= n 2)
     else
      (block))
    (for (declare i: int = 0); (< i 3); (_++ i)
      (continue))
    (for _; _; _
      (break))
    (while n
      (do-while (> n 1)
        (_-- n)))
    (switch n
      (block
        (case 1
          (case 2 ... 5
            (empty)))
        (declare q: int = 3)
        (default
          (empty))))
    (if n
      (if n
        (empty)
       else
        (empty)))
    (attributed @opencl_unroll_hint(4)
      (for (= n 1); _; (_++ n)
        (block)))
    (declare w: int = (statement
      (block
        (declare r: int = 3)
        r)))
    (label end
      (goto end))
    (return)
    (label last
      (empty))))
";
    assert_eq!(tree(text), expected);
}

#[test]
fn names_hide_types_where_c_says_so() {
    // Each is one that clang accepts; read wrongly (T as type or as variable) it is a syntax error.
    let cases = [
        "void f(int T) { T = 3; }",
        "struct S { int T; }; int f(struct S s) { return s.T; }",
        "void f(void) { T: goto T; }",
        "void f(void) { T T; T = 1; }",
        "void f(void) { { int T = 1; T++; } T y = 2; }",
        "void f(void) { for (T i = 0; i < 2; i++) ; T x; }",
        "void f(void) { for (int T = 0; T < 2; T++) if (T) T += 1; else T -= 1; T x; }",
        "unsigned f(uint uint) { return uint + 1; } typedef unsigned int uint; uint x;",
        "void f(void) { enum { T = 3 }; int x = T * 2 + T; }",
        "void f(void) { struct T { T x; } T; T.x = 1; }",
        "typedef T U; typedef T T; T x; U y;",
        "void f(T); void g(T T) { T++; } T f2(void);",
        "void f(int (T)) { } void (g)(int T) { T++; } ",
        "void f(void) { T x = 1, T = x; T = 2; }",
        "void f(void) { int x = ({ int T = 2; T = 2; T; }); T y; }",
        "void f(int x) { switch (x) { case sizeof(T): ; T y; break; } }",
        "void f(int x) { int y = x ? (T)1 : (T)2; }",
        "void f(void) { extern int g(T T), h(T); T z; }",
        "void f(void) { typedef int L; L x = 1; { typedef float L; L y; } L z; }",
        "int f(int a, int (*g)(int T)) { T x; return x; }",
        "void f(void) { void (^b)(int) = ^(int T) { T++; }; T x; }",
        "enum E { A = sizeof(T), T2 }; struct Q { enum { B } e; T T; T U; };",
        "int f(void) { T *p, T = sizeof(p); return T; }",
    ];
    for text in cases {
        tree(&format!("typedef int T; {text}"));
    }
}

#[test]
fn keywords_of_other_versions_are_names() {
    tree("typedef float2 complex; complex f(complex pipe, int generic) { return pipe; }");
    let options = Options::default().with_cl_std(ClStd::CL3_0);
    let (tree, messages) = parse_with("kernel void f(read_only pipe int p, generic int *q) { }", &options);
    assert_eq!(messages, Vec::<String>::new());
    assert!(tree.starts_with("(function f: function(p: read_only pipe int, q: pointer to generic int)"), "{tree}");
}

#[test]
fn syntax_errors_read_as_clang_writes_them() {
    let cases = [
        ("void f(void) { int x = 1 int y; }", "1:25: expected ';' at end of declaration"),
        ("void f(int x) { x = ; }", "1:21: expected expression"),
        ("void f(int x) { x = 1\nx = 2; }", "1:22: expected ';' after expression"),
        ("void f(void) { if x; }", "1:19: expected '(' after 'if'"),
        ("void f(void) { for (;;; ) ; }", "1:23: expected expression"),
        ("void f(void) { int 3; }", "1:20: expected identifier or '('"),
        ("void f(void) { int x[3; }", "1:23: expected ']'"),
        // As clang, one for each parenthesis.
        ("void f(void) { f((1; }", "1:20: expected ')'\n1:20: expected ')'"),
        ("void f(void) { else; }", "1:16: expected expression"),
        ("void f(float4 x) { x = float4(1, 2, 3, 4); }", "1:24: unexpected type name 'float4': expected expression"),
        ("int f(float x) { return int(x); }", "1:25: expected expression"),
        ("void f(int a,) { }", "1:14: expected parameter declarator"),
        ("void f(foo a) { }", "1:8: unknown type name 'foo'"),
        ("void f(flaot4 a) { }", "1:8: unknown type name 'flaot4'; did you mean 'float4'?"),
        ("foo x;", "1:1: unknown type name 'foo'"),
        ("struct S { int x; }; S y;", "1:22: must use 'struct' tag to refer to type 'S'"),
        ("void f(void) { -{ 1 }; }", "1:17: expected expression"),
        ("void f(void) { (int x)3; }", "1:21: expected ')'"),
        ("void f(void) { void g(void) { } }", "1:29: function definition is not allowed here"),
        ("struct { int x; }", "1:18: expected ';' after struct"),
        ("int x = 3, ;", "1:12: expected identifier or '('"),
        ("int a[3] = { 1,, 2 };", "1:16: expected expression"),
        ("int x y;", "1:6: expected ';' after top level declarator"),
        ("unsigned float4 x;", "1:16: expected ';' after top level declarator"),
        ("typedef int T; void f(int T) { T x; }", "1:32: unknown type name 'T'"),
        ("void f(int x) { x.; }", "1:19: expected identifier"),
        // As clang, for what is missing too.
        ("void f(int a) { a ? 1; }", "1:22: expected ':'\n1:22: expected expression"),
        ("void f(void) { do ; }", "1:21: expected 'while' in do/while loop"),
        ("void f(void) { while (1) break }", "1:31: expected ';' after break statement"),
        ("int f(void) { return 1 }", "1:23: expected ';' after return statement"),
        ("void f(void) { int x = 1;", "1:26: expected '}'"),
        ("}", "1:1: extraneous closing brace ('}')"),
        ("struct S { int a };", "1:17: warning: expected ';' at end of declaration list"),
        ("int x = 08;", "1:10: invalid digit '8' in octal constant"),
        ("int x = 0x;", "1:10: invalid suffix 'x' on integer constant"),
        ("float x = 1e;", "1:12: exponent has no digits"),
        ("int x = 1uu;", "1:10: invalid suffix 'uu' on integer constant"),
        ("int x = 'ab';", "1:9: warning: multi-character character constant"),
        ("int x = '\\q';", "1:10: warning: unknown escape sequence '\\q'"),
    ];
    for (text, message) in cases {
        assert_eq!(errors(text).join("\n"), message, "for {text}");
    }
}

#[test]
fn parsing_goes_on_after_an_error() {
    let text = "void f(int x) {
        x = ;
        x = 1;
        if (x { x = 2; }
        x = (3;
        g(x);
    }
    foo y;
    int z;
    int f(a, b) int a; int b; { return a; }
    void g(int x) { asm volatile (\"nop\" : : ); }";
    let (tree, messages) = parse_with(text, &Options::default());
    let expected =
        ["2:13: expected expression", "4:15: expected ')'", "5:15: expected ')'", "8:5: unknown type name 'foo'"];
    assert_eq!(messages, expected);
    // Only the expression that is missing is left out, and what is right or of unknown types is kept.
    let expected = "(function f: function(x: int) returning void
  (block
    (= x skipped))
    (= x 1)
    (if x
      (block
        (= x 2)))
    (= x (paren 3))
    (call g x)))
(declare y: foo)
(declare z: int)
(function f: function(a: int, b: int) returning int
  (block
    (return a)))
(function g: function(x: int) returning void
  (block
    (asm)))
";
    assert_eq!(tree, expected);
}

#[test]
fn nesting_is_bounded_by_a_diagnostic() {
    with_compiler_stack(|| {
        let function = |body: String| format!("int f(int a) {{ {body} }}");
        let repeat =
            |n: usize, open: &str, middle: &str, close: &str| function(open.repeat(n) + middle + &close.repeat(n));
        let fine = [
            repeat(1, "return ", &"(".repeat(250), &(String::from("a") + &")".repeat(250) + ";")),
            repeat(1, "return a", &" + a".repeat(150_000), ";"),
            repeat(1, "return ", &"a ? 1 : ".repeat(15_000), "2;"),
            repeat(1, "if (a) ; ", &"else if (a == 3) a++;\n".repeat(10_000), ""),
            repeat(1_500, "if (a) ", ";", ""),
            repeat(1, "switch (a) ", &(0..5_000).map(|i| format!("case {i}:")).collect::<String>(), ";"),
        ];
        for text in fine {
            assert_eq!(errors(&text), Vec::<String>::new());
        }
        let deep = [
            (repeat(300, "(", "a", ")"), "bracket nesting level exceeded maximum of 256"),
            (repeat(300, "{", "", "}"), "bracket nesting level exceeded maximum of 256"),
            (repeat(100_000, "(", "", ""), "bracket nesting level exceeded maximum of 256"),
            (repeat(1, "return a", &" + a".repeat(250_000), ";"), "expression is too long: more than 200000 operators"),
            (repeat(100_000, "- ", "a", ";"), "expression is nested too deeply: more than 20000 levels"),
            (repeat(50_000, "a = ", "a", ";"), "expression is nested too deeply"),
            (repeat(10_000, "if (a) ", ";", ""), "statements are nested too deeply: more than 2000 levels"),
            (repeat(1, "switch (a) ", &"default: ".repeat(50_000), ";"), "more than 20000 labels on one statement"),
            (
                format!("int {}p;", "*".repeat(100_000)),
                "declarator is too complex: more than 256 pointers, arrays and functions",
            ),
        ];
        for (text, message) in deep {
            let messages = errors(&text);
            assert!(messages.first().is_some_and(|first| first.ends_with(message)), "{messages:?}");
        }
    });
}

#[test]
fn wrong_nesting_does_not_cost_exponential_time() {
    with_compiler_stack(|| {
        // Each would be tried 2^n times if two alternatives of the grammar shared the nested prefix.
        let cases = [
            "void f() {".to_owned() + &"{".repeat(200),
            "void f() {".to_owned() + &"L: {".repeat(200) + ")" + &"}".repeat(201),
            "void f(int a) {".to_owned() + &"if (a) { } else if (a) {".repeat(200) + ")" + &"}".repeat(201),
            "int f(int a) { return ".to_owned() + &"({ int x = ".repeat(60) + "1 1" + &"; x; })".repeat(60) + "; }",
            "struct { } ".to_owned()
                + &"__attribute__((a(sizeof(struct { } ".repeat(40)
                + ")"
                + &"))))".repeat(40)
                + " x;",
            "void f(".to_owned() + &"int (*g)(".repeat(100) + "3" + &")".repeat(101) + ";",
            "void f() { ".to_owned() + &"(typeof(".repeat(60) + ")" + &"))".repeat(60) + "a; }",
            "int x = ".to_owned() + &"{".repeat(200) + ";",
            "int x = ".to_owned() + &"(int){ (int[]){ ".repeat(60) + "+" + &"}}".repeat(60) + ";",
            "int x = ".to_owned() + &"a[f(".repeat(100) + &")]".repeat(99) + ";",
        ];
        for text in cases {
            assert!(!errors(&text).is_empty());
        }
    });
}

#[test]
fn every_cut_of_a_program_is_handled() {
    let text = "typedef struct __attribute__((packed)) { int a[2]; float4 v; } S; enum { A, B = 2 };
        constant S table[] = { { .a = { 1, 2 } }, [1] = { .v = (float4)(0.0f) } };
        kernel void f(global int *p, local S *s) {
            for (int i = 0; i < 3; i++) { if (p[i] > 1) s->v.xy += (float2)(i, sizeof(S)); else break; }
            switch (*p) { case A ... B: do { p[0]--; } while (0); default: return; }
            int x = ({ int y = p[0] ?: 3; y; }); end: goto end;
        }";
    for cut in 0..text.len() {
        let (Some(head), Some(tail)) = (text.get(..cut), text.get(cut..)) else { continue };
        errors(head);
        errors(tail);
        // And with one character gone.
        errors(&(head.to_owned() + tail.get(1..).unwrap_or_default()));
    }
}

#[test]
fn numbers() {
    use crate::ast::FloatSuffix::{Float, Half, Long, None as Plain};
    use literal::{Number, parse_number};
    let integer = |value, decimal, unsigned, long| {
        Ok(Number::Integer(crate::ast::IntegerLiteral { value, decimal, unsigned, long }))
    };
    assert_eq!(parse_number("0"), integer(0, true, false, 0));
    assert_eq!(parse_number("42u"), integer(42, true, true, 0));
    assert_eq!(parse_number("0777"), integer(511, false, false, 0));
    assert_eq!(parse_number("0xFFul"), integer(255, false, true, 1));
    assert_eq!(parse_number("0b101LLU"), integer(5, false, true, 2));
    assert_eq!(parse_number("18446744073709551615"), integer(u64::MAX, true, false, 0));
    assert_eq!(parse_number("0xffffffffffffffff"), integer(u64::MAX, false, false, 0));
    let floating = |digits, suffix| Ok(Number::Floating { digits, suffix });
    assert_eq!(parse_number("1."), floating(2, Plain));
    assert_eq!(parse_number(".5h"), floating(2, Half));
    assert_eq!(parse_number("1e+10F"), floating(5, Float));
    assert_eq!(parse_number("09.5"), floating(4, Plain));
    assert_eq!(parse_number("0x1.8p-3f"), floating(8, Float));
    assert_eq!(parse_number("0x.8P1L"), floating(6, Long));
    let wrong = [
        "18446744073709551616",
        "0x1ffffffffffffffff",
        "08",
        "0b2",
        "0x",
        "0b",
        "1e",
        "1e+",
        "0x1.8",
        "0x.p1",
        "1.0q",
        "1lul",
        "1lL",
        "1uu",
        "1f",
        "0xg",
        "1_000",
        "1.2.3",
        "0x1e+3",
    ];
    for text in wrong {
        assert!(parse_number(text).is_err(), "{text}");
    }
}
