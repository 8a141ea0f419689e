//! Loops that a driver ends although they go on (lavapipe before 25): the launch fails. Other drivers are not asked to execute loops
//! that do not end.

mod common;

use clforge_runtime::{Arg, Buffer, Error, EventStatus, Launch, Program, Queue, Quirk};
use common::device;

const SOURCE: &str = "
kernel void waits(global volatile int *flag) { while (flag[1] == 0) { } flag[0] = 1; }
kernel void long_one(global volatile int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + a[i & 1]; a[0] = s; }
int steps(int n) { int s = 0; while (n != 1) { n = n % 2 ? n * 3 + 1 : n / 2; s++; } return s; }
kernel void nested(global volatile int *a, int n) {
    for (int i = 0; i < n; i++) {
        int k = 0;
        do { if (a[1] == 7) break; k += a[1] + 1; } while (k < i);
        for (int j = 0; j < 3; j++) a[2] += steps(i + 1);
        switch (i & 3) { case 1: continue; case 2: a[3]++; break; default: a[4] += 2; }
    }
}
kernel void none(global volatile int *a) { for (;;) { a[0] = 1; } }
";

/// What its launches know decides how many iterations it makes, and so whether they are of the module for few ones.
const BOUNDED: &str = "
kernel void sums(global uint *out, uint n, int step, ulong3 parts) {
    uint s = 0;
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) s = s * 3 + i;
    for (ulong i = parts.s0; i > parts.s1; i -= 2) s ^= i;
    for (int i = 0; i < step; i++) for (int j = i; j > 0; j /= 2) s += j;
    out[get_global_id(0)] = s;
}
";

/// The same on the host.
fn sums(id: u32, local_size: u32, (n, step, parts): (u32, i32, [u64; 4])) -> u32 {
    let mut s = 0u32;
    for i in (id..n).step_by(local_size as usize) {
        s = s.wrapping_mul(3).wrapping_add(i);
    }
    let mut i = parts[0];
    while i > parts[1] {
        s ^= i as u32;
        i -= 2;
    }
    for i in 0..step {
        let mut j = i;
        while j > 0 {
            s = s.wrapping_add(j as u32);
            j /= 2;
        }
    }
    s
}

#[test]
fn launches_with_many_iterations_are_right() {
    let device = device(false);
    let program = Program::from_source(&device.0, BOUNDED, &Default::default()).unwrap();
    let kernel = program.kernel("sums").unwrap();
    let has_limit = device.0.info().has_quirk(Quirk::LoopLimit);
    assert_eq!(kernel.interface().iteration_bound.is_some(), has_limit);
    let buffer = Buffer::from_slice(&device.0, &[0u32; 24]).unwrap();
    let (few, much) = ([9, 4, 0, 0], [1 << 33 | 100_001, 1 << 33, 0, 0]);
    let all = [(100, 5, few), (90_000, 5, few), (100, 3, much), (7, 30_000, few), (3, 1, few)];
    for (n, step, parts) in all {
        for local in [1, 5, 8] {
            let args = [Arg::Buffer(&buffer), Arg::pod(&n), Arg::pod(&step), Arg::pod(&parts)];
            kernel.launch(&Launch::new(&[24]).local(&[local]), &args).unwrap();
            let found = buffer.to_vec_of::<u32>().unwrap();
            let size = |group: u64| local.min(24 - group * local) as u32;
            let of = |x: u64| sums((x % local) as u32, size(x / local), (n, step, parts));
            assert_eq!(found, (0..24).map(of).collect::<Vec<_>>(), "{n} {step} {parts:?} {local}");
        }
    }
}

/// The same on the host.
fn nested(a: &mut [i32; 8], n: i32) {
    for i in 0..n {
        for _ in 0..3 {
            let (mut k, mut s) = (i + 1, 0);
            while k != 1 {
                (k, s) = (if k % 2 != 0 { k * 3 + 1 } else { k / 2 }, s + 1);
            }
            a[2] += s;
        }
        match i & 3 {
            1 => {}
            2 => a[3] += 1,
            _ => a[4] += 2,
        }
    }
}

#[test]
fn a_launch_whose_loop_was_ended_fails() {
    let device = device(false);
    let program = Program::from_source(&device.0, SOURCE, &Default::default()).unwrap();
    let [waits, long_one, nested_one, none] =
        ["waits", "long_one", "nested", "none"].map(|name| program.kernel(name).unwrap());
    let buffer = Buffer::from_slice(&device.0, &[0i32; 8]).unwrap();
    let one = Launch::new(&[1]);
    // What ends by itself is right, and no failure.
    nested_one.launch(&one, &[Arg::Buffer(&buffer), Arg::pod(&30i32)]).unwrap();
    let mut expected = [0; 8];
    nested(&mut expected, 30);
    assert_eq!(buffer.to_vec_of::<i32>().unwrap(), expected);
    for _ in 0..2 {
        long_one.launch(&one, &[Arg::Buffer(&buffer), Arg::pod(&1000i32)]).unwrap();
    }
    if !device.0.info().has_quirk(Quirk::LoopLimit) {
        return;
    }
    let is_ended = |error: &Error, name: &str| matches!(error, Error::LoopEnded { kernel } if kernel == name);
    let ended = |kernel: &clforge_runtime::Kernel, args: &[Arg<'_>]| {
        let error = kernel.launch(&one, args).unwrap_err();
        assert!(is_ended(&error, kernel.name()), "{error}");
    };
    for _ in 0..2 {
        ended(&waits, &[Arg::Buffer(&buffer)]);
        ended(&long_one, &[Arg::Buffer(&buffer), Arg::pod(&5_000_000i32)]);
        ended(&nested_one, &[Arg::Buffer(&buffer), Arg::pod(&100_000i32)]);
        ended(&none, &[Arg::Buffer(&buffer)]);
        // The same launch again, which is submitted as it was recorded.
        long_one.launch(&one, &[Arg::Buffer(&buffer), Arg::pod(&1000i32)]).unwrap();
    }
    // In a queue the event of the launch has failed, and later ones have not.
    let queue = Queue::new(&device.0).unwrap();
    let first = queue.launch(&waits, &one, &[Arg::Buffer(&buffer)]).unwrap();
    queue.finish().unwrap();
    let second = queue.launch(&long_one, &one, &[Arg::Buffer(&buffer), Arg::pod(&10i32)]).unwrap();
    second.wait().unwrap();
    assert_eq!(second.status().unwrap(), EventStatus::Complete);
    assert!(is_ended(&first.wait().unwrap_err(), "waits") && is_ended(&first.status().unwrap_err(), "waits"));
    buffer.to_vec().unwrap();
}
