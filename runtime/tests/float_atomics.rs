//! Atomic operations on floating objects: as instructions where the device has them, else by exchanges.

mod common;

use clforge_compiler::options::{ClStd, FloatAtomics};
use clforge_compiler::validate::validate;
use clforge_compiler::{Options, Source, Stage};
use clforge_runtime::{Arg, Buffer, Launch, Program};
use common::device;

/// Everything in `global` and `local` memory, and through generic pointers, which may be either.
const SOURCE: &str = "
kernel void all(global atomic_float *p, global float *results) {
    local atomic_float sum, least[3], other;
    uint id = get_global_id(0), lid = get_local_id(0);
    if (lid == 0) {
        atomic_init(&sum, 0.0f);
        atomic_init(&other, 32.0f);
        for (int i = 0; i < 3; i++)
            atomic_init(&least[i], i == 2 ? NAN : 1e9f);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&sum, (float)id);
    atomic_fetch_min(&least[0], (float)id);
    atomic_fetch_min(&least[1], id == 100 ? -INFINITY : (id & 1) ? NAN : (float)id);
    atomic_fetch_min(&least[2], (float)id);
    atomic_fetch_add_explicit(&p[0], 0.5f, memory_order_relaxed);
    atomic_fetch_sub(&p[1], (float)id);
    atomic_fetch_max(&p[2], (float)id);
    atomic_fetch_max(&p[3], (id & 1) ? NAN : (float)id);
    volatile atomic_float *any = (id & 1) ? &p[4] : (volatile atomic_float *)&other;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(any, 1.0f);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        global float *r = results + get_group_id(0) * 4;
        r[0] = atomic_load(&sum) + atomic_load(&other);
        r[1] = atomic_exchange(&least[0], 1.0f);
        r[2] = atomic_load(&least[1]);
        r[3] = atomic_load(&least[2]);
    }
}";

const DOUBLES: &str = "
kernel void all(global atomic_double *p) {
    local atomic_double sum;
    if (get_local_id(0) == 0)
        atomic_init(&sum, 0.0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&sum, (double)get_global_id(0));
    atomic_fetch_max(&p[1], (double)get_global_id(0));
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_fetch_add(&p[0], atomic_load(&sum));
}";

fn options(features: &[&str]) -> Options {
    let mut float_atomics = FloatAtomics::default();
    for feature in features {
        assert!(float_atomics.enable(feature), "{feature}");
    }
    Options::default().with_cl_std(ClStd::CL3_0).with(|o| o.device.float_atomics = float_atomics)
}

fn source(text: &str) -> Source<'_> {
    Source { name: "atomics.cl", text: text.as_bytes() }
}

fn compiled(text: &str, options: &Options) -> Vec<u32> {
    let spirv = clforge_compiler::compile(source(text), options).unwrap().spirv;
    validate(&spirv, options.target).unwrap();
    spirv
}

#[test]
fn instructions_and_exchanges_do_the_same() {
    let device = device(false);
    let tuned = device.0.tuned(&options(&[]));
    for options in [options(&[]), tuned] {
        let program = Program::from_spirv(&device.0, &compiled(SOURCE, &options)).unwrap();
        let p = Buffer::from_slice(&device.0, &[0.0_f32, 0.0, -1e9, f32::NAN, 0.0]).unwrap();
        let results = Buffer::zeroed(&device.0, 4 * 4 * 4).unwrap();
        let launch = Launch::new(&[256]).local(&[64]);
        program.kernel("all").unwrap().launch(&launch, &[Arg::Buffer(&p), Arg::Buffer(&results)]).unwrap();
        assert_eq!(p.to_vec_of::<f32>().unwrap(), [128.0, -32640.0, 255.0, 254.0, 128.0], "{options:?}");
        let results = results.to_vec_of::<[f32; 4]>().unwrap();
        for (group, [sum, least, some, was_nan]) in results.into_iter().enumerate() {
            let first = 64.0 * group as f32;
            assert_eq!(sum, 64.0 * first + 2016.0 + 64.0);
            assert_eq!((least, was_nan), (first, first), "{options:?}");
            assert_eq!(some, if group == 1 { f32::NEG_INFINITY } else { first });
        }
    }
}

#[test]
fn a_feature_makes_instructions() {
    let floats = ["shaderBufferFloat32AtomicAdd", "shaderBufferFloat32AtomicMinMax"];
    let shared = ["shaderSharedFloat32Atomics", "shaderSharedFloat32AtomicAdd"];
    let wide = ["shaderBufferFloat64AtomicAdd", "shaderBufferFloat64AtomicMinMax"];
    // How many additions, minima and maxima there are: of floats two additions in the buffer, one that may be there, one
    // in local memory.
    for (text, features, counts) in [
        (SOURCE, &[][..], [0, 0, 0]),
        (SOURCE, &floats[..1], [3, 0, 0]),
        (SOURCE, &floats, [3, 0, 2]),
        (SOURCE, &wide, [0, 0, 0]),
        // Without loads and stores of floats local memory has integers; minima and maxima always do.
        (SOURCE, &shared[1..], [0, 0, 0]),
        (SOURCE, &shared, [1, 0, 0]),
        (DOUBLES, &floats, [0, 0, 0]),
        (DOUBLES, &wide[..1], [1, 0, 0]),
        (DOUBLES, &wide, [1, 0, 1]),
    ] {
        let options = options(features);
        compiled(text, &options);
        let asm = clforge_compiler::print_stage(source(text), &options, Stage::Asm).unwrap();
        let found = ["OpAtomicFAddEXT", "OpAtomicFMinEXT", "OpAtomicFMaxEXT"].map(|name| asm.matches(name).count());
        assert_eq!(found, counts, "{features:?}\n{asm}");
        assert_eq!(asm.contains("SPV_EXT_shader_atomic_float_add"), counts[0] > 0);
        assert_eq!(asm.contains("SPV_EXT_shader_atomic_float_min_max"), counts[1] + counts[2] > 0);
    }
}

/// Additions as programs for OpenCL 1.x write them.
const EXCHANGES: &str = "
void by_union(volatile global float *p, float v) {
    union { uint bits; float value; } old, next;
    do {
        old.value = *p;
        next.value = old.value + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.bits, next.bits) != old.bits);
}
void carried(volatile global float *p, float v) {
    union { uint bits; float value; } next, expected, current;
    current.value = *p;
    do {
        expected.value = current.value;
        next.value = expected.value + v;
        current.bits = atomic_cmpxchg((volatile global uint *)p, expected.bits, next.bits);
    } while (current.bits != expected.bits);
}
void with_break(volatile global float *p, float v) {
    int old = as_int(*p);
    while (true) {
        int assumed = old;
        old = atomic_cmpxchg((volatile global int *)p, assumed, as_int(v + as_float(assumed)));
        if (old == assumed)
            break;
    }
}
float of_local(volatile local float *p, float v) {
    uint old = *(volatile local uint *)p, expected;
    do {
        expected = old;
        old = atomic_cmpxchg((volatile local uint *)p, expected, as_uint(as_float(expected) + v));
    } while (expected != old);
    return as_float(old);
}
kernel void sums(global float *p) {
    int i = get_global_id(0);
    by_union(&p[i & 3], i);
    carried(&p[4 + (i & 3)], i);
    with_break(&p[8 + (i & 3)], i);
    local float sum[1];
    if (get_local_id(0) == 0)
        sum[0] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float before = of_local(sum, 1.0f);
    p[16 + get_group_id(0) * 64 + (int)before] = 1.0f; // each value once
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        carried(&p[12], sum[0]);
}";

/// Loops that exchange a float for something else, or do more.
const OTHERS: [&str; 7] = [
    "do { old = *p; next = old * v; } while (atomic_cmpxchg(q, as_uint(old), as_uint(next)) != as_uint(old));",
    "do { old = *p; next = old + old; } while (atomic_cmpxchg(q, as_uint(old), as_uint(next)) != as_uint(old));",
    "do { old = *p; next = old + v; } while (atomic_cmpxchg(q, as_uint(v), as_uint(next)) != as_uint(v));",
    // These wait for a value.
    "float w = p[2]; do { next = v + w; } while (atomic_cmpxchg(q, as_uint(v), as_uint(next)) != as_uint(v));",
    "old = p[2]; do { next = old + v; } while (atomic_cmpxchg(q, as_uint(old), as_uint(next)) != as_uint(old));",
    "do { old = fabs(*p); next = old + v; } while (atomic_cmpxchg(q, as_uint(old), as_uint(next)) != as_uint(old));",
    "int n = 0; do { old = *p; next = old + v; n++; }
     while (atomic_cmpxchg(q, as_uint(old), as_uint(next)) != as_uint(old)); p[1] = n;",
];

#[test]
fn sums_by_exchanges_are_additions() {
    let features = ["shaderBufferFloat32AtomicAdd", "shaderSharedFloat32Atomics", "shaderSharedFloat32AtomicAdd"];
    let native = options(&features).with_cl_std(None);
    let count = |text: &str, options: &Options| {
        compiled(text, options);
        let asm = clforge_compiler::print_stage(source(text), options, Stage::Asm).unwrap();
        ["OpAtomicFAddEXT", "OpAtomicCompareExchange"].map(|name| asm.matches(name).count())
    };
    assert_eq!(count(EXCHANGES, &native), [5, 0]);
    assert_eq!(count(EXCHANGES, &Options::default()), [0, 5]);
    for other in OTHERS {
        let text = format!(
            "kernel void k(volatile global float *p, float v) {{
                volatile global uint *q = (volatile global uint *)p; float old, next; {other} }}"
        );
        assert_eq!(count(&text, &native), [0, 1], "{other}");
    }
    let device = device(false);
    for options in [Options::default(), device.0.tuned(&Options::default())] {
        let program = Program::from_spirv(&device.0, &compiled(EXCHANGES, &options)).unwrap();
        let p = Buffer::zeroed(&device.0, (16 + 256) * 4).unwrap();
        let launch = Launch::new(&[256]).local(&[64]);
        program.kernel("sums").unwrap().launch(&launch, &[Arg::Buffer(&p)]).unwrap();
        let sums: Vec<f32> = (0..4).map(|rest| (0..256).filter(|i| i % 4 == rest).sum::<i32>() as f32).collect();
        let expected = [&sums[..], &sums, &sums, &[256.0, 0.0, 0.0, 0.0], &[1.0; 256]].concat();
        assert_eq!(p.to_vec_of::<f32>().unwrap(), expected, "{options:?}");
    }
}
