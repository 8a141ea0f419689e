//! Pipelines that are compiled before they are needed, in the background. A pipeline can be compiled when the
//! work-group size is known: from the start where the kernel requires one, otherwise at the first launch. Applications
//! often launch all their kernels with one size, so the first launch of a kernel also starts to compile the pipelines
//! of the others. An application that launches a kernel with a second size may look for the fastest one: then the
//! pipelines for other sizes are compiled too.

use super::kernel::KernelShared;
use super::pipelines::{MOST_UNUSED, PipelineKey};
use crate::background;
use crate::narrow::to_u32;
use crate::vulkan::Limits;
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::time::{Duration, Instant};

/// Pipelines that may wait for a thread.
const MOST_WAITING: usize = 64;

/// How long the load of a program waits for pipelines that launches needed in earlier runs. NVIDIA's driver (580.159.04) takes
/// 0.9 to 1.6 ms for each that it has in its cache.
const LOAD_LIMIT: Duration = Duration::from_millis(10);

/// A kernel, and where what its device's handles share is.
struct Entry {
    device: usize,
    kernel: Weak<KernelShared>,
}

/// All kernels of the process.
static KERNELS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Makes a new kernel one of those that are compiled in the background; at once if it requires a work-group size.
pub(super) fn register(kernel: &Arc<KernelShared>) {
    {
        let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
        if kernels.len() == kernels.capacity() {
            kernels.retain(|entry| entry.kernel.strong_count() > 0);
        }
        kernels.push(Entry { device: kernel.module.device.address(), kernel: Arc::downgrade(kernel) });
    }
    if kernel.module.device.background_compilation()
        && let Some(local_size) = kernel.interface().required_work_group_size
        && fits(local_size, &kernel.module.device.info().limits)
        && let Some(key) = key_for(kernel, &PipelineKey { local_size, ..PipelineKey::default() })
    {
        spawn(kernel, key, || ());
    }
}

/// Whether the device has work-groups of a size.
fn fits(size: [u32; 3], limits: &Limits) -> bool {
    let items = || size.iter().map(|size| u64::from(*size)).product::<u64>();
    size.iter().zip(limits.max_work_group_size).all(|(size, most)| (1..=most).contains(size))
        && items() <= limits.max_work_group_invocations.into()
}

/// The least dimensions of a work-group.
fn dimensions(size: [u32; 3]) -> u32 {
    size.iter().rposition(|size| *size > 1).map_or(1, |last| to_u32(last) + 1)
}

/// Compiles pipelines of other kernels for the same device, as a launch compiles one of `kernel` for `key`.
pub(super) fn compile_others(kernel: &KernelShared, key: &PipelineKey) {
    if !kernel.module.device.background_compilation() {
        return;
    }
    // Finding the kernels is a job too: a launch must not be the last to hold one, whose end may wait for a device.
    let (device, launched, key) = (kernel.module.device.address(), std::ptr::from_ref(kernel).addr(), key.clone());
    background::spawn(move || {
        let others: Vec<_> = {
            let kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
            let same_device = kernels.iter().filter(|entry| entry.device == device);
            same_device.filter_map(|entry| entry.kernel.upgrade()).collect()
        };
        for other in others.iter().filter(|other| Arc::as_ptr(other).addr() != launched) {
            if let Some(key) = key_for(other, &key) {
                spawn(other, key, || ());
            }
        }
    });
}

/// Compiles pipelines of `kernel` for other work-group sizes, if it was launched with another one than that of `key` before. As in
/// [`key_for`], not where a size that the device has may be none for the kernel.
pub(super) fn compile_other_sizes(kernel: &KernelShared, key: &PipelineKey) {
    if !kernel.module.device.background_compilation()
        || kernel.rules.local_size.is_some()
        || dimensions(key.local_size) > 1
        || key.sub_group_size.is_some()
        || kernel.module.scan.local_memory_is_specialised(&kernel.entry)
        || !kernel.pipelines.was_launched_with_other_size(key)
    {
        return;
    }
    // As in `compile_others`.
    let (launched, key) = (std::ptr::from_ref(kernel).addr(), key.clone());
    background::spawn(move || {
        let kernel = {
            let kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
            let launched = kernels.iter().find(|entry| entry.kernel.as_ptr().addr() == launched);
            launched.and_then(|entry| entry.kernel.upgrade())
        };
        let Some(kernel) = kernel else { return };
        for size in other_sizes(key.local_size[0], &kernel.module.device.info().limits) {
            spawn(&kernel, PipelineKey { local_size: [size, 1, 1], ..key.clone() }, || ());
        }
    });
}

/// The halves and doubles of a size that are whole sub-groups and that a device has, the nearest first.
fn other_sizes(size: u32, limits: &Limits) -> Vec<u32> {
    let sub_group = limits.subgroup_size.max(1);
    let halves = std::iter::successors(Some(size / 2), |size| Some(size / 2));
    let doubles = std::iter::successors(size.checked_mul(2), |size| size.checked_mul(2));
    let halves = halves.take_while(|size| *size >= sub_group);
    let doubles = doubles.take_while(|size| fits([*size, 1, 1], limits));
    let mut sizes: Vec<u32> = halves.chain(doubles).filter(|size| size.is_multiple_of(sub_group)).collect();
    sizes.sort_by_key(|other| size.max(*other) / size.min(*other));
    sizes
}

/// Compiles pipelines that launches of earlier runs have needed, and waits for them a short time.
pub(super) fn compile_for_launches(wanted: Vec<(Arc<KernelShared>, PipelineKey)>) {
    let (sender, made) = mpsc::channel();
    // The newest first: of many only so many are made.
    for (kernel, key) in wanted.into_iter().rev() {
        let device = &kernel.module.device;
        if device.background_compilation() && fits(key.local_size, &device.info().limits) {
            let sender = sender.clone();
            spawn(&kernel, key, move || _ = sender.send(()));
        }
    }
    drop(sender);
    let end = Instant::now() + LOAD_LIMIT;
    // Jobs that do not run drop their senders.
    while made.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {}
}

/// Compiles a pipeline in the background, and calls `then` after it.
fn spawn(kernel: &Arc<KernelShared>, key: PipelineKey, then: impl FnOnce() + Send + 'static) {
    if background::waiting() >= MOST_WAITING {
        return;
    }
    let Some(slot) = kernel.pipelines.reserve(&key, MOST_UNUSED) else { return };
    let kernel = Arc::downgrade(kernel);
    background::spawn(move || {
        // An error is reported by the launch that needs the pipeline, if there ever is one.
        let _ = kernel.upgrade().map(|kernel| slot.get_or_compile(|| kernel.compile(&key)));
        then();
    });
}

/// What a kernel is specialised for if it is launched as another one was. `None` if that depends on its arguments, or cannot
/// be.
fn key_for(kernel: &KernelShared, launched: &PipelineKey) -> Option<PipelineKey> {
    // By `local` arguments, or by the work-group size: it may be more than the device has.
    let other_memory = kernel.module.scan.local_memory_is_specialised(&kernel.entry);
    let other_size = kernel.rules.local_size.is_some_and(|size| size != launched.local_size);
    let sub_group_size = launched.sub_group_size.or(kernel.rules.sub_group_size);
    if other_memory || other_size || sub_group_size.is_some() {
        return None;
    }
    let mut key = PipelineKey { local_size: launched.local_size, ..PipelineKey::default() };
    let work_dim = launched.work_dim.unwrap_or(dimensions(launched.local_size));
    kernel.set_range(&mut key, work_dim, launched.global_offset.unwrap_or_default());
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::serial;
    use crate::program::Arg;
    use crate::{Buffer, Cache, Device, DeviceSelector, Launch, Options, Program};
    use clforge_compiler::options::ClStd;

    // The dimensions are a specialisation constant of the module.
    const SOURCE: &str = "
        kernel void first(global int *a) { a[get_global_id(0)] = 1; }
        kernel void second(global int *a) { a[get_global_id(0)] += 1 + get_work_dim(); }
        kernel void has_local(global int *a, local int *b) { b[0] = 1; a[0] = b[0]; }
        kernel void collective(global int *a) { a[0] = work_group_reduce_add(a[0]); }
        kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global int *a) { a[0] = 8; }
    ";

    /// [`SOURCE`] on a device that compiles in the background.
    fn program() -> (Device, Program) {
        let device = Device::open(&DeviceSelector::Best).unwrap();
        device.set_cache(Cache::off());
        device.set_background_compilation(true);
        let options = Options::default().with_cl_std(ClStd::CL3_0);
        let program = Program::from_source(&device, SOURCE, &options).unwrap();
        (device, program)
    }

    /// The test fails if what is compiled in the background is not what the launch needs.
    #[test]
    fn other_kernels_are_compiled_for_the_same_launch() {
        let _serial = serial();
        let (device, program) = program();
        let [first, second, has_local, collective, eight] =
            ["first", "second", "has_local", "collective", "eight"].map(|name| program.kernel(name).unwrap());
        let buffer = Buffer::from_slice(&device, &[0i32; 64]).unwrap();
        let launch = Launch::new(&[64]).local(&[16]);
        first.launch(&launch, &[Arg::Buffer(&buffer)]).unwrap();
        background::finish();
        let all = [&first, &second, &has_local, &collective, &eight];
        let counts = || all.map(|kernel| kernel.shared.pipelines.compiled().len());
        assert_eq!(counts(), [1, 1, 0, 0, 1]);
        second.launch(&launch, &[Arg::Buffer(&buffer)]).unwrap();
        assert_eq!(counts(), [1, 1, 0, 0, 1]);
        assert_eq!(buffer.to_vec_of::<i32>().unwrap(), [3; 64]);
        device.set_background_compilation(false);
        first.launch(&launch.local(&[4]), &[Arg::Buffer(&buffer)]).unwrap();
        background::finish();
        assert_eq!(counts(), [2, 1, 0, 0, 1]);
    }

    /// One size says nothing about others; a second one does.
    #[test]
    fn a_second_size_is_followed_by_others() {
        let _serial = serial();
        let (device, program) = program();
        let first = program.kernel("first").unwrap();
        let buffer = Buffer::from_slice(&device, &[0i32; 256]).unwrap();
        let sizes = |local| {
            first.launch(&Launch::new(&[256]).local(&[local]), &[Arg::Buffer(&buffer)]).unwrap();
            background::finish();
            let mut sizes: Vec<_> = first.shared.pipelines.compiled().iter().map(|key| key.local_size[0]).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(1), [1]);
        // The powers of two that are whole sub-groups, and the sizes of the launches.
        let limits = &device.info().limits;
        let whole = limits.subgroup_size.max(2)..=limits.max_work_group_invocations.min(limits.max_work_group_size[0]);
        let powers = (0..32).map(|power| 1 << power).filter(|size| whole.contains(size));
        let expected: Vec<u32> = [1].into_iter().chain(powers).collect();
        assert!(other_sizes(64, limits).starts_with(&[32, 128, 16, 256]), "the nearest are not first");
        assert_eq!(sizes(64), expected);
    }

    #[test]
    fn what_was_launched_is_compiled_when_the_program_is_loaded_again() {
        let _serial = serial();
        let folder = tempfile::tempdir().unwrap();
        let load = |compiles: bool| {
            let device = Device::open(&DeviceSelector::Best).unwrap();
            device.set_cache(Cache::at(folder.path()));
            device.set_background_compilation(compiles);
            let options = Options::default().with_cl_std(ClStd::CL3_0);
            let program = Program::from_source(&device, SOURCE, &options).unwrap();
            background::finish();
            (device, program)
        };
        let compiled = |program: &Program| -> Vec<(&str, u32)> {
            let compiled = |name| program.kernel(name).unwrap().shared.pipelines.compiled();
            let sizes = |name| compiled(name).into_iter().map(move |key| (name, key.local_size[0]));
            ["first", "second", "has_local"].into_iter().flat_map(sizes).collect()
        };
        {
            let (device, program) = load(true);
            assert_eq!(compiled(&program), []);
            let buffer = Buffer::from_slice(&device, &[0i32; 64]).unwrap();
            let launch = Launch::new(&[64]).local(&[16]);
            program.kernel("second").unwrap().launch(&launch, &[Arg::Buffer(&buffer)]).unwrap();
            let arguments = [Arg::Buffer(&buffer), Arg::Local(16)];
            program.kernel("has_local").unwrap().launch(&launch.local(&[32]), &arguments).unwrap();
            background::finish();
        }
        // Kernels that were not launched are not compiled, as `first`, which the first launch had compiled for its size.
        assert_eq!(compiled(&load(true).1), [("second", 16), ("has_local", 32)]);
        assert_eq!(compiled(&load(false).1), []);
        // Damage is no error.
        for entry in std::fs::read_dir(folder.path().join("launches")).unwrap() {
            std::fs::write(entry.unwrap().path(), "[").unwrap();
        }
        assert_eq!(compiled(&load(true).1), []);
    }

    #[test]
    fn pipelines_that_no_launch_uses_are_few() {
        let _serial = serial();
        let (_device, program) = program();
        let [first, second] = ["first", "second"].map(|name| program.kernel(name).unwrap());
        for size in 1..=10 {
            let key = PipelineKey { local_size: [size, 1, 1], ..PipelineKey::default() };
            compile_others(&first.shared, &key);
            background::finish();
        }
        assert_eq!(second.shared.pipelines.compiled().len(), MOST_UNUSED);
    }
}
