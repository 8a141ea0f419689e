//! Linked programs on a device: results, and what kernels report.

mod common;

use clforge_compiler::options::ClStd;
use clforge_runtime::{Arg, Buffer, Device, Error, Launch, Options, Printed, Program, Unit};
use common::device;
use std::sync::{Arc, Mutex};

fn options() -> Options {
    Options::default().with_cl_std(ClStd::CL3_0)
}

fn unit(device: &Device, name: &str, source: &str, options: &Options) -> Unit {
    Program::compile_unit(device, name, source, options).unwrap_or_else(|error| panic!("{error:?}")).unit
}

#[test]
fn functions_variables_structures_and_printf() {
    let device = device(false);
    let header = "struct item { char tag; float3 at; int n[2]; };\n";
    let first = "constant int primes[4] = {2, 3, 5, 7};\nconstant int *constant third = &primes[2];\nglobal int calls;\n\
                 static int hidden(int x) { return 100 * x; }\n\
                 struct item make(int n) { struct item i; i.tag = 'a'; i.at = (float3)(1, 2, n); i.n[0] = hidden(n);\n\
                 i.n[1] = *third; atomic_inc(&calls); return i; }\n\
                 kernel void report(global int *out) { *out = calls; printf(\"%d calls\\n\", calls); }\n";
    let second = "struct item make(int n);\nextern constant int primes[];\n\
                  static int hidden(int x) { return x + primes[3]; }\n\
                  kernel void k(global int *out) { int g = get_global_id(0); struct item i = make(g);\n\
                  out[g] = i.n[0] + i.n[1] + (int)i.at.z * 1000 + hidden(i.tag - 'a'); }\n";
    let first = unit(&device.0, "first.cl", &format!("{header}{first}"), &options());
    let second = unit(&device.0, "second.cl", &format!("{header}{second}"), &options());
    let program = Program::link(&device.0, &[&second, &first], &options()).unwrap();
    let text = Arc::new(Mutex::new(String::new()));
    let heard = text.clone();
    let print = move |printed: Printed<'_>| heard.lock().unwrap().push_str(&printed.to_string());
    program.on_print(print).unwrap();
    let out = Buffer::from_slice(&device.0, &[0i32; 16]).unwrap();
    program.kernel("k").unwrap().launch(&Launch::new(&[16]), &[Arg::Buffer(&out)]).unwrap();
    let expected: Vec<i32> = (0..16).map(|g| 100 * g + 5 + g * 1000 + 7).collect();
    assert_eq!(out.to_vec_of::<i32>().unwrap(), expected);
    program.kernel("report").unwrap().launch(&Launch::new(&[1]), &[Arg::Buffer(&out)]).unwrap();
    assert_eq!(out.to_vec_of::<i32>().unwrap()[0], 16);
    assert_eq!(*text.lock().unwrap(), "16 calls\n");
}

#[test]
fn reports_of_bounds_checks_name_the_unit() {
    let device = device(false);
    let checked = options().with_bounds_check(true);
    let first = unit(&device.0, "store.cl", "\nvoid store(global int *a, int i) {\n    a[i] = 7;\n}\n", &checked);
    let second = "void store(global int *a, int i);\nkernel void k(global int *a) { store(a, get_global_id(0)); }\n";
    let second = unit(&device.0, "k.cl", second, &checked);
    let program = Program::link(&device.0, &[&second, &first], &checked).unwrap();
    let buffer = Buffer::from_slice(&device.0, &[0i32; 3]).unwrap();
    match program.kernel("k").unwrap().launch(&Launch::new(&[4]), &[Arg::Buffer(&buffer)]) {
        Err(Error::BoundsCheck(report)) => {
            let text = report.to_string();
            assert!(text.contains("--> store.cl:3:5") && text.contains("a[i] = 7"), "{text}");
        }
        other => panic!("expected a report, got {other:?}"),
    }
    assert_eq!(buffer.to_vec_of::<i32>().unwrap(), [7, 7, 7]);
}

#[test]
fn what_cannot_be_linked_is_an_error_of_compiling() {
    let device = device(false);
    let unit = unit(&device.0, "k.cl", "int f(void); kernel void k(global int *a) { *a = f(); }\n", &options());
    match Program::link(&device.0, &[&unit], &options()) {
        Err(Error::Compile(errors)) => assert!(errors.to_string().contains("'f' is called but has no definition")),
        _ => panic!("expected an error"),
    }
}
