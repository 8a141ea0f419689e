//! The pipelines of a kernel, by the values of their specialisation constants.

use crate::error::{Error, Result};
use crate::vulkan::{Pipeline, PipelineHandle};
use ash::vk;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Pipelines of a kernel that are compiled in the background and not launched, after which no more are. Applications try a
/// few work-group sizes before they settle on one (hashcat: six).
pub(super) const MOST_UNUSED: usize = 8;
/// Everything that specialises a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct PipelineKey {
    /// The work-group size.
    pub local_size: [u32; 3],
    /// Number of dimensions of the ND-range, if the module takes it as a specialisation constant.
    pub work_dim: Option<u32>,
    /// Specialisation constants of arguments: see [`super::Encoded::constants`].
    pub constants: Vec<(u32, u32)>,
    /// The global offset, if the module takes it as specialisation constants.
    pub global_offset: Option<[u32; 3]>,
    /// The sub-group size, if one was requested.
    pub sub_group_size: Option<u32>,
}

/// The pipeline of the last launch, which the next one often needs too.
#[derive(Default)]
pub(crate) struct RecentPipeline {
    /// What it is specialised for.
    key: PipelineKey,
    handle: Option<PipelineHandle>,
}

impl RecentPipeline {
    /// The pipeline for `key`: the recent one, or what `find` returns, which is the recent one from then on.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn get_or_find(
        &mut self,
        key: &PipelineKey,
        find: impl FnOnce() -> Result<PipelineHandle>,
    ) -> Result<PipelineHandle> {
        if let Some(handle) = self.handle
            && self.key == *key
        {
            return Ok(handle);
        }
        let handle = find()?;
        // `Clone::clone_from` of the whole key would allocate.
        let mut constants = std::mem::take(&mut self.key.constants);
        constants.clone_from(&key.constants);
        self.key = PipelineKey { constants, ..*key };
        self.handle = Some(handle);
        Ok(handle)
    }
}

/// A pipeline, or the place for one.
#[derive(Default)]
pub(crate) struct Slot {
    pipeline: OnceLock<Pipeline>,
    /// Held while the pipeline is compiled, so that it is compiled once.
    compiling: Mutex<()>,
    /// Whether no launch has asked for it yet.
    is_unused: AtomicBool,
}

impl Slot {
    /// The pipeline, made by `compile` if there is none. Waits where another thread compiles it already.
    ///
    /// # Errors
    /// Those of `compile`, and [`Error::Internal`] after a panic.
    pub fn get_or_compile(&self, compile: impl FnOnce() -> Result<Pipeline>) -> Result<PipelineHandle> {
        if let Some(pipeline) = self.pipeline.get() {
            return Ok(pipeline.handle);
        }
        let _compiling = self.compiling.lock().map_err(|_| poisoned())?;
        if let Some(pipeline) = self.pipeline.get() {
            return Ok(pipeline.handle);
        }
        let pipeline = compile()?;
        Ok(self.pipeline.get_or_init(|| pipeline).handle)
    }
}

/// Pipelines that were compiled or are being compiled. Several threads may compile different ones at the same time.
#[derive(Default)]
pub(crate) struct Pipelines {
    slots: Mutex<HashMap<PipelineKey, Arc<Slot>>>,
}

impl Pipelines {
    /// Whether the pipeline for a key was compiled.
    pub fn is_compiled(&self, key: &PipelineKey) -> bool {
        self.slots.lock().is_ok_and(|slots| slots.get(key).is_some_and(|slot| slot.pipeline.get().is_some()))
    }

    /// Whether a pipeline was compiled for a local size.
    pub fn is_compiled_for_size(&self, local_size: [u32; 3]) -> bool {
        let is_for =
            |(key, slot): (&PipelineKey, &Arc<Slot>)| key.local_size == local_size && slot.pipeline.get().is_some();
        self.slots.lock().is_ok_and(|slots| slots.iter().any(is_for))
    }

    /// The pipeline for a key, for a launch, made by `compile` if there is none. Waits where another thread compiles it
    /// already. `first` is called when it is made if no launch has asked for it before.
    ///
    /// # Errors
    /// Those of `compile`, and [`Error::Internal`] after a panic.
    pub fn launch(
        &self,
        key: &PipelineKey,
        first: impl FnOnce(),
        compile: impl FnOnce() -> Result<Pipeline>,
    ) -> Result<PipelineHandle> {
        let found = self.slots.lock().map_err(|_| poisoned())?.get(key).cloned();
        let (slot, is_new) = match found {
            Some(slot) => (slot, false),
            None => (self.slots.lock().map_err(|_| poisoned())?.entry(key.clone()).or_default().clone(), true),
        };
        let is_first = is_new || slot.is_unused.load(Ordering::Relaxed);
        if is_first {
            slot.is_unused.store(false, Ordering::Relaxed);
        }
        let handle = slot.get_or_compile(compile)?;
        if is_first {
            first();
        }
        Ok(handle)
    }

    /// Makes a place for a pipeline that no launch has asked for, unless there is one already, or `most` pipelines are unused.
    pub fn reserve(&self, key: &PipelineKey, most: usize) -> Option<Arc<Slot>> {
        let mut slots = self.slots.lock().ok()?;
        let unused = slots.values().filter(|slot| slot.is_unused.load(Ordering::Relaxed)).count();
        if unused >= most || slots.contains_key(key) {
            return None;
        }
        let slot = Arc::new(Slot { is_unused: AtomicBool::new(true), ..Slot::default() });
        slots.insert(key.clone(), slot.clone());
        Some(slot)
    }

    /// Whether there was a launch that needed a pipeline which differs from that for `key` in the work-group size alone.
    pub fn was_launched_with_other_size(&self, key: &PipelineKey) -> bool {
        let Ok(slots) = self.slots.lock() else { return false };
        slots.iter().any(|(other, slot)| {
            other.local_size != key.local_size
                && *other == PipelineKey { local_size: other.local_size, ..key.clone() }
                && !slot.is_unused.load(Ordering::Relaxed)
        })
    }

    /// A pipeline that was launched.
    pub fn launched(&self) -> Option<vk::Pipeline> {
        let slots = self.slots.lock().ok()?;
        let mut launched = slots.values().filter(|slot| !slot.is_unused.load(Ordering::Relaxed));
        launched.find_map(|slot| Some(slot.pipeline.get()?.handle.raw))
    }

    /// What the pipelines that were compiled are for.
    #[cfg(test)]
    pub fn compiled(&self) -> Vec<PipelineKey> {
        let slots = self.slots.lock().unwrap();
        slots.iter().filter(|(_, slot)| slot.pipeline.get().is_some()).map(|(key, _)| key.clone()).collect()
    }
}

fn poisoned() -> Error {
    Error::Internal("a pipeline lock is poisoned".into())
}
