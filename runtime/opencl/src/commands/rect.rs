//! Boxes of bytes in buffers (`clEnqueueReadBufferRect`, `…WriteBufferRect`, `…CopyBufferRect`).

use super::buffer::root;
use super::check_buffer;
use crate::client::ClientMemory;
use crate::error::{Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::memory::Memory;
use crate::queue::{Enqueue, Queue, Started};
use clforge_runtime::{self as runtime, RectCopy};
use opencl_sys::*;

/// The place of a box in a buffer or in the host's memory.
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    /// First byte, row and slice.
    pub origin: [usize; 3],
    /// Distances in bytes between rows, and between slices.
    pub pitches: [usize; 2],
}

impl Rect {
    /// A place with the pitches as the client gives them: 0 stands for no gaps.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn new(origin: [usize; 3], region: [usize; 3], [row, slice]: [usize; 2]) -> Result<Rect> {
        ensure(!region.contains(&0), CL_INVALID_VALUE, "an empty box")?;
        let row = if row == 0 { region[0] } else { row };
        ensure(row >= region[0], CL_INVALID_VALUE, "rows overlap")?;
        let dense = row.saturating_mul(region[1]);
        let slice = if slice == 0 { dense } else { slice };
        ensure(slice >= dense && slice.is_multiple_of(row), CL_INVALID_VALUE, "slices overlap, or begin inside a row")?;
        Ok(Rect { origin, pitches: [row, slice] })
    }

    /// The first byte of a row.
    fn row(&self, y: usize, z: usize) -> usize {
        let [row, slice] = self.pitches;
        (self.origin[2] + z) * slice + (self.origin[1] + y) * row + self.origin[0]
    }

    /// One past the last byte, or `usize::MAX` where that is not a number.
    pub fn end(&self, region: [usize; 3]) -> usize {
        let [row, slice] = self.pitches;
        let at = |index: usize, pitch: usize| index.saturating_mul(pitch);
        let last_slice = at(self.origin[2].saturating_add(region[2] - 1), slice);
        let last_row = at(self.origin[1].saturating_add(region[1] - 1), row);
        last_slice.saturating_add(last_row).saturating_add(self.origin[0]).saturating_add(region[0])
    }
}

/// The rows of a box: y and z.
fn rows(region: [usize; 3]) -> impl Iterator<Item = (usize, usize)> {
    (0..region[2]).flat_map(move |z| (0..region[1]).map(move |y| (y, z)))
}

fn rect_copy(region: [usize; 3], source: Option<&Rect>, target: Option<&Rect>) -> RectCopy {
    let origin = |rect: Option<&Rect>| rect.map_or([0; 3], |rect| rect.origin.map(|place| place as u64));
    let pitch = |rect: Option<&Rect>| rect.map_or([0; 2], |rect| rect.pitches.map(|pitch| pitch as u64));
    RectCopy {
        region: region.map(|size| size as u64),
        source_origin: origin(source),
        source_pitch: pitch(source),
        target_origin: origin(target),
        target_pitch: pitch(target),
    }
}

/// Reads a box of a buffer into the client's memory, which reaches to the end of the box there.
///
/// # Errors
/// As for [`super::read_buffer`].
pub fn read_rect(
    queue: &Ref<Queue>,
    buffer: &Ref<Memory>,
    region: [usize; 3],
    [place, host_place]: [Rect; 2],
    mut host: ClientMemory,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    check_buffer(queue, buffer)?;
    buffer.check_range(0, place.end(region))?;
    buffer.flags().host_reads()?;
    let (buffer, device) = (buffer.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let mut bytes = vec![0; region.iter().product()];
        let dense = runtime::Buffer::new(queue.device(), bytes.len() as u64)?;
        queue.copy_rect(&buffer.read_on(&device, queue)?, &dense, &rect_copy(region, Some(&place), None))?;
        queue.read(&dense, 0, &mut bytes)?;
        for ((y, z), row) in rows(region).zip(bytes.chunks_exact(region[0])) {
            let start = host_place.row(y, z);
            if let Some(place) = host.bytes_mut().get_mut(start..start + region[0]) {
                place.copy_from_slice(row);
            }
        }
        Ok(Started::Complete)
    };
    Enqueue::new(CL_COMMAND_READ_BUFFER_RECT, waits).on(queue, Box::new(action))
}

/// Writes a box of the client's memory to a buffer.
///
/// # Errors
/// As for [`super::read_buffer`].
pub fn write_rect(
    queue: &Ref<Queue>,
    buffer: &Ref<Memory>,
    region: [usize; 3],
    [place, host_place]: [Rect; 2],
    host: ClientMemory,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    check_buffer(queue, buffer)?;
    buffer.check_range(0, place.end(region))?;
    buffer.flags().host_writes()?;
    let (buffer, device) = (buffer.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let mut bytes = Vec::with_capacity(region.iter().product());
        for (y, z) in rows(region) {
            let start = host_place.row(y, z);
            bytes.extend_from_slice(host.bytes().get(start..start + region[0]).unwrap_or_default());
        }
        let dense = runtime::Buffer::new(queue.device(), bytes.len() as u64)?;
        queue.write(&dense, 0, &bytes)?;
        let _turns = Memory::turns_with([&buffer], &device);
        let target = buffer.write_on(&device, queue)?;
        Ok(Started::OnDevice(queue.copy_rect(&dense, &target, &rect_copy(region, None, Some(&place)))?))
    };
    Enqueue::new(CL_COMMAND_WRITE_BUFFER_RECT, waits).on(queue, Box::new(action))
}

/// Copies a box from buffer to buffer.
///
/// # Errors
/// As for [`super::copy_buffer`].
pub fn copy_rect(
    queue: &Ref<Queue>,
    [source, target]: [&Ref<Memory>; 2],
    region: [usize; 3],
    [from, to]: [Rect; 2],
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    check_buffer(queue, source)?;
    check_buffer(queue, target)?;
    target.flags().commands_write()?;
    source.check_range(0, from.end(region))?;
    target.check_range(0, to.end(region))?;
    let ((first, start), (second, end)) = (root(source), root(target));
    let is_same = first == second;
    if is_same {
        let pitches_agree = from.pitches == to.pitches || source.handle() != target.handle();
        ensure(pitches_agree, CL_INVALID_VALUE, "a copy inside a buffer has the same pitches twice")?;
        ensure(!overlap(region, (&from, start), (&to, end)), CL_MEM_COPY_OVERLAP, "source and target overlap")?;
    }
    let (source, target, device) = (source.clone(), target.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let _turns = Memory::turns_with([&source, &target], &device);
        let (source, target) = (source.read_on(&device, queue)?, target.write_on(&device, queue)?);
        if !is_same {
            let copy = rect_copy(region, Some(&from), Some(&to));
            return Ok(Started::OnDevice(queue.copy_rect(&source, &target, &copy)?));
        }
        // Boxes that do not overlap may lie between each other's rows.
        for (y, z) in rows(region) {
            queue.copy(&source, from.row(y, z) as u64, &target, to.row(y, z) as u64, region[0] as u64)?;
        }
        Ok(Started::OnDevice(queue.marker()?))
    };
    Enqueue::new(CL_COMMAND_COPY_BUFFER_RECT, waits).on(queue, Box::new(action))
}

/// Whether some row of one box, at an offset in the same memory, overlaps some row of the other.
fn overlap(region: [usize; 3], (from, start): (&Rect, usize), (to, end): (&Rect, usize)) -> bool {
    let starts = |rect: &Rect, offset: usize| {
        let mut starts: Vec<usize> = rows(region).map(|(y, z)| rect.row(y, z) + offset).collect();
        starts.sort_unstable();
        starts
    };
    let (first, second) = (starts(from, start), starts(to, end));
    first.iter().any(|row| {
        let next = second.partition_point(|other| *other + region[0] <= *row);
        second.get(next).is_some_and(|other| *other < *row + region[0])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_between_rows_do_not_overlap() {
        let rect = |x| Rect::new([x, 0, 0], [4, 3, 1], [16, 0]).unwrap();
        assert!(!overlap([4, 3, 1], (&rect(0), 0), (&rect(4), 0)));
        assert!(overlap([4, 3, 1], (&rect(0), 0), (&rect(3), 0)));
        assert!(overlap([4, 3, 1], (&rect(0), 0), (&rect(4), 12)));
        assert_eq!(rect(2).end([4, 3, 1]), 38);
        assert!(Rect::new([0; 3], [4, 3, 1], [3, 0]).is_err());
        assert!(Rect::new([0; 3], [4, 3, 1], [8, 25]).is_err());
    }
}
