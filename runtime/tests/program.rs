//! Programs as the library's users make them: options as text, names, logs, bytes, and errors that say what is wrong.

mod common;

use clforge_runtime::{Arg, Buffer, Error, Launch, Options, Program, build_options};
use common::device;
use std::error::Error as _;

#[test]
fn options_as_text() {
    let device = device(false);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("value.h"), "#define VALUE 30\n").unwrap();
    let source = "#include <value.h>\nkernel void k(global int *a) { a[0] = VALUE + N; }";
    let options = build_options(&format!("-DN=4 -cl-mad-enable -I \"{}\"", folder.path().display())).unwrap();
    assert!(options.language.math.mad_enable);
    let program = Program::from_source(&device.0, source, &options).unwrap();
    let buffer = Buffer::zeroed(&device.0, 4).unwrap();
    program.kernel("k").unwrap().launch(&Launch::new(&[1]), &[Arg::Buffer(&buffer)]).unwrap();
    assert_eq!(buffer.to_vec_of::<i32>().unwrap(), [34]);
    assert_eq!(Options::parse("-cl-fast").unwrap_err().to_string(), "unknown build option '-cl-fast'");
    // In a function whose errors are all this crate's.
    let build = |options| -> clforge_runtime::Result<Program> {
        Program::from_source(&device.0, "kernel void k() {}", &Options::parse(options)?)
    };
    let error = build("-cl-fast").err().expect("no such option");
    assert!(matches!(error, Error::BuildOptions(_)) && error.to_string() == "unknown build option '-cl-fast'");
    assert!(build("-cl-mad-enable").is_ok());
}

#[test]
fn errors_show_the_diagnostics() {
    let device = device(false);
    let error = Program::from_named_source(&device.0, "sums.cl", "kernel void k() { x = 1; }", &Options::default());
    let error = error.err().expect("the program is wrong");
    let text = error.to_string();
    assert!(text.starts_with("the program does not compile\n"), "{text}");
    for part in ["use of undeclared identifier 'x'", "sums.cl:1:19", "kernel void k() { x = 1; }"] {
        assert!(text.contains(part), "{text}");
    }
    let source = error.source().expect("the diagnostics").to_string();
    assert!(source.contains("use of undeclared identifier 'x'"), "{source}");
    let Error::Compile(errors) = error else { panic!("{error}") };
    assert_eq!(errors.0.list.len(), 1);
}

#[test]
fn the_log_has_the_warnings() {
    let device = device(false);
    let source = "#warning careful\nkernel void k(global int *a) { a[0] = __LINE__; }";
    let program = Program::from_named_source(&device.0, "warns.cl", source, &Options::default()).unwrap();
    let log = program.build_log();
    assert!(log.contains("warning: careful") && log.contains("warns.cl:1:"), "{log}");
    let quiet = Program::from_source(&device.0, source, &Options::parse("-w").unwrap()).unwrap();
    assert_eq!(quiet.build_log(), "");
}

#[test]
fn programs_as_bytes() {
    let device = device(false);
    let source = "kernel void k(global int *a, int b) { a[get_global_id(0)] = b + 1; }";
    let bytes = Program::from_source(&device.0, source, &Options::default()).unwrap().to_bytes().unwrap();
    assert_eq!(bytes[..4], [3, 2, 0x23, 7]);
    let swapped: Vec<u8> = bytes.chunks_exact(4).flat_map(|word| word.iter().rev().copied()).collect();
    for bytes in [&bytes, &swapped] {
        let program = Program::from_bytes(&device.0, bytes).unwrap();
        let buffer = Buffer::zeroed(&device.0, 8).unwrap();
        let args = [Arg::Buffer(&buffer), Arg::pod(&6i32)];
        program.kernel("k").unwrap().launch(&Launch::new(&[2]), &args).unwrap();
        assert_eq!(buffer.to_vec_of::<i32>().unwrap(), [7, 7]);
    }
    assert!(matches!(Program::from_bytes(&device.0, &bytes[..bytes.len() - 1]), Err(Error::UnusableModule(_))));
    for wrong in [&b""[..], b"text", &bytes[4..]] {
        assert!(matches!(Program::from_bytes(&device.0, wrong), Err(Error::Interface(_))), "{wrong:?}");
    }
}
