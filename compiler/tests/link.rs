//! Linking translation units: what is found in other units, and what is reported with both places.

use clforge_compiler::options::{AddressBits, Addressing, MacroOption, OpenClVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{
    Compiled, Diagnostics, Options, Source, Target, Unit, compile, compile_unit, disassemble, link,
};
use clforge_compiler::{link_library, options::ClStd};

fn options() -> Options {
    Options::default().with_cl_std(ClStd::CL3_0)
}

/// The units of sources with the names `0.cl`, `1.cl`, …, read back from their bytes.
fn units(sources: &[&str], options: &Options) -> Vec<Unit> {
    let unit = |(number, text): (usize, &&str)| {
        let source = Source { name: &format!("{number}.cl"), text: text.as_bytes() };
        let unit = compile_unit(source, options).unwrap_or_else(|errors| panic!("{errors}")).unit;
        Unit::from_bytes(&unit.to_bytes()).expect("its own bytes")
    };
    sources.iter().enumerate().map(unit).collect()
}

fn try_link(units: &[Unit], options: &Options) -> Result<Compiled, Diagnostics> {
    link(&units.iter().collect::<Vec<_>>(), options)
}

/// The assembly of the linked module, which is valid.
#[track_caller]
fn linked_with(sources: &[&str], options: &Options) -> String {
    let compiled = try_link(&units(sources, options), options).unwrap_or_else(|errors| panic!("{errors}"));
    match validate(&compiled.spirv, options.target) {
        Ok(()) | Err(ValidateError::Unavailable(_) | ValidateError::TooOld(_)) => {}
        Err(error) => panic!("{error:?}"),
    }
    disassemble::disassemble(&compiled.spirv)
}

#[track_caller]
fn linked(sources: &[&str]) -> String {
    linked_with(sources, &options())
}

/// All messages of a link that fails.
#[track_caller]
fn errors(sources: &[&str]) -> String {
    let options = options();
    try_link(&units(sources, &options), &options).err().expect("errors").render(false)
}

/// Names of the kernels in a module's assembly.
fn kernels(assembly: &str) -> Vec<&str> {
    let entries = assembly.lines().filter(|line| line.contains("OpEntryPoint"));
    entries.filter_map(|line| line.split('"').nth(1)).collect()
}

#[test]
fn units_make_the_module_that_one_source_makes() {
    let square = "float square(float x) { return x * x; }\n";
    let kernel = "kernel void k(global float *a) { a[get_global_id(0)] = square(a[get_global_id(0)]); }\n";
    let together = compile(Source { name: "k.cl", text: (square.to_owned() + kernel).as_bytes() }, &options());
    let apart = linked(&[square, &format!("float square(float);\n{kernel}")]);
    assert_eq!(apart, disassemble::disassemble(&together.unwrap_or_else(|errors| panic!("{errors}")).spirv));
    // The order does not matter.
    assert_eq!(apart, linked(&[&format!("float square(float);\n{kernel}"), square]));
}

#[test]
fn every_unit_has_kernels_and_variables() {
    let sources = [
        "global int count = 7; constant float table[3] = {1, 2, 3};\n\
         kernel void a(global int *out) { *out = count++; }\n",
        "extern global int count; extern constant float table[];\n\
         kernel void b(global float *out) { *out = table[count]; }\n",
    ];
    assert_eq!(kernels(&linked(&sources)), ["a", "b"]);
    // Initial values that are addresses of other variables.
    let pointers = [
        "constant int values[2] = {3, 4}; constant int *constant first = &values[1];\n",
        "extern constant int *constant first; kernel void k(global int *out) { *out = *first; }\n",
    ];
    assert_eq!(kernels(&linked(&pointers)), ["k"]);
}

#[test]
fn kernels_can_be_called_from_other_units() {
    let callee = "kernel void inner(global int *a, local int *t) { t[0] = a[0]; a[0] = t[0] + 1; }\n";
    let caller = "kernel void inner(global int *a, local int *t);\n\
                  kernel void outer(global int *a, local int *t) { inner(a, t); inner(a + 1, t); }\n";
    assert_eq!(kernels(&linked(&[callee, caller])), ["inner", "outer"]);
    let without_kernel = "void inner(global int *a, local int *t);\n\
                          kernel void outer(global int *a, local int *t) { inner(a, t); }\n";
    assert_eq!(kernels(&linked(&[without_kernel, callee])), ["outer", "inner"]);
}

#[test]
fn structures_and_helpers_of_the_same_name() {
    let header = "typedef struct { float3 at; int n; } item; struct node { struct node *next; item value; };\n";
    let first = "static int helper(int x) { return x + 1; }\nstatic constant int secret = 5;\n\
                 int sum(struct node *n) { return helper(n->value.n) + secret; }\n";
    let second = "static int helper(int x) { return x * 2; }\nstatic constant int secret = 6;\nint sum(struct node *n);\n\
                  item make(int n);\n\
                  kernel void k(global int *out) { struct node n; n.value = make(3); *out = sum(&n) + helper(secret); }\n";
    let third = "item make(int n) { item i; i.n = n; return i; }\n";
    let sources = [first, second, third].map(|text| format!("{header}{text}"));
    assert_eq!(kernels(&linked(&sources.each_ref().map(String::as_str))), ["k"]);
}

#[test]
fn what_is_missing_is_named() {
    let sources =
        ["int absent(int);\nextern constant int nothing;\nkernel void k(global int *a) { *a = absent(nothing); }\n"];
    let expected = "error: function 'absent' is called but has no definition\n --> 0.cl:1:5\n  |\n\
                    1 | int absent(int);\n  |     ^^^^^^\n\n\
                    error: variable 'nothing' is used but has no definition\n --> 0.cl:2:21\n  |\n\
                    2 | extern constant int nothing;\n  |                     ^^^^^^^\n";
    assert_eq!(errors(&sources), expected);
    // What no kernel reaches need not be there; a `static` function is not looked for elsewhere.
    linked(&["int absent(int); int unused(int x) { return absent(x); }\nkernel void k(global int *a) { *a = 1; }\n"]);
    let internal = "static int f(int);\nkernel void k(global int *a) { *a = f(1); }\n";
    let message = compile_unit(Source { name: "a.cl", text: internal.as_bytes() }, &options()).err().expect("errors");
    assert!(message.render(false).contains("function 'f' is called but has no definition"), "{message}");
}

#[test]
fn several_definitions_are_shown() {
    let sources = [
        "int f(int x) { return x; }\n",
        "// another\nint f(int y) { return y; }\nkernel void k(global int *a) { *a = f(1); }\n",
    ];
    let expected = "error: 'f' is defined more than once\n --> 1.cl:2:5\n  |\n\
                    2 | int f(int y) { return y; }\n  |     ^\n  |\n\
                    note: the first definition is here\n --> 0.cl:1:5\n  |\n\
                    1 | int f(int x) { return x; }\n  |     -\n";
    assert_eq!(errors(&sources), expected);
    let variables = errors(&["global int v = 1;\n", "global int v;\nkernel void k(global int *a) { *a = v; }\n"]);
    assert!(variables.starts_with("error: 'v' is defined more than once\n --> 1.cl:1:12\n"), "{variables}");
    let kernels = errors(&["kernel void k(global int *a) {}\n", "kernel void k(global int *a) {}\n"]);
    assert!(kernels.starts_with("error: 'k' is defined more than once\n --> 1.cl:1:13\n"), "{kernels}");
}

#[test]
fn types_are_compared_across_units() {
    let sources = ["float f(int x) { return x; }\n", "int f(int);\nkernel void k(global int *a) { *a = f(1); }\n"];
    let expected = "error: conflicting types for 'f': 'int (int)' vs 'float (int)'\n --> 1.cl:1:5\n  |\n\
                    1 | int f(int);\n  |     ^\n  |\n\
                    note: 'f' is 'float (int)' here\n --> 0.cl:1:7\n  |\n\
                    1 | float f(int x) { return x; }\n  |       -\n";
    assert_eq!(errors(&sources), expected);
    let use_of_v = "kernel void k(global int *a) { *a = (int)v[0]; }\n";
    for (definition, declaration, types) in [
        // The same in the IR.
        (
            "int f(global int *p) { return *p; }",
            "int f(global float *p);",
            Some("'int (__global float *)' vs 'int (__global int *)'"),
        ),
        (
            "constant int v[2] = {1, 2};",
            "extern constant uint v[2];",
            Some("'__constant unsigned int[2]' vs '__constant int[2]'"),
        ),
        (
            "constant int v[2] = {1, 2};",
            "extern constant int v[3];",
            Some("'__constant int[3]' vs '__constant int[2]'"),
        ),
        ("constant int v[2] = {1, 2};", "extern global int v[2];", Some("'__global int[2]' vs '__constant int[2]'")),
        ("int v(int x) { return x; }", "extern global int v[2];", Some("'__global int[2]' vs 'int (int)'")),
        // An array of unknown length is the array of any; constant variables are constant in any case.
        ("constant int v[2] = {1, 2};", "extern constant int v[];", None),
        ("constant int v[2] = {1, 2};", "extern const constant int v[2];", None),
        ("int f(const global int *p) { return *p; }", "int f(const global int *const p);", None),
    ] {
        let call = "kernel void k(global int *a, global float *b, global const int *c) { *a = f(";
        let argument = if declaration.contains("float") { "b" } else { "c" };
        let body = if declaration.contains(" f(") { format!("{call}{argument}); }}\n") } else { use_of_v.into() };
        let sources = [definition.to_owned(), format!("{declaration}\n{body}")];
        let sources = sources.each_ref().map(String::as_str);
        match types {
            None => drop(linked(&sources)),
            Some(types) => {
                let errors = errors(&sources);
                assert!(errors.contains(&format!(": {types}\n --> 1.cl:1:")), "{errors}");
            }
        }
    }
}

#[test]
fn structures_are_compared_by_their_members() {
    let call = "int f(struct pair p);\nkernel void k(global int *a) { struct pair p; p.x = 1; *a = f(p); }\n";
    let definition = "struct pair { int x; float y; };\nint f(struct pair p) { return p.x; }\n";
    let other = format!("struct pair {{ float y; int x; }};\n{call}");
    let expected = "error: conflicting types for 'f': two sources define 'struct pair' differently\n --> 1.cl:2:5\n  |\n\
                    2 | int f(struct pair p);\n  |     ^ 'struct pair' is '{ float y; int x; }' here\n  |\n\
                    note: 'struct pair' is '{ int x; float y; }' here\n --> 0.cl:2:5\n  |\n\
                    2 | int f(struct pair p) { return p.x; }\n  |     -\n";
    assert_eq!(errors(&[definition, &other]), expected);
    let aligned = format!("struct __attribute__((aligned(16))) pair {{ int x; float y; }};\n{call}");
    let message = errors(&[definition, &aligned]);
    assert!(message.contains("'struct pair' is '{ int x; float y; } of 16 bytes, aligned to 16' here"), "{message}");
    // One that is incomplete is any.
    linked(&[
        "struct pair { int x; }; int f(global struct pair *p) { return p->x; }\n",
        "struct pair; int f(global struct pair *);\nkernel void k(global int *a) { *a = f((global struct pair *)a); }\n",
    ]);
}

/// C99 6.7p7: only a definition needs a complete type.
#[test]
fn external_variables_may_have_incomplete_types() {
    let sources = [
        "extern constant struct pair both;\nint first(constant struct pair *p);\n\
         kernel void k(global int *a) { *a = first(&both); }\n",
        "struct pair { int x; float y; };\nconstant struct pair both = {1, 2};\n\
         int first(constant struct pair *p) { return p->x; }\n",
    ];
    assert_eq!(kernels(&linked(&sources)), ["k"]);
    let sized = Source {
        name: "a.cl",
        text: b"extern constant struct pair v;\nkernel void k(global int *a) { *a = sizeof v; }\n",
    };
    let message = compile_unit(sized, &options()).err().expect("errors").render(false);
    assert!(message.starts_with("error: invalid application of 'sizeof' to an incomplete type"), "{message}");
}

#[test]
fn recursion_through_several_units_is_found() {
    let sources = [
        "int g(int);\nint f(int x) { return x ? g(x - 1) : 0; }\n",
        "int f(int);\nint g(int x) { return f(x); }\nkernel void k(global int *a) { *a = f(3); }\n",
    ];
    let message = errors(&sources);
    assert!(
        message.starts_with("error: recursion is not allowed in OpenCL: 'f' calls itself\n --> 0.cl:2:5\n"),
        "{message}"
    );
    assert!(message.ends_with("help: the calls are 'f' -> 'g' -> 'f'\n"), "{message}");
}

#[test]
fn libraries_are_linked_later() {
    let options = options();
    let parts = units(
        &[
            "int base(int); int twice(int x) { return 2 * base(x); }\n",
            "static int hidden; int three(void) { return 3; }\n",
        ],
        &options,
    );
    let library =
        link_library(&parts.iter().collect::<Vec<_>>(), &options, false).unwrap_or_else(|errors| panic!("{errors}"));
    let library = Unit::from_bytes(&library.to_bytes()).expect("its own bytes");
    assert!(library.is_library() && !parts[0].is_library());
    let program = "int twice(int); int three(void); int base(int x) { return x + 1; }\n\
                   kernel void k(global int *a) { *a = twice(three()); }\n";
    let program = units(&[program], &options).remove(0);
    assert_eq!(
        kernels(&disassemble::disassemble(
            &link(&[&program, &library], &options).unwrap_or_else(|e| panic!("{e}")).spirv
        )),
        ["k"]
    );
    let errors = link(
        &[&library, &units(&["int twice(int); kernel void k(global int *a) { *a = twice(1); }\n"], &options)[0]],
        &options,
    );
    let message = errors.err().expect("errors").render(false);
    assert!(
        message.starts_with("error: function 'base' is called but has no definition\n --> 0.cl:1:5\n"),
        "{message}"
    );
}

#[test]
fn units_for_opencl_are_linked_too() {
    let options = options().with_target(Target::OpenCl(OpenClVersion::V3_0));
    let sources = [
        "float square(float x) { return x * x; }\n",
        "float square(float);\nkernel void k(global float *a) { *a = square(*a); }\n",
    ];
    let assembly = linked_with(&sources, &options);
    assert!(assembly.contains("OpEntryPoint Kernel") && !assembly.contains("LinkageAttributes"), "{assembly}");
    let vulkan = options.clone().with_target(Options::default().target);
    let message = try_link(&units(&sources, &options), &vulkan).err().expect("errors").render(false);
    assert_eq!(message, "error: a unit was compiled for opencl3.0 and cannot be linked for vulkan1.2\n");
}

/// OpenCL 3.0, 5.8.6.6: relaxations are a permission, which holds where each unit gives it or the linker does.
#[test]
fn relaxations_hold_where_all_permit_them() {
    let relaxed = |text: &str, is_relaxed: bool| {
        let mut options = options().with_target(Target::OpenCl(OpenClVersion::V3_0));
        options.language.math.unsafe_optimizations = is_relaxed;
        units(&[text], &options).remove(0)
    };
    let (f, k) =
        ("float f(float x) { return x + 1; }", "float f(float); kernel void k(global float *a) { *a = f(*a) + 1; }");
    let module = |units: &[Unit], link_option: bool| {
        let mut options = options().with_target(Target::OpenCl(OpenClVersion::V3_0));
        options.language.math.unsafe_optimizations = link_option;
        disassemble::disassemble(&try_link(units, &options).unwrap_or_else(|errors| panic!("{errors}")).spirv)
    };
    for (first, second, linker, is_strict) in [
        (true, true, false, false),
        (true, false, false, true),
        (false, false, false, true),
        (false, false, true, false),
    ] {
        let assembly = module(&[relaxed(f, first), relaxed(k, second)], linker);
        assert_eq!(assembly.contains("ContractionOff"), is_strict, "{first} {second} {linker}\n{assembly}");
    }
    // A library is not changed by later options unless it permits that.
    for permits in [false, true] {
        let options = options().with_target(Target::OpenCl(OpenClVersion::V3_0));
        let library =
            link_library(&[&relaxed(f, false)], &options, permits).unwrap_or_else(|errors| panic!("{errors}"));
        let assembly = module(&[library, relaxed(k, false)], true);
        assert_eq!(assembly.contains("ContractionOff"), !permits, "{assembly}");
    }
}

#[test]
fn lines_of_all_units_are_in_the_module() {
    let options = options().with_debug_info(true);
    let sources =
        ["\nfloat f(float x) { return x * x; }\n", "float f(float);\nkernel void k(global float *a) { *a = f(*a); }\n"];
    let assembly = linked_with(&sources, &options);
    assert!(assembly.contains("OpString \"0.cl\"") && assembly.contains("OpString \"1.cl\""), "{assembly}");
}

/// Errors that only passes find have a place in the source, though the unit has not kept its line.
#[test]
fn errors_of_passes_have_a_line() {
    let source = "kernel void k(global int *a, constant char *f) {\n    a[0] = 1;\n    printf(f, a[1]);\n}\n";
    let message = errors(&[source]);
    assert_eq!(message, "error: format string is not a string literal\n |\nnote: in line 3 of 0.cl\n");
}

#[test]
fn damaged_units_are_errors() {
    let mut options = options();
    options.language.macros.push(MacroOption::Define("N".into(), Some("3".into())));
    let unit = units(
        &["constant int t[2] = {N, 4};\nint g(int); kernel void k(global int *a) { a[0] = g(t[1]); }\n"],
        &options,
    )
    .remove(0);
    let bytes = unit.to_bytes();
    for at in 0..bytes.len() {
        assert!(Unit::from_bytes(&bytes[..at]).is_err(), "cut off at {at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Unit::from_bytes(&damaged).is_err(), "byte {at}");
    }
    assert_eq!(Unit::from_bytes(b"no unit").err(), Some("this is not a compiled unit of clforge"));
}

/// Device addresses have 64 bits, and the layouts of units must agree.
#[test]
fn units_have_pointers_of_one_width() {
    let logical = options().with(|options| options.device.addressing = Addressing::Logical);
    let narrow = logical.clone().with(|options| options.language.address_bits = AddressBits::Bits32);
    let first = "size_t bytes(global int *p) { return sizeof(p) + sizeof(size_t); }\n";
    let second = "size_t bytes(global int *p);\nkernel void k(global int *p) { p[0] = bytes(p); }\n";
    let both = units(&[first, second], &narrow);
    assert!(both.iter().all(|unit| unit.address_bits() == AddressBits::Bits32));
    // The options of the link do not say it again.
    let linked = try_link(&both, &logical).unwrap_or_else(|errors| panic!("{errors}"));
    let assembly = disassemble::disassemble(&linked.spirv);
    assert!(assembly.contains(" 8\n") && !assembly.contains(" 16\n"), "{assembly}");
    let message = try_link(&both, &options()).err().expect("an error").render(false);
    assert!(message.contains("'--address-bits 32' needs '--addressing logical'"), "{message}");
    let mixed = [both[0].clone(), units(&[second], &logical).remove(0)];
    let message = try_link(&mixed, &logical).err().expect("an error").render(false);
    assert!(message.contains("pointers of 32 bits and of 64 bits cannot be linked"), "{message}");
    let physical = options().with(|options| options.language.address_bits = AddressBits::Bits32);
    let message = compile(Source { name: "k.cl", text: second.as_bytes() }, &physical).err().expect("an error");
    let message = message.render(false);
    assert!(message.contains("'--address-bits 32' needs '--addressing logical'"), "{message}");
}
