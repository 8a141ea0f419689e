//! Vulkan images with memory, and views of buffers as images.

use super::description::{ImageDescription, ImageKind};
use super::region::{ImageRegion, placed};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::{MemoryPool, RawBuffer};
use crate::narrow::to_i32;
use crate::submission::Recording;
use crate::vulkan::RawDevice;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};
use std::any::Any;
use std::sync::Arc;

/// The layout of images between commands: it allows every access by kernels.
pub(crate) const LAYOUT: vk::ImageLayout = vk::ImageLayout::GENERAL;

/// An image object, its memory and its views.
pub(crate) struct RawImage {
    raw: vk::Image,
    /// Of all levels and layers.
    pub view: vk::ImageView,
    /// Of each level of detail, if there are several and kernels may write them.
    level_views: Vec<vk::ImageView>,
    /// Whether kernels may write it.
    pub storage: bool,
    layers: u32,
    levels: u32,
    allocation: Option<Allocation>,
    /// Of an image of a program, which destroys it when this has been dropped.
    guard: Option<Box<dyn Any + Send + Sync>>,
    memory: Arc<MemoryPool>,
}

/// A view of a buffer as a one-dimensional image.
pub(crate) struct TexelView {
    pub raw: vk::BufferView,
    pub storage: bool,
    device: Arc<RawDevice>,
}

impl RawImage {
    /// Creates an image with undefined texels, for every use that its format allows.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a format that the device lacks, [`Error::Limit`], [`Error::Allocation`], [`Error::Vulkan`].
    pub fn new(device: &Device, description: &ImageDescription, format: vk::Format, levels: u32) -> Result<RawImage> {
        let (info, storage) = image_info(device, description, format, levels)?;
        let (layers, view_type) = (info.array_layers, types(description.kind).1);
        let shared = &device.shared;
        let raw_device = &shared.raw;
        // SAFETY: format, usage and sizes were checked by `image_info`.
        let raw = unsafe { raw_device.create_image(&info, None) }.map_err(Error::vulkan("vkCreateImage"))?;
        // Owned from here on: an error below drops it.
        let view = vk::ImageView::null();
        let (level_views, memory) = (Vec::new(), shared.memory.clone());
        let (allocation, guard) = (None, None);
        let mut image = RawImage { raw, view, level_views, storage, layers, levels, allocation, guard, memory };
        // SAFETY: the image was just created from this device.
        let requirements = unsafe { raw_device.get_image_memory_requirements(raw) };
        let allocation = shared.memory.allocate(&AllocationCreateDesc {
            name: "image",
            requirements,
            location: MemoryLocation::GpuOnly,
            linear: false,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: memory and offset satisfy the image's requirements; the image is not bound yet.
        let bound = unsafe { raw_device.bind_image_memory(raw, allocation.memory(), allocation.offset()) };
        image.allocation = Some(allocation);
        bound.map_err(Error::vulkan("vkBindImageMemory"))?;
        image.view = image.make_view(view_type, format, image.range())?;
        if storage && levels > 1 {
            for base_mip_level in 0..levels {
                let range = vk::ImageSubresourceRange { base_mip_level, level_count: 1, ..image.range() };
                let view = image.make_view(view_type, format, range)?;
                image.level_views.push(view);
            }
        }
        Ok(image)
    }

    /// An image of a program, with one level of detail. `storage`: whether kernels may write it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`]; the guard has been dropped then.
    ///
    /// # Safety
    /// The image is of this device, as it is described, has its memory, and lives until the guard is dropped.
    pub unsafe fn of_program(
        device: &Device,
        raw: vk::Image,
        (description, format, storage): (&ImageDescription, vk::Format, bool),
        guard: Box<dyn Any + Send + Sync>,
    ) -> Result<RawImage> {
        let (_, layers) = description.extent(0);
        let (view, level_views, memory) = (vk::ImageView::null(), Vec::new(), device.shared.memory.clone());
        let (levels, allocation, guard) = (1, None, Some(guard));
        let mut image = RawImage { raw, view, level_views, storage, layers, levels, allocation, guard, memory };
        image.view = image.make_view(types(description.kind).1, format, image.range())?;
        Ok(image)
    }

    /// The handle.
    pub fn handle(&self) -> vk::Image {
        self.raw
    }

    fn make_view(
        &self,
        view_type: vk::ImageViewType,
        format: vk::Format,
        range: vk::ImageSubresourceRange,
    ) -> Result<vk::ImageView> {
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(view_type)
            .format(format)
            .subresource_range(range);
        // SAFETY: the view covers levels that the image has, in its own format; the image has its memory.
        unsafe { self.memory.device().create_image_view(&info, None) }.map_err(Error::vulkan("vkCreateImageView"))
    }

    /// The view of one level of detail, for kernels that write it; that of level 0 for levels that the image does not have.
    pub fn level_view(&self, level: u32) -> vk::ImageView {
        let first = self.level_views.first().copied().unwrap_or(self.view);
        self.level_views.get(level as usize).copied().unwrap_or(first)
    }

    /// Number of levels of detail.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            base_mip_level: 0,
            level_count: self.levels,
            base_array_layer: 0,
            layer_count: self.layers,
        }
    }

    /// Records a change of layout, between all commands before it and all commands after it.
    fn transition(&self, recording: &Recording<'_>, from: vk::ImageLayout, to: vk::ImageLayout) {
        let barrier = [vk::ImageMemoryBarrier::default()
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .image(self.raw)
            .subresource_range(self.range())];
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let (device, commands) = (recording.device, recording.commands);
        // SAFETY: the image is alive and in the layout `from` (or its texels do not matter); the barrier covers it all.
        unsafe { device.cmd_pipeline_barrier(commands, all, all, vk::DependencyFlags::empty(), &[], &[], &barrier) }
    }

    /// Records the change to [`LAYOUT`] and a fill with zeros. Must come before any other use.
    pub fn prepare(&self, recording: &Recording<'_>) {
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        self.transition(recording, vk::ImageLayout::UNDEFINED, layout);
        let zero = vk::ClearColorValue { uint32: [0; 4] };
        let (device, commands) = (recording.device, recording.commands);
        // SAFETY: the image is alive, a transfer destination, and in that layout.
        unsafe { device.cmd_clear_color_image(commands, self.raw, layout, &zero, &[self.range()]) };
        self.transition(recording, layout, LAYOUT);
    }

    /// The region of a level of detail, for copies: of those behind `base`, which is the first one that is described.
    fn copy_region(&self, description: &ImageDescription, level: u32, base: u32) -> vk::BufferImageCopy {
        let subresource = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: base + level,
            base_array_layer: 0,
            layer_count: self.layers,
        };
        vk::BufferImageCopy::default().image_subresource(subresource).image_extent(description.extent(level).0)
    }

    /// A region of a level of detail, for copies.
    pub fn region(kind: ImageKind, region: &ImageRegion, level: u32) -> vk::BufferImageCopy {
        let ([x, y, z], [width, height, depth], base_array_layer, layer_count) = placed(kind, region);
        let subresource = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: level,
            base_array_layer,
            layer_count,
        };
        vk::BufferImageCopy::default()
            .image_subresource(subresource)
            .image_offset(vk::Offset3D { x: to_i32(x), y: to_i32(y), z: to_i32(z) })
            .image_extent(vk::Extent3D { width, height, depth })
    }

    /// Records a copy of all texels of a level from a buffer that holds them; see [`RawImage::copy_to`].
    pub fn copy_from(
        &self,
        recording: &Recording<'_>,
        buffer: &RawBuffer,
        description: &ImageDescription,
        [level, base]: [u32; 2],
    ) {
        self.copy_region_from(recording, buffer.raw, self.copy_region(description, level, base));
    }

    /// Records a copy of a region, which is within the image, from a buffer that holds its texels.
    pub fn copy_region_from(&self, recording: &Recording<'_>, buffer: vk::Buffer, region: vk::BufferImageCopy) {
        let (device, commands) = (recording.device, recording.commands);
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        self.transition(recording, LAYOUT, layout);
        // SAFETY: both are alive; the caller's buffer is large enough for the texels without gaps.
        unsafe { device.cmd_copy_buffer_to_image(commands, buffer, self.raw, layout, &[region]) };
        self.transition(recording, layout, LAYOUT);
    }

    /// Records a copy of all texels of a level, of those behind the one that is described, to a buffer that has room for them.
    pub fn copy_to(
        &self,
        recording: &Recording<'_>,
        buffer: &RawBuffer,
        description: &ImageDescription,
        [level, base]: [u32; 2],
    ) {
        self.copy_region_to(recording, buffer, self.copy_region(description, level, base));
    }

    /// Records a copy of a region, which is within the image, to a buffer that has room for its texels.
    pub fn copy_region_to(&self, recording: &Recording<'_>, buffer: &RawBuffer, region: vk::BufferImageCopy) {
        let (device, commands) = (recording.device, recording.commands);
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        self.transition(recording, LAYOUT, layout);
        // SAFETY: as in `copy_region_from`.
        unsafe { device.cmd_copy_image_to_buffer(commands, self.raw, layout, buffer.raw, &[region]) };
        self.transition(recording, layout, LAYOUT);
    }
}

impl RawImage {
    /// Whether texels of images of these kinds can be copied without a buffer between them, by every version of Vulkan.
    pub fn copies_directly(source: ImageKind, target: ImageKind) -> bool {
        types(source).0 == types(target).0
    }

    /// Records a copy of a region of a level of a kind of image to one of the same size, of an image that
    /// [`RawImage::copies_directly`]. Both are within their images, and do not overlap.
    pub fn copy_to_image(
        &self,
        recording: &Recording<'_>,
        (from_kind, from, from_level): (ImageKind, &ImageRegion, u32),
        target: &RawImage,
        (to_kind, to, to_level): (ImageKind, &ImageRegion, u32),
    ) {
        let (from, to) = (RawImage::region(from_kind, from, from_level), RawImage::region(to_kind, to, to_level));
        let copy = [vk::ImageCopy::default()
            .src_subresource(from.image_subresource)
            .src_offset(from.image_offset)
            .dst_subresource(to.image_subresource)
            .dst_offset(to.image_offset)
            .extent(from.image_extent)];
        let (device, commands) = (recording.device, recording.commands);
        if self.raw == target.raw {
            // SAFETY: it is alive and in this layout, the only one that allows both uses at once.
            return unsafe { device.cmd_copy_image(commands, self.raw, LAYOUT, self.raw, LAYOUT, &copy) };
        }
        let layouts = (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        self.transition(recording, LAYOUT, layouts.0);
        target.transition(recording, LAYOUT, layouts.1);
        // SAFETY: both are alive, of the same format, and in these layouts.
        unsafe { device.cmd_copy_image(commands, self.raw, layouts.0, target.raw, layouts.1, &copy) };
        self.transition(recording, layouts.0, LAYOUT);
        target.transition(recording, layouts.1, LAYOUT);
    }
}

impl Drop for RawImage {
    fn drop(&mut self) {
        let (raw, allocation) = (self.raw, self.allocation.take());
        let views = std::mem::take(&mut self.level_views);
        let whole = self.view;
        let (memory, guard) = (self.memory.clone(), self.guard.take());
        self.memory.device().discard(move |device| {
            // SAFETY: created from this device (the view may be null, which is allowed), destroyed once, when nothing
            // uses them; an image with a guard is destroyed by its program, after that.
            unsafe {
                for view in views.into_iter().chain([whole]) {
                    device.destroy_image_view(view, None);
                }
                if guard.is_none() {
                    device.destroy_image(raw, None);
                }
            }
            drop(guard);
            if let Some(allocation) = allocation {
                memory.free(allocation);
            }
        });
    }
}

impl TexelView {
    /// The first `bytes` of a buffer as texels.
    pub fn new(device: &Device, buffer: &Buffer, format: vk::Format, bytes: u64) -> Result<TexelView> {
        let shared = &device.shared;
        // SAFETY: the physical device belongs to the instance.
        let properties =
            unsafe { shared.raw.instance.raw.get_physical_device_format_properties(shared.physical, format) };
        let features = properties.buffer_features;
        if !features.contains(vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER) {
            return Err(Error::Unsupported("buffer images of this format on this device are".into()));
        }
        let storage = features.contains(vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER);
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer.raw.raw)
            .format(format)
            .offset(buffer.offset)
            .range(bytes);
        // SAFETY: the buffer has the texel usages and holds the range, which is a whole number of texels.
        let raw = unsafe { shared.raw.create_buffer_view(&info, None) }.map_err(Error::vulkan("vkCreateBufferView"))?;
        Ok(TexelView { raw, storage, device: shared.raw.clone() })
    }
}

impl Drop for TexelView {
    fn drop(&mut self) {
        let raw = self.raw;
        // SAFETY: created from this device, destroyed once, when nothing uses it.
        self.device.discard(move |device| unsafe { device.destroy_buffer_view(raw, None) });
    }
}

/// The types of an image and of its views.
fn types(kind: ImageKind) -> (vk::ImageType, vk::ImageViewType) {
    match kind {
        ImageKind::D1 | ImageKind::Buffer => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
        ImageKind::D1Array => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D_ARRAY),
        ImageKind::D2 => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
        ImageKind::D2Array => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY),
        ImageKind::D3 => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
    }
}

/// How an image is created, with every use that its format allows, and whether kernels may write it.
///
/// # Errors
/// [`Error::Unsupported`] for a format that the device lacks, [`Error::Limit`], [`Error::Vulkan`].
pub(super) fn image_info(
    device: &Device,
    description: &ImageDescription,
    format: vk::Format,
    levels: u32,
) -> Result<(vk::ImageCreateInfo<'static>, bool)> {
    let shared = &device.shared;
    // SAFETY: the physical device belongs to the instance.
    let properties = unsafe { shared.raw.instance.raw.get_physical_device_format_properties(shared.physical, format) };
    let features = properties.optimal_tiling_features;
    if !features.contains(vk::FormatFeatureFlags::SAMPLED_IMAGE) {
        return Err(Error::Unsupported(format!("images of {:?} on this device are", description.format)));
    }
    let storage = features.contains(vk::FormatFeatureFlags::STORAGE_IMAGE);
    let mut usage =
        vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
    if storage {
        usage |= vk::ImageUsageFlags::STORAGE;
    }
    let image_type = types(description.kind).0;
    let (extent, layers) = description.extent(0);
    check_limits(device, image_type, format, usage, (extent, layers, levels))?;
    let info = vk::ImageCreateInfo::default()
        .image_type(image_type)
        .format(format)
        .extent(extent)
        .mip_levels(levels)
        .array_layers(layers)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::OPTIMAL)
        .usage(usage)
        .initial_layout(vk::ImageLayout::UNDEFINED);
    Ok((info, storage))
}

fn check_limits(
    device: &Device,
    image_type: vk::ImageType,
    format: vk::Format,
    usage: vk::ImageUsageFlags,
    (extent, layers, levels): (vk::Extent3D, u32, u32),
) -> Result<()> {
    let shared = &device.shared;
    let (tiling, flags) = (vk::ImageTiling::OPTIMAL, vk::ImageCreateFlags::empty());
    // SAFETY: the physical device belongs to the instance.
    let limits = unsafe {
        let instance = &shared.raw.instance.raw;
        instance.get_physical_device_image_format_properties(shared.physical, format, image_type, tiling, usage, flags)
    };
    let limits = limits.map_err(Error::vulkan("vkGetPhysicalDeviceImageFormatProperties"))?;
    let most = limits.max_extent;
    let sizes = [
        ("image width", extent.width, most.width),
        ("image height", extent.height, most.height),
        ("image depth", extent.depth, most.depth),
        ("number of image layers", layers, limits.max_array_layers),
        ("number of levels of detail", levels, limits.max_mip_levels),
    ];
    match sizes.into_iter().find(|(_, size, most)| size > most) {
        Some((what, size, most)) => Err(Error::Limit { what: what.into(), limit: most.into(), requested: size.into() }),
        None => Ok(()),
    }
}
