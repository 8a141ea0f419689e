//! Modules in the style of other compilers, written by hand after the published description of
//! `NonSemantic.ClspvReflection`, revisions 1 to 6: their results are compared with the host's.

mod common;

use clforge_runtime::{
    Addressing, Arg, Buffer, Error, Image, ImageDescription, ImageFormat, ImageKind, Launch, Sampler,
};
use common::{bytes, device, program, values};

#[test]
fn plain_data_in_a_storage_buffer() {
    let device = device(false);
    let kernel = program(&device.0, "foreign_pod_buffer").kernel("saxpy").unwrap();
    let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
    let (input, output) =
        (Buffer::from_slice(&device.0, &x).unwrap(), Buffer::from_slice(&device.0, &[0.5f32; 64]).unwrap());
    let args = [Arg::pod(&3.0f32), Arg::Buffer(&input), Arg::pod(&50u32), Arg::Buffer(&output)];
    kernel.launch(&Launch::new(&[64]).local(&[16]), &args).unwrap();
    let wanted: Vec<f32> = x.iter().map(|x| if *x < 50.0 { 3.0 * x + 0.5 } else { 0.5 }).collect();
    assert_eq!(output.to_vec_of::<f32>().unwrap(), wanted);
    // The module does not ask where a region begins, so it cannot be cut into several.
    let error = kernel.launch(&Launch::new(&[63]).local(&[16]), &args).unwrap_err();
    assert!(matches!(&error, Error::Launch(text) if text.contains("multiple of the local size")), "{error}");
}

#[test]
fn local_memory_by_a_specialisation_constant() {
    let device = device(false);
    let kernel = program(&device.0, "foreign_local").kernel("sums").unwrap();
    let numbers: Vec<u32> = (0..128).map(|i| i * i).collect();
    let input = Buffer::from_slice(&device.0, &numbers).unwrap();
    for group in [8, 32, 128] {
        let output = Buffer::zeroed(&device.0, 128 * 4).unwrap();
        let args = [Arg::Local(group * 4), Arg::Buffer(&input), Arg::Buffer(&output), Arg::pod(&3u32)];
        kernel.launch(&Launch::new(&[128]).local(&[group]), &args).unwrap();
        let mut wanted: Vec<u32> = numbers.chunks(group as usize).map(|part| 3 * part.iter().sum::<u32>()).collect();
        wanted.resize(128, 0);
        assert_eq!(output.to_vec_of::<u32>().unwrap(), wanted, "groups of {group}");
    }
}

#[test]
fn constants_and_plain_data_in_uniform_buffers() {
    let device = device(false);
    let program = program(&device.0, "foreign_uniform");
    let kernel = program.kernel("weigh").unwrap();
    assert_eq!(kernel.interface().required_work_group_size, Some([4, 1, 1]));
    let weights = Buffer::from_slice(&device.0, &[1u32, 2, 3, 4, 50, 60, 70, 80]).unwrap();
    let output = Buffer::zeroed(&device.0, 32).unwrap();
    let args = [Arg::Buffer(&weights), Arg::Buffer(&output), Arg::pod(&[10u32, 1000])];
    kernel.launch(&Launch::new(&[8]), &args).unwrap();
    let (even, odd) = (10 + 4000, 500 + 80_000);
    assert_eq!(output.to_vec_of::<u32>().unwrap(), [even, odd, even, odd, even, odd, even, odd]);
    let error = kernel.launch(&Launch::new(&[8]).local(&[8]), &args).unwrap_err();
    assert!(matches!(&error, Error::Launch(text) if text.contains("4x1x1")), "{error}");
}

#[test]
fn images_samplers_and_sampler_literals() {
    let device = device(false);
    let kernel = program(&device.0, "foreign_images").kernel("mix").unwrap();
    let format = ImageFormat::parse("rgba32f").unwrap();
    let description = ImageDescription { kind: ImageKind::D2, size: [4, 2, 1], format };
    let texel = |x: u32, y: u32| [x as f32, y as f32, 10.0 * x as f32, 1.0];
    let texels: Vec<f32> = (0..8).flat_map(|i| texel(i % 4, i / 4)).collect();
    let input = Image::from_bytes(&device.0, description, &bytes(&texels)).unwrap();
    let output = Image::zeroed(&device.0, description).unwrap();
    // Right of the last column is the border.
    let own = Sampler { addressing: Addressing::Clamp, ..Sampler::default() };
    let args = [Arg::Image(&input), Arg::Sampler(own), Arg::Image(&output)];
    kernel.launch(&Launch::new(&[4, 2]).local(&[4, 2]), &args).unwrap();
    let sum = |i: u32| {
        let (x, y) = (i % 4, i / 4);
        let next = if x < 3 { texel(x + 1, y) } else { [0.0; 4] };
        [0, 1, 2, 3].map(|lane| texel(x, y)[lane] + next[lane])
    };
    assert_eq!(values::<[f32; 4]>(&output.to_vec().unwrap()), (0..8).map(sum).collect::<Vec<_>>());
}

#[test]
fn offset_and_dimensions_by_specialisation_and_variables_in_a_storage_buffer() {
    let device = device(false);
    let program = program(&device.0, "foreign_offset");
    let (ids, next) = (program.kernel("ids").unwrap(), program.kernel("next").unwrap());
    assert_eq!(ids.interface().attributes, "reqd_work_group_size(2,1,1)");
    let output = Buffer::zeroed(&device.0, 16).unwrap();
    let run = |launch: &Launch| {
        ids.launch(launch, &[Arg::Buffer(&output)]).unwrap();
        output.to_vec_of::<u32>().unwrap()
    };
    assert_eq!(run(&Launch::new(&[4])), [1005, 1006, 1007, 1008]);
    next.launch(&Launch::new(&[1]), &[]).unwrap();
    assert_eq!(run(&Launch::new(&[4]).offset(&[70])), [1076, 1077, 1078, 1079]);
    assert_eq!(run(&Launch::new(&[4, 1])), [2006, 2007, 2008, 2009]);
}

#[test]
fn constant_data_in_a_uniform_buffer_and_push_constants() {
    let device = device(false);
    let kernel = program(&device.0, "foreign_constant_uniform").kernel("pick").unwrap();
    let output = Buffer::zeroed(&device.0, 40).unwrap();
    let args = [Arg::Buffer(&output), Arg::pod(&7u32)];
    // It knows about regions: ten work-items are two groups of four and one of two.
    let timings = kernel.launch(&Launch::new(&[10]).local(&[4]), &args).unwrap();
    assert_eq!(timings.dispatches, 2);
    let wanted: Vec<u32> = (0..10).map(|i| [2, 6][i % 2] + 7 + 1000).collect();
    assert_eq!(output.to_vec_of::<u32>().unwrap(), wanted);
}
