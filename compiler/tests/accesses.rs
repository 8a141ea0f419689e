//! What modules for Vulkan say of the buffers that their kernels access. The expected values are by hand.

use clforge_compiler::interface::{Access, Accesses, ModuleInterface};
use clforge_compiler::options::ClStd;
use clforge_compiler::{Options, Source, compile};

/// The accesses of the kernels of a program, in order: `r`, `w` and `rw` with the argument's position, and `other`.
fn accesses(source: &str) -> Vec<String> {
    let options = Options::default().with_cl_std(ClStd::CL3_0);
    let compiled = compile(Source { name: "a.cl", text: source.as_bytes() }, &options).expect("it compiles");
    let interface = ModuleInterface::from_spirv(&compiled.spirv).expect("its interface");
    let name = |access: Access| match (access.reads, access.writes) {
        (true, true) => "rw",
        (true, false) => "r",
        (false, true) => "w",
        (false, false) => "",
    };
    let show = |accesses: &Accesses| {
        let arguments = accesses.arguments.iter().map(|(ordinal, access)| format!("{}{ordinal}", name(*access)));
        let other = (!accesses.other.is_none()).then(|| format!("{} other", name(accesses.other)));
        arguments.chain(other).collect::<Vec<_>>().join(" ")
    };
    interface.kernels.iter().map(|kernel| show(kernel.accesses.as_ref().expect("it is known"))).collect()
}

#[test]
fn arguments_that_are_read_and_written() {
    let source = "
        constant int table[4] = {1, 2, 3, 4};
        void add(global int *a, global const int *b, int i) { a[i] += b[i]; }
        kernel void copy(global const int *a, global int *b, int n) { b[n] = a[n] + table[n & 3]; }
        kernel void call(global int *a, global const int *b) { add(a, b, get_global_id(0)); }
        kernel void choose(global int *a, global int *b, global int *c, int k) { *(k ? a : b) = c[0]; }
        kernel void walk(global float *a, global const float *b, int n) { while (n--) *a += *b++; }
        kernel void vectors(global float4 *a, constant float *b, int n) {
            vstore3(vload3(n, b), n, (global float *)a);
        }
        kernel void atomics(global atomic_int *a, global int *b) { atomic_fetch_add(a, 1); b[0] = 2; }
        kernel void group(global int *a, local int *l) {
            l[get_local_id(0)] = a[get_global_id(0)];
            barrier(CLK_LOCAL_MEM_FENCE);
            a[get_global_id(0)] = l[0];
        }
        kernel void unused(global int *a, global int *b, int n) { if (n) a[0] = 1; }
    ";
    assert_eq!(
        accesses(source),
        ["r0 w1", "rw0 r1", "w0 w1 r2", "rw0 r1", "w0 r1", "rw0 w1", "rw0", "w0"],
        "in the order of the kernels"
    );
}

#[test]
fn memory_that_is_of_no_argument() {
    let source = "
        global int counter;
        struct node { global int *to; };
        kernel void chase(global struct node *n, global int *unused) { n->to[0] = 1; }
        kernel void scope(global int *a) { a[0] = counter; }
        kernel void integer(ulong n) { *(global int *)n = 1; }
        kernel void bits(global int *a, ulong n) { *(global int *)((ulong)a ^ n) = 1; }
        kernel void two_spaces(global int *a, int n) { int x[2]; x[n & 1] = 1; int *p = x; if (n > 3) p = a; *p += 1; a[1] = x[0]; }
    ";
    assert_eq!(accesses(source), ["r0 w other", "w0 r other", "w other", "w other", "rw0"]);
}
