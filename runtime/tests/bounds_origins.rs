//! Checked accesses through pointers with indirect origins, and to memory that is no buffer. Neighbouring ranges are
//! parts of one buffer without a gap, so only the known origin of a pointer can keep an access out of the next range.

mod common;

use clforge_compiler::Options;
use clforge_compiler::interface::bounds::{AccessKind, Memory};
use clforge_compiler::options::ClStd;
use clforge_runtime::{
    AccessTarget, Arg, Buffer, Device, Error, Image, ImageDescription, ImageFormat, ImageKind, Launch, LaunchReport,
    Program, Sampler,
};
use common::{bytes, device, values};

fn compile(device: &Device, source: &str) -> Program {
    let options = Options::default().with_cl_std(ClStd::CL3_0).with_bounds_check(true);
    Program::from_source(device, source, &options).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

/// The report of a launch, an empty one where nothing was out of range.
fn launch(program: &Program, launch: &Launch, args: &[Arg<'_>]) -> LaunchReport {
    match program.kernel("k").unwrap().launch(launch, args) {
        Ok(_) => LaunchReport::default(),
        Err(Error::BoundsCheck(report)) => *report,
        Err(other) => panic!("{other:?}"),
    }
}

/// Buffers of 8 `int`s that are neighbours, each filled with its number.
struct Row {
    parts: Vec<Buffer>,
}

impl Row {
    fn new(device: &Device, count: i32) -> Row {
        let all: Vec<i32> = (0..count).flat_map(|number| [number; 8]).collect();
        let whole = Buffer::from_bytes(device, &bytes(&all)).unwrap();
        Row { parts: (0..count as u64).map(|number| whole.slice(number * 32, 32).unwrap()).collect() }
    }

    fn get(&self, index: usize) -> Vec<i32> {
        values(&self.parts[index].to_vec().unwrap())
    }
}

/// Arguments, and how many writes were out of their range.
type Counts = Vec<(Option<u32>, u32)>;

/// Runs a kernel of three buffers and an `int`; the buffers after it, and how many writes were out of range of which argument.
fn on_three(source: &str, n: i32) -> ([Vec<i32>; 3], Counts) {
    let device = device(false);
    let program = compile(&device.0, source);
    let row = Row::new(&device.0, 3);
    let args = [Arg::Buffer(&row.parts[0]), Arg::Buffer(&row.parts[1]), Arg::Buffer(&row.parts[2]), Arg::pod(&n)];
    let report = launch(&program, &Launch::new(&[1]), &args);
    let counts = report.places.iter().map(|place| (place.site.argument, place.count)).collect();
    ([0, 1, 2].map(|index| row.get(index)), counts)
}

const PARAMETERS: &str = "kernel void k(global int *a, global int *b, global int *c, int n)";

#[test]
fn pointers_that_walk_stay_in_their_argument() {
    let walks = [
        "{ for (global int *q = a; q < a + n; q++) *q = 3; }",
        "{ global int *p = a; while (n--) *p++ = 3; }",
        "{ global int *p = a; do { *p = 3; p += 1; } while (--n); }",
        "{ global int *p = a; for (int i = 0; i < n; i++) { if (i & 1) { *p++ = 3; continue; } *p = 3; ++p; } }",
        "{ global int *end = a + n, *p = a; for (int j = 0; j < 2; j++) for (; p < end; p += 2) { p[0] = 3; p[1] = 3; } }",
    ];
    for walk in walks {
        let (after, counts) = on_three(&format!("{PARAMETERS} {walk}"), 12);
        assert_eq!(after, [[3; 8].to_vec(), [1; 8].to_vec(), [2; 8].to_vec()], "{walk}");
        assert!(counts.iter().all(|(argument, _)| *argument == Some(0)), "{walk}: {counts:?}");
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u32>(), 4, "{walk}: {counts:?}");
        let (after, counts) = on_three(&format!("{PARAMETERS} {walk}"), 8);
        assert_eq!((after[0].clone(), counts), ([3; 8].to_vec(), Vec::new()), "{walk}");
    }
}

#[test]
fn pointers_that_are_passed_stay_in_their_argument() {
    let source = format!(
        "__attribute__((noinline)) global int *fill(global int *p, int n) {{ while (n--) *p++ = 3; return p; }}\n\
         {PARAMETERS} {{ *fill(a, n) = 4; }}"
    );
    let (after, counts) = on_three(&source, 10);
    assert_eq!(after, [[3; 8].to_vec(), [1; 8].to_vec(), [2; 8].to_vec()]);
    assert_eq!(counts, [(Some(0), 2), (Some(0), 1)]);
    let (after, counts) = on_three(&source, 7);
    assert_eq!((after[0].clone(), counts), ([3, 3, 3, 3, 3, 3, 3, 4].to_vec(), Vec::new()));
}

#[test]
fn chosen_pointers_stay_in_what_was_chosen() {
    let choices = [
        "{ global int *p = n > 0 ? a : b; p[8] = 3; p[n] = 4; }",
        "{ global int *p = n > 0 ? a + 1 : b; p += 2; p[5] = 3; p[n - 3] = 4; }",
    ];
    for choice in choices {
        let (after, counts) = on_three(&format!("{PARAMETERS} {choice}"), 2);
        let first = [0, 0, 4, 0, 0, 0, 0, 0].to_vec();
        assert_eq!(after, [first, [1; 8].to_vec(), [2; 8].to_vec()], "{choice}");
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u32>(), 1, "{choice}");
    }
}

/// Which of several is not always known, but that it is none but those is.
#[test]
fn pointers_in_memory_stay_in_what_was_stored() {
    let stores = [
        "{ global int *t[2] = { a, b }; t[n & 1][8] = 3; t[n & 1][7] = 4; }",
        "{ global int *t[2]; t[0] = a; t[1] = b; for (int i = 0; i < 4; i++) t[(n + i) & 1]++; t[n & 1][6] = 3; t[n & 1][5] = 4; }",
        "void f(global int **p, int n) { p[n & 1][8] = 3; p[n & 1][7] = 4; }\n",
    ];
    for store in stores {
        let source = match store.strip_prefix("void") {
            Some(_) => format!("{store}{PARAMETERS} {{ global int *t[2] = {{ a, b }}; f(t, n); }}"),
            None => format!("{PARAMETERS} {store}"),
        };
        let (after, counts) = on_three(&source, 1);
        let second = [1, 1, 1, 1, 1, 1, 1, 4].to_vec();
        assert_eq!(after, [[0; 8].to_vec(), second, [2; 8].to_vec()], "{store}");
        assert_eq!(counts, [(None, 1)], "{store}");
    }
}

/// A pointer that was a number and nothing is known of may go wherever the launch has memory, and no farther.
#[test]
fn pointers_of_unknown_origin_stay_in_the_launch() {
    let source = "kernel void k(global int *a, global ulong *table, global int *c, int n)\n\
                  { table[0] = (ulong)a; global int *p = (global int *)table[0]; p[7] = 5; p[24] = 3; p[1000] = 4; }";
    let (after, counts) = on_three(source, 0);
    assert_eq!(after[0], [0, 0, 0, 0, 0, 0, 0, 5]);
    assert_eq!(after[2], [2; 8]);
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<u32>(), 2);
}

#[test]
fn buffers_have_gaps_between_them() {
    let device = device(false);
    let mut buffers: Vec<(u64, u64)> = (0..16)
        .map(|_| Buffer::zeroed(&device.0, 64).unwrap())
        .map(|buffer| (buffer.device_address().unwrap(), buffer))
        .collect::<Vec<_>>()
        .iter()
        .map(|(address, buffer)| (*address, address + buffer.size()))
        .collect();
    buffers.sort_unstable();
    assert!(buffers.windows(2).all(|pair| pair[1].0 >= pair[0].1 + 256), "{buffers:x?}");
}

/// Runs a kernel of a buffer of 8 `int`s, an `int` and a `local` argument of 32 bytes; the buffer after it, and the report.
fn on_objects(source: &str, n: i32) -> (Vec<i32>, LaunchReport) {
    let device = device(false);
    let program = compile(&device.0, source);
    let out = Buffer::from_bytes(&device.0, &bytes(&[-1; 8])).unwrap();
    let report = launch(&program, &Launch::new(&[1]), &[Arg::Buffer(&out), Arg::pod(&n), Arg::Local(32)]);
    (values(&out.to_vec().unwrap()), report)
}

/// What is told of the only place.
fn told(report: &LaunchReport) -> (AccessKind, Memory, u32, String) {
    let [place] = &report.places[..] else { panic!("{report}") };
    let first = place.accesses.first().expect("an access");
    (place.site.kind, place.site.memory, place.count, place.describe(first))
}

#[test]
fn local_arrays_are_checked() {
    let source = "kernel void k(global int *out, int n, local int *l) {\n\
                  local int before[8], tile[8], after[8];\n\
                  for (int i = 0; i < 8; i++) { before[i] = 1; tile[i] = 2; after[i] = 3; }\n\
                  barrier(CLK_LOCAL_MEM_FENCE);\n\
                  tile[n] = 9;\n\
                  for (int i = 0; i < 8; i++) out[i] = before[i] * 100 + tile[i] * 10 + after[i]; }";
    for (n, distance) in [
        (8, "right behind the end of the local variable 'tile' (32 bytes)"),
        (-1, "4 bytes before the local variable 'tile'"),
        // Far enough to have ended the process.
        (300_000_000, "1199999968 bytes past the end of the local variable 'tile' (32 bytes)"),
    ] {
        let (out, report) = on_objects(source, n);
        assert_eq!(out, [123; 8], "{n}");
        let text = format!("work-item (0,0,0): {distance}");
        assert_eq!(told(&report), (AccessKind::Write, Memory::Local, 1, text));
    }
    let (out, report) = on_objects(source, 7);
    assert_eq!((out, report.total), ([[123; 7].to_vec(), [193].to_vec()].concat(), 0));
}

#[test]
fn pointers_into_local_memory_are_checked() {
    let source = "kernel void k(global int *out, int n, local int *l) {\n\
                  local int tile[8], after[8];\n\
                  for (int i = 0; i < 8; i++) { after[i] = 3; tile[i] = 0; }\n\
                  for (local int *p = tile; p < tile + n; p++)\n\
                  *p = 9;\n\
                  for (int i = 0; i < 8; i++) out[i] = tile[i] * 10 + after[i]; }";
    let (out, report) = on_objects(source, 10);
    assert_eq!(out, [93; 8]);
    let text = "work-item (0,0,0): right behind the end of the local variable 'tile' (32 bytes)".to_string();
    assert_eq!(told(&report), (AccessKind::Write, Memory::Local, 2, text));
    assert_eq!(on_objects(source, 8).1.total, 0);
}

#[test]
fn local_arguments_are_checked() {
    let uses = [
        ("l[n] = 1; out[0] = l[n & 7];", AccessKind::Write),
        ("out[0] = l[n];", AccessKind::Read),
        ("out[0] = atomic_add(&l[n], 1);", AccessKind::Atomic),
        ("local int *p = n > 100 ? l + 1 : l; out[0] = p[n];", AccessKind::Read),
        ("vstore4((int4)(1), n / 4, l);", AccessKind::Write),
    ];
    for (text, kind) in uses {
        let source = format!("kernel void k(global int *out, int n, local int *l) {{ {text} }}");
        let (_, report) = on_objects(&source, 8);
        let wanted = "work-item (0,0,0): right behind the end of argument 2 'l' (32 bytes)".to_string();
        assert_eq!(told(&report), (kind, Memory::Local, 1, wanted), "{text}");
        assert_eq!(on_objects(&source, 4).1.total, 0, "{text}");
    }
}

#[test]
fn private_arrays_are_checked() {
    let source = "kernel void k(global int *out, int n, local int *l) {\n\
                  int a[4] = { 1, 2, 3, 4 }, b[4] = { 5, 6, 7, 8 };\n\
                  a[n] = 9;\n\
                  for (int i = 0; i < 4; i++) { out[i] = a[i]; out[4 + i] = b[i]; } }";
    let distances = [
        (4, "right behind the end of the private variable 'a' (16 bytes)"),
        (-2, "8 bytes before the private variable 'a'"),
    ];
    for (n, distance) in distances {
        let (out, report) = on_objects(source, n);
        assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(told(&report), (AccessKind::Write, Memory::Private, 1, format!("work-item (0,0,0): {distance}")));
    }
    let source = "kernel void k(global int *out, int n, local int *l) {\n\
                  int a[4] = { 1, 2, 3, 4 }, b[4] = { 5, 6, 7, 8 };\n\
                  int *p = n > 100 ? b : a;\n\
                  for (int i = 0; i < n; i++) *p++ += 10;\n\
                  for (int i = 0; i < 4; i++) { out[i] = a[i]; out[4 + i] = b[i]; } }";
    let (out, report) = on_objects(source, 4);
    assert_eq!((out, report.total), ([11, 12, 13, 14, 5, 6, 7, 8].to_vec(), 0));
    // Which array is not known when the pointer has walked, so that only leaving both is told.
    let (_, report) = on_objects(source, 40);
    assert!(report.places.iter().all(|place| place.site.memory == Memory::Private), "{report}");
    assert!(report.total > 0, "{report}");
}

/// Variables of functions that are inlined, parameters, arrays in the pool and those of macros have their names; objects without
/// a declaration have none.
#[test]
fn private_variables_are_named() {
    let bodies = [
        (
            "int inner(int n) { int kept[2] = { n, 1 }; return kept[n]; }",
            "out[0] = inner(n);",
            "the private variable 'kept'",
        ),
        (
            "typedef struct { int a[2]; } S; int f(S given, int n) { return given.a[n]; }",
            "S s = { { n, 1 } }; out[0] = f(s, n);",
            "the private variable 'given'",
        ),
        (
            "void f(int *p, int n) __attribute__((noinline)); void f(int *p, int n) { p[n] = 1; }",
            "int pooled[2] = { 1, 2 }; f(pooled, n); out[0] = pooled[0];",
            "the private variable 'pooled'",
        ),
        (
            "#define ARRAY(name) int name##_of[2] = { n, 2 }",
            "ARRAY(all); out[0] = all_of[n];",
            "the private variable 'all_of'",
        ),
        ("", "out[0] = ((int[]){ n, 2 })[n];", "a private object"),
    ];
    for (before, body, name) in bodies {
        let source = format!("{before}\nkernel void k(global int *out, int n, local int *l) {{ {body} }}");
        let (_, report) = on_objects(&source, 5);
        let (_, _, _, text) = told(&report);
        assert_eq!(text, format!("work-item (0,0,0): 12 bytes past the end of {name} (8 bytes)"), "{source}");
    }
}

/// A kernel's parameter that is a record is a variable of the kernel.
#[test]
fn records_of_kernels_are_named() {
    let device = device(false);
    let source = "typedef struct { int a[2]; } S;\n\
                  kernel void k(global int *out, S given, int n) { out[0] = given.a[n]; }";
    let program = compile(&device.0, source);
    let out = Buffer::from_bytes(&device.0, &bytes(&[-1])).unwrap();
    let arguments = [Arg::Buffer(&out), Arg::pod(&[1, 2]), Arg::pod(&5)];
    let report = launch(&program, &Launch::new(&[1]), &arguments);
    let (_, _, _, text) = told(&report);
    assert_eq!(text, "work-item (0,0,0): 12 bytes past the end of the private variable 'given' (8 bytes)");
}

/// What is proved to be in its object has no check, and so no site.
#[test]
fn what_cannot_leave_is_not_checked() {
    let device = device(false);
    let program = compile(
        &device.0,
        "typedef struct { int x, y[2]; } S;\n\
         constant int table[3] = { 1, 2, 3 };\n\
         kernel void k(global int *out) { S s[2]; s[1].y[1] = 4; local int l[3]; l[2] = 5; volatile int v = 1;\n\
         *out = s[1].y[1] + l[2] + v + table[2]; }",
    );
    let bounds = program.interface().bounds.as_ref().unwrap();
    assert!(!bounds.sites.is_empty());
    assert!(bounds.sites.iter().all(|site| site.argument == Some(0)), "{:?}", bounds.sites);
}

#[test]
fn vectors_and_members_that_cross_the_end() {
    let uses = [
        "vstore4((int4)(7), 0, a + n);",
        "c[0] = vload3(0, a + n).x;",
        "vstore8((int8)(7), 0, a + n - 4);",
        "typedef struct { int x; long y; } S; ((global S *)a)[n / 4 - 1].y = 7; ((global S *)a)[1].y = 2;",
    ];
    for text in uses {
        let (after, counts) =
            on_three(&format!("{PARAMETERS} {{ {text} }}"), if text.contains("typedef") { 12 } else { 6 });
        assert_eq!(after[1], [1; 8], "{text}");
        let total: u32 = counts.iter().map(|(_, count)| count).sum();
        // Wide vectors are accessed in parts of four.
        assert_eq!((counts[0].0, total), (Some(0), 1), "{text}: {counts:?}");
    }
}

fn image(device: &Device, kind: ImageKind, size: [u32; 3]) -> Image {
    let description = ImageDescription { kind, size, format: ImageFormat::parse("rgba32i").expect("a format") };
    Image::zeroed(device, description).unwrap()
}

#[test]
fn texels_outside_of_images() {
    let device = device(false);
    let program = compile(
        &device.0,
        "kernel void k(write_only image2d_t to, read_only image2d_t from, sampler_t s, global int *out, int2 at) {\n\
         write_imagei(to, at, (int4)(1, 2, 3, 4));\n\
         out[0] = read_imagei(from, at).x;\n\
         out[1] = read_imagei(from, s, at).x; }",
    );
    let (to, from) = (image(&device.0, ImageKind::D2, [4, 3, 1]), image(&device.0, ImageKind::D2, [4, 3, 1]));
    let sampler = Sampler { normalized: false, ..Sampler::default() };
    for (at, good) in [([3, 2], true), ([4, 0], false), ([0, 3], false), ([-1, 0], false), ([70_000, 70_000], false)] {
        let out = Buffer::from_bytes(&device.0, &bytes(&[-1, -1])).unwrap();
        let args = [Arg::Image(&to), Arg::Image(&from), Arg::Sampler(sampler), Arg::Buffer(&out), Arg::pod(&at)];
        let report = launch(&program, &Launch::new(&[1]), &args);
        assert_eq!(values::<i32>(&out.to_vec().unwrap()), [0, 0], "{at:?}");
        let lines: Vec<_> = report.places.iter().map(|place| (place.site.line, place.site.kind)).collect();
        let wanted = if good { vec![] } else { vec![(2, AccessKind::Write), (3, AccessKind::Read)] };
        assert_eq!(lines, wanted, "{at:?}");
        for place in &report.places {
            let [x, y] = at;
            let wanted = AccessTarget::Texel { coordinate: [x, y, 0], size: Some([4, 3, 1]) };
            assert_eq!(place.accesses[0].target, wanted);
        }
    }
    let texels: Vec<i32> = values(&to.to_vec().unwrap());
    assert_eq!((texels.iter().sum::<i32>(), &texels[44..]), (10, &[1, 2, 3, 4][..]));
}

#[test]
fn texels_of_every_kind_of_image() {
    let device = device(false);
    let kinds = [
        (ImageKind::D1, "image1d_t", "at.x", [4, 1, 1]),
        (ImageKind::D1Array, "image1d_array_t", "at.xy", [4, 3, 1]),
        (ImageKind::Buffer, "image1d_buffer_t", "at.x", [4, 1, 1]),
        (ImageKind::D2Array, "image2d_array_t", "at", [4, 3, 2]),
        (ImageKind::D3, "image3d_t", "at", [4, 3, 2]),
    ];
    for (kind, ty, swizzle, size) in kinds {
        let pragma = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n";
        let program = compile(
            &device.0,
            &format!(
                "{pragma}kernel void k(write_only {ty} to, int4 at) {{ write_imagei(to, {swizzle}, (int4)(1)); }}"
            ),
        );
        let to = image(&device.0, kind, size);
        let last = size.map(|lane| lane as i32 - 1);
        let inside = [last[0], last[1], last[2], 0];
        let report = launch(&program, &Launch::new(&[1]), &[Arg::Image(&to), Arg::pod(&inside)]);
        assert_eq!(report.total, 0, "{ty}: {report}");
        for lane in 0..3 {
            if size[lane] == 1 {
                continue;
            }
            let mut outside = inside;
            outside[lane] += 1;
            let report = launch(&program, &Launch::new(&[1]), &[Arg::Image(&to), Arg::pod(&outside)]);
            assert_eq!(report.total, 1, "{ty} {outside:?}: {report}");
        }
    }
}
