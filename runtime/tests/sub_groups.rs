//! Sizes of sub-groups that kernels and launches ask for.

mod common;

use clforge_compiler::Options;
use clforge_compiler::options::ClStd;
use clforge_runtime::{Arg, Buffer, Error, Launch, Program};
use common::{Checked, device};

fn program(device: &Checked, attribute: &str) -> Program {
    let source = format!(
        "{attribute} kernel void k(global uint *out) {{ size_t i = get_global_id(0);\n\
         out[3 * i] = get_max_sub_group_size(); out[3 * i + 1] = get_sub_group_local_id();\n\
         out[3 * i + 2] = get_num_sub_groups(); }}"
    );
    let options = Options::default().with_cl_std(ClStd::CL3_0);
    Program::from_source(&device.0, &source, &options).unwrap_or_else(|error| panic!("{error:?}"))
}

fn run(device: &Checked, program: &Program, launch: &Launch) -> Result<Vec<[u32; 3]>, Error> {
    let out = Buffer::zeroed(&device.0, 12 * launch.global[0])?;
    program.kernel("k")?.launch(launch, &[Arg::Buffer(&out)])?;
    out.to_vec_of::<[u32; 3]>()
}

#[test]
fn every_size_that_the_device_has() {
    let device = device(false);
    let [least, most] = device.0.info().limits.subgroup_size_range;
    assert!(least >= 1 && (least..=most).contains(&device.0.info().limits.subgroup_size));
    for size in (0..8).map(|bit| 1 << bit).filter(|size| (least..=most).contains(size)) {
        let by_launch = program(&device, "");
        let by_attribute = program(&device, &format!("__attribute__((intel_reqd_sub_group_size({size})))"));
        let launch = Launch::new(&[64]).local(&[64]);
        for (program, launch) in [(&by_launch, launch.sub_group_size(size)), (&by_attribute, launch)] {
            for [max, id, count] in run(&device, program, &launch).unwrap() {
                assert_eq!((max, count), (size, 64 / size));
                assert!(id < size);
            }
        }
    }
}

/// Values of section 6.15.1: the enqueued number is that of a work-group of the whole local size, everywhere.
#[test]
fn remainder_work_groups_have_fewer_sub_groups_than_enqueued() {
    let device = device(false);
    let source = "kernel void k(global uint *out) { size_t i = get_global_linear_id();\n\
                  out[3 * i] = get_max_sub_group_size(); out[3 * i + 1] = get_enqueued_num_sub_groups();\n\
                  out[3 * i + 2] = get_num_sub_groups(); }";
    let options = Options::default().with_cl_std(ClStd::CL3_0);
    let program = Program::from_source(&device.0, source, &options).unwrap();
    // Remainders of 4 x 2, and of 3 x 1, which do not fill a sub-group.
    for (width, height, local) in [(44, 6, [20, 2]), (27, 5, [12, 1])] {
        let out = Buffer::zeroed(&device.0, 12 * width * height).unwrap();
        let launch = Launch::new(&[width, height]).local(&local);
        program.kernel("k").unwrap().launch(&launch, &[Arg::Buffer(&out)]).unwrap();
        for (i, [max, enqueued, count]) in (0..).zip(out.to_vec_of::<[u32; 3]>().unwrap()) {
            let columns = local[0].min(width - i % width / local[0] * local[0]);
            let items = [local[0], columns].map(|columns| (columns * local[1]) as u32);
            assert_eq!([enqueued, count], items.map(|items| items.div_ceil(max)), "work-item {i} of {width}");
        }
    }
}

#[test]
fn a_size_that_the_device_lacks_is_told_with_those_it_has() {
    let device = device(false);
    let [least, most] = device.0.info().limits.subgroup_size_range;
    let launch = Launch::new(&[64]).local(&[64]);
    let wanted = 2 * most;
    let by_attribute = program(&device, &format!("__attribute__((intel_reqd_sub_group_size({wanted})))"));
    for error in [
        run(&device, &by_attribute, &launch).unwrap_err(),
        run(&device, &program(&device, ""), &launch.sub_group_size(wanted)).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(text.contains(&wanted.to_string()) && text.contains(&least.to_string()), "{text}");
        let Error::SubGroupSize { requested, least: from, most: to, .. } = error else { panic!("{text}") };
        assert_eq!((requested, from, to), (wanted, least, most));
    }
    let odd = run(&device, &program(&device, ""), &launch.sub_group_size(3)).unwrap_err();
    assert!(matches!(odd, Error::SubGroupSize { requested: 3, .. }), "{odd}");
    let disagree = run(&device, &by_attribute, &launch.sub_group_size(most)).unwrap_err();
    assert!(matches!(disagree, Error::Launch(_)), "{disagree}");
}
