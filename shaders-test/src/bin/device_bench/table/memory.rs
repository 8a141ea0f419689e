//! Rows that are limited by memory: copies, matrices, grids, images.

use super::case;
use crate::case::{Case, Compare, Scale, Setup, below, float, floats, line, plane, random, uint, words, zeros};
use clforge_harness::HostArg;
use clforge_runtime::{ChannelOrder, ChannelType, ImageDescription, ImageFormat, ImageKind};

pub fn cases() -> Vec<Case> {
    let mut all = copies();
    all.extend(matrices());
    all.extend(grids());
    all
}

fn copy(scale: Scale, bytes: usize, local: u64) -> Setup {
    // Of bytes fewer are copied: there is an item for each.
    let size = scale.of(if bytes == 1 { 64 << 20 } else { 128 << 20 }, 1 << 16);
    line(size / bytes, local, vec![random(size / 4), zeros(size)])
}

fn copies() -> Vec<Case> {
    use Compare::Exact;
    vec![
        case("copy float, groups of 64", "copy/copy_float", Exact, |s| copy(s, 4, 64)),
        case("copy float, groups of 128", "copy/copy_float", Exact, |s| copy(s, 4, 128)),
        case("copy float, groups of 256", "copy/copy_float", Exact, |s| copy(s, 4, 256)),
        case("copy float, groups of 512", "copy/copy_float", Exact, |s| copy(s, 4, 512)),
        case("copy float, default groups", "copy/copy_float", Exact, |s| copy(s, 4, 0)),
        case("copy byte, groups of 256", "copy/copy_byte", Exact, |s| copy(s, 1, 256)),
        case("copy byte, default groups", "copy/copy_byte", Exact, |s| copy(s, 1, 0)),
        case("copy float4, groups of 64", "copy/copy_float4", Exact, |s| copy(s, 16, 64)),
        case("copy float4, groups of 256", "copy/copy_float4", Exact, |s| copy(s, 16, 256)),
        case("a*x + y", "copy/add_scaled", Compare::Float(1e-6), |s| {
            let n = s.of(16 << 20, 1 << 14);
            line(n, 256, vec![floats(n, -1.0, 1.0), floats(n, 0.0, 2.0), zeros(n * 4), float(1.5)])
        }),
        case("gather", "copy/gather", Exact, |s| {
            let n = s.of(16 << 20, 1 << 14);
            line(n, 256, vec![below(n, n as u32), random(n), zeros(n * 4)])
        }),
        case("transpose", "copy/transpose", Exact, |s| {
            let n = s.of(4096, 64);
            plane([n, n], [16, 16], vec![random(n * n), zeros(n * n * 4), uint(n)])
        }),
        case("particles (structures)", "records/particles", Compare::Float(1e-4), |s| {
            let n = s.of(2 << 20, 1 << 12);
            line(n, 256, vec![floats(n * 8, 0.0, 4.0), zeros(n * 32), float(0.01)])
        }),
        case("linked lists", "records/lists", Exact, |s| {
            let n = s.of(1 << 20, 1 << 12);
            let nodes = words(n).flat_map(|word| [word, ((u64::from(word) * n as u64) >> 32) as u32]);
            let nodes = HostArg::Buffer(nodes.flat_map(u32::to_le_bytes).collect());
            line(n, 128, vec![nodes, zeros(n * 4), uint(s.of(64, 8))])
        }),
        case("binary search by pointers", "records/search", Exact, |s| {
            let n = s.of(4 << 20, 1 << 12);
            let sorted = HostArg::Buffer((0..n as u32).flat_map(|i| (i * 3).to_le_bytes()).collect());
            line(n, 256, vec![sorted, uint(n), below(n, n as u32 * 3), zeros(n * 4)])
        }),
    ]
}

fn square(scale: Scale, full: usize, quick: usize, items: usize, local: u64) -> Setup {
    let n = scale.of(full, quick);
    let args = vec![floats(n * n, -1.0, 1.0), floats(n * n, -1.0, 1.0), zeros(n * n * 4), uint(n)];
    plane([n / items, n / items], [local, local], args)
}

/// Each work-group makes `rows` x 128 elements.
fn product_of_halves(scale: Scale, rows: usize) -> Setup {
    let n = scale.of(4096, 256);
    let args = vec![halves(n * n), halves(n * n), zeros(n * n * 4), uint(n)];
    plane([n * 2, n / rows], [256, 1], args)
}

fn matrices() -> Vec<Case> {
    use Compare::Float;
    vec![
        case("matrix product, naive", "matrix/naive", Float(1e-3), |s| square(s, 1024, 64, 1, 16)),
        case("matrix product, tiles of 16", "matrix/tiled", Float(1e-3), |s| square(s, 2048, 64, 1, 16)),
        case("matrix product, 4x4 an item", "matrix/blocked", Float(1e-3), |s| square(s, 2048, 64, 4, 16)),
        case("product of halves, 8x8 an item", "cooperative/blocked", Float(1e-2), |s| product_of_halves(s, 128)),
        case("product of halves, cooperative", "cooperative/cooperative", Float(1e-2), |s| product_of_halves(s, 256)),
        case("matrix * vector, item a row", "matrix/vector_by_item", Float(1e-2), |s| {
            let n = s.of(8192, 256);
            line(n, 64, vec![floats(n * n, -1.0, 1.0), floats(n, -1.0, 1.0), zeros(n * 4), uint(n)])
        }),
        case("matrix * vector, group a row", "matrix/vector_by_group", Float(1e-2), |s| {
            let n = s.of(8192, 256);
            line(n * 256, 256, vec![floats(n * n, -1.0, 1.0), floats(n, -1.0, 1.0), zeros(n * 4), uint(n)])
        }),
        case("sparse matrix * vector", "matrix/sparse", Float(1e-3), |s| {
            let n = s.of(1 << 19, 1 << 10);
            let lengths = words(n).map(|word| word % 33);
            let mut end = 0;
            let ends = lengths.map(|length| {
                end += length;
                end
            });
            let starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
            let entries = starts.last().map_or(0, |end| *end as usize);
            let starts = HostArg::Buffer(starts.into_iter().flat_map(u32::to_le_bytes).collect());
            let values = floats(entries, -1.0, 1.0);
            line(n, 64, vec![starts, below(entries, n as u32), values, floats(n, -1.0, 1.0), zeros(n * 4)])
        }),
    ]
}

fn weights(count: usize) -> HostArg {
    floats(count, 0.0, 0.125)
}

fn grids() -> Vec<Case> {
    use Compare::Float;
    vec![
        case("stencil, 5 points", "grid/stencil5", Float(1e-5), |s| {
            let n = s.of(4096, 64);
            plane([n, n], [32, 8], vec![floats(n * n, 0.0, 1.0), zeros(n * n * 4), uint(n), uint(n)])
        }),
        case("stencil, 7 points", "grid/stencil7", Float(1e-5), |s| {
            let n = s.of(256, 16);
            let mut setup = plane([n, n], [16, 4], vec![floats(n * n * n, 0.0, 1.0), zeros(n * n * n * 4), uint(n)]);
            setup.range.dims = 3;
            setup.range.global[2] = n as u64;
            setup.range.local = Some([16, 4, 4]);
            setup
        }),
        case("convolution, rows", "grid/convolve_rows", Float(1e-5), |s| {
            let n = s.of(4096, 64);
            plane([n, n], [16, 16], vec![floats(n * n, 0.0, 1.0), weights(17), zeros(n * n * 4), uint(n)])
        }),
        case("convolution, columns", "grid/convolve_columns", Float(1e-5), |s| {
            let n = s.of(4096, 64);
            plane([n, n], [32, 8], vec![floats(n * n, 0.0, 1.0), weights(17), zeros(n * n * 4), uint(n), uint(n)])
        }),
        case("convolution, 5x5", "grid/convolve_square", Float(1e-5), |s| {
            let n = s.of(4096, 64);
            let padded = (n + 4) * (n + 4);
            plane([n, n], [32, 8], vec![floats(padded, 0.0, 1.0), weights(25), zeros(n * n * 4), uint(n)])
        }),
        case("blur through a sampler", "image/blur", Float(1e-4), |s| {
            let n = s.of(2048, 64);
            plane([n, n], [16, 16], vec![image(n), weights(25), zeros(n * n * 16)])
        }),
        case("zoom through a sampler", "image/zoom", Float(2e-2), |s| {
            let n = s.of(2048, 64);
            plane([n, n], [16, 16], vec![image(n), zeros(n * n * 16)])
        }),
        case("pixels to grey", "image/grey", Compare::MostWords, |s| {
            let n = s.of(16 << 20, 1 << 14);
            line(n, 256, vec![random(n), zeros(n)])
        }),
        case("halves in memory", "half/storage", Compare::Half(2e-3), |s| {
            let n = s.of(8 << 20, 1 << 12);
            line(n, 256, vec![halves(n * 4), zeros(n * 8), float(0.5)])
        }),
    ]
}

fn image(size: usize) -> HostArg {
    let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnormInt8 };
    let description = ImageDescription { kind: ImageKind::D2, size: [size as u32, size as u32, 1], format };
    HostArg::Image(description, words(size * size).flat_map(u32::to_le_bytes).collect())
}

/// Halves from 1 to 2.
pub fn halves(count: usize) -> HostArg {
    HostArg::Buffer(words(count).flat_map(|word| (0x3c00 | (word >> 22) as u16).to_le_bytes()).collect())
}
