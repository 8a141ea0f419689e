//! The OpenCL reference runner, from source and from SPIR-V that clang made.

use clforge_harness::opencl::{Runner, compile_with_clang};
use clforge_harness::{HostArg, NdRange};

const SOURCE: &str = "kernel void scale(global int *out, global const int *in, int by, local int *scratch) {
    size_t i = get_global_id(0);
    scratch[get_local_id(0)] = in ? in[i] : 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i - get_global_offset(0)] = scratch[get_local_id(0)] * by + (int)get_local_size(0);
}";

fn check(program: &clforge_harness::opencl::ClProgram) {
    let input: Vec<u8> = (0..12i32).flat_map(i32::to_le_bytes).collect();
    let by = HostArg::Pod(3i32.to_le_bytes().into());
    let range = NdRange::new(&[8]).local(&[4]).offset(&[4]);
    let args = [HostArg::Buffer(vec![0; 32]), HostArg::Buffer(input.clone()), by.clone(), HostArg::Local(16)];
    let out = program.run("scale", &range, &args).unwrap();
    let expected: Vec<u8> = (4..12i32).flat_map(|i| (i * 3 + 4).to_le_bytes()).collect();
    assert_eq!(out, [expected, input, vec![], vec![]]);

    let args = [HostArg::Buffer(vec![0; 32]), HostArg::Null, by, HostArg::Local(16)];
    let out = program.run("scale", &range, &args).unwrap();
    assert_eq!(out[0], 7i32.to_le_bytes().repeat(8));
    assert!(program.run("nothing", &range, &args).unwrap_err().contains("clCreateKernel(nothing)"));
}

#[test]
fn source() {
    let runner = Runner::new().expect("these tests need an OpenCL driver (Debian: pocl-opencl-icd)");
    check(&runner.build_source(SOURCE, "-cl-std=CL1.2").unwrap());
    let log = runner.build_source("kernel void k() { nonsense }", "").err().unwrap();
    assert!(log.contains("nonsense"), "{log}");
}

#[test]
fn a_device_by_a_part_of_its_description() {
    let first = Runner::new().expect("these tests need an OpenCL driver (Debian: pocl-opencl-icd)").description();
    let (_, end) = first.split_at(first.len() / 2);
    assert_eq!(Runner::find(end).unwrap().description(), first);
    let message = Runner::find("no such device").err().unwrap();
    assert!(message.contains("'no such device'") && message.contains(&first), "{message}");
}

#[test]
fn spirv() {
    let source = tempfile::Builder::new().suffix(".cl").tempfile().unwrap();
    std::fs::write(source.path(), SOURCE).unwrap();
    let words = compile_with_clang(source.path(), &["-cl-std=CL1.2", "-O1"]).unwrap();
    let words = words.expect("this test needs clang and the translator (Debian: clang-15 and llvm-spirv-15)");
    let runner = Runner::new().expect("these tests need an OpenCL driver (Debian: pocl-opencl-icd)");
    check(&runner.build_spirv(&words).unwrap());
    assert!(runner.build_spirv(&[1, 2, 3]).is_err());
}
