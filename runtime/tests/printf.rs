//! Output of kernels: whole launches, more output than the buffer has room for, and modules of other compilers.

mod common;

use clforge_compiler::Options;
use clforge_runtime::{Arg, Buffer, Device, Launch, Printed, Program};
use common::{device, program, values};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// What was printed, and the messages lost (a number, and whether it is exact).
type Text = (String, Vec<(u64, bool)>);

/// What a program printed.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Text>>);

impl Heard {
    fn of(program: &Program) -> Heard {
        let heard = Heard::default();
        let keep = heard.clone();
        let output = move |printed: Printed<'_>| {
            let mut kept = keep.0.lock().expect("nobody has panicked");
            match printed {
                Printed::Message(text) => kept.0 += std::str::from_utf8(text).expect("text"),
                Printed::Lost { messages, exact, .. } => kept.1.push((messages, exact)),
                _ => {}
            }
        };
        program.on_print(output).expect("the output is set");
        heard
    }

    fn take(&self) -> Text {
        std::mem::take(&mut *self.0.lock().expect("nobody has panicked"))
    }
}

fn compile(device: &Device, source: &str, printf_buffer_size: u32) -> Program {
    let options = Options::default().with(|o| o.codegen.printf_buffer_size = printf_buffer_size);
    Program::from_source(device, source, &options).expect("the program compiles")
}

#[test]
fn every_launch_prints_through_staging_too() {
    for always_stage in [false, true] {
        let device = device(always_stage);
        let source = "kernel void k(int a) { printf(\"a is %d\\n\", a); } kernel void quiet() {}";
        let program = compile(&device.0, source, 1 << 20);
        let heard = Heard::of(&program);
        let kernel = program.kernel("k").unwrap();
        assert!(kernel.interface().uses_printf);
        for a in [1, -2, 3] {
            kernel.launch(&Launch::new(&[1]), &[Arg::pod(&a)]).unwrap();
            assert_eq!(heard.take(), (format!("a is {a}\n"), vec![]));
        }
        let quiet = program.kernel("quiet").unwrap();
        assert!(!quiet.interface().uses_printf);
        quiet.launch(&Launch::new(&[1]), &[]).unwrap();
        assert_eq!(heard.take(), (String::new(), vec![]));
    }
}

#[test]
fn work_items_print_in_their_own_order() {
    let device = device(false);
    let source = "kernel void k() { for (int i = 0; i < 3; i++) printf(\"%d %d\\n\", (int)get_global_id(0), i); }";
    let program = compile(&device.0, source, 1 << 22);
    let heard = Heard::of(&program);
    // Regions of two sizes.
    let count = 65_537u32;
    program.kernel("k").unwrap().launch(&Launch::new(&[count.into()]).local(&[64]), &[]).unwrap();
    let (text, lost) = heard.take();
    assert_eq!((text.lines().count(), lost), (count as usize * 3, vec![]));
    let mut next: HashMap<u32, u32> = HashMap::new();
    for line in text.lines() {
        let (id, i) = line.split_once(' ').expect("two numbers");
        let next = next.entry(id.parse().expect("a number")).or_default();
        assert_eq!(i.parse(), Ok(*next), "{line}");
        *next += 1;
    }
    assert_eq!(next.len(), count as usize);
}

#[test]
fn strings_without_room_are_counted() {
    let device = device(false);
    let source = "kernel void k(global int *r, global char *text) {\n\
                  int i = get_global_id(0);\n\
                  r[i] = printf(\"%d %s %s\\n\", i, text + 500 * (i % 3 != 0) + i, text + 600);\n}";
    // 250 words, two of which are not for records of 4 words, up to 150 for the one string and none for the other.
    let program = compile(&device.0, source, 1000);
    let heard = Heard::of(&program);
    let results = Buffer::zeroed(&device.0, 400).unwrap();
    let mut letters: Vec<u8> = (0..600).map(|index| b'a' + index as u8 % 26).collect();
    let expected = |index: usize| {
        let text = &letters[500 * usize::from(!index.is_multiple_of(3)) + index..];
        format!("{index} {} ", std::str::from_utf8(text).expect("letters"))
    };
    let expected: Vec<String> = (0..100).map(expected).collect();
    letters.extend([0, 0, 0, 0]);
    let text = Buffer::from_bytes(&device.0, &letters).unwrap();
    for _ in 0..2 {
        let args = [Arg::Buffer(&results), Arg::Buffer(&text)];
        program.kernel("k").unwrap().launch(&Launch::new(&[100]), &args).unwrap();
        let (printed, lost) = heard.take();
        let returned = values::<i32>(&results.to_vec().unwrap());
        let done = returned.iter().filter(|result| **result == 0).count();
        assert!(printed.lines().count() > 0 && done < 100);
        assert_eq!((printed.lines().count(), lost), (done, vec![(100 - done as u64, true)]));
        for line in printed.lines() {
            let index: usize = line.split(' ').next().and_then(|index| index.parse().ok()).expect("a number");
            assert_eq!((line, returned[index]), (&expected[index][..], 0));
        }
    }
}

#[test]
fn what_has_no_room_is_counted() {
    let device = device(false);
    let source =
        "kernel void k(global int *r) { r[get_global_id(0)] = printf(\"item %d\\n\", (int)get_global_id(0)); }";
    // 100 words, two of which are not for records of two words each.
    let program = compile(&device.0, source, 400);
    let heard = Heard::of(&program);
    let results = Buffer::zeroed(&device.0, 4000).unwrap();
    for _ in 0..2 {
        program.kernel("k").unwrap().launch(&Launch::new(&[1000]), &[Arg::Buffer(&results)]).unwrap();
        let (text, lost) = heard.take();
        assert_eq!((text.lines().count(), lost), (49, vec![(951, true)]));
        let mut printed: Vec<usize> =
            text.lines().map(|line| line.trim_start_matches("item ").parse().expect("a number")).collect();
        printed.sort_unstable();
        printed.dedup();
        let returned = values::<i32>(&results.to_vec().unwrap());
        let done: Vec<usize> = (0..1000).filter(|index| returned[*index] == 0).collect();
        assert_eq!(printed, done);
        assert!(returned.iter().all(|result| [0, -1].contains(result)));
    }
}

#[test]
fn records_longer_than_the_buffer_and_odd_ends() {
    let device = device(false);
    let source = "kernel void k(int n) {
        printf(\"%v16ld\\n\", (long16)(n));
        for (int i = 0; i < 5; i++) printf(\"%d %d %d\\n\", i, n, n); }";
    // Room for 14 words: three records of four words, and half of one.
    let program = compile(&device.0, source, 64);
    let heard = Heard::of(&program);
    program.kernel("k").unwrap().launch(&Launch::new(&[1]), &[Arg::pod(&7)]).unwrap();
    assert_eq!(heard.take(), ("0 7 7\n1 7 7\n2 7 7\n".into(), vec![(3, true)]));
}

#[test]
fn buffers_of_other_compilers() {
    let device = device(false);
    let program = program(&device.0, "printf");
    let heard = Heard::of(&program);
    let kernel = program.kernel("say").unwrap();
    kernel.launch(&Launch::new(&[1]), &[Arg::pod(&5u32)]).unwrap();
    assert_eq!(heard.take(), ("item 5 of words\n".into(), vec![]));
    // 15 words are five records.
    kernel.launch(&Launch::new(&[8]), &[Arg::pod(&0u32)]).unwrap();
    let (text, lost) = heard.take();
    assert_eq!(text.lines().count(), 5);
    assert!(text.lines().all(|line| line.starts_with("item ") && line.ends_with(" of words")), "{text}");
    // Formats have lengths 1 and 3: at least three were lost, as far as is known.
    assert_eq!(lost, [(3, false)]);
}
