//! Collective functions of work-groups (OpenCL C 6.15.18), through local memory and through sub-groups, beside what the host
//! computes.

mod common;

use clforge_compiler::Options;
use clforge_compiler::options::ClStd;
use clforge_runtime::{Arg, Buffer, Device, DeviceKind, Launch, Program, Quirk};
use common::device;

/// All values are whole numbers that floats represent, so that sums do not depend on the order.
const SOURCE: &str = "
    #define ALL(T) kernel void k_##T(global const int *in, global long *out) { \
        size_t i = get_global_linear_id(); \
        global long *o = out + 6 * i; \
        T x = (T)(in[i]); \
        o[0] = (long)work_group_reduce_add(x); o[1] = (long)work_group_scan_inclusive_add(x); \
        o[2] = (long)min(work_group_scan_exclusive_min(x), (T)1000); o[3] = work_group_all(x > (T)-90); \
        o[4] = work_group_any(x > (T)90); o[5] = (long)work_group_broadcast(x, 1, 0, 0); }
    ALL(int) ALL(long) ALL(float) ALL(double)";

/// Several functions and types in one kernel, which share the memory. The halves are whole numbers too.
const MIXED: &str = "
    kernel void k(global const int *in, global long *out) {
        size_t i = get_global_id(0);
        global long *o = out + 8 * i;
        int x = in[i];
        uint u = (uint)x;
        o[0] = (long)work_group_reduce_max((half)x); o[1] = work_group_scan_inclusive_max((ulong)u);
        o[2] = work_group_reduce_min(u); o[3] = (long)work_group_scan_inclusive_add((double)x);
        o[4] = (long)work_group_reduce_max((float)x); o[5] = (long)work_group_scan_inclusive_min((half)(x & 15));
        o[6] = work_group_scan_exclusive_max(u); o[7] = (long)work_group_reduce_add((half)(x & 1));
    }";

fn mixed(values: &[i32]) -> Vec<[i64; 8]> {
    let (mut before, mut sum, mut least) = (0u32, 0i64, 15);
    let mut rows = Vec::new();
    let most = i64::from(*values.iter().max().unwrap());
    let least_bits = values.iter().map(|value| i64::from(*value as u32)).min().unwrap();
    let odd = values.iter().map(|value| i64::from(value & 1)).sum();
    for value in values {
        let upto = before.max(*value as u32);
        sum += i64::from(*value);
        least = least.min(i64::from(value & 15));
        rows.push([most, upto.into(), least_bits, sum, most, least, before.into(), odd]);
        before = upto;
    }
    rows
}

/// What the work-items of a work-group get that have these values. The minimum of none is limited to 1000.
fn results(values: &[i32]) -> Vec<[i64; 6]> {
    let sum = values.iter().map(|value| i64::from(*value)).sum();
    let all = values.iter().all(|value| *value > -90);
    let any = values.iter().any(|value| *value > 90);
    let (mut before, mut least) = (0, 1000);
    let mut rows = Vec::new();
    for value in values.iter().map(|value| i64::from(*value)) {
        before += value;
        rows.push([sum, before, least, all.into(), any.into(), values[1].into()]);
        least = least.min(value);
    }
    rows
}

fn expected(input: &[i32], [width, height, depth]: [usize; 3], local: [usize; 3]) -> Vec<[i64; 6]> {
    let mut out = vec![[0; 6]; input.len()];
    let starts = |size: usize, step: usize| (0..size).step_by(step).map(move |at| at..size.min(at + step));
    for zs in starts(depth, local[2]) {
        for ys in starts(height, local[1]) {
            for xs in starts(width, local[0]) {
                let mut items = Vec::new();
                for z in zs.clone() {
                    for y in ys.clone() {
                        items.extend(xs.clone().map(|x| (z * height + y) * width + x));
                    }
                }
                let values: Vec<i32> = items.iter().map(|at| input[*at]).collect();
                for (at, row) in items.iter().zip(results(&values)) {
                    out[*at] = row;
                }
            }
        }
    }
    out
}

/// Whole sub-groups; one that is not full; remainder work-groups; three dimensions.
const RANGES: [([usize; 3], [usize; 3]); 6] = [
    ([256, 1, 1], [256, 1, 1]),
    ([130, 1, 1], [65, 1, 1]),
    ([300, 1, 1], [64, 1, 1]),
    ([6, 1, 1], [2, 1, 1]),
    ([20, 9, 4], [10, 3, 2]),
    ([22, 7, 1], [5, 7, 1]),
];

fn check(device: &Device, linear_sub_groups: bool, ranges: &[([usize; 3], [usize; 3])]) {
    let options = Options::default().with_cl_std(ClStd::CL3_0).with(|o| o.device.linear_sub_groups = linear_sub_groups);
    let program = Program::from_source(device, SOURCE, &options).unwrap_or_else(|error| panic!("{error:?}"));
    for name in ["k_int", "k_long", "k_float", "k_double"] {
        let kernel = program.kernel(name).unwrap();
        for (global, local) in ranges {
            let count: usize = global.iter().product();
            let mut random = fastrand::Rng::with_seed(count as u64);
            let input: Vec<i32> = (0..count).map(|_| random.i32(-95..=95)).collect();
            let from = Buffer::from_slice(device, &input).unwrap();
            let to = Buffer::zeroed(device, 48 * count as u64).unwrap();
            let launch = Launch::new(&global.map(|size| size as u64)).local(&local.map(|size| size as u64));
            kernel.launch(&launch, &[Arg::Buffer(&from), Arg::Buffer(&to)]).unwrap();
            let found = to.to_vec_of::<[i64; 6]>().unwrap();
            let expected = expected(&input, *global, *local);
            let wrong = (0..count).find(|at| found[*at] != expected[*at]);
            let place = wrong.map(|at| (at, found[at], expected[at]));
            assert_eq!(place, None, "{name} {linear_sub_groups} {global:?} {local:?}");
        }
    }
}

/// One-dimensional work-groups of `local` work-items; many sub-groups where these are small.
fn check_mixed(device: &Device, linear_sub_groups: bool) {
    if !device.info().has_feature("shaderFloat16") {
        return;
    }
    let options = Options::default().with_cl_std(ClStd::CL3_0).with(|o| o.device.linear_sub_groups = linear_sub_groups);
    let program = Program::from_source(device, MIXED, &options).unwrap_or_else(|error| panic!("{error:?}"));
    let kernel = program.kernel("k").unwrap();
    for (count, local) in [(512, 512), (260, 100), (33, 33)] {
        let mut random = fastrand::Rng::with_seed(local as u64);
        let input: Vec<i32> = (0..count).map(|_| random.i32(-1000..=1000)).collect();
        let from = Buffer::from_slice(device, &input).unwrap();
        let to = Buffer::zeroed(device, 64 * count as u64).unwrap();
        let launch = Launch::new(&[count as u64]).local(&[local as u64]);
        kernel.launch(&launch, &[Arg::Buffer(&from), Arg::Buffer(&to)]).unwrap();
        let found = to.to_vec_of::<[i64; 8]>().unwrap();
        let expected: Vec<_> = input.chunks(local).flat_map(mixed).collect();
        let wrong = (0..count).find(|at| found[*at] != expected[*at]);
        let place = wrong.map(|at| (at, found[at], expected[at]));
        assert_eq!(place, None, "{linear_sub_groups} {count} {local}");
    }
}

#[test]
fn through_local_memory() {
    let device = device(false);
    check(&device.0, false, &RANGES);
    check_mixed(&device.0, false);
}

/// lavapipe's sub-groups are consecutive work-items in one dimension, those of NVIDIA's driver in all.
#[test]
fn through_sub_groups() {
    let device = device(false);
    let info = device.0.info();
    if info.has_quirk(Quirk::LinearSubGroups) {
        check(&device.0, true, &RANGES);
        check_mixed(&device.0, true);
    } else if info.kind == DeviceKind::Cpu && info.has_feature("shaderSubgroupExtendedTypes") {
        check(&device.0, true, &RANGES[..4]);
        check_mixed(&device.0, true);
    }
}
