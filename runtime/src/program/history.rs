//! Which pipelines of a program its launches have needed, kept on disk if the device has a [`crate::Cache`]: the next run makes
//! them while it loads the program, when it cannot know yet with which work-group sizes its kernels will be launched.

use super::pipelines::PipelineKey;
use crate::background;
use crate::cache::{Cache, Key};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The kind of the entries.
const KIND: &str = "launches";
/// Most pipelines that are remembered of a program; of more, those of the last launches.
const MOST: usize = 64;

/// A pipeline that a launch has needed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Launched {
    pub kernel: String,
    pub key: PipelineKey,
}

/// The first launches of a program's kernels, in this run and in earlier ones.
pub(crate) struct LaunchHistory {
    state: Mutex<State>,
    cache: Cache,
    key: Key,
}

#[derive(Default)]
struct State {
    /// The oldest first.
    launched: Vec<Launched>,
    /// Whether a job in the background will write what was added.
    will_store: bool,
}

impl LaunchHistory {
    /// What earlier runs have stored under the key of the program's pipelines, which stands for its code, device and driver.
    pub fn load(cache: Cache, key: Key) -> LaunchHistory {
        let stored = cache.load(KIND, &key);
        let launched = stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        LaunchHistory { state: Mutex::new(State { launched, will_store: false }), cache, key }
    }

    /// What earlier runs have launched, and this one so far.
    pub fn launched(&self) -> Vec<Launched> {
        self.lock().launched.clone()
    }

    /// Notes that a launch has needed a pipeline for the first time in this run. What is new is written in the background.
    pub fn note(self: &Arc<Self>, kernel: &str, key: &PipelineKey) {
        if self.cache.folder().is_none() {
            return;
        }
        let mut state = self.lock();
        if state.launched.iter().any(|known| known.kernel == kernel && known.key == *key) {
            return;
        }
        if state.launched.len() >= MOST {
            state.launched.remove(0);
        }
        state.launched.push(Launched { kernel: kernel.into(), key: key.clone() });
        // Not when the program is released: many applications do not release theirs.
        if !std::mem::replace(&mut state.will_store, true) {
            let history = self.clone();
            background::spawn(move || history.store());
        }
    }

    fn store(&self) {
        let launched = {
            let mut state = self.lock();
            state.will_store = false;
            state.launched.clone()
        };
        if let Ok(bytes) = serde_json::to_vec(&launched) {
            self.cache.store(KIND, &self.key, &bytes);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
