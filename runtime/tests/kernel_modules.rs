//! Modules for OpenCL that the runtime translates for the device: images, samplers and what is asked of them.

mod common;

use clforge_runtime::{
    Addressing, Arg, Buffer, Image, ImageDescription, ImageFormat, ImageKind, Launch, Program, Sampler,
};
use common::{assemble, assembly, bytes, device, values};

fn description(format: &str) -> ImageDescription {
    ImageDescription { kind: ImageKind::D2, size: [4, 1, 1], format: ImageFormat::parse(format).unwrap() }
}

/// Nothing in the module says that its integer texels are unsigned, but that a caller converts them so.
#[test]
fn texels_and_facts_of_images() {
    let device = device(false);
    let words = assemble(&assembly("kernel_images"), "spv1.0");
    let kernel = Program::from_spirv(&device.0, &words).unwrap().kernel("texels").unwrap();
    let numbers = Image::from_bytes(&device.0, description("r8ui"), &[200, 7, 255, 0]).unwrap();
    let colours: Vec<f32> = (0..4).flat_map(|x| [0.0, 10.0 * x as f32, 0.0, 1.0]).collect();
    let colours = Image::from_bytes(&device.0, description("rgba32f"), &bytes(&colours)).unwrap();
    let tenths = Image::zeroed(&device.0, description("r16ui")).unwrap();
    let (out, facts) = (Buffer::zeroed(&device.0, 48).unwrap(), Buffer::zeroed(&device.0, 16).unwrap());
    let border = Sampler { addressing: Addressing::Clamp, ..Sampler::default() };
    let args = [
        Arg::Image(&numbers),
        Arg::Image(&colours),
        Arg::Image(&tenths),
        Arg::Buffer(&out),
        Arg::Sampler(border),
        Arg::Buffer(&facts),
    ];
    kernel.launch(&Launch::new(&[4]), &args).unwrap();
    let wanted = [200.0, 7.0, 255.0, 0.0, 0.0, 10.0, 20.0, 30.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(out.to_vec_of::<f32>().unwrap(), wanted);
    assert_eq!(values::<u16>(&tenths.to_vec().unwrap()), [20, 0, 25, 0]);
    // Its width, `CL_UNSIGNED_INT8` and `CL_R` as SPIR-V numbers them, and the height of the other one.
    assert_eq!(facts.to_vec_of::<u32>().unwrap(), [4, 10, 0, 1]);
}
