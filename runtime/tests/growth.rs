//! The cost of hostile sources and modules, counted in allocated memory and in words of the module: twice the source
//! costs twice as much, and no source of five megabytes needs two gigabytes.
//!
//! Work that allocates nothing is not counted here; `cargo xtask bench compile` measures time.

use clforge_compiler::options::OpenClVersion;
use clforge_compiler::{Compiled, Diagnostics, Options, Source, Target, compile, translate_spirv};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the current thread does; tests run on threads of their own.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(calls: u64, live: i64) {
    // A thread that ends frees memory when its counters are gone.
    let _ = CALLS.try_with(|cell| cell.set(cell.get() + calls));
    let _ = BYTES.try_with(|cell| cell.set(cell.get().saturating_add_signed(live.max(0))));
    let _ = LIVE.try_with(|cell| cell.set(cell.get() + live));
    let _ = PEAK.try_with(|peak| peak.set(peak.get().max(LIVE.try_with(Cell::get).unwrap_or(0))));
}

/// More than that is address space: the compiler asks for it before it makes its stack, and gives it back untouched.
const RESERVATION: usize = 512 << 20;

fn size(layout: Layout) -> i64 {
    i64::try_from(layout.size()).ok().filter(|_| layout.size() <= RESERVATION).unwrap_or(0)
}

// SAFETY: everything is passed on to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, size(layout));
        // SAFETY: as the caller guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -size(layout));
        // SAFETY: as the caller guarantees.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a compilation has cost.
#[derive(Clone, Copy, Debug)]
struct Cost {
    source: u64,
    calls: u64,
    bytes: u64,
    peak: u64,
    /// Of SPIR-V; 0 where there were errors.
    words: u64,
}

fn cost(text: &str, target: Target) -> Cost {
    cost_with(text, &Options::for_target(target))
}

fn cost_with(text: &str, options: &Options) -> Cost {
    cost_of(text.len(), || compile(Source { name: "x.cl", text: text.as_bytes() }, options))
}

fn cost_of(bytes: usize, compile: impl FnOnce() -> Result<Compiled, Diagnostics>) -> Cost {
    let before = (CALLS.get(), BYTES.get(), LIVE.get());
    PEAK.set(before.2);
    let compiled = compile();
    let words = compiled.as_ref().map_or(0, |compiled| compiled.spirv.len() as u64);
    if let Err(diagnostics) = &compiled {
        let message = diagnostics.render(false);
        assert!(!message.contains("internal compiler error"), "{message}");
    }
    Cost {
        source: bytes as u64,
        calls: CALLS.get() - before.0,
        bytes: BYTES.get() - before.1,
        peak: (PEAK.get() - before.2).max(0).unsigned_abs(),
        words,
    }
}

/// Memory for which a source of five megabytes stays below two gigabytes.
const BYTES_FOR_EACH: u64 = (2 << 30) / (5 << 20);

/// Compiles programs of a size and of twice that size: each measure may grow by a quarter more than the source, which
/// is room for logarithms and for vectors that double.
#[track_caller]
fn grows_with_its_source(name: &str, size: usize, program: fn(usize) -> String) {
    for target in [Options::default().target, Target::OpenCl(OpenClVersion::V3_0)] {
        compare(&format!("{name} for {target:?}"), cost(&program(size), target), cost(&program(2 * size), target));
    }
}

#[track_caller]
fn compare(name: &str, once: Cost, twice: Cost) {
    let both = format!("{name}: {once:?}, then {twice:?}");
    let at_most = |small: u64, large: u64, constant: u64| {
        let allowed = small as f64 * 1.25 * twice.source as f64 / once.source as f64;
        assert!(large as f64 <= allowed + constant as f64, "{both}");
    };
    at_most(once.calls, twice.calls, 1_000);
    at_most(once.bytes, twice.bytes, 1 << 20);
    at_most(once.words, twice.words, 1_000);
    assert!(twice.peak <= twice.source * BYTES_FOR_EACH + (8 << 20), "{both}");
}

/// `count` pieces, one after another.
fn each(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

fn kernel(body: &str) -> String {
    format!("kernel void k(global int *p, int n) {{\n{body}\n}}\n")
}

#[test]
fn jumps() {
    let grows = grows_with_its_source;
    grows("a chain of labels", 1_000, |n| {
        kernel(&(each(n, |i| format!("L{i}: p[{i}] = n; goto L{};\n", i + 1)) + &format!("L{n}: ;")))
    });
    grows("conditional jumps anywhere", 500, |n| {
        kernel(&each(n, |i| format!("L{i}: p[{i}] = n; if (p[{}]) goto L{};\n", i + 1, (i * 7919 + 13) % n)))
    });
    grows("jumps to the end, in reverse", 500, |n| {
        let jumps = each(n, |i| format!("if (p[{i}]) goto L{i};\n"));
        kernel(&(jumps + &each(n, |i| format!("L{}: p[{i}] += 2;\n", n - 1 - i))))
    });
    grows("loops of one label", 500, |n| kernel(&each(n, |i| format!("L{i}: p[{i}]--; if (p[{i}]) goto L{i};\n"))));
    grows("cases in a loop", 500, |n| {
        let cases = each(n, |i| format!("case {}: p[{i}] = {i};\n", i + 1));
        kernel(&format!("switch (n) {{ case 0: do {{ {cases} }} while (p[0]); }}"))
    });
    grows("jumps out of an expression", 200, |n| {
        let jumps = each(n, |i| format!("if (n == {i}) goto L{i};\n"));
        kernel(&(format!("p[0] = ({{ {jumps} 1; }});") + &each(n, |i| format!("L{i}: p[{i}] = {i};\n"))))
    });
}

#[test]
fn statements() {
    let grows = grows_with_its_source;
    grows("else if", 1_000, |n| kernel(&(each(n, |i| format!("if (n == {i}) p[0] = {i}; else ")) + ";")));
    grows("cases", 1_000, |n| {
        kernel(&format!("switch (n) {{ {} }}", each(n, |i| format!("case {i}: p[0] = {i}; break;\n"))))
    });
    grows("loops", 500, |n| kernel(&each(n, |i| format!("for (int i = 0; i < n; i++) p[i] += {i};\n"))));
    grows("returns", 500, |n| kernel(&each(n, |i| format!("if (p[{i}] == n) return;\n"))));
    grows("variables", 500, |n| {
        let declared = each(n, |i| format!("int v{i} = p[{i}];\n"));
        let changed = each(n, |i| format!("v{i} += v{};\n", (i + 1) % n));
        kernel(&(declared + "while (n--) {" + &changed + "}" + &each(n, |i| format!("p[{i}] = v{i};\n"))))
    });
    grows("stores to neighbours", 5_000, |n| kernel(&each(n, |i| format!("p[{i}]=n;"))));
    grows("values of an array", 5_000, |n| {
        kernel(&format!("int t[] = {{ {} }}; p[0] = t[n];", each(n, |i| format!("n + {i},"))))
    });
    grows("calls of printf", 1_000, |n| kernel(&each(n, |i| format!("printf(\"%d {i}\\n\", n);\n"))));
    grows("sums", 1_000, |n| kernel(&format!("p[0] = n{};", each(n, |i| format!(" + p[{i}]")))));
    grows("conditions", 1_000, |n| kernel(&format!("if (n{}) p[0] = 1;", each(n, |i| format!(" || p[{i}]")))));
}

#[test]
fn declarations() {
    let grows = grows_with_its_source;
    grows("a chain of calls", 2_000, |n| {
        let chain = each(n, |i| format!("int f{}(int x) {{ return f{i}(x) * 3 + x; }}\n", i + 1));
        format!("int f0(int x) {{ return x; }}\n{chain}{}", kernel(&format!("p[0] = f{n}(n);")))
    });
    grows("overloads", 300, |n| {
        let overloads = each(n, |i| {
            format!("struct S{i} {{ int a; }};\nint __attribute__((overloadable)) f(struct S{i} s) {{ return s.a; }}\n")
        });
        overloads + &kernel(&each(n, |i| format!("{{ struct S{i} s; s.a = n; p[{i}] = f(s); }}\n")))
    });
    grows("calls that no overload takes", 300, |n| {
        let overloads = each(n, |i| {
            format!("struct S{i} {{ int a; }};\nint __attribute__((overloadable)) f(struct S{i} s) {{ return s.a; }}\n")
        });
        overloads + &kernel(&each(n, |i| format!("p[{i}] = f(n);\n")))
    });
    grows("members", 1_000, |n| {
        let members = each(n, |i| format!("int m{i};"));
        format!("typedef struct {{ {members} }} S;\n")
            + &kernel(&format!("S s; {}", each(n, |i| format!("s.m{i} = n;"))))
    });
    grows("typedefs of arrays", 1_000, |n| {
        let chain = each(n, |i| format!("typedef T{i} T{}[1];\n", i + 1));
        format!("typedef int T0;\n{chain}{}", kernel(&format!("p[0] = sizeof(T{n});")))
    });
    grows("initial values", 2_000, |n| {
        format!("constant int a[] = {{ {} }};\n", each(n, |i| format!("{i},"))) + &kernel("p[0] = a[n];")
    });
    grows("program-scope arrays", 500, |n| {
        let arrays = each(n, |i| format!("constant int c{i}[2] = {{ {i}, 1 }};\n"));
        arrays + &kernel(&each(n, |i| format!("p[{i}] = c{i}[n];\n")))
    });
}

/// A module for OpenCL, word by word.
#[derive(Default)]
struct Assembler {
    words: Vec<u32>,
    ids: u32,
}

impl Assembler {
    fn id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    fn op(&mut self, opcode: u32, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | opcode);
        self.words.extend(operands);
    }

    /// The types of a kernel `k(global uint *p, uint n)`, and what stands in front of them: the ids of the kernel, of `uint`, of
    /// the pointer, and of the kernel's type.
    fn kernel_types(&mut self, decorate: impl FnOnce(&mut Assembler)) -> [u32; 4] {
        let [kernel, void, word, pointer, ty] = std::array::from_fn(|_| self.id());
        [4, 6, 13].iter().for_each(|capability| self.op(OP_CAPABILITY, &[*capability]));
        self.op(OP_MEMORY_MODEL, &[2, 2]);
        self.op(OP_ENTRY_POINT, &[6, kernel, u32::from(b'k')]);
        decorate(self);
        self.op(OP_TYPE_VOID, &[void]);
        self.op(OP_TYPE_INT, &[word, 32, 0]);
        self.op(OP_TYPE_POINTER, &[pointer, 5, word]);
        self.op(OP_TYPE_FUNCTION, &[ty, void, pointer, word]);
        [kernel, word, pointer, ty]
    }

    /// The kernel, with so many calls of a function with one parameter. It stores its argument.
    fn kernel(mut self, [kernel, word, pointer, ty]: [u32; 4], callee: u32, calls: usize) -> Vec<u32> {
        let [p, n, block] = std::array::from_fn(|_| self.id());
        // The type of the kernel's result was made before the others.
        self.op(OP_FUNCTION, &[kernel + 1, kernel, 0, ty]);
        self.op(OP_FUNCTION_PARAMETER, &[pointer, p]);
        self.op(OP_FUNCTION_PARAMETER, &[word, n]);
        self.op(OP_LABEL, &[block]);
        for _ in 0..calls {
            let result = self.id();
            self.op(OP_FUNCTION_CALL, &[word, result, callee, n]);
        }
        self.op(OP_STORE, &[p, n]);
        self.op(OP_RETURN, &[]);
        self.op(OP_FUNCTION_END, &[]);
        let mut words = vec![0x0723_0203, 0x0001_0200, 0, self.ids + 1, 0];
        words.extend(self.words);
        words
    }
}

const OP_ENTRY_POINT: u32 = 15;
const OP_MEMORY_MODEL: u32 = 14;
const OP_CAPABILITY: u32 = 17;
const OP_TYPE_VOID: u32 = 19;
const OP_TYPE_INT: u32 = 21;
const OP_TYPE_IMAGE: u32 = 25;
const OP_TYPE_POINTER: u32 = 32;
const OP_TYPE_FUNCTION: u32 = 33;
const OP_FUNCTION: u32 = 54;
const OP_FUNCTION_PARAMETER: u32 = 55;
const OP_FUNCTION_END: u32 = 56;
const OP_FUNCTION_CALL: u32 = 57;
const OP_STORE: u32 = 62;
const OP_DECORATE: u32 = 71;
const OP_DECORATION_GROUP: u32 = 73;
const OP_GROUP_DECORATE: u32 = 74;
const OP_LABEL: u32 = 248;
const OP_SWITCH: u32 = 251;
const OP_RETURN: u32 = 253;
const OP_RETURN_VALUE: u32 = 254;

/// Decorations of a group, as many as targets of it.
fn decorated_group(count: usize) -> Vec<u32> {
    let mut module = Assembler::default();
    let types = module.kernel_types(|module| {
        let group = module.id();
        (0..count).for_each(|i| module.op(OP_DECORATE, &[group, 44, 1 << (i % 8)]));
        module.op(OP_DECORATION_GROUP, &[group]);
        for target in 0..count as u32 {
            module.op(OP_GROUP_DECORATE, &[group, 100_000 + target]);
        }
    });
    module.ids += 200_000;
    module.kernel(types, 0, 0)
}

/// A function that returns in as many places as call it, in a module whose texels are followed through calls.
fn returns_and_calls(count: usize) -> Vec<u32> {
    let mut module = Assembler::default();
    let types = module.kernel_types(|_| {});
    let [kernel, word, ..] = types;
    let [image, ty, function, n] = std::array::from_fn(|_| module.id());
    module.op(OP_TYPE_IMAGE, &[image, kernel + 1, 1, 0, 0, 0, 0, 0, 0]);
    module.op(OP_TYPE_FUNCTION, &[ty, word, word]);
    module.op(OP_FUNCTION, &[word, function, 0, ty]);
    module.op(OP_FUNCTION_PARAMETER, &[word, n]);
    let blocks: Vec<u32> = (0..=count).map(|_| module.id()).collect();
    module.op(OP_LABEL, &[blocks[0]]);
    let cases = blocks[1..].iter().enumerate().flat_map(|(case, block)| [case as u32, *block]);
    module.op(OP_SWITCH, &[n, blocks[1]].into_iter().chain(cases).collect::<Vec<u32>>());
    for block in &blocks[1..] {
        module.op(OP_LABEL, &[*block]);
        module.op(OP_RETURN_VALUE, &[n]);
    }
    module.op(OP_FUNCTION_END, &[]);
    module.kernel(types, function, count)
}

#[test]
fn modules() {
    let grows = |name: &str, size: usize, module: fn(usize) -> Vec<u32>| {
        let cost = |words: Vec<u32>| cost_of(4 * words.len(), || translate_spirv(&words, &Options::default()));
        let (once, twice) = (cost(module(size)), cost(module(2 * size)));
        assert!(once.words > 0 && twice.words > 0, "{name}: {once:?}, then {twice:?}");
        compare(name, once, twice);
    };
    grows("a decorated group", 2_000, decorated_group);
    grows("returns and calls", 2_000, returns_and_calls);
}

/// A module that would be larger than the limit is an error that says so.
#[test]
fn modules_have_a_limit() {
    let text = kernel(&each(1_000, |i| format!("p[{i}] = n + {i};\n")));
    let compiled = |target, max_module_bytes: usize| {
        let options = Options::for_target(target).with(|o| o.codegen.max_module_bytes = max_module_bytes);
        compile(Source { name: "x.cl", text: text.as_bytes() }, &options)
    };
    for target in [Options::default().target, Target::OpenCl(OpenClVersion::V3_0)] {
        let size = 4 * (compiled(target, usize::MAX).ok().unwrap().spirv.len() - 5);
        assert!(compiled(target, size).is_ok());
        let message = compiled(target, size - 1).err().unwrap().render(false);
        let expected = format!("the program is too large: its module has {size} bytes, and the limit is {}", size - 1);
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn text() {
    let grows = grows_with_its_source;
    grows("one line", 5_000, |n| format!("kernel void k(global int *p) {{ {} }}", "p[0] = 1;".repeat(n)));
    grows("one name", 1 << 20, |n| "a".repeat(n));
    grows("words", 20_000, |n| "alpha beta 42 + ; ".repeat(n));
    grows("wrong statements", 5_000, |n| kernel(&"x = y;\n".repeat(n)));
    grows("a string", 100_000, |n| format!("constant char s[] = \"{}\";\n", "x".repeat(n)) + &kernel("p[0] = s[n];"));
    grows("conditions of the preprocessor", 2_000, |n| format!("#if {}1{}\n#endif\n", "(".repeat(n), ")".repeat(n)));
}

/// Bytes that an instruction may take while a pass replaces it: two functions, values, and lists that double.
const BYTES_FOR_AN_INSTRUCTION: u64 = 1_000;

/// Programs of which a pass makes many times as many instructions stop where the limit of instructions is, in the middle of the
/// pass: four times the program needs no more memory but for its own text.
#[track_caller]
fn stops_at_the_limit(name: &str, options: &Options, size: usize, program: fn(usize) -> String) {
    let options = options.clone().with_max_instructions(20_000);
    let text = program(size);
    let errors =
        compile(Source { name: "x.cl", text: text.as_bytes() }, &options).err().expect("the program is too large");
    let message = errors.render(false);
    assert!(message.contains("it has more than 20000 instructions"), "{name}: {message}");
    let of = |size| cost_with(&program(size), &options);
    let (once, four) = (of(size), of(4 * size));
    let both = format!("{name}: {once:?}, then {four:?}");
    assert!(once.words == 0 && four.words == 0, "{both}");
    let room = options.codegen.max_instructions as u64 * BYTES_FOR_AN_INSTRUCTION;
    assert!(four.peak < once.peak + (four.source - once.source) * 100 + room / 4, "{both}");
    assert!(four.peak < room + four.source * 200, "{both}");
}

#[test]
fn passes_stop_at_the_limit_of_instructions() {
    let stops = |name, program: fn(usize) -> String| {
        stops_at_the_limit(name, &Options::default(), 500, program);
    };
    stops("calls of the library", |n| assignments("float16", n, "pow(fma(#, p[1], p[2]), p[3])"));
    stops("calls of the library with doubles", |n| assignments("double16", n, "sin(#)"));
    stops("products of halves", |n| assignments("half16", n, "fma(#, p[1], p[2])"));
    stops("conversions", |n| assignments("double16", n, "convert_double16(convert_char16_sat_rte(#))"));
    stops("vectors", |n| assignments("ulong16", n, "(# + p[1]) * p[2] - p[3]"));
    stops("copies of records", |n| format!("typedef struct {{ int a[40]; }} S;\n{}", assignments("S", n, "p[1]")));
    stops("kernels", |n| {
        each(n, |i| format!("kernel void k{i}(global float16 *p) {{ p[{i}] = pow(fma(p[{i}], p[1], p[2]), p[3]); }}\n"))
    });
    stops("inlined functions", |n| {
        let body = each(60, |i| format!("v[{}] += v[{}] * {i};", i % 16, i % 7));
        format!("int16 f(int16 v) {{ {body} return v; }}\n{}", assignments("int16", n, "f(#)"))
    });
    let checked = Options::default().with_bounds_check(true);
    stops_at_the_limit("checked accesses", &checked, 1_000, |n| assignments("int", n, "# + p[1]"));
    let unrolled = Options::default().with(|o| o.codegen.unroll_factor = 16);
    stops_at_the_limit("unrolled loops", &unrolled, 400, |n| {
        format!(
            "kernel void k(global int *p, int n) {{ int s = 0; {} p[0] = s; }}",
            each(n, |i| format!("for (int i = 0; i < n; i++) s += s * i ^ {i};\n"))
        )
    });
}

/// A kernel that assigns to each of so many elements; `#` in the value is the element, and `p[1]` to `p[3]` are elements that
/// no other assignment reads, since those are loaded once.
fn assignments(ty: &str, count: usize, value: &str) -> String {
    let body = each(count, |i| {
        let own = |value: String, k| value.replace(&format!("p[{k}]"), &format!("p[{}]", k * count + i));
        let value = (1..=3).fold(value.to_owned(), own).replace('#', &format!("p[{i}]"));
        format!("p[{i}] = {value};\n")
    });
    format!("kernel void k(global {ty} *p) {{\n{body}}}\n")
}

/// Variables that change in nested loops are not carried through all of them where that would be more values than a program may have
/// instructions.
#[test]
fn variables_in_nested_loops() {
    let options = Options::default().with_max_instructions(20_000);
    let nested = |loops: usize| {
        let declared = each(500, |i| format!("int v{i} = p[{i}];\n"));
        let changed = each(500, |i| format!("v{i} += v{};\n", (i + 1) % 500));
        let stored = each(500, |i| format!("p[{i}] = v{i};\n"));
        let (open, close) = ("for (int i = 0; i < n; i++) {".repeat(loops), "}".repeat(loops));
        cost_with(&kernel(&(declared + &open + &changed + &close + &stored)), &options)
    };
    let (one, many) = (nested(1), nested(200));
    assert!(one.words > 0 && many.words > 0 && many.words < one.words * 4, "{one:?} {many:?}");
    assert!(many.peak < one.peak * 4, "{one:?} {many:?}");
}

/// A record of 2^n records is no larger than its members say, and a macro of 2^n tokens ends.
#[test]
fn doubling() {
    let target = Options::default().target;
    let doubled = |n: usize| {
        let records = each(n, |i| format!("struct S{} {{ struct S{i} s, t; }};\n", i + 1));
        let copy = format!("kernel void k(global struct S{n} *p) {{ p[0] = p[1]; }}\n");
        cost(&format!("struct S0 {{ int a; }};\n{records}{copy}"), target)
    };
    let (small, large) = (doubled(10), doubled(28));
    assert!(small.words > 0 && large.words < small.words * 2, "{small:?} {large:?}");
    assert!(large.calls < small.calls * 4, "{small:?} {large:?}");
    for (first, next) in [("x x", "A{} A{}"), ("(x) + 1", "(A{}) * A{}"), ("x", "A{}, A{}, A{}")] {
        let define = |i: usize| format!("#define A{} {}\n", i + 1, next.replace("{}", &i.to_string()));
        let macros = cost(&format!("#define A0 {first}\n{}int y = A40;\n", each(40, define)), target);
        assert!(macros.words == 0 && macros.peak < 2 << 30, "{macros:?}");
    }
    // Statements without an error: what is bounded is what is parsed.
    let define = |i: usize| format!("#define A{} A{i} A{i}\n", i + 1);
    let statements = cost(&format!("#define A0 p[0] = n;\n{}{}", each(21, define), kernel("A21")), target);
    assert!(statements.words == 0 && statements.peak < 1 << 30, "{statements:?}");
}
