//! Launches on a real device with the validation layer silent: arguments, ND-ranges, memory.

mod common;

use clforge_harness::{HostArg, run_vulkan};
use clforge_runtime::{Arg, Buffer, Error, Launch, Options, Program};
use common::{bytes, device, module, program, values};

/// What `vector_add` must give.
fn expected_sum(count: u32) -> Vec<f32> {
    (0..count).map(|i| i as f32 + 0.5 * (2 * i) as f32).collect()
}

fn vector_add(always_stage: bool, count: u32, launch: Launch) {
    let device = device(always_stage);
    let program = program(&device.0, "vector_add");
    let a: Vec<f32> = (0..count).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..count).map(|i| (2 * i) as f32).collect();
    let args = [
        HostArg::Buffer(bytes(&a)),
        HostArg::Buffer(bytes(&b)),
        HostArg::Buffer(vec![0xAA; count as usize * 4]),
        HostArg::Pod(bytes(&[0.5f32])),
    ];
    let out = run_vulkan(&device.0, &program, "vector_add", &launch, &args).unwrap();
    assert_eq!(out[0], bytes(&a));
    assert_eq!(values::<f32>(&out[2]), expected_sum(count));
    assert!(out[3].is_empty());
}

#[test]
fn vector_add_with_default_local_size() {
    vector_add(false, 1000, Launch::new(&[1000]));
    vector_add(false, 1009, Launch::new(&[1009]));
}

#[test]
fn vector_add_through_staging() {
    // More than one chunk of the staging buffer.
    vector_add(true, 3_000_000, Launch::new(&[3_000_000]));
}

#[test]
fn vector_add_with_a_local_size_that_does_not_divide() {
    vector_add(false, 1000, Launch::new(&[1000]).local(&[96]));
    vector_add(false, 5, Launch::new(&[5]).local(&[64]));
}

#[test]
fn more_work_groups_than_one_dispatch_may_have() {
    let count = 65_535 * 4 + 7;
    vector_add(false, count, Launch::new(&[count.into()]).local(&[2]));
}

#[test]
fn an_empty_range_does_nothing() {
    let device = device(false);
    let kernel = program(&device.0, "vector_add").kernel("vector_add").unwrap();
    let args = [Arg::Null, Arg::Null, Arg::Null, Arg::pod(&1.0f32)];
    let timings = kernel.launch(&Launch::new(&[0]), &args).unwrap();
    assert_eq!(timings.dispatches, 0);
}

/// Every work-item function, for a 3-dimensional range with an offset, against OpenCL's definitions.
fn check_ids(global: [u64; 3], local: [u64; 3], offset: [u64; 3], dims: u32) {
    let device = device(false);
    let program = program(&device.0, "ids");
    let launch = Launch { global, local: Some(local), offset, dims, ..Launch::new(&[]) };
    let count = global.iter().product::<u64>() as usize;
    let args = [HostArg::Buffer(vec![0xEE; count * 104]), HostArg::Local(10)];
    let out = run_vulkan(&device.0, &program, "ids", &launch, &args).unwrap();
    let records = values::<[u32; 26]>(&out[0]);
    for (linear, record) in records.iter().enumerate() {
        let linear = linear as u64;
        let id = [linear % global[0], linear / global[0] % global[1], linear / global[0] / global[1]];
        for d in 0..3 {
            let (l, g, i) = (local[d], global[d], id[d]);
            let group = i / l;
            let expected = [i + offset[d], group, i % l, l.min(g - group * l), l, g.div_ceil(l), offset[d], g];
            let given: Vec<u64> = (0..8).map(|k| record[3 * k + d].into()).collect();
            assert_eq!(given, expected, "work-item {id:?}, dimension {d}");
        }
        assert_eq!(record[24], dims);
        assert_eq!(record[25], 3, "10 bytes of local memory are 3 elements of 4");
    }
}

#[test]
fn work_item_functions_in_a_uniform_range() {
    check_ids([16, 8, 4], [8, 2, 2], [0; 3], 3);
    check_ids([16, 1, 1], [8, 1, 1], [5, 0, 0], 1);
}

#[test]
fn work_item_functions_where_nothing_divides() {
    check_ids([19, 7, 5], [8, 4, 2], [100, 20, 3], 3);
    check_ids([3, 5, 1], [8, 2, 1], [0, 1, 0], 2);
}

#[test]
fn a_second_launch_reuses_the_pipeline_and_tells_the_time() {
    let device = device(false);
    let kernel = program(&device.0, "vector_add").kernel("vector_add").unwrap();
    let buffer = Buffer::zeroed(&device.0, 4 * 1024).unwrap();
    let args = [Arg::Buffer(&buffer), Arg::Buffer(&buffer), Arg::Buffer(&buffer), Arg::pod(&2.0f32)];
    for _ in 0..3 {
        let timings = kernel.launch(&Launch::new(&[1024]), &args).unwrap();
        assert_eq!((timings.local_size, timings.dispatches), ([64, 1, 1], 1));
        assert!(timings.device.is_some_and(|time| time <= timings.host));
    }
}

#[test]
fn pointers_into_buffers() {
    let device = device(false);
    let kernel = program(&device.0, "vector_add").kernel("vector_add").unwrap();
    let buffer = Buffer::from_bytes(&device.0, &bytes(&[1.0f32, 2.0, 3.0, 4.0, 0.0, 0.0])).unwrap();
    let address = buffer.device_address().unwrap();
    let args = [Arg::Buffer(&buffer), Arg::BufferAt(&buffer, 8), Arg::Address(address + 16), Arg::pod(&10.0f32)];
    kernel.launch(&Launch::new(&[2]), &args).unwrap();
    assert_eq!(values::<f32>(&buffer.to_vec().unwrap()), [1.0, 2.0, 3.0, 4.0, 31.0, 42.0]);
}

#[test]
fn descriptors_and_constant_data_of_other_compilers() {
    let device = device(false);
    let program = program(&device.0, "descriptors");
    let pod = HostArg::Pod(bytes(&[5u32]));
    let args = [HostArg::Buffer(vec![0; 24]), pod, HostArg::Null];
    let out = run_vulkan(&device.0, &program, "look_up", &Launch::new(&[6]), &args).unwrap();
    assert_eq!(values::<u32>(&out[0]), [15, 25, 35, 45, 15, 25]);

    let kernel = program.kernel("look_up").unwrap();
    let args = [Arg::Null, Arg::pod(&5u32), Arg::Null];
    let error = kernel.launch(&Launch::new(&[5]), &args).unwrap_err();
    assert!(matches!(&error, Error::Launch(text) if text.contains("multiple of the local size")), "{error}");
    let error = kernel.launch(&Launch::new(&[6]).offset(&[1]), &args).unwrap_err();
    assert!(matches!(&error, Error::Launch(text) if text.contains("global offset")), "{error}");

    let nop = program.kernel("nop").unwrap();
    assert_eq!(nop.launch(&Launch::new(&[16, 8]), &[]).unwrap().local_size, [8, 4, 1]);
    let error = nop.launch(&Launch::new(&[16, 8]).local(&[8, 8]), &[]).unwrap_err();
    assert!(error.to_string().contains("requires the local size 8x4x1, but 8x8x1 was given"), "{error}");
}

#[test]
fn program_scope_variables_keep_their_values() {
    let device = device(false);
    let program = program(&device.0, "program_scope");
    let args = [HostArg::Buffer(vec![0; 4]), HostArg::Pod(bytes(&[100u32, 3]))];
    for expected in [7u32, 10, 13] {
        let out = run_vulkan(&device.0, &program, "count", &Launch::new(&[1]), &args).unwrap();
        assert_eq!(values::<u32>(&out[0]), [expected]);
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let device = device(false);
    let program = program(&device.0, "vector_add");
    let Err(Error::NoSuchKernel { available, .. }) = program.kernel("vector_sub").map(|_| ()) else { panic!() };
    assert_eq!(available, ["vector_add"]);
    let kernel = program.kernel("vector_add").unwrap();
    let launch = Launch::new(&[4]);
    let message = |args: &[Arg<'_>]| kernel.launch(&launch, args).unwrap_err().to_string();
    assert_eq!(message(&[]), "kernel 'vector_add' takes 4 arguments, but 0 were given");
    let one = Arg::pod(&1.0f32);
    assert_eq!(
        message(&[one, Arg::Null, Arg::Null, one]),
        "argument 0 'a' of kernel 'vector_add' is a buffer ('float*'), but a value of 4 bytes was given"
    );
    assert_eq!(
        message(&[Arg::Null, Arg::Null, Arg::Null, Arg::pod(&1.0f64)]),
        "argument 3 'scale' of kernel 'vector_add' has 4 bytes, but 8 were given"
    );
    assert_eq!(
        message(&[Arg::Null, Arg::Null, Arg::Null, Arg::Null]),
        "argument 3 'scale' of kernel 'vector_add' is a value ('float'), but a null pointer was given"
    );
    let other = common::device(false);
    let foreign = Buffer::new(&other.0, 16).unwrap();
    assert!(message(&[Arg::Buffer(&foreign), Arg::Null, Arg::Null, one]).contains("belongs to another device"));
}

#[test]
fn limits_are_errors_with_both_numbers() {
    let device = device(false);
    let limits = device.0.info().limits;
    let kernel = program(&device.0, "vector_add").kernel("vector_add").unwrap();
    let args = [Arg::Null, Arg::Null, Arg::Null, Arg::pod(&1.0f32)];
    let too_many = u64::from(limits.max_work_group_invocations) + 1;
    let Err(Error::Limit { limit, requested, .. }) = kernel.launch(&Launch::new(&[4]).local(&[too_many]), &args) else {
        panic!("a local size beyond the limit")
    };
    assert_eq!((limit, requested), (limits.max_work_group_invocations.into(), too_many));
    let huge = kernel.launch(&Launch::new(&[4]).local(&[(1 << 32) + 4]), &args);
    assert!(matches!(huge, Err(Error::Limit { requested, .. }) if requested == (1 << 32) + 4));
    let huge = kernel.launch(&Launch::new(&[1 << 33]), &args);
    assert!(matches!(huge, Err(Error::Limit { requested, .. }) if requested == 1 << 33));
    for launch in [Launch::new(&[]), Launch::new(&[4]).local(&[0])] {
        assert!(matches!(kernel.launch(&launch, &args), Err(Error::Launch(_))));
    }

    let kernel = program(&device.0, "ids").kernel("ids").unwrap();
    let local = Arg::Local(u64::from(limits.max_shared_memory) + 4);
    let Err(Error::Limit { limit, requested, .. }) = kernel.launch(&Launch::new(&[1]), &[Arg::Null, local]) else {
        panic!("local memory beyond the limit")
    };
    assert_eq!((limit + 4, limit), (requested, limits.max_shared_memory.into()));
    assert!(matches!(Buffer::new(&device.0, u64::MAX - 3), Err(Error::Limit { .. })));
}

#[test]
fn kernels_that_do_not_fit_the_device_are_errors_with_both_numbers() {
    let device = device(false);
    let limits = device.0.info().limits;
    let limit_of =
        |source: &str, options: &clforge_compiler::Options| match Program::from_source(&device.0, source, options)
            .and_then(|program| program.kernel("k"))
        {
            Err(Error::Limit { limit, requested, .. }) => (limit, requested),
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("it fits"),
        };
    let words = limits.max_shared_memory / 4 + 1;
    let source = format!("kernel void k(global int *a) {{ local int l[{words}]; l[0] = 1; a[0] = l[0]; }}");
    let expected = (limits.max_shared_memory.into(), u64::from(words) * 4);
    assert_eq!(limit_of(&source, &Default::default()), expected, "local memory");

    let options = clforge_compiler::Options::default().with(|o| o.device.max_push_constants = 1 << 16);
    let size = limits.max_push_constants.next_multiple_of(8);
    let source = format!("struct s {{ int a[{}]; }};\nkernel void k(struct s a) {{ }}", size / 4 + 1);
    let (limit, requested) = limit_of(&source, &options);
    assert_eq!(limit, u64::from(limits.max_push_constants), "push constants");
    assert!(requested > limit);
}

#[test]
fn more_arguments_than_push_constants_hold() {
    let device = device(false);
    let count = 100usize;
    let parameters: Vec<String> = (0..count).map(|i| format!("global int *p{i}, int v{i}")).collect();
    let body: Vec<String> = (0..count).map(|i| format!("p{i}[0] = v{i};")).collect();
    let source = format!("kernel void k({}) {{ {} }}", parameters.join(", "), body.join(" "));
    let kernel = Program::from_source(&device.0, &source, &Default::default()).unwrap().kernel("k").unwrap();
    let buffer = Buffer::zeroed(&device.0, 4 * count as u64).unwrap();
    let numbers: Vec<i32> = (0..count as i32).map(|i| i * i - 50).collect();
    let places = (0..count as u64).map(|i| Arg::BufferAt(&buffer, 4 * i));
    let args: Vec<Arg<'_>> = places.zip(&numbers).flat_map(|(place, number)| [place, Arg::pod(number)]).collect();
    kernel.launch(&Launch::new(&[1]), &args).unwrap();
    assert_eq!(buffer.to_vec_of::<i32>().unwrap(), numbers);
}

#[test]
fn buffers_check_their_bounds() {
    for always_stage in [false, true] {
        let device = device(always_stage);
        let buffer = Buffer::zeroed(&device.0, 10).unwrap();
        buffer.write(3, &[1, 2, 3]).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [0, 0, 0, 1, 2, 3, 0, 0, 0, 0]);
        buffer.fill(7).unwrap();
        let mut two = [0; 2];
        buffer.read(8, &mut two).unwrap();
        assert_eq!(two, [7, 7]);
        assert!(matches!(buffer.write(8, &[0; 3]), Err(Error::BufferRange { offset: 8, size: 3, buffer: 10 })));
        assert!(matches!(buffer.read(u64::MAX, &mut two), Err(Error::BufferRange { .. })));
        assert_eq!(Buffer::from_bytes(&device.0, &[]).unwrap().to_vec().unwrap(), [0u8; 0]);
    }
}

#[test]
fn things_may_be_dropped_in_any_order() {
    let device = device(false);
    let (kernel, buffer);
    {
        let again = device.0.clone();
        let program = program(&again, "vector_add");
        kernel = program.kernel("vector_add").unwrap();
        buffer = Buffer::zeroed(&again, 64).unwrap();
    }
    let args = [Arg::Buffer(&buffer), Arg::Buffer(&buffer), Arg::Buffer(&buffer), Arg::pod(&1.0f32)];
    kernel.launch(&Launch::new(&[16]), &args).unwrap();
}

#[test]
fn modules_that_cannot_run_have_distinct_errors() {
    let device = device(false);
    let fails = |words: &[u32]| Program::from_spirv(&device.0, words).map(|_| ()).unwrap_err();
    assert!(matches!(fails(&[]), Error::Interface(_)));
    assert!(matches!(fails(&[1, 2, 3, 4, 5]), Error::Interface(_)));
    // Kernel and Addresses: a module for OpenCL.
    let opencl = [0x0723_0203, 0x10000, 0, 1, 0, (2 << 16) | 17, 4, (2 << 16) | 17, 6];
    assert!(matches!(fails(&opencl), Error::UnusableModule(text) if text.contains("OpenCL")));
    // No reflection at all.
    let bare = [0x0723_0203, 0x10000, 0, 1, 0, (2 << 16) | 17, 1];
    assert!(matches!(fails(&bare), Error::Interface(_)));
    // A capability nothing has: tessellation.
    let graphics = [0x0723_0203, 0x10000, 0, 1, 0, (2 << 16) | 17, 3];
    assert!(matches!(fails(&graphics), Error::UnusableModule(_)));
    // Cut off in the middle.
    let whole = module("vector_add");
    for length in (0..whole.len()).step_by(7) {
        // A prefix that happens to end between two instructions may pass as a module without kernels.
        let _ = clforge_compiler::interface::ModuleInterface::from_spirv(&whole[..length]);
    }
}

/// The host waits from the submission of a kernel to its end, so for at least as long as the device executes it: also where
/// the launch itself waits, for what the kernel prints and for what its checks find.
#[test]
fn the_time_on_the_host_contains_that_on_the_device() {
    let device = device(false);
    let body = "int sum = 0; for (int i = 0; i < 500; i++) sum += a[i % 64] * i; a[get_global_id(0)] = sum;";
    let print = "if (get_global_id(0) == 0) printf(\"%d\", a[0]);";
    for (more, bounds_check) in [("", false), ("", true), (print, false), (print, true)] {
        let source = format!("kernel void k(global int *a) {{ {body} {more} }}");
        let options = Options::default().with_bounds_check(bounds_check);
        let program = Program::from_source(&device.0, &source, &options).unwrap();
        program.on_print(|_| {}).unwrap();
        let buffer = Buffer::zeroed(&device.0, 4 << 16).unwrap();
        for _ in 0..3 {
            let timings =
                program.kernel("k").unwrap().launch(&Launch::new(&[1 << 16]), &[Arg::Buffer(&buffer)]).unwrap();
            let own = timings.device.expect("the device has timestamps");
            assert!(timings.host >= own && own > std::time::Duration::ZERO, "{timings:?}, checks: {bounds_check}");
        }
    }
}

/// Section 6.2.5: a pointer to a vector is a multiple of the vector's size, whatever memory the host asks for.
#[test]
fn local_arguments_are_aligned() {
    let device = device(false);
    let source = "kernel void k(local char *a, local int8 *b, local short2 *c, local long16 *d, global ulong *out) {
        out[0] = (ulong)a; out[1] = (ulong)b; out[2] = (ulong)c; out[3] = (ulong)d; }";
    let program = Program::from_source(&device.0, source, &Options::default()).unwrap();
    let out = Buffer::zeroed(&device.0, 32).unwrap();
    let args = [Arg::Local(3), Arg::Local(32), Arg::Local(4), Arg::Local(256), Arg::Buffer(&out)];
    program.kernel("k").unwrap().launch(&Launch::new(&[1]), &args).unwrap();
    let addresses = out.to_vec_of::<u64>().unwrap();
    let aligned = addresses.iter().zip([1, 32, 4, 128]).all(|(address, size)| address % size == 0);
    assert!(aligned, "{addresses:x?}");
}

/// From 2^24 on doubles still have fractions.
#[test]
fn large_doubles_are_rounded() {
    let device = device(false);
    if !device.0.info().has_feature("shaderFloat64") {
        return;
    }
    let source = "kernel void k(global double *p) { double x = p[0], whole;
        p[1] = trunc(x); p[2] = floor(x); p[3] = ceil(x); p[4] = rint(x); p[5] = round(x);
        p[6] = modf(x, &whole); p[7] = whole; }";
    let program = Program::from_source(&device.0, source, &Options::default()).unwrap();
    let kernel = program.kernel("k").unwrap();
    for x in [16777216.9375f64, -16777216.9375, 4503599627370495.5, -33554433.25, 16777217.5, -0.75, 1e300] {
        let data = [x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let buffer = Buffer::from_slice(&device.0, &data).unwrap();
        kernel.launch(&Launch::new(&[1]), &[Arg::Buffer(&buffer)]).unwrap();
        let whole = x.trunc();
        let expected = [x, whole, x.floor(), x.ceil(), x.round_ties_even(), x.round(), x - whole, whole];
        assert_eq!(buffer.to_vec_of::<f64>().unwrap(), expected, "{x}");
    }
}

#[test]
fn a_kernel_takes_none_of_the_local_memory_of_others() {
    // Pointers that are chosen keep both arrays in one object; all devices have 16 KiB.
    const SOURCE: &str = "
        kernel void sum(global int *out, int turn) {
            local int a[1500], b[1500];
            local int *p = turn ? a : b, *q = turn ? b : a;
            for (int i = get_local_id(0); i < 1500; i += get_local_size(0)) { p[i] = i; q[i] = 2; }
            barrier(CLK_LOCAL_MEM_FENCE);
            int sum = 0;
            for (int i = 0; i < 1500; i++) sum += a[i] * b[i];
            out[get_global_id(0)] = sum;
        }
        kernel void last(global int *out, int turn) {
            local int a[1500], b[1500];
            local int *p = turn ? a : b;
            for (int i = get_local_id(0); i < 1500; i += get_local_size(0)) { a[i] = 1; b[i] = 2; }
            barrier(CLK_LOCAL_MEM_FENCE);
            out[get_global_id(0)] = p[1499];
        }
        kernel void first(global int *out, int turn) {
            local int a[1500], b[1500];
            local int *p = turn ? a : b;
            for (int i = get_local_id(0); i < 1500; i += get_local_size(0)) { a[i] = 3; b[i] = 4; }
            barrier(CLK_LOCAL_MEM_FENCE);
            out[get_global_id(0)] = p[0];
        }";
    let device = device(false);
    let program = Program::from_source(&device.0, SOURCE, &Options::default()).unwrap();
    let sum: i32 = (0..1500).map(|i| i * 2).sum();
    for (kernel, turn, expected) in
        [("sum", 0, sum), ("sum", 1, sum), ("last", 1, 1), ("last", 0, 2), ("first", 1, 3), ("first", 0, 4)]
    {
        let args = [HostArg::Buffer(vec![0; 256]), HostArg::Pod(bytes(&[turn]))];
        let launch = Launch::new(&[64]).local(&[32]);
        let out = run_vulkan(&device.0, &program, kernel, &launch, &args).unwrap();
        assert_eq!(values::<i32>(&out[0]), vec![expected; 64], "{kernel} {turn}");
    }
}
