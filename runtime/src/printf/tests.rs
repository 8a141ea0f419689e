//! Conversions against C's `printf`, and records as kernels leave them.

use super::format;
use super::messages::Decoder;
use super::printed::{Contents, Printed};
use clforge_compiler::interface::printf::{COPIED_STRING, LOST_MESSAGES, NULL_STRING, Piece, pieces};
use clforge_compiler::interface::{Printf, PrintfFormat};
use std::fmt::Write as _;
use std::process::Command;

/// Prints the values of standard input: each line has a class, a format and the value's bits.
const ORACLE: &str = r#"
#include <stdio.h>
#include <string.h>
int main(void)
{
    static char line[256], format[128];
    char class;
    unsigned long long bits;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%c|%127[^|]|%llx", &class, format, &bits) != 3)
            return 1;
        double value;
        memcpy(&value, &bits, sizeof value);
        switch (class) {
        case 'd': printf(format, value); break;
        case 'l': printf(format, (long)bits); break;
        default: printf(format, (int)bits);
        }
        putchar('\n');
    }
    return 0;
}
"#;

/// What the C library makes of the lines.
fn oracle(lines: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("oracle.c"), ORACLE).expect("the program is written");
    let built = Command::new("cc").arg("-o").arg(path("oracle")).arg(path("oracle.c")).output();
    let built = built.expect("these tests need a C compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    std::fs::write(path("lines"), lines).expect("the input is written");
    let input = std::fs::File::open(path("lines")).expect("the input");
    let run = Command::new(path("oracle")).stdin(input).output().expect("the program runs");
    assert!(run.status.success());
    String::from_utf8(run.stdout).expect("text")
}

fn formatted(text: &str, bytes: &[u8]) -> String {
    let Some(Ok(Piece::Conversion(conversion))) = pieces(text).next() else { panic!("{text}") };
    let mut out = Vec::new();
    format::number(&conversion, bytes, &mut out);
    String::from_utf8(out).expect("text")
}

/// All combinations of flags, widths, precisions, and these lengths and specifiers, with these values.
fn compare(class: char, endings: &[&str], values: &[u64]) {
    let flags = ["", "-", "+", " ", "#", "0", "-+", "-#", "+0", " 0", "#0", "+ ", "-0", "+#0", "- #"];
    let (mut lines, mut ours) = (String::new(), Vec::new());
    for (flag, width) in flags.iter().flat_map(|flag| ["", "1", "12", "40"].map(|width| (flag, width))) {
        for precision in ["", ".", ".0", ".1", ".2", ".5", ".13", ".30"] {
            for (ending, bits) in endings.iter().flat_map(|ending| values.iter().map(move |bits| (ending, bits))) {
                let text = format!("%{flag}{width}{precision}{ending}");
                let size = if class == 'i' { 4 } else { 8 };
                ours.push((formatted(&text, &bits.to_le_bytes()[..size]), format!("{text} of {bits:#x}")));
                let _ = writeln!(lines, "{class}|{text}|{bits:x}");
            }
        }
    }
    let theirs = oracle(&lines);
    assert_eq!(theirs.lines().count(), ours.len());
    let wrong = theirs.lines().zip(&ours).filter(|(theirs, (ours, _))| theirs != ours);
    let wrong: Vec<_> =
        wrong.take(8).map(|(theirs, (ours, what))| format!("{what}: '{ours}', C: '{theirs}'")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn integers_are_printed_as_c_does() {
    let values = [0, 1, 7, 42, 255, 256, 65535, 1 << 31, u64::MAX, u64::MAX - 41, i64::MAX as u64, 1 << 63];
    compare('i', &["d", "i", "u", "o", "x", "X", "hhd", "hhu", "hd", "hx", "ho"], &values);
    compare('l', &["ld", "li", "lu", "lo", "lx", "lX"], &values);
}

#[test]
fn floats_are_printed_as_c_does() {
    let mut values = vec![0.0, -0.0, 1.0, 0.5, 1.5, 2.5, 0.125, 1e-5, 0.0001, 99999.0, 123456789.0, 1e15];
    values.extend([1e16, 1e100, -1e-100, f64::MIN_POSITIVE, f64::MAX, 5e-324, 0.1, 1.0 / 3.0, 9.995, 0.05, -7.25]);
    values.extend([f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::from(0.1f32), f64::from(f32::MAX)]);
    let bits: Vec<u64> = values.into_iter().map(f64::to_bits).collect();
    compare('d', &["f", "F", "e", "E", "g", "G", "a", "A", "lf"], &bits);
}

#[test]
fn rounding_up_to_a_power_of_ten() {
    // By the text of C99: glibc 2.36 drops the zeros that `#` keeps.
    let text = |format: &str, value: f64| formatted(format, &value.to_le_bytes());
    assert_eq!(text("%g", 999999.5), "1e+06");
    assert_eq!(text("%#g", 999999.5), "1.00000e+06");
    assert_eq!(text("%#.5g", 99999.5), "1.0000e+05");
    assert_eq!(
        (text("%.3e", 9.9996), text("%.0f", 99.5), text("%.1a", 1.96875)),
        ("1.000e+01".into(), "100".into(), "0x2.0p+0".into())
    );
}

#[test]
fn sizes_of_arguments_decide_where_the_format_does_not() {
    assert_eq!(formatted("%f", &1.5f32.to_le_bytes()), "1.500000");
    assert_eq!(formatted("%f", &1.5f64.to_le_bytes()), "1.500000");
    assert_eq!(formatted("%v2hf", &[0x00, 0x3e, 0x00, 0xc0]), "1.500000,-2.000000");
    assert_eq!(formatted("%v4d", &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]), "1,2,3,4");
    // A vector of three in the room of four, and in its own.
    assert_eq!(formatted("%v3hhd", &[1, 2, 255, 9]), "1,2,-1");
    assert_eq!(formatted("%v3hld", &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]), "1,2,3");
    assert_eq!(formatted("%3v2hd", &[1, 0, 254, 255]), "  1, -2");
}

/// What a buffer of `size` bytes says.
fn decoded(printf: &Printf, size: u32, words: &[u32], reserved: u32, last: u32) -> Result<Vec<String>, crate::Error> {
    let decoder = Decoder::new(printf, size);
    let used = decoder.used_bytes(reserved) / 4;
    let mut words = words.to_vec();
    words.resize(used, 0);
    let mut printed = Vec::new();
    let contents = Contents { words, reserved, last };
    decoder.decode(&contents, &mut |message: Printed<'_>| printed.push(message.to_string()))?;
    Ok(printed)
}

fn format_of(id: u32, text: &str, argument_sizes: &[u32]) -> PrintfFormat {
    PrintfFormat { id, text: text.into(), argument_sizes: argument_sizes.to_vec() }
}

fn example() -> Printf {
    let formats = vec![
        format_of(0, "a %d\n", &[4]),
        format_of(1, "b %s%%|%5.2s|\n", &[4, 4]),
        format_of(2, "text", &[]),
        format_of(3, "c %ld %v3hd\n", &[8, 6]),
    ];
    Printf { formats, buffer: None }
}

#[test]
fn records_become_messages() {
    let words = [0, 7, 1, 2, 2, 3, 1, 1, 0x0002_0001];
    // The three shorts take six bytes, for which another compiler leaves room for four.
    let printed = decoded(&example(), 64, &words, 9, 0).expect("good records");
    assert_eq!(printed, ["a 7\n", "b text%|   te|\n", "c 4294967297 1,2,0\n"]);
}

#[test]
fn strings_that_were_copied_follow_their_record() {
    let mut printf = example();
    printf.formats.push(format_of(4, "d %s %d %s\n", &[4, 4, 4]));
    let word = |text: &[u8; 4]| u32::from_le_bytes(*text);
    let (five, none, null) = (COPIED_STRING | 5, COPIED_STRING, NULL_STRING);
    let mut words = vec![4, five, 9, 2, word(b"copi"), word(b"ed\xff\xff")];
    words.extend([4, null, 8, none, 1, COPIED_STRING | 4, 2, word(b"full"), 0, 7]);
    let printed = decoded(&printf, 128, &words, words.len() as u32, 0).expect("good records");
    assert_eq!(printed, ["d copie 9 text\n", "d (null) 8 \n", "b full%|   te|\n", "a 7\n"]);
    // A string that is cut off, and a record that had no room.
    printf.formats.push(format_of(LOST_MESSAGES, "lost %u", &[4]));
    let printed = decoded(&printf, 128, &[0, 7, 4, COPIED_STRING | 500, 1, 2, 3], 7, 1).expect("good records");
    assert_eq!((printed.len(), &printed[0][..]), (2, "a 7\n"));
    let printed = decoded(&printf, 128, &[0, 7, LOST_MESSAGES, 4, 0], 5, 1).expect("good records");
    assert_eq!((printed.len(), &printed[0][..]), (2, "a 7\n"));
}

#[test]
fn messages_without_room_are_counted() {
    // 15 words: five records of "a", of seven that were to be.
    let mut printf = example();
    printf.formats.truncate(1);
    let words = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0];
    let printed = decoded(&printf, 64, &words, 20, 99).expect("good records");
    assert_eq!(printed.len(), 8);
    assert!(printed[7].starts_with("3 messages of printf were lost: the buffer of 64 bytes"), "{}", printed[7]);
    // With formats of several lengths only a bound is known.
    let printed = decoded(&example(), 64, &words, 26, 99).expect("good records");
    assert!(printed[7].starts_with("at least 3 messages"), "{}", printed[7]);
    // The last word counts lost messages, if the module says so.
    printf.formats.push(format_of(LOST_MESSAGES, "lost %u", &[4]));
    let printed = decoded(&printf, 64, &words, 14, 1).expect("good records");
    assert_eq!(printed.len(), 8);
    assert!(printed[7].starts_with("1 message of printf was lost"), "{}", printed[7]);
    assert_eq!(decoded(&printf, 64, &words, 14, 0).expect("good records").len(), 7);
}

#[test]
fn records_of_unknown_formats_are_an_error() {
    assert!(decoded(&example(), 64, &[77, 1], 2, 0).is_err());
    // Missing arguments, strings that are not there, and formats that make no sense print something and do no harm.
    let formats =
        vec![format_of(0, "%d %s %v9d %y %", &[]), format_of(1, "[%s]", &[4]), format_of(2, "%d", &[u32::MAX])];
    let printf = Printf { formats, buffer: None };
    assert_eq!(decoded(&printf, 64, &[0, 1, 77], 3, 0).expect("good records"), ["  %v9d %y %", "[(null)]"]);
    assert!(decoded(&printf, 64, &[2, 1, 2, 3], 4, 0).is_ok());
}
