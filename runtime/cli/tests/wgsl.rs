//! `--target webgpu` of a command with the translator to WGSL.

#![cfg(feature = "wgsl")]

mod common;

use common::expect;

/// WGSL has no fall-through: a case ends with a copy of the next one.
#[test]
fn cases_that_fall_through_are_translated() {
    let source = "kernel void k(global int *o, int x) {\n    int r = 0;\n    \
                  switch (x) { case 1: r += 1; case 2: r += 2; break; case 5: r = 9; default: r += 4; }\n    \
                  o[0] = r;\n}\n";
    let folder = common::folder_with(&[("k.cl", source)]);
    let (text, _) = expect(0, &folder, &["compile", "k.cl", "--target", "webgpu", "-o", "-"]);
    assert!(text.contains("case 5: {\n            phi_") && text.contains("= 13u;"), "{text}");
}

/// The limits of `--robust-buffer-access`.
#[test]
fn lengths_of_buffers_are_translated() {
    let folder = common::folder_with(&[("k.cl", "kernel void k(global int *o, int x) { o[x] = 1; }\n")]);
    let compile = ["compile", "k.cl", "--target", "webgpu", "-o", "-"];
    let (text, _) = expect(0, &folder, &[&compile[..], &["--robust-buffer-access"]].concat());
    assert!(text.contains("arrayLength((&o.member))"), "{text}");
    assert!(!expect(0, &folder, &compile).0.contains("arrayLength"));
}
