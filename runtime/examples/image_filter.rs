//! Finds the edges of a picture with image reads through a sampler: `image_filter [OUT.png]`.

use clforge_runtime::{
    Addressing, Arg, ChannelOrder, ChannelType, Device, DeviceSelector, Image, ImageDescription, ImageFormat,
    ImageKind, Launch, Program, Sampler,
};
use std::error::Error;

const SOURCE: &str = "
kernel void edges(read_only image2d_t in, sampler_t s, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 dx = read_imagef(in, s, at + (int2)(1, 0)) - read_imagef(in, s, at - (int2)(1, 0));
    float4 dy = read_imagef(in, s, at + (int2)(0, 1)) - read_imagef(in, s, at - (int2)(0, 1));
    write_imagef(out, at, (float4)(clamp(fast_length(dx.xyz) + fast_length(dy.xyz), 0.0f, 1.0f)));
}
";
const SIZE: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let edges = filter()?;
    if let Some(path) = std::env::args().nth(1) {
        let mut encoder = png::Encoder::new(std::fs::File::create(path)?, SIZE, SIZE);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header()?.write_image_data(&edges)?;
    }
    let bright = edges.chunks_exact(4).filter(|texel| texel[0] > 127).count();
    println!("{bright} of {} texels are on an edge", SIZE * SIZE);
    Ok(())
}

/// The edges of a white disc on black.
fn filter() -> Result<Vec<u8>, clforge_runtime::Error> {
    let inside = |x: u32, y: u32| (x.abs_diff(SIZE / 2)).pow(2) + (y.abs_diff(SIZE / 2)).pow(2) < 100 * 100;
    let texel = |i: u32| if inside(i % SIZE, i / SIZE) { [255u8; 4] } else { [0, 0, 0, 255] };
    let picture: Vec<u8> = (0..SIZE * SIZE).flat_map(texel).collect();

    let device = Device::open(&DeviceSelector::Best)?;
    let program = Program::from_source(&device, SOURCE, &Default::default())?;
    let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnormInt8 };
    let description = ImageDescription { kind: ImageKind::D2, size: [SIZE, SIZE, 1], format };
    let input = Image::from_bytes(&device, description, &picture)?;
    let output = Image::zeroed(&device, description)?;
    let sampler = Sampler { addressing: Addressing::ClampToEdge, ..Sampler::default() };
    let args = [Arg::Image(&input), Arg::Sampler(sampler), Arg::Image(&output)];
    program.kernel("edges")?.launch(&Launch::new(&[SIZE.into(), SIZE.into()]), &args)?;
    output.to_vec()
}

#[test]
fn edges_are_where_the_disc_ends() {
    let edges = filter().unwrap();
    let red = |x: u32, y: u32| edges[((y * SIZE + x) * 4) as usize];
    assert_eq!([red(128, 128), red(0, 0), red(128, 10)], [0; 3]);
    assert_eq!([red(128 + 100, 128), red(128, 128 - 100)], [255; 2]);
}
