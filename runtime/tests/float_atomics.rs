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
    Options { cl_std: Some(ClStd::CL3_0), float_atomics, ..Options::default() }
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
