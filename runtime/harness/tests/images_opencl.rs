//! Images through an installed OpenCL driver: modules of ours against the driver's own compiler.

use clforge_compiler::options::{ClStd, OpenClVersion};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, Target};
use clforge_harness::opencl::{ClProgram, Runner};
use clforge_harness::{HostArg, NdRange};
use clforge_runtime::{Addressing, ImageDescription, ImageFormat, ImageKind, Sampler};

const SOURCE: &str = "
constant sampler_t literal_sampler = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
float4 helper(read_only image2d_t from, sampler_t s, int2 at) { return read_imagef(from, s, at); }
kernel void reads(read_only image2d_t from, sampler_t s, global float4 *out) {
    int x = get_global_id(0), y = get_global_id(1), i = (y * get_global_size(0) + x) * 4;
    out[i] = helper(from, s, (int2)(x - 2, y - 2));
    out[i + 1] = helper(from, literal_sampler, (int2)(x - 2, y - 2));
    out[i + 2] = read_imagef(from, s, (float2)(x - 1.75f, y - 1.5f));
    out[i + 3] = (float4)(get_image_width(from), get_image_height(from), get_image_channel_order(from),
                          get_image_channel_data_type(from));
}
kernel void copies(read_only image3d_t from, write_only image3d_t to) {
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagef(to, at, 1.0f - read_imagef(from, literal_sampler, at));
}
kernel void layers(read_only image2d_array_t from, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int4 last = (int4)(at.x, at.y, (int)get_image_array_size(from) - 1, 0);
    write_imagei(to, at, read_imagei(from, literal_sampler, last) + at.x);
}
kernel void rows(read_only image1d_t from, read_only image1d_buffer_t more, write_only image1d_t to) {
    int x = get_global_id(0);
    write_imagef(to, x, read_imagef(from, literal_sampler, x) + read_imagef(more, x));
}";

fn programs() -> [ClProgram; 2] {
    let target = Target::OpenCl(OpenClVersion::V1_2);
    let workarounds = Workarounds::POCL_THROUGH_LLVM;
    let options = Options::for_target(target).with_cl_std(ClStd::CL1_2).with_workarounds(workarounds);
    let source = Source { name: "images.cl", text: SOURCE.as_bytes() };
    let compiled =
        clforge_compiler::compile(source, &options).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let runner = Runner::new().expect("these tests need an OpenCL driver (Debian: pocl-opencl-icd)");
    [runner.build_spirv(&compiled.spirv).unwrap(), runner.build_source(SOURCE, "-cl-std=CL1.2").unwrap()]
}

#[test]
fn our_modules_do_what_the_driver_s_compiler_does() {
    let [ours, theirs] = programs();
    let image = |kind, size, format: &str| {
        let description = ImageDescription { kind, size, format: ImageFormat::parse(format).unwrap() };
        let bytes = (0..description.bytes().unwrap()).map(|i| (i * 7 % 251) as u8).collect();
        HostArg::Image(description, bytes)
    };
    let check = |kernel: &str, size: [u64; 3], args: &[HostArg]| {
        let range = NdRange::new(&size);
        let got = ours.run(kernel, &range, args).unwrap();
        assert_eq!(got, theirs.run(kernel, &range, args).unwrap(), "{kernel}");
        let before: Vec<&[u8]> = args
            .iter()
            .map(|arg| match arg {
                HostArg::Image(_, bytes) | HostArg::Buffer(bytes) => &bytes[..],
                _ => &[],
            })
            .collect();
        assert!(got.iter().zip(before).any(|(after, before)| after != before), "{kernel} did nothing");
    };
    for addressing in [Addressing::ClampToEdge, Addressing::Clamp] {
        let sampler = HostArg::Sampler(Sampler { addressing, ..Sampler::default() });
        let args = [image(ImageKind::D2, [6, 5, 1], "rgba8"), sampler, HostArg::Buffer(vec![0; 100 * 64])];
        check("reads", [10, 10, 1], &args);
    }
    let volume = image(ImageKind::D3, [6, 5, 4], "rgba8");
    check("copies", [6, 5, 4], &[volume.clone(), volume]);
    let (layers, flat) = (image(ImageKind::D2Array, [6, 5, 4], "rgba16i"), image(ImageKind::D2, [6, 5, 1], "rgba16i"));
    check("layers", [6, 5, 1], &[layers, flat]);
    let row = image(ImageKind::D1, [6, 1, 1], "rgba16");
    check("rows", [6, 1, 1], &[row.clone(), image(ImageKind::Buffer, [6, 1, 1], "rgba16"), row]);
}
