//! Images and samplers on a real device with the validation layer silent, against the specification's own formulas for
//! addressing and filtering (OpenCL 3.0, "Image Addressing and Filtering").

mod common;

use clforge_compiler::Options;
use clforge_compiler::options::ClStd;
use clforge_harness::{HostArg, run_vulkan};
use clforge_runtime::{
    Addressing, Arg, Buffer, Device, Error, Image, ImageDescription, ImageFormat, ImageKind, ImageRegion, Launch,
    Program, Queue, Sampler,
};
use common::{bytes, device, values};
use fastrand::Rng;

fn compile(device: &Device, source: &str) -> Program {
    let options = Options::default().with_cl_std(ClStd::CL2_0);
    Program::from_source(device, source, &options).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

fn description(kind: ImageKind, size: [u32; 3], format: &str) -> ImageDescription {
    ImageDescription { kind, size, format: ImageFormat::parse(format).expect("a format") }
}

/// A kind with its type's name, the swizzle that takes its coordinate from a vector of four, and a size.
const SAMPLED: [Sampled; 5] = [
    (ImageKind::D1, "image1d_t", "x", [7, 1, 1]),
    (ImageKind::D1Array, "image1d_array_t", "xy", [7, 3, 1]),
    (ImageKind::D2, "image2d_t", "xy", [7, 5, 1]),
    (ImageKind::D2Array, "image2d_array_t", "xyzw", [7, 5, 3]),
    (ImageKind::D3, "image3d_t", "xyzw", [7, 5, 3]),
];

/// Number of dimensions that are filtered; the next one is the layer of an array.
fn dimensions(kind: ImageKind) -> usize {
    match kind {
        ImageKind::D1 | ImageKind::Buffer | ImageKind::D1Array => 1,
        ImageKind::D2 | ImageKind::D2Array => 2,
        ImageKind::D3 => 3,
    }
}

fn is_array(kind: ImageKind) -> bool {
    matches!(kind, ImageKind::D1Array | ImageKind::D2Array)
}

/// The texel numbers of one dimension that a coordinate reads, with their weights; `None` is the border.
fn neighbours(sampler: Sampler, coordinate: f32, size: u32) -> [(Option<u32>, f32); 2] {
    let w = size as f32;
    let limit = size as i64 - 1;
    let u = match sampler.addressing {
        Addressing::Repeat => (coordinate - coordinate.floor()) * w,
        Addressing::MirroredRepeat => (coordinate - 2.0 * (0.5 * coordinate).round_ties_even()).abs() * w,
        _ if sampler.normalized => coordinate * w,
        _ => coordinate,
    };
    let texel = |i: i64| match sampler.addressing {
        Addressing::Repeat => Some(i.rem_euclid(limit + 1) as u32),
        Addressing::Clamp => u32::try_from(i).ok().filter(|i| *i < size),
        _ => Some(i.clamp(0, limit) as u32),
    };
    if !sampler.linear {
        return [(texel(u.floor() as i64), 1.0), (None, 0.0)];
    }
    let first = (u - 0.5).floor();
    let fraction = u - 0.5 - first;
    [(texel(first as i64), 1.0 - fraction), (texel(first as i64 + 1), fraction)]
}

/// What a read gives; border and missing texels are zeros, as in every format with an alpha channel.
fn model(image: &ImageDescription, texels: &[[f32; 4]], sampler: Sampler, at: [f32; 4]) -> [f32; 4] {
    let dims = dimensions(image.kind);
    let [width, height, depth] = image.size;
    let mut axes = [[(Some(0), 1.0), (None, 0.0)]; 3];
    for axis in 0..dims {
        axes[axis] = neighbours(sampler, at[axis], image.size[axis]);
    }
    if is_array(image.kind) {
        let layer = at[dims].round_ties_even().clamp(0.0, image.size[dims] as f32 - 1.0);
        axes[dims][0] = (Some(layer as u32), 1.0);
    }
    let mut sum = [0.0; 4];
    for (x, a) in axes[0] {
        for (y, b) in axes[1] {
            for (z, c) in axes[2] {
                let (Some(x), Some(y), Some(z)) = (x, y, z) else { continue };
                assert!(x < width && y < height && z < depth);
                let texel = texels[((z * height + y) * width + x) as usize];
                sum.iter_mut().zip(texel).for_each(|(sum, texel)| *sum += a * b * c * texel);
            }
        }
    }
    sum
}

/// Texels whose channels all differ, each of one sign; the second is a million times as large in every other texel.
fn texels(image: &ImageDescription) -> Vec<[f32; 4]> {
    let count = image.size.iter().product::<u32>();
    (0..count).map(|i| [i as f32 + 1.0, [1.0, 1e6][i as usize % 2], -(i as f32) - 1.0, 0.5 * i as f32 + 1.0]).collect()
}

/// Coordinates around and beyond the image.
fn coordinates(image: &ImageDescription, sampler: Sampler, random: &mut Rng, integers: bool) -> Vec<[f32; 4]> {
    let dims = dimensions(image.kind);
    let coordinate = |random: &mut Rng, axis: usize| {
        let size = *image.size.get(axis).unwrap_or(&1) as f32;
        if is_array(image.kind) && axis == dims {
            return (random.f32() * (size + 2.0) - 1.0).round() + if integers { 0.0 } else { 0.25 };
        }
        if axis >= dims {
            return 0.0;
        }
        // `CLK_ADDRESS_NONE` says nothing of what is outside.
        let margin = if sampler.addressing == Addressing::None { 0.0 } else { 3.0 };
        let texel = (random.f32() * (size + 2.0 * margin)).floor() - margin;
        // Quarters of texels are exact, and texels' edges belong to the texel right of them.
        let quarters = if sampler.normalized { [0.25, 0.375, 0.5, 0.75] } else { [0.0, 0.25, 0.5, 0.75] };
        let fraction = if integers { 0.0 } else { quarters[(random.f32() * 4.0) as usize % 4] };
        if sampler.normalized { (texel + fraction) / size } else { texel + fraction }
    };
    (0..200).map(|_| std::array::from_fn(|axis| coordinate(random, axis))).collect()
}

/// A row of [`SAMPLED`].
type Sampled = (ImageKind, &'static str, &'static str, [u32; 3]);

/// Reads at many places.
fn check_reads(kind: Sampled, sampler: Sampler, integers: bool) {
    let image = description(kind.0, kind.3, "rgba32f");
    check_places(kind, sampler, &coordinates(&image, sampler, &mut Rng::with_seed(7), integers), integers);
}

/// Reads at these places with the sampler as an argument and as a literal, and compares with the model.
fn check_places(kind: Sampled, sampler: Sampler, places: &[[f32; 4]], integers: bool) {
    let (kind, type_name, swizzle, size) = kind;
    let device = device(false);
    let image = description(kind, size, "rgba32f");
    let texels = texels(&image);
    let largest: [f32; 4] =
        std::array::from_fn(|channel| texels.iter().map(|texel| texel[channel].abs()).fold(0.0, f32::max));
    let convert = match (integers, swizzle.len()) {
        (false, _) => "",
        (true, 1) => "convert_int",
        (true, 2) => "convert_int2",
        (true, _) => "convert_int4",
    };
    let source = format!(
        "kernel void argument(read_only {type_name} image, sampler_t s, global float4 *at, global float4 *out) {{\n\
         int i = get_global_id(0); out[i] = read_imagef(image, s, {convert}(at[i].{swizzle})); }}\n\
         constant sampler_t literal_sampler = {bits};\n\
         kernel void literal(read_only {type_name} image, sampler_t s, global float4 *at, global float4 *out) {{\n\
         int i = get_global_id(0); out[i] = read_imagef(image, literal_sampler, {convert}(at[i].{swizzle})); }}\n",
        bits = sampler.bits()
    );
    let program = compile(&device.0, &source);
    for kernel in ["argument", "literal"] {
        let args = [
            HostArg::Image(image, bytes(&texels)),
            HostArg::Sampler(sampler),
            HostArg::Buffer(bytes(places)),
            HostArg::Buffer(vec![0; places.len() * 16]),
        ];
        let out = run_vulkan(&device.0, &program, kernel, &Launch::new(&[places.len() as u64]), &args).unwrap();
        for (place, got) in places.iter().zip(values::<[f32; 4]>(&out[3])) {
            let wanted = model(&image, &texels, sampler, *place);
            let good = (0..4).all(|channel| {
                let wanted = wanted[channel];
                (wanted - got[channel]).abs() <= tolerance(kind, sampler, largest[channel], wanted)
            });
            assert!(good, "{kernel} {type_name} {sampler:?} at {place:?}: {got:?}, should be {wanted:?}");
        }
    }
}

/// The error that a channel may have of which the largest value is given: filters have weights of 8 bits in hardware, and
/// where Vulkan has no unnormalised coordinates the kernel filters in floats.
fn tolerance(kind: ImageKind, sampler: Sampler, largest: f32, wanted: f32) -> f32 {
    let is_vulkan_s = sampler.normalized || matches!(kind, ImageKind::D1 | ImageKind::D2);
    match (sampler.linear, is_vulkan_s) {
        (false, _) => 0.0,
        (true, true) => largest * 3.0 / 256.0,
        (true, false) => wanted.abs() * 8.0 * f32::EPSILON,
    }
}

fn samplers(linear: bool) -> Vec<Sampler> {
    let in_texels = [Addressing::None, Addressing::ClampToEdge, Addressing::Clamp];
    let in_fractions = [Addressing::ClampToEdge, Addressing::Clamp, Addressing::Repeat, Addressing::MirroredRepeat];
    let in_texels = in_texels.map(|addressing| Sampler { addressing, linear, ..Sampler::default() });
    let in_fractions =
        in_fractions.map(|addressing| Sampler { addressing, linear, normalized: true, ..Sampler::default() });
    in_texels.into_iter().chain(in_fractions).collect()
}

#[test]
fn nearest_reads_at_floating_coordinates() {
    for kind in SAMPLED {
        samplers(false).into_iter().for_each(|sampler| check_reads(kind, sampler, false));
    }
}

/// Section 8.2 in arithmetic of floats: a negative coordinate close to 0 wraps to 1, and then to the first texel.
#[test]
fn repeated_coordinates_wrap_in_floats() {
    let sampler = Sampler { addressing: Addressing::Repeat, normalized: true, ..Sampler::default() };
    let close = [-1e-9, -1e-30, -f32::EPSILON / 4.0, -0.0, 1e-30, 1.0, -1.0, 3.0];
    for kind in SAMPLED {
        let other = |place, axis| if axis < dimensions(kind.0) { place } else { 1.0 };
        let places: Vec<[f32; 4]> = close.iter().map(|place| std::array::from_fn(|axis| other(*place, axis))).collect();
        check_places(kind, sampler, &places, false);
    }
}

#[test]
fn linear_reads() {
    for kind in SAMPLED {
        samplers(true).into_iter().for_each(|sampler| check_reads(kind, sampler, false));
    }
}

/// Where Vulkan has no unnormalised coordinates the kernel filters, by the specification's weights in floats: a texel's centre
/// gives that texel whatever the size of the image, however much larger its neighbours are.
#[test]
fn filters_in_texels_are_those_of_floats() {
    for (kind, size) in [(SAMPLED[1], [11, 3, 1]), (SAMPLED[3], [11, 7, 3]), (SAMPLED[4], [11, 7, 13])] {
        let kind = (kind.0, kind.1, kind.2, size);
        let centres = (0..143).map(|i| [i % 11, i % 7, i % 13, 0].map(|i: u8| f32::from(i) + 0.5));
        let between =
            (0..143).map(|i| [i % 11, i % 7, i % 13, 0].map(|texel: u8| f32::from(texel) + f32::from(i) / 144.0));
        let places: Vec<[f32; 4]> = centres.chain(between).collect();
        for sampler in samplers(true).into_iter().filter(|sampler| !sampler.normalized) {
            check_places(kind, sampler, &places, false);
        }
    }
}

#[test]
fn reads_at_integer_coordinates() {
    for kind in SAMPLED {
        let in_texels = samplers(false).into_iter().filter(|sampler| !sampler.normalized);
        in_texels.for_each(|sampler| check_reads(kind, sampler, true));
    }
}

/// Copies an image texel by texel without sampler, and compares the bytes.
fn check_copy(device: &Device, (kind, type_name, place): (ImageKind, &str, &str), size: [u32; 3], format: &str) {
    let suffix = match format {
        _ if format.ends_with("ui") => "ui",
        _ if format.ends_with('i') => "i",
        _ => "f",
    };
    let source = format!(
        "kernel void copy(read_only {type_name} from, write_only {type_name} to) {{\n\
         int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n\
         write_image{suffix}(to, {place}, read_image{suffix}(from, {place})); }}\n"
    );
    let program = compile(device, &source);
    let image = description(kind, size, format);
    let count = image.bytes().unwrap() as usize;
    // Any bytes of a small magnitude: no NaNs, and -128 is as good as -127 for the signed normalised formats.
    let from: Vec<u8> = (0..count).map(|i| (i * 37 % 60) as u8 + 1).collect();
    let args = [HostArg::Image(image, from.clone()), HostArg::Image(image, vec![0; count])];
    let range = Launch::new(&size.map(u64::from));
    let out = match run_vulkan(device, &program, "copy", &range, &args) {
        Ok(out) => out,
        Err(Error::Unsupported(_)) => return, // Not every device has every format.
        Err(error) => panic!("{type_name} {format}: {error}"),
    };
    assert_eq!(out[0], from);
    assert_eq!(out[1], from, "{type_name} {format}");
}

#[test]
fn copies_of_every_format() {
    let device = device(false);
    for order in ["r", "rg", "rgba"] {
        for channel in ["8", "8s", "8i", "8ui", "16", "16s", "16i", "16ui", "16f", "32i", "32ui", "32f"] {
            let format = format!("{order}{channel}");
            check_copy(&device.0, (ImageKind::D2, "image2d_t", "(int2)(x, y)"), [5, 3, 1], &format);
        }
    }
    check_copy(&device.0, (ImageKind::D2, "image2d_t", "(int2)(x, y)"), [5, 3, 1], "abgr2_101010");
}

#[test]
fn copies_of_every_shape() {
    let device = device(true);
    let shapes = [
        (ImageKind::D1, "image1d_t", "x"),
        (ImageKind::Buffer, "image1d_buffer_t", "x"),
        (ImageKind::D1Array, "image1d_array_t", "(int2)(x, y)"),
        (ImageKind::D2, "image2d_t", "(int2)(x, y)"),
        (ImageKind::D2Array, "image2d_array_t", "(int4)(x, y, z, 9)"),
        (ImageKind::D3, "image3d_t", "(int4)(x, y, z, 9)"),
    ];
    for (kind, type_name, place) in shapes {
        let size = match kind {
            ImageKind::D1 | ImageKind::Buffer => [19, 1, 1],
            ImageKind::D1Array | ImageKind::D2 => [19, 4, 1],
            _ => [19, 4, 3],
        };
        for format in ["rgba32f", "r32i", "rgba8ui"] {
            check_copy(&device.0, (kind, type_name, place), size, format);
        }
    }
    check_copy(&device.0, (ImageKind::D2, "image2d_depth_t", "(int2)(x, y)"), [19, 4, 1], "d32f");
    check_copy(&device.0, (ImageKind::D2Array, "image2d_array_depth_t", "(int4)(x, y, z, 9)"), [19, 4, 3], "d32f");
}

/// All kinds of images, with sizes.
const KINDS: [(ImageKind, [u32; 3]); 6] = [
    (ImageKind::D1, [9, 1, 1]),
    (ImageKind::Buffer, [8, 1, 1]),
    (ImageKind::D1Array, [9, 4, 1]),
    (ImageKind::D2, [7, 5, 1]),
    (ImageKind::D2Array, [7, 5, 3]),
    (ImageKind::D3, [8, 4, 4]),
];

/// The bytes of a region of texels of four bytes in an image without gaps: ranges, in the order of the texels.
fn region_bytes(size: [u32; 3], region: &ImageRegion) -> Vec<usize> {
    let [x, y, z] = region.origin;
    let rows = (z..z + region.size[2]).flat_map(|z| (y..y + region.size[1]).map(move |y| (y, z)));
    let texels = rows.flat_map(|(y, z)| (x..x + region.size[0]).map(move |x| (z * size[1] + y) * size[0] + x));
    texels.flat_map(|texel| (0..4).map(move |byte| texel as usize * 4 + byte)).collect()
}

/// Where a region of such a size ends at the last texel of an image.
fn at_end(size: [u32; 3], region: [u32; 3]) -> ImageRegion {
    ImageRegion { origin: [0, 1, 2].map(|d| size[d] - region[d]), size: region }
}

#[test]
fn texels_are_copied_between_all_kinds() {
    let checked = device(false);
    let device = &checked.0;
    let queue = Queue::new(device).unwrap();
    for ((from_kind, from_size), (to_kind, to_size)) in KINDS.iter().flat_map(|a| KINDS.map(|b| (*a, b))) {
        let [source, target] = [(from_kind, from_size), (to_kind, to_size)]
            .map(|(kind, size)| Image::zeroed(device, description(kind, size, "rgba8")).unwrap());
        let texels: Vec<u8> = (0..source.to_vec().unwrap().len()).map(|i| (i * 7 + 1) as u8).collect();
        source.write(&texels).unwrap();
        let region = [0, 1, 2].map(|d| from_size[d].min(to_size[d]).saturating_sub(1).max(1));
        let (from, to) = (at_end(from_size, region), ImageRegion { origin: [0; 3], size: region });
        queue.copy_image(&source, &from, &target, to.origin).unwrap();
        queue.finish().unwrap();
        let mut wanted = vec![0; target.to_vec().unwrap().len()];
        for (to, from) in region_bytes(to_size, &to).into_iter().zip(region_bytes(from_size, &from)) {
            wanted[to] = texels[from];
        }
        assert_eq!(target.to_vec().unwrap(), wanted, "{from_kind:?} to {to_kind:?}");
    }
}

#[test]
fn texels_are_copied_to_and_from_buffers() {
    let checked = device(false);
    let device = &checked.0;
    let queue = Queue::new(device).unwrap();
    let bytes: Vec<u8> = (0..600).map(|i| (i * 11 / 3) as u8).collect();
    for ((kind, size), offset) in KINDS.iter().flat_map(|image| [0u64, 12, 5].map(|offset| (*image, offset))) {
        let image = Image::zeroed(device, description(kind, size, "rgba8")).unwrap();
        let region = at_end(size, size.map(|size| size.saturating_sub(1).max(1)));
        let places = region_bytes(size, &region);
        let (source, target) = (Buffer::from_bytes(device, &bytes).unwrap(), Buffer::zeroed(device, 600).unwrap());
        queue.copy_buffer_to_image(&source, offset, &image, &region).unwrap();
        queue.copy_image_to_buffer(&image, &region, &target, offset + 1).unwrap();
        queue.finish().unwrap();
        let copied = &bytes[offset as usize..offset as usize + places.len()];
        let (mut texels, mut wanted) = (vec![0; image.to_vec().unwrap().len()], vec![0; 600]);
        places.iter().zip(copied).for_each(|(place, byte)| texels[*place] = *byte);
        wanted[offset as usize + 1..][..places.len()].copy_from_slice(copied);
        assert_eq!(image.to_vec().unwrap(), texels, "{kind:?} from byte {offset}");
        assert_eq!(target.to_vec().unwrap(), wanted, "{kind:?} to byte {offset}");
    }
}

#[test]
fn wrong_copies_are_reported() {
    let checked = device(false);
    let device = &checked.0;
    let queue = Queue::new(device).unwrap();
    let image = |format| Image::zeroed(device, description(ImageKind::D2, [8, 8, 1], format)).unwrap();
    let (flat, other, buffer) = (image("rgba8"), image("r32f"), Buffer::zeroed(device, 64).unwrap());
    let region = ImageRegion { origin: [0; 3], size: [4, 4, 1] };
    let wrong = |copied: Result<_, Error>| matches!(copied, Err(Error::Transfer(_)));
    assert!(wrong(queue.copy_image(&flat, &region, &other, [0; 3])), "formats");
    assert!(wrong(queue.copy_image(&flat, &region, &flat, [3, 3, 0])), "overlap");
    assert!(wrong(queue.copy_image(&flat, &region, &image("rgba8"), [5, 0, 0])), "outside");
    assert!(queue.copy_image(&flat, &region, &flat, [4, 3, 0]).is_ok());
    assert!(matches!(queue.copy_image_to_buffer(&flat, &region, &buffer, 1), Err(Error::BufferRange { .. })));
    assert!(matches!(queue.copy_buffer_to_image(&buffer, 1, &flat, &region), Err(Error::BufferRange { .. })));
    queue.finish().unwrap();
}

#[test]
fn colours_have_their_meaning() {
    let device = device(false);
    let source = "const sampler_t s = CLK_FILTER_NEAREST;\n\
                  kernel void k(read_only image2d_t a, global float4 *out) {\n\
                  int i = get_global_id(0); out[i] = read_imagef(a, s, (int2)(i, 0)); out[i + 2] = convert_float4(read_imageh(a, s, (int2)(i, 0))); }";
    let program = compile(&device.0, &format!("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{source}"));
    let one = |format: &str, bytes: Vec<u8>| {
        let image = HostArg::Image(description(ImageKind::D2, [2, 1, 1], format), bytes);
        let args = [image, HostArg::Buffer(vec![0; 64])];
        let out = run_vulkan(&device.0, &program, "k", &Launch::new(&[2]), &args).unwrap();
        values::<[f32; 4]>(&out[1])
    };
    let rgba = one("rgba8", vec![255, 0, 0, 255, 0, 255, 0, 0]);
    assert_eq!(rgba[..2], [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]]);
    assert_eq!(rgba[..2], rgba[2..]);
    assert_eq!(one("bgra8", vec![255, 0, 0, 255, 0, 255, 0, 0])[..2], [[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0]]);
    // Missing channels are 0, missing alpha is 1.
    assert_eq!(one("r8", vec![255, 0])[..2], [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]);
    assert_eq!(one("rg8", vec![255, 0, 0, 255])[..2], [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]);
}

#[test]
fn halves_are_written() {
    let device = device(false);
    let source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
                  kernel void k(write_only image2d_t a, global const float4 *in) {\n\
                  int i = get_global_id(0); write_imageh(a, (int2)(i, 0), convert_half4(in[i])); }";
    let program = compile(&device.0, source);
    let image = HostArg::Image(description(ImageKind::D2, [2, 1, 1], "rgba32f"), vec![0; 32]);
    let numbers = [[0.1f32, 65504.0, -6.103_515_6e-5, 1.0], [-0.0, f32::INFINITY, 1.0 / 3.0, 2049.0]];
    let args = [image, HostArg::Buffer(bytes(&numbers))];
    let out = run_vulkan(&device.0, &program, "k", &Launch::new(&[2]), &args).unwrap();
    // The nearest halves: of 0.1 it is 1638/16384, of a third 1365/4096, of 2049 the even neighbour.
    let halves = [[1638.0 / 16384.0, 65504.0, -6.103_515_6e-5, 1.0], [-0.0, f32::INFINITY, 1365.0 / 4096.0, 2048.0f32]];
    assert_eq!(values::<[f32; 4]>(&out[0]), halves);
}

#[test]
fn queries() {
    let device = device(false);
    let source = "kernel void k(int a, read_only image3d_t i, write_only image2d_array_t j, read_only image1d_buffer_t b,\n\
                  sampler_t s, global int *out, double unused) {\n\
                  out[0] = get_image_width(i); out[1] = get_image_height(i); out[2] = get_image_depth(i);\n\
                  vstore4(get_image_dim(i), 1, out); out[8] = get_image_width(j); out[9] = get_image_height(j);\n\
                  out[10] = (int)get_image_array_size(j); vstore2(get_image_dim(j), 6, out);\n\
                  out[14] = get_image_width(b); out[15] = get_image_channel_order(i) - CLK_RGBA;\n\
                  out[16] = get_image_channel_data_type(i) - CLK_UNORM_INT8; out[17] = get_image_channel_order(j);\n\
                  out[18] = get_image_channel_data_type(b) - CLK_FLOAT; out[19] = a; out[20] = get_image_num_mip_levels(i);\n\
                  out[21] = (int)read_imagef(i, s, (float4)(1.5f)).x; }";
    let program = compile(&device.0, source);
    let image = |kind, size, format| {
        let description = description(kind, size, format);
        HostArg::Image(description, vec![255; description.bytes().unwrap() as usize])
    };
    let args = [
        HostArg::Pod(bytes(&[42i32])),
        image(ImageKind::D3, [6, 5, 4], "rgba8"),
        image(ImageKind::D2Array, [9, 8, 7], "r32f"),
        HostArg::Image(description(ImageKind::Buffer, [33, 1, 1], "rg32f"), vec![0; 33 * 8]),
        HostArg::Sampler(Sampler::default()),
        HostArg::Buffer(vec![0xEE; 88]),
        HostArg::Pod(bytes(&[0.0f64])),
    ];
    let out = run_vulkan(&device.0, &program, "k", &Launch::new(&[1]), &args).unwrap();
    let got = values::<i32>(&out[5]);
    let red = 0x10B0;
    let wanted = [6, 5, 4, -0x1111_1112, 6, 5, 4, 0, 9, 8, 7, -0x1111_1112, 9, 8, 33, 0, 0, red, 0, 42, 1, 1];
    assert_eq!(got, wanted);
}

#[test]
fn reading_what_was_written() {
    let device = device(false);
    if !device.0.info().has_feature("shaderStorageImageReadWithoutFormat") {
        eprintln!("skipped: the device does not read storage images without format");
        return;
    }
    let source = "kernel void k(read_write image2d_t a) {\n\
                  int2 at = (int2)(get_global_id(0), 0); int2 other = (int2)(63 - at.x, 0);\n\
                  uint4 old = read_imageui(a, at); write_imageui(a, at, old + 1);\n\
                  work_group_barrier(CLK_IMAGE_MEM_FENCE);\n\
                  uint4 seen = read_imageui(a, other);\n\
                  work_group_barrier(CLK_IMAGE_MEM_FENCE);\n\
                  write_imageui(a, at, seen); }";
    let program = compile(&device.0, source);
    let image = description(ImageKind::D2, [64, 1, 1], "rgba32ui");
    let texels: Vec<u32> = (0..256).collect();
    let args = [HostArg::Image(image, bytes(&texels))];
    let out = run_vulkan(&device.0, &program, "k", &Launch::new(&[64]).local(&[64]), &args).unwrap();
    let wanted: Vec<u32> = (0..256).map(|i| (63 - i / 4) * 4 + i % 4 + 1).collect();
    assert_eq!(values::<u32>(&out[0]), wanted);
}

#[test]
fn wrong_arguments_are_reported() {
    let device = device(false);
    let program = compile(
        &device.0,
        "kernel void k(read_only image2d_t a, sampler_t s, global float4 *out) { out[0] = read_imagef(a, s, (int2)(0)); }",
    );
    let kernel = program.kernel("k").unwrap();
    let launch = |args: &[Arg<'_>]| kernel.launch(&Launch::new(&[1]), args).unwrap_err().to_string();
    let flat = Image::zeroed(&device.0, description(ImageKind::D2, [4, 4, 1], "rgba8")).unwrap();
    let solid = Image::zeroed(&device.0, description(ImageKind::D3, [4, 4, 4], "rgba8")).unwrap();
    let sampler = Arg::Sampler(Sampler::default());
    assert!(launch(&[Arg::Null, sampler, Arg::Null]).contains("is an image"));
    assert!(launch(&[Arg::Image(&solid), sampler, Arg::Null]).contains("image2d_t"));
    assert!(launch(&[Arg::Image(&flat), Arg::Image(&flat), Arg::Null]).contains("is a sampler"));
    assert!(launch(&[Arg::Image(&flat), sampler, sampler]).contains("is a buffer"));
    let huge = description(ImageKind::D2, [1 << 30, 1, 1], "r8");
    assert!(matches!(Image::zeroed(&device.0, huge), Err(Error::Limit { .. })));
    let empty = description(ImageKind::D2, [0, 1, 1], "r8");
    assert!(matches!(Image::zeroed(&device.0, empty), Err(Error::Limit { .. })));
    assert!(matches!(flat.write(&[0; 3]), Err(Error::BufferRange { .. })));
    assert_eq!(flat.to_vec().unwrap(), vec![0; 64]);
}

/// The sizes of a level of detail: dimensions are halved, layers are not.
fn level_size(kind: ImageKind, size: [u32; 3], level: u32) -> [u32; 3] {
    let mut size = size;
    size.iter_mut().take(dimensions(kind)).for_each(|size| *size = (*size >> level).max(1));
    size
}

/// Every work-item writes a texel of a level of its own, and the host finds each level as it computes it.
#[test]
fn levels_of_detail_are_written() {
    let device = device(false);
    for (kind, type_name, swizzle, size) in SAMPLED {
        let halved = |axis: usize| if axis < dimensions(kind) { " >> level, 1" } else { ", 1" };
        let [width, height, depth] = [0, 1, 2].map(|axis| size[axis].to_string() + halved(axis));
        let source = format!(
            "kernel void k(write_only {type_name} a, global int *levels) {{\n\
             int level = get_global_id(0) % 3; int x = get_global_id(0) / 3;\n\
             int4 at = (int4)(x, get_global_id(1), get_global_id(2), 0);\n\
             levels[0] = get_image_num_mip_levels(a); levels[1] = get_image_width(a);\n\
             if (all(at.xyz < (int3)(max({width}), max({height}), max({depth}))))\n\
                 write_imageui(a, at.{swizzle}, level, (uint4)(x, at.y, at.z, level + 7));\n\
             }}",
        );
        let program = compile(&device.0, &source);
        let image = Image::mipmapped(&device.0, description(kind, size, "rgba32ui"), 3).unwrap();
        let levels = Buffer::zeroed(&device.0, 8).unwrap();
        let range = Launch::new(&[u64::from(size[0]) * 3, size[1].into(), size[2].into()]);
        program.kernel("k").unwrap().launch(&range, &[Arg::Image(&image), Arg::Buffer(&levels)]).unwrap();
        assert_eq!(levels.to_vec_of::<i32>().unwrap(), [3, size[0] as i32], "{kind:?}");
        for level in 0..3 {
            let [width, height, depth] = level_size(kind, size, level);
            let texel = |i: u32| [i % width, i / width % height, i / width / height, level + 7];
            let wanted: Vec<u32> = (0..width * height * depth).flat_map(texel).collect();
            assert_eq!(values::<u32>(&image.level_to_vec(level).unwrap()), wanted, "{kind:?} level {level}");
        }
    }
}

/// Levels that the host writes are read by samplers, and a level that a kernel writes by a constant number is that one.
#[test]
fn levels_of_detail_are_read() {
    let device = device(false);
    let program = compile(
        &device.0,
        "kernel void r(read_only image2d_t a, sampler_t s, global float4 *out) {\n\
             int i = get_global_id(0); out[i] = read_imagef(a, s, (float2)(0.5f), (float)i);\n\
             out[4].x = get_image_num_mip_levels(a); }\n\
         kernel void w(write_only image2d_t a, write_only image2d_t b) {\n\
             int2 at = (int2)(get_global_id(0), get_global_id(1));\n\
             write_imagef(a, at, 1, (float4)(at.x, at.y, 5, 6)); write_imagef(b, at, (float4)(9)); }",
    );
    let image = Image::mipmapped(&device.0, description(ImageKind::D2, [8, 8, 1], "rgba32f"), 4).unwrap();
    for level in 0..4 {
        let texels = vec![[level as f32, 1.0, 2.0, 3.0]; 64 >> (2 * level)].concat();
        image.write_level(level, &bytes(&texels)).unwrap();
    }
    let out = Buffer::zeroed(&device.0, 80).unwrap();
    let sampler = Sampler { normalized: true, ..Sampler::default() };
    let kernel = program.kernel("r").unwrap();
    kernel.launch(&Launch::new(&[4]), &[Arg::Image(&image), Arg::Sampler(sampler), Arg::Buffer(&out)]).unwrap();
    let mut wanted: Vec<[f32; 4]> = (0..4).map(|level| [level as f32, 1.0, 2.0, 3.0]).collect();
    wanted.push([4.0, 0.0, 0.0, 0.0]);
    assert_eq!(out.to_vec_of::<[f32; 4]>().unwrap(), wanted);

    let other = Image::mipmapped(&device.0, description(ImageKind::D2, [4, 4, 1], "rgba32f"), 2).unwrap();
    let kernel = program.kernel("w").unwrap();
    kernel.launch(&Launch::new(&[4, 4]), &[Arg::Image(&image), Arg::Image(&other)]).unwrap();
    let texel = |i: u32| [(i % 4) as f32, (i / 4) as f32, 5.0, 6.0];
    assert_eq!(values::<[f32; 4]>(&image.level_to_vec(1).unwrap()), (0..16).map(texel).collect::<Vec<_>>());
    assert_eq!(values::<f32>(&image.level_to_vec(0).unwrap()), [[0.0, 1.0, 2.0, 3.0]; 64].concat());
    assert_eq!(values::<f32>(&other.to_vec().unwrap()), [9.0; 64]);
    assert_eq!(values::<f32>(&other.level_to_vec(1).unwrap()), [0.0; 16]);
    let too_many = Image::mipmapped(&device.0, description(ImageKind::D2, [4, 4, 1], "rgba32f"), 4);
    assert!(matches!(too_many, Err(Error::Limit { limit: 3, requested: 4, .. })));
    assert!(matches!(other.write_level(2, &[0; 16]), Err(Error::Limit { .. })));
}
