//! `--robust-buffer-access`: accesses outside of a buffer access its last element.

mod common;

use common::expect;

/// Reads, writes and atomic operations, of words, of bytes and of vectors, behind and in front of the buffer.
const SOURCE: &str = "\
kernel void words(global int *a, global const int *b, int at) {
    a[get_global_id(0) + 4] = b[at];
}
kernel void bytes(global uchar *a, int at) {
    a[at] = 9;
}
kernel void vectors(global float4 *a, int at) {
    a[at] = (float4)(1, 2, 3, 4);
}
kernel void count(global int *a, int at) {
    atomic_add(&a[at], 2);
}
kernel void mixed(global int *a, global const int *b, int which, int at) {
    global const int *from = which ? b : a;
    a[0] = from[at];
}
kernel void many(global int *a, global int *b, global int *c, global int *d, global int *e, global int *f,
                 global int *g, global int *h, global int *i, int which) {
    global int *p = a;
    switch (which) {
    case 1: p = b; break;
    case 2: p = c; break;
    case 3: p = d; break;
    case 4: p = e; break;
    case 5: p = f; break;
    case 6: p = g; break;
    case 7: p = h; break;
    case 8: p = i; break;
    }
    a[1] = p[9];
}
";

#[test]
fn accesses_outside_of_a_buffer_access_its_last_element() {
    let folder = common::folder_with(&[("k.cl", SOURCE)]);
    let run = |kernel: &str, global: &str, arguments: &[&str]| {
        let arguments: Vec<&str> = arguments.iter().flat_map(|argument| ["--arg", argument]).collect();
        let run = ["run", "k.cl", "--robust-buffer-access", "--kernel", kernel, "--global", global, "--print", "a"];
        expect(0, &folder, &[&run[..], &arguments].concat()).0
    };
    // What a descriptor binds ends at a multiple of 16 bytes, as these buffers do.
    assert_eq!(run("words", "2", &["buffer:int=1,2,3,4", "buffer:int=5,6,7,8", "1000000"]), "a: 1 2 3 8\n");
    assert_eq!(run("words", "2", &["buffer:int=1,2,3,4", "buffer:int=5,6,7,8", "-1"]), "a: 1 2 3 8\n");
    let inside = ["buffer:int=1,2,3,4,5,6,7,8", "buffer:int=5,6,7,8", "1"];
    assert_eq!(run("words", "2", &inside), "a: 1 2 3 4 6 6 7 8\n");
    assert_eq!(run("bytes", "1", &["buffer:uchar:range=16", "99"]), "a: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 9\n");
    assert_eq!(run("bytes", "1", &["buffer:uchar:range=16", "2"]), "a: 0 1 9 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
    assert_eq!(run("vectors", "1", &["buffer:float4=0,0,0,0,5,6,7,8", "7"]), "a: (0,0,0,0) (1,2,3,4)\n");
    assert_eq!(run("count", "8", &["buffer:int=1,2,3,4", "4"]), "a: 1 2 3 20\n");
    assert_eq!(run("mixed", "1", &["buffer:int=1,2,3,4", "buffer:int=5,6,7,8", "1", "4"]), "a: 8 2 3 4\n");
    assert_eq!(run("mixed", "1", &["buffer:int=1,2,3,4", "buffer:int=5,6,7,8", "0", "100"]), "a: 4 2 3 4\n");
    // More buffers than are told apart: still one of them, and none that the host has stored in another.
    let buffers: Vec<String> = (0..9).map(|i| format!("buffer:int={i},0,0,{}", 10 + i)).collect();
    for which in 0..9 {
        let number = which.to_string();
        let arguments: Vec<&str> = buffers.iter().map(String::as_str).chain([number.as_str()]).collect();
        assert_eq!(run("many", "1", &arguments), format!("a: 0 {} 0 10\n", 10 + which));
    }
}

/// The limits are in modules for logical addressing, which translators take; others have no limits to compare with.
#[test]
fn limits_are_lengths_of_buffers() {
    let folder = common::folder_with(&[("k.cl", SOURCE)]);
    let compile = ["compile", "k.cl", "--robust-buffer-access", "-o", "-"];
    let logical = ["--emit", "asm", "--addressing", "logical"];
    let (text, _) = expect(0, &folder, &[&compile[..], &logical].concat());
    assert!(text.contains("OpArrayLength"), "{text}");
    let (text, _) = expect(0, &folder, &[&compile[..], &["--target", "webgpu", "--emit", "asm"]].concat());
    assert!(text.contains("OpArrayLength"), "{text}");
    for options in [&["--target", "vulkan1.2"][..], &["--target", "opencl3.0"]] {
        let (_, error) = expect(1, &folder, &[&compile[..], options].concat());
        assert!(error.contains("needs logical addressing for Vulkan"), "{error}");
    }
}
