//! Kernels: their layout on the device and their compiled pipelines.

use super::encoded::Encoded;
use super::launch_rules::LaunchRules;
use super::layout::Layout;
use super::loaded::LoadedModule;
use super::loop_watch;
use super::pipelines::{PipelineKey, Pipelines, RecentPipeline};
use crate::error::{Error, Result};
use crate::module::EntryPoint;
use crate::printf::Printer;
use crate::submission::{Replayable, Watch};
use crate::vulkan::{PipelineHandle, Quirk};
use ash::vk;
use clforge_compiler::interface::KernelInterface;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};

/// A kernel of a program. Cloning is cheap.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) shared: Arc<KernelShared>,
}

/// Vectors that recording a launch fills. A kernel keeps them, so that only its first launches allocate.
#[derive(Default)]
pub(crate) struct Scratch {
    pub encoded: Encoded,
    pub key: PipelineKey,
    pub recent: RecentPipeline,
    /// What a launch of one dispatch is.
    pub launch: Replayable,
    /// One for each region of the part that is being recorded.
    pub pipelines: Vec<PipelineHandle>,
    pub sets: Vec<vk::DescriptorSet>,
}

/// What all handles of a kernel share.
pub(crate) struct KernelShared {
    pub pipelines: Pipelines,
    scratch: Mutex<Scratch>,
    /// For launches while another thread uses the first.
    more_scratch: Mutex<Vec<Scratch>>,
    pub layout: Layout,
    pub rules: LaunchRules,
    pub entry: EntryPoint,
    /// The same kernel with ids of 64 bits, once a launch has needed it.
    pub wide: OnceLock<Arc<KernelShared>>,
    /// The same kernel for all launches, once one has needed it.
    pub general: OnceLock<Arc<KernelShared>>,
    /// Of a kernel that says when the driver has ended a loop.
    pub watch: Option<Arc<dyn Watch>>,
    /// Kernels of blocks that this one and its descendants have enqueued, by their index.
    blocks: Mutex<HashMap<usize, Arc<KernelShared>>>,
    index: usize,
    pub module: Arc<LoadedModule>,
}

impl KernelShared {
    /// The kernel at an index of the interface.
    ///
    /// # Errors
    /// [`Error::UnusableModule`] if it is no entry point, [`Error::Limit`], [`Error::OutOfMemory`].
    pub fn new(module: &Arc<LoadedModule>, index: usize) -> Result<KernelShared> {
        let interface = module.interface.kernels.get(index);
        let interface = interface.ok_or_else(|| Error::Internal("a kernel index is out of range".into()))?;
        let entry = module.scan.entry_points.get(&interface.name).cloned().ok_or_else(|| {
            Error::UnusableModule(format!("it describes a kernel '{}' but has no such entry point", interface.name))
        })?;
        let layout = Layout::new(module, interface)?;
        let rules = LaunchRules::new(module, interface, &entry);
        Ok(KernelShared {
            pipelines: Pipelines::default(),
            scratch: Mutex::default(),
            more_scratch: Mutex::default(),
            layout,
            rules,
            entry,
            wide: OnceLock::new(),
            general: OnceLock::new(),
            watch: loop_watch::watch(module, interface)?,
            blocks: Mutex::default(),
            index,
            module: module.clone(),
        })
    }

    /// Arguments and attributes.
    pub fn interface(&self) -> &KernelInterface {
        &self.module.interface.kernels[self.index]
    }

    /// The kernel of a block that this one, or what it has enqueued, enqueues: by its number in the module.
    ///
    /// # Errors
    /// [`Error::Launch`] for a number that no block has: a kernel has written to the memory of queues. Those of [`Self::new`].
    pub fn block(&self, number: usize) -> Result<Arc<KernelShared>> {
        let is_block = self.module.interface.kernels.get(number).is_some_and(|kernel| kernel.is_block);
        if !is_block {
            return Err(Error::Launch(format!(
                "a kernel has enqueued block {number}, which the program does not have"
            )));
        }
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = blocks.get(&number) {
            return Ok(block.clone());
        }
        let block = Arc::new(KernelShared::new(&self.module, number)?);
        blocks.insert(number, block.clone());
        Ok(block)
    }

    /// The printer of the program, if the kernel prints.
    pub fn printer(&self) -> Option<&Printer> {
        self.module.printer.as_ref().filter(|_| self.interface().uses_printf)
    }

    /// Calls `act` with vectors of an earlier launch, if there are any that are not in use.
    pub fn with_scratch<T>(&self, act: impl FnOnce(&mut Scratch) -> T) -> T {
        match self.scratch.try_lock() {
            Ok(mut scratch) => return act(&mut scratch),
            Err(TryLockError::Poisoned(scratch)) => return act(&mut scratch.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        let idle = || self.more_scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = idle().pop().unwrap_or_default();
        let result = act(&mut scratch);
        idle().push(scratch);
        result
    }
}

impl Kernel {
    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.interface().name
    }

    /// Arguments and attributes.
    pub fn interface(&self) -> &KernelInterface {
        self.shared.interface()
    }

    /// Whether its loops may make more iterations than the device's driver makes ([`Quirk::LoopLimit`]): it ends them without a sign, and
    /// what the kernel has computed is wrong. `false` where the driver has no limit, for kernels that stay below it for sure, and for
    /// those that notice it, whose launches fail ([`Error::LoopEnded`]).
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::UnusableModule`].
    pub fn may_exceed_loop_limit(&self) -> Result<bool> {
        let module = &self.shared.module;
        let interface = self.interface();
        // Launches that may exceed it are of another module.
        let is_small = interface.most_iterations.is_some_and(|most| most <= Quirk::LOOP_LIMIT)
            || interface.iteration_bound.is_some();
        if is_small || self.shared.watch.is_some() || !module.device.info().has_quirk(Quirk::LoopLimit) {
            return Ok(false);
        }
        module.has_loops(self.name())
    }

    /// The size of sub-groups that an attribute of the kernel requires.
    pub fn required_sub_group_size(&self) -> Option<u32> {
        self.shared.rules.sub_group_size
    }

    /// Bytes of local memory that a work-group of it uses, without those of its `local` arguments.
    pub fn local_memory(&self) -> u64 {
        self.shared.rules.local_bytes
    }
}
