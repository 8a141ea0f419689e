//! Kernels: their layout on the device, made once, and their compiled pipelines.

mod arguments;
mod layout;
mod pipeline;

pub use arguments::Arg;
pub(crate) use arguments::{Encoded, Resource, encode};
pub(crate) use pipeline::PipelineKey;

use crate::device::Pipeline;
use crate::launch::{self, Launch, Timings};
use crate::program::{EntryPoint, ProgramShared};
use crate::{Error, Result};
use clforge_compiler::interface::KernelInterface;
use layout::Layout;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A kernel of a program. Cloning is cheap.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) shared: Arc<KernelShared>,
}

/// Nothing but the map of pipelines changes after it is made.
pub(crate) struct KernelShared {
    pub pipelines: Mutex<HashMap<PipelineKey, Pipeline>>,
    pub layout: Layout,
    pub entry: EntryPoint,
    index: usize,
    pub program: Arc<ProgramShared>,
}

impl KernelShared {
    /// `index`: of the kernel in the interface.
    pub fn new(program: &Arc<ProgramShared>, index: usize) -> Result<KernelShared> {
        let interface = program.interface.kernels.get(index);
        let interface = interface.ok_or_else(|| Error::Internal("a kernel index is out of range".into()))?;
        let entry = program.scan.entry_points.get(&interface.name).cloned().ok_or_else(|| {
            Error::WrongModule(format!("it describes a kernel '{}' but has no such entry point", interface.name))
        })?;
        let layout = Layout::new(program, interface)?;
        Ok(KernelShared { pipelines: Mutex::default(), layout, entry, index, program: program.clone() })
    }

    pub fn interface(&self) -> &KernelInterface {
        &self.program.interface.kernels[self.index]
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

    /// Runs the kernel once, on the device's own queue, and waits for it.
    ///
    /// Any local size goes with any global size: what is left over at the rim is run as smaller work-groups. A second
    /// launch with the same local size and the same sizes of `local` arguments compiles nothing and allocates nothing
    /// on the device.
    ///
    /// # Errors
    /// [`Error::ArgumentCount`], [`Error::ArgumentKind`], [`Error::ArgumentSize`], [`Error::Limit`],
    /// [`Error::SubGroupSize`], [`Error::Unsupported`], [`Error::Launch`], all before anything is run;
    /// [`Error::OutOfRange`] afterwards, in a program that checks its accesses; [`Error::DeviceLost`], [`Error::Memory`]
    /// and [`Error::Vulkan`] when the device fails.
    pub fn launch(&self, launch: &Launch, args: &[Arg<'_>]) -> Result<Timings> {
        launch::launch(&self.shared, launch, args)
    }
}
