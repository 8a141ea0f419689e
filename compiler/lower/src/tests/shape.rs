//! The exact form of the IR, where it matters.

use super::{lower, lower_with, try_lower};
use clforge_basic::options::Options;
use clforge_ir::{KernelParameter, LoopHint, Op, Space, Type, print};

/// The text of a function's body without `alloca`s and their loads and stores.
fn text(source: &str) -> String {
    print::print(&lower(source))
}

/// Kernels, and only what they reach; a kernel that another calls is there as a function too.
#[test]
fn roots() {
    let module = lower(
        "void unused(void) {} int twice(int x) { return 2 * x; }
         kernel void inner(global int *p) { *p = twice(*p); }
         kernel void outer(global int *p) { inner(p); }",
    );
    let names: Vec<_> = module.functions.iter().map(|f| (f.name.as_str(), f.kernel.is_some(), f.exported)).collect();
    let expected =
        [("inner", true, true), ("outer", true, true), ("twice", false, false), ("inner.function", false, false)];
    assert_eq!(names, expected);
    let module = lower("void first(void) {} static void second(void) {} int third(int x) { return x; }");
    let names: Vec<_> = module.functions.iter().map(|f| (f.name.as_str(), f.exported)).collect();
    assert_eq!(names, [("first", true), ("third", true)]);
}

/// How parameters of kernels are passed, and the numbers of `clGetKernelArgInfo` (`cl.h`).
#[test]
fn kernel_parameters() {
    let module = lower(
        "struct S { float3 v; char c; };
         kernel __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(float4)))
         void k(const global float4 *restrict a, local short *b, constant int *c, struct S s, uchar3 u, ulong n) {}",
    );
    let kernel = module.functions.raw[0].kernel.as_ref().expect("a kernel");
    let kinds: Vec<_> = kernel.arguments.iter().map(|argument| argument.kind).collect();
    let expected = [
        KernelParameter::Pointer(Space::Global),
        KernelParameter::Local { element_size: 2, align: 2 },
        KernelParameter::Pointer(Space::Constant),
        KernelParameter::ByValue { size: 32, align: 16 },
        KernelParameter::Value(Type::vector(Type::I8.scalar, 3)),
        KernelParameter::Value(Type::I64),
    ];
    assert_eq!(kinds, expected);
    let info = &kernel.arguments[0].info;
    assert_eq!((info.name.as_str(), info.type_name.as_str()), ("a", "float4*"));
    assert_eq!((info.address_qualifier, info.access_qualifier, info.type_qualifiers), (0x119B, 0x11A3, 1 | 2));
    assert_eq!(kernel.attributes, "reqd_work_group_size(8,4,1) vec_type_hint(float4)");
}

/// A condition is tested as it is, without making an `int` of it first.
#[test]
fn conditions_stay_bool() {
    let text = text("void f(global int *p, int a, int b) { if (!(a < b && b != 3)) *p = 1; while (a) a--; }");
    assert!(!text.contains("zext"), "{text}");
    assert_eq!(text.matches("= ne ").count(), 2, "{text}");
}

/// Constants added to a signed index go to the displacement; the index itself is not widened.
#[test]
fn indices() {
    let text = text("int f(global int *p, int i, uint u) { return p[i - 2] + p[u] + p[3]; }");
    assert!(text.contains(" * 4 + -8]"), "{text}");
    assert!(text.contains(" * 4 + 0]") && text.contains(" [12]"), "{text}");
    assert_eq!(text.matches("zext").count(), 1, "{text}");
    assert!(!text.contains("sext"), "{text}");
}

/// `do { … } while (0)` of macros leaves no loop; hints are kept on those that are.
#[test]
fn loops_and_hints() {
    let module = lower(
        "int f(int n) {
            int s = 0;
            do { s++; } while (0);
            __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; i++) s += i;
            return s;
        }",
    );
    let hint = |op: &Op| if let Op::Loop { hint, .. } = op { Some(*hint) } else { None };
    let hints: Vec<_> = module.functions.raw[0].insts.iter().filter_map(|inst| hint(&inst.op)).collect();
    assert_eq!(hints, [LoopHint::UnrollBy(4)]);
}

/// Volatile accesses are marked, all of them and no others.
#[test]
fn volatile_accesses() {
    let text = text("int f(volatile global int *p, global int *q) { *p += *q; p[1] = 0; return *p; }");
    assert_eq!(text.matches("load volatile align 4").count(), 2, "{text}");
    assert_eq!(text.matches("store volatile align 4").count(), 2, "{text}");
}

/// What cannot be lowered is reported at its place.
#[test]
fn what_is_not_supported_is_told() {
    let (_, messages) = try_lower("int f(int x) { goto in; x = ({ in: 1; }); return x; }");
    assert_eq!(messages, ["cannot jump from this 'goto' statement to its label: it enters a statement expression"]);
}

/// Members of packed records are copied in units that they are aligned to, however the pointer was made.
/// Each unit is kept in a variable before it is stored.
#[test]
fn copies_of_packed_members() {
    let bytes = |declaration: &str, from: &str| {
        let source =
            format!("{declaration} void f(global struct s *p, int *to) {{ __builtin_memcpy(to, {from}, 8); }}");
        let text = text(&source);
        (text.matches(": i8 = load align 1").count(), text.matches(": i32 = load align 4").count())
    };
    let packed = "struct __attribute__((packed)) s { char c; int a[2]; };";
    for from in [
        "p->a",
        "&p->a",
        "&p->a[0]",
        "(global void *)p->a",
        "(global int *)&p->a",
        "p[1].a",
        "(global int *)(global void *)p->a",
    ] {
        assert_eq!(bytes(packed, from), (16, 0), "{from}");
    }
    let plain = "struct s { char c; int a[2]; };";
    for from in ["p->a", "&p->a", "(global void *)p->a", "(global char *)p + 4"] {
        assert_eq!(bytes(plain, from), if from.contains("char") { (16, 0) } else { (0, 4) }, "{from}");
    }
}

#[test]
fn a_program_of_too_many_instructions_is_an_error() {
    let options = Options::default().with_max_instructions(1000);
    let too_large = ["the program is too large: it has more than 1000 instructions"];
    let text = format!("kernel void k(global int *p) {{ {} }}", "p[0] = 1;".repeat(40_000));
    let (module, messages) = lower_with(&text, &options);
    assert_eq!(messages, too_large);
    assert!(module.functions.is_empty() || module.functions.raw[0].insts.is_empty(), "the function is not kept");
    // Many small functions, and jumps and expressions that statements are missing from.
    let functions =
        (0..400).map(|i| format!("kernel void k{i}(global int *p) {{ p[0] = {i}; }}\n")).collect::<String>();
    assert_eq!(lower_with(&functions, &options).1, too_large);
    let text = format!(
        "kernel void k(global int *p) {{ L: {} p[0] = ({{ if (p[1]) goto L; int a = p[2]; a; }}); switch (p[3]) {{ {} }} }}",
        "p[0] = 1;".repeat(500),
        (0..500).map(|i| format!("case {i}: p[0] = {i};")).collect::<String>()
    );
    assert_eq!(lower_with(&text, &options).1, too_large);
}
