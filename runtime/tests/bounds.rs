//! Checked accesses: accesses out of range read zeros, write nothing and are reported; accesses in range behave as
//! without checks.

mod common;

use clforge_compiler::Options;
use clforge_compiler::interface::bounds::AccessKind;
use clforge_compiler::options::ClStd;
use clforge_runtime::{
    AccessTarget, Arg, ArgumentRange, Buffer, Device, Error, Launch, LaunchReport, OutOfRangeAccess, PlaceReport,
    Program,
};
use common::{bytes, device, values};
use std::sync::{Arc, Mutex};

fn compile(device: &Device, source: &str) -> Program {
    let options = Options::default().with_cl_std(ClStd::CL3_0).with_bounds_check(true);
    Program::from_source(device, source, &options).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

/// A buffer in the middle of a larger one, so that accesses around it are seen.
struct Island {
    sea: Buffer,
    land: Buffer,
}

const SHORE: u64 = 256;

impl Island {
    fn new(device: &Device, contents: &[u8]) -> Island {
        let size = contents.len() as u64;
        let sea = Buffer::from_bytes(device, &vec![0xAA; (size + 2 * SHORE) as usize]).unwrap();
        let land = sea.slice(SHORE, size).unwrap();
        land.write(0, contents).unwrap();
        Island { sea, land }
    }

    /// The contents; nothing around them has changed.
    fn contents(&self) -> Vec<u8> {
        let all = self.sea.to_vec().unwrap();
        let (before, rest) = all.split_at(SHORE as usize);
        let (land, after) = rest.split_at(self.land.size() as usize);
        assert!(before.iter().chain(after).all(|byte| *byte == 0xAA), "something was written out of range");
        land.to_vec()
    }
}

/// A launch that must be reported.
fn report(program: &Program, launch: &Launch, args: &[Arg<'_>]) -> LaunchReport {
    match program.kernel("k").unwrap().launch(launch, args) {
        Err(Error::BoundsCheck(report)) => *report,
        other => panic!("expected a report, got {other:?}"),
    }
}

#[test]
fn reads_are_zeros_and_writes_go_nowhere() {
    let device = device(false);
    let program = compile(
        &device.0,
        "kernel void k(global int *a, global int *out, int by) {\n\
         int i = get_global_id(0);\n\
         out[i + by] = a[i];\n}",
    );
    let (a, out) = (Island::new(&device.0, &bytes(&[1, 2, 3, 4, 5])), Island::new(&device.0, &bytes(&[9; 10])));
    let args = [Arg::Buffer(&a.land), Arg::Buffer(&out.land), Arg::pod(&4i32)];
    let found = report(&program, &Launch::new(&[8]), &args);
    assert_eq!(values::<i32>(&out.contents()), [9, 9, 9, 9, 1, 2, 3, 4, 5, 0]);
    assert_eq!(values::<i32>(&a.contents()), [1, 2, 3, 4, 5]);
    // Work-items 5, 6 and 7 read past five numbers, 6 and 7 write past ten.
    assert_eq!(found.total, 5);
    let list: Vec<_> = found
        .accesses()
        .map(|(PlaceReport { site, .. }, access)| (site.kind, site.line, access.work_item, site.argument, site.bytes))
        .collect();
    let reads = (5..8).map(|i| (AccessKind::Read, 3, [i, 0, 0], Some(0), 4));
    let writes = (6..8).map(|i| (AccessKind::Write, 3, [i, 0, 0], Some(1), 4));
    let (mut list, mut wanted) = (list, reads.chain(writes).collect::<Vec<_>>());
    let key = |access: &(AccessKind, u32, [u64; 3], Option<u32>, u32)| (access.3, access.2);
    list.sort_by_key(key);
    wanted.sort_by_key(key);
    assert_eq!(list, wanted);
    let start = out.land.device_address().unwrap();
    let (place, last) = found
        .accesses()
        .find(|(place, access)| place.site.kind == AccessKind::Write && access.work_item[0] == 7)
        .expect("work-item 7 writes");
    let range = ArgumentRange { argument: 1, name: "out".into(), first: start, end: start + 40 };
    assert_eq!(last.target, AccessTarget::Address { address: start + 44, nearest: Some(range) });
    assert_eq!(place.describe(last), "work-item (7,0,0): 4 bytes past the end of argument 1 'out' (40 bytes)");
    assert_eq!(
        place.render(false),
        "error: out-of-range write of 4 bytes by kernel 'k', 2 times\n\
         \x20--> <source>:3:1\n\
         \x20 |\n\
         3 | out[i + by] = a[i];\n\
         \x20 | ^^^^^^^^^^^^^^^^^^\n\
         \x20 |\n\
         \x20 = note: work-item (6,0,0): right behind the end of argument 1 'out' (40 bytes)\n\
         \x20 = note: work-item (7,0,0): 4 bytes past the end of argument 1 'out' (40 bytes)"
    );
}

#[test]
fn every_kind_of_access() {
    let device = device(false);
    let program = compile(
        &device.0,
        "typedef struct { int a; char b; } S;\n\
         constant int table[3] = { 10, 20, 30 };\n\
         global int counter[2] = { 7, 8 };\n\
         int through(generic int *p, int i) { return p[i]; }\n\
         kernel void k(global char *c, global float4 *f, global S *s, global int *n, global long *l, int far,\n\
                       global int *out) {\n\
         c[far] = 1;\n\
         out[0] = c[-far];\n\
         f[far] = f[0];\n\
         out[1] = (int)vload3(far, (global float *)f).y;\n\
         S copy = s[far]; out[2] = copy.a + copy.b;\n\
         s[far].b = 3;\n\
         out[3] = atomic_add(&n[far], 5);\n\
         out[4] = atomic_cmpxchg(&n[far], 0, 5);\n\
         l[far] += 1;\n\
         out[5] = table[far]; out[6] = counter[far]; counter[far] = 1;\n\
         int mine = 77; int *p = far ? (int *)n : &mine; out[7] = through(p, far);\n\
         out[8] = *(global int *)0; out[9] = table[far - 98] + counter[far - 99];\n\
         out[10] = far; }",
    );
    let islands: Vec<Island> = [4, 64, 16, 8, 8].iter().map(|size| Island::new(&device.0, &vec![1; *size])).collect();
    let out = Island::new(&device.0, &bytes(&[-1; 11]));
    let mut args: Vec<Arg<'_>> = islands.iter().map(|island| Arg::Buffer(&island.land)).collect();
    args.extend([Arg::pod(&100i32), Arg::Buffer(&out.land)]);
    let found = report(&program, &Launch::new(&[1]), &args);
    for island in &islands {
        assert!(island.contents().iter().all(|byte| *byte == 1));
    }
    assert_eq!(values::<i32>(&out.contents()), [0, 0, 0, 0, 0, 0, 0, 0, 0, 30 + 8, 100]);
    let lines: std::collections::BTreeSet<u32> = found.places.iter().map(|place| place.site.line).collect();
    // What line 17 calls is on line 4.
    assert_eq!(lines, (7..=18).filter(|line| *line != 17).chain([4]).collect());
    let text = found.to_string();
    assert!(text.contains("error: out-of-range write of 1 byte by kernel 'k'\n --> <source>:7:1\n"), "{text}");
    assert!(text.contains("96 bytes past the end of argument 0 'c' (4 bytes)"), "{text}");
    assert!(text.contains("100 bytes before argument 0 'c'"), "{text}");
    assert!(text.contains("outside of the variable 'table'"), "{text}");
    assert!(text.contains("atomic access of 4 bytes"), "{text}");
}

/// Everything in range: no report, and the same results as without checks.
#[test]
fn what_is_in_range_is_not_touched() {
    let device = device(false);
    let source = "constant int table[3] = { 10, 20, 30 };\n\
         global int total = 0;\n\
         int sum(generic int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }\n\
         kernel void k(global int *a, global int *b, local int *l, global uchar *c, constant float3 *f, int choose) {\n\
         int i = get_global_id(0), n = get_local_size(0), j = get_local_id(0);\n\
         l[j] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n\
         global int *p = choose ? a : b;\n\
         int own[4] = { i, 1, 2, 3 };\n\
         atomic_add(&total, 1);\n\
         c[i] += (uchar)(l[n - 1 - j] + table[i % 3]);\n\
         b[i] = sum(choose ? (int *)p : own, 4) + (int)f[i & 1].z;\n\
         vstore2((char2)(1, 2), i, (global char *)c + 64);\n\
         if (i == 0) printf(\"%d\\n\", table[2]); }";
    let run = |options: &Options| {
        let program = Program::from_source(&device.0, source, options).unwrap_or_else(|error| panic!("{error:?}"));
        let printed = Arc::new(Mutex::new(Vec::new()));
        let keep = printed.clone();
        program.on_print(move |text| keep.lock().unwrap().push(text.to_string())).unwrap();
        let a = Buffer::from_slice(&device.0, &(0..37).collect::<Vec<i32>>()).unwrap();
        let b = Buffer::zeroed(&device.0, 37 * 4).unwrap();
        let c = Buffer::zeroed(&device.0, 64 + 74).unwrap();
        let f = Buffer::from_slice(&device.0, &[0.0f32, 0.0, 5.0, 0.0, 0.0, 0.0, 6.0, 0.0]).unwrap();
        for choose in [0i32, 1] {
            let args =
                [Arg::Buffer(&a), Arg::Buffer(&b), Arg::Local(32), Arg::Buffer(&c), Arg::Buffer(&f), Arg::pod(&choose)];
            program.kernel("k").unwrap().launch(&Launch::new(&[37]).local(&[8]), &args).unwrap();
        }
        let printed = printed.lock().unwrap().concat();
        (a.to_vec().unwrap(), b.to_vec().unwrap(), c.to_vec().unwrap(), printed)
    };
    let plain = Options::default().with_cl_std(ClStd::CL3_0);
    let unchecked = run(&plain);
    assert_eq!(run(&plain.with_bounds_check(true)), unchecked);
    let b: Vec<i32> = values(&unchecked.1);
    assert_eq!((b[0], b[1]), (6 + 5, 6 + 6));
    assert_eq!(unchecked.3, "30\n30\n");
}

#[test]
fn more_than_are_kept_are_counted_and_a_callback_takes_them() {
    let device = device(false);
    let program = compile(
        &device.0,
        "kernel void k(global int *a) { a[get_global_id(0) + get_global_id(1) * 1000 + 1000] = 1; }",
    );
    let island = Island::new(&device.0, &[3; 16]);
    let reports = Arc::new(Mutex::new(Vec::new()));
    let keep = reports.clone();
    program.on_out_of_range(move |report| keep.lock().unwrap().push(report.clone())).unwrap();
    let kernel = program.kernel("k").unwrap();
    let range = Launch::new(&[50, 3]).local(&[16, 2]).offset(&[7, 1]);
    kernel.launch(&range, &[Arg::Buffer(&island.land)]).unwrap();
    kernel.launch(&Launch::new(&[1]), &[Arg::Null]).unwrap();
    assert_eq!(island.contents(), [3; 16]);
    let reports = reports.lock().unwrap();
    let [first, second] = &reports[..] else { panic!("{} reports", reports.len()) };
    let [place] = &first.places[..] else { panic!("{first}") };
    assert_eq!((first.total, place.count, place.accesses.len()), (150, 150, 8));
    let start = island.land.device_address().unwrap();
    for access in &place.accesses {
        let [x, y, z] = access.work_item;
        assert!((7..57).contains(&x) && (1..4).contains(&y) && z == 0, "{access:?}");
        let AccessTarget::Address { address, .. } = access.target else { panic!("{access:?}") };
        assert_eq!(address, start + 4 * (x + y * 1000 + 1000));
    }
    let text = first.to_string();
    assert!(text.contains("by kernel 'k', 150 times") && text.ends_with("and 147 more"), "{text}");
    assert_eq!(second.total, 1);
    assert!(second.to_string().ends_with("in argument 0 'a', which is null or empty"), "{second}");
}

/// Accesses of several places do not push each other out of the report.
#[test]
fn every_place_is_reported() {
    let device = device(false);
    let program = compile(
        &device.0,
        "kernel void k(global int *a, global int *b) {\n\
         for (int i = 0; i < 100; i++)\n\
         a[i + 4] = 1;\n\
         b[get_global_id(0) + 4] = 1; }",
    );
    let (a, b) = (Island::new(&device.0, &[3; 16]), Island::new(&device.0, &[4; 16]));
    let found = report(&program, &Launch::new(&[3]), &[Arg::Buffer(&a.land), Arg::Buffer(&b.land)]);
    let places: Vec<_> =
        found.places.iter().map(|place| (place.site.line, place.argument_name.as_str(), place.count)).collect();
    assert_eq!(places, [(3, "a", 300), (4, "b", 3)]);
    assert_eq!(found.total, 303);
    // Each work-item's first one is among those that are told.
    let start = a.land.device_address().unwrap();
    for item in 0..3 {
        let is_first = |access: &&OutOfRangeAccess| matches!(access.target, AccessTarget::Address { address, .. } if address == start + 16);
        let firsts = found.places[0].accesses.iter().filter(is_first);
        assert_eq!(firsts.filter(|access| access.work_item == [item, 0, 0]).count(), 1, "{found}");
    }
    assert_eq!((a.contents(), b.contents()), (vec![3; 16], vec![4; 16]));
    // The next launch begins anew.
    let long = Island::new(&device.0, &[0; 416]);
    let found = report(&program, &Launch::new(&[1]), &[Arg::Buffer(&long.land), Arg::Buffer(&b.land)]);
    assert_eq!((found.places.len(), found.total), (1, 1));
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let device = device(false);
    let program = compile(&device.0, "kernel void k(global int *a) { a[0] = 1; }");
    let error = program.kernel("k").unwrap().launch(&Launch::new(&[1]), &[Arg::Address(4096)]).unwrap_err();
    assert!(matches!(&error, Error::Launch(text) if text.contains("argument 0")), "{error}");
}

#[test]
fn pointers_of_one_kernel_are_none_of_another() {
    // What is stored behind a pointer that is not known may be any pointer, but none to an object of another kernel.
    let device = device(false);
    let program = compile(
        &device.0,
        "struct node { struct node *next; int v; };
        kernel void other(global int *o, int i) {
            struct node n[40];
            for (int k = 0; k < o[50]; k++) { n[k].v = o[k]; n[k].next = &n[o[k + 1]]; }
            struct node *p = n[i].next;
            while (p->v) { struct node *q = p->next; q->next = &n[p->v]; p = q; }
            o[0] = p->v;
        }
        kernel void k(global int *o) {
            int x[40];
            int *slots[40];
            for (int k = 0; k < o[60]; k++) { x[k] = o[k]; slots[k] = &x[o[k + 4]]; }
            *slots[o[22]] = 5;
            o[0] = *slots[o[21]];
            o[1] = x[2];
        }",
    );
    let mut values = [0; 64];
    (values[60], values[4], values[5], values[6]) = (3, 2, 1, 2);
    (values[22], values[21]) = (0, 2);
    let o = Buffer::from_slice(&device.0, &values).unwrap();
    program.kernel("k").unwrap().launch(&Launch::new(&[1]), &[Arg::Buffer(&o)]).unwrap();
    assert_eq!(o.to_vec_of::<i32>().unwrap()[..2], [5, 5]);
}
