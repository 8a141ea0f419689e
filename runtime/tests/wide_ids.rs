//! ND-ranges beyond 2^32 work-items in a dimension: programs are compiled again for them, with ids of 64 bits. Expected values are
//! those of OpenCL's definitions, on the host.

mod common;

use clforge_compiler::{Source, Target};
use clforge_runtime::options::{ClStd, IncludeLoader, IncludedFile};
use clforge_runtime::{Arg, Buffer, Cache, Device, Error, Kernel, Launch, Options, Printed, Program, cache};
use common::device;
use std::sync::{Arc, Mutex};

/// Work-item functions of the dimensions of a range, eight words for each work-item.
const IDS: &str = "
    kernel void ids(global ulong *o) {
        size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
        global ulong *p = o + (y * get_global_size(0) + x) * 8;
        p[0] = get_global_id(0); p[1] = get_global_id(1);
        p[2] = get_global_offset(0); p[3] = get_global_offset(1);
        p[4] = get_global_linear_id();
        p[5] = get_group_id(0); p[6] = get_num_groups(1);
        p[7] = get_global_id(0) / 3 + get_global_id(1) % 7;
    }";

fn check_ids(device: &Device, kernel: &Kernel, offset: [u64; 2]) {
    let (global, local) = ([9, 3], [4, 2]);
    let buffer = Buffer::zeroed(device, 9 * 3 * 64).unwrap();
    let launch = Launch::new(&global).local(&local).offset(&offset);
    kernel.launch(&launch, &[Arg::Buffer(&buffer)]).unwrap();
    for (at, given) in buffer.to_vec_of::<[u64; 8]>().unwrap().into_iter().enumerate() {
        let at = at as u64;
        let (x, y) = (at % 9, at / 9);
        let [a, b] = [offset[0] + x, offset[1] + y];
        assert_eq!(given, [a, b, offset[0], offset[1], at, x / 4, 2, a / 3 + b % 7], "offset {offset:?}, ({x}, {y})");
    }
}

/// A `size_t` of 32 bits holds no id beyond 2^32. The device's buffers have descriptors then.
#[test]
fn pointers_of_32_bits_have_no_wide_ids() {
    let device = device(false);
    let options = Options::parse("--address-bits 32").unwrap();
    let source =
        "kernel void k(global uint *p) { p[get_global_id(0) - get_global_offset(0)] = sizeof(p) + get_global_id(0); }";
    let program = Program::from_source(&device.0, source, &options).unwrap();
    let kernel = program.kernel("k").unwrap();
    let buffer = Buffer::zeroed(&device.0, 16).unwrap();
    let end = 1u64 << 32;
    kernel.launch(&Launch::new(&[4]).offset(&[end - 4]), &[Arg::Buffer(&buffer)]).unwrap();
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [0, 1, 2, 3]);
    let error = kernel.launch(&Launch::new(&[4]).offset(&[end - 3]), &[Arg::Buffer(&buffer)]).unwrap_err();
    assert!(matches!(error, Error::Limit { requested, .. } if requested == end + 1), "{error}");
    let unit = Program::compile_unit(&device.0, "k.cl", source, &options).unwrap().unit;
    let linked = Program::link(&device.0, &[&unit], &Options::default()).unwrap();
    linked.kernel("k").unwrap().launch(&Launch::new(&[4]), &[Arg::Buffer(&buffer)]).unwrap();
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [4, 5, 6, 7]);
}

/// A file with a number that is another one each time it is read.
struct Changing(Mutex<u32>);

impl IncludeLoader for Changing {
    fn load(&self, path: &str, _from: &str, _angled: bool) -> Option<IncludedFile> {
        let mut number = self.0.lock().unwrap();
        *number += 1;
        Some(IncludedFile { name: path.into(), text: number.to_string().into_bytes() })
    }
}

#[test]
fn files_that_have_changed_are_included_as_they_were() {
    let device = device(false);
    let options = Options::default().with_includes(Arc::new(Changing(Mutex::new(0))));
    let source =
        "kernel void k(global uint *p) {\n  p[get_global_id(0) - get_global_offset(0)] =\n#include \"n\"\n  ;\n}";
    let program = Program::from_source(&device.0, source, &options).unwrap();
    let kernel = program.kernel("k").unwrap();
    let number = |offset: u64| {
        let buffer = Buffer::zeroed(&device.0, 16).unwrap();
        kernel.launch(&Launch::new(&[4]).offset(&[offset]), &[Arg::Buffer(&buffer)]).unwrap();
        buffer.to_vec_of::<u32>().unwrap()[3]
    };
    let first = number(0);
    assert_eq!([number(1 << 32), number(0)], [first; 2]);
}

const OFFSETS: [[u64; 2]; 6] =
    [[(1 << 32) - 8, 0], [(1 << 32) - 4, 0], [1 << 40, 5], [3, (1 << 32) - 2], [u64::MAX - 9, 1 << 33], [5, 6]];

#[test]
fn offsets_beyond_32_bits() {
    let device = device(false);
    let options = Options::default().with_cl_std(ClStd::CL3_0);
    let program = Program::from_source(&device.0, IDS, &options).unwrap();
    let kernel = program.kernel("ids").unwrap();
    // In turn with ordinary launches, each in the module that is made for it.
    for offset in OFFSETS {
        check_ids(&device.0, &kernel, [1, 2]);
        check_ids(&device.0, &kernel, offset);
    }
    let unit = Program::compile_unit(&device.0, "ids.cl", IDS, &options).unwrap().unit;
    let linked = Program::link(&device.0, &[&unit], &options).unwrap();
    check_ids(&device.0, &linked.kernel("ids").unwrap(), [1 << 40, 5]);
    let target = Target::parse("opencl2.2").unwrap();
    let source = Source { name: "ids.cl", text: IDS.as_bytes() };
    let compiled = clforge_compiler::compile(source, &options.clone().with_target(target)).unwrap();
    let translated = Program::from_spirv(&device.0, &compiled.spirv).unwrap();
    check_ids(&device.0, &translated.kernel("ids").unwrap(), [1 << 40, 5]);
}

/// A module alone does not know what it was made of: it has to be made for such ranges.
#[test]
fn modules_have_the_ids_that_they_were_compiled_for() {
    let device = device(false);
    for wide_ids in [false, true] {
        let options = Options::default().with_wide_ids(wide_ids).with_cl_std(ClStd::CL3_0);
        let source = Source { name: "ids.cl", text: IDS.as_bytes() };
        let module = cache::compile(&Cache::off(), source, &device.0.tuned(&options)).unwrap();
        let kernel = Program::from_module(&device.0, &module).unwrap().kernel("ids").unwrap();
        check_ids(&device.0, &kernel, [5, 6]);
        let launch = Launch::new(&[8]).offset(&[1 << 40]);
        assert_eq!(kernel.allows(&launch), wide_ids);
        assert!(kernel.allows(&launch.offset(&[(1 << 32) - 8])));
        if wide_ids {
            check_ids(&device.0, &kernel, [1 << 40, 5]);
            continue;
        }
        let buffer = Buffer::zeroed(&device.0, 64).unwrap();
        let error = kernel.launch(&launch, &[Arg::Buffer(&buffer)]).unwrap_err();
        assert!(matches!(&error, Error::Limit { what, .. } if what.contains("--wide-ids")), "{error}");
    }
}

#[test]
fn what_no_range_may_have() {
    let device = device(false);
    let kernel =
        Program::from_source(&device.0, "kernel void k() {}", &Options::default()).unwrap().kernel("k").unwrap();
    let launch = Launch::new(&[1 << 40]).local(&[1]);
    let error = kernel.launch(&launch, &[]).unwrap_err();
    assert!(matches!(&error, Error::Limit { what, .. } if what == "work-groups in dimension 0"), "{error}");
    let error = kernel.launch(&Launch::new(&[2]).offset(&[u64::MAX - 1]), &[]).unwrap_err();
    assert!(matches!(&error, Error::Limit { limit: 1, requested: 2, .. }), "{error}");
}

/// Both modules of a program have the same variables and receivers.
#[test]
fn variables_messages_and_reports_are_the_programs() {
    let device = device(false);
    let source = "
        global uint total = 5;
        kernel void add(global uint *o) {
            uint was = atomic_add(&total, 1u);
            if (get_local_id(0) == 0) printf(\"%lu\\n\", (ulong)get_global_id(0));
            o[get_global_id(0) - get_global_offset(0) + 1] = was;
        }";
    let options = Options::default().with_cl_std(ClStd::CL3_0).with_bounds_check(true);
    let program = Program::from_source(&device.0, source, &options).unwrap();
    let (printed, reported) = (Arc::new(Mutex::new(String::new())), Arc::new(Mutex::new(Vec::new())));
    let (text, reports) = (printed.clone(), reported.clone());
    program
        .on_print(move |message| {
            if let Printed::Message(bytes) = message {
                text.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
            }
        })
        .unwrap();
    program
        .on_out_of_range(move |report| {
            let accesses = report.places.iter().flat_map(|place| &place.accesses);
            reports.lock().unwrap().extend(accesses.map(|access| access.work_item));
        })
        .unwrap();
    let (kernel, buffer) = (program.kernel("add").unwrap(), Buffer::zeroed(&device.0, 8).unwrap());
    for (offset, value) in [(3, 5), ((1 << 40) + 7, 7), (0, 9), (1 << 32, 11)] {
        kernel.launch(&Launch::new(&[2]).local(&[2]).offset(&[offset]), &[Arg::Buffer(&buffer)]).unwrap();
        let stored = buffer.to_vec_of::<u32>().unwrap()[1];
        assert!((value..value + 2).contains(&stored), "{stored} at {offset}");
    }
    assert_eq!(*printed.lock().unwrap(), "3\n1099511627783\n0\n4294967296\n");
    let last = [4, (1 << 40) + 8, 1, (1 << 32) + 1].map(|id| [id, 0, 0]);
    assert_eq!(*reported.lock().unwrap(), last);
}

/// More work-items than ids of 32 bits count: each work-group counts itself, and the last ones say who they are. They take a
/// software driver minutes, so that it is one of the long tests.
#[test]
fn more_than_2_to_the_32_work_items() {
    if std::env::var_os("CLFORGE_LONG_TESTS").is_none() {
        return;
    }
    let device = device(false);
    let source = "
        kernel void count(global uint *groups, global ulong *last) {
            if (get_local_id(0) != 0) return;
            atomic_inc(groups);
            size_t id = get_global_id(0);
            if (id + 1024 >= get_global_size(0)) { last[0] = id; last[1] = get_global_size(0); last[2] = get_group_id(0); }
        }";
    let kernel = Program::from_source(&device.0, source, &Options::default()).unwrap().kernel("count").unwrap();
    let (groups, last) = (Buffer::zeroed(&device.0, 4).unwrap(), Buffer::zeroed(&device.0, 24).unwrap());
    let global = (1 << 32) + 1030;
    kernel.launch(&Launch::new(&[global]).local(&[1024]), &[Arg::Buffer(&groups), Arg::Buffer(&last)]).unwrap();
    assert_eq!(groups.to_vec_of::<u32>().unwrap(), [(1 << 22) + 2]);
    assert_eq!(last.to_vec_of::<u64>().unwrap(), [(1 << 32) + 1024, global, (1 << 22) + 1]);
}
