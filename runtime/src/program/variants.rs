//! Programs that are compiled again when a launch first needs it, and keep their source or module for that.
//!
//! Most ND-ranges end below 2^32 in each dimension, and arithmetic on ids of 32 bits is cheaper. So programs are
//! compiled for 32-bit ids; the first launch beyond that range compiles it again with
//! [`clforge_compiler::CodegenOptions::wide_ids`].
//!
//! The arguments of most launches do not overlap. So where drivers make use of it, programs are compiled with
//! [`clforge_compiler::CodegenOptions::distinct_arguments`]; the first launch that reads through one argument what it may
//! write through another one compiles it again without. So does, where drivers end loops after a number of iterations, the first
//! launch that may have more, of a program compiled with [`clforge_compiler::CodegenOptions::few_iterations`].

use super::kernel::KernelShared;
use super::loaded::LoadedModule;
use super::object::compile_error;
use crate::cache::{self, ForMostLaunches, Module};
use crate::device::Device;
use crate::error::{Error, Result};
use clforge_compiler::interface::{ModuleInterface, ProgramData, PushConstantKind};
use clforge_compiler::{Options, Source, Unit};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// What a program was compiled of.
pub(crate) struct Origin {
    pub code: Code,
    /// As they were given.
    pub options: Options,
}

pub(crate) enum Code {
    Source {
        name: Box<str>,
        text: Box<[u8]>,
    },
    /// Translation units in bytes, which take less memory.
    Units(Vec<Vec<u8>>),
    /// A module for OpenCL.
    Spirv(Box<[u32]>),
}

/// The other modules of a program.
#[derive(Default)]
pub(crate) struct Variants {
    /// `None` where it is not known.
    origin: Option<Origin>,
    /// The module for all launches, of a program whose binary has that, too.
    general_words: Option<Vec<u32>>,
    /// With ids of 64 bits, of one whose ids have less.
    wide: Mutex<Option<Arc<LoadedModule>>>,
    /// For all launches, of one that is not ([`LoadedModule::is_general`]).
    general: Mutex<Option<Arc<LoadedModule>>>,
}

/// Whether the code of a module is right for ids of more than 32 bits.
pub(super) fn has_wide_ids(interface: &ModuleInterface) -> bool {
    use PushConstantKind as Kind;
    let counts = |kind| matches!(kind, Kind::RegionOffset | Kind::GlobalOffset | Kind::GlobalSize);
    let mut constants = interface.push_constants.iter().filter(|constant| counts(constant.kind));
    interface.global_offset_spec_ids.is_none() && constants.all(|constant| constant.is_wide())
}

impl Origin {
    fn compile(&self, device: &Device, options: &Options) -> Result<Module> {
        let options = device.tuned(options);
        let cache = device.cache();
        let compiled = match &self.code {
            Code::Source { name, text } => cache::compile(&cache, Source { name, text }, &options),
            Code::Units(units) => {
                let read = |bytes: &Vec<u8>| Unit::from_bytes(bytes).map_err(|error| Error::Internal(error.into()));
                let units = units.iter().map(read).collect::<Result<Vec<_>>>()?;
                cache::link(&cache, &units.iter().collect::<Vec<_>>(), &options)
            }
            Code::Spirv(words) => cache::translate(&cache, words, &options),
        };
        compiled.map_err(compile_error)
    }
}

/// What drivers gain with [`Device::tuned_for_launches`] is not right for all launches.
fn for_all_launches(options: Options) -> Options {
    options.with_distinct_arguments(false).with_few_iterations(false)
}

impl Variants {
    pub fn of(origin: Origin) -> Variants {
        Variants { origin: Some(origin), ..Variants::default() }
    }

    /// Of a program that was not compiled now, with its module for all launches.
    pub fn of_module(general: Vec<u32>) -> Variants {
        Variants { general_words: Some(general), ..Variants::default() }
    }

    fn compile(&self, device: &Device, change: impl FnOnce(Options) -> Options) -> Result<Vec<u32>> {
        let origin = self.origin()?;
        Ok(origin.compile(device, &change(origin.options.clone()))?.spirv().to_vec())
    }

    fn origin(&self) -> Result<&Origin> {
        let origin = self.origin.as_ref();
        origin.ok_or_else(|| Error::Internal("a program does not know what it was made of".into()))
    }
}

impl LoadedModule {
    /// The same program with ids of 64 bits. Its program-scope variables and the receivers of its messages are the same.
    fn wide(&self) -> Result<Arc<LoadedModule>> {
        self.variant(&self.variants.wide, || {
            self.variants.compile(&self.device, |options| options.with_wide_ids(true)).map(Cow::Owned)
        })
    }

    /// The same program for all launches, in the same way.
    pub fn general(&self) -> Result<Arc<LoadedModule>> {
        self.variant(&self.variants.general, || self.for_all_launches())
    }

    /// Whether its kernels are right for arguments that overlap, and for any number of iterations that the driver executes.
    fn is_general(&self) -> bool {
        !self.is_for_distinct_arguments && self.interface.kernels.iter().all(|kernel| kernel.iteration_bound.is_none())
    }

    /// The words of the module, or of the one for all launches.
    ///
    /// # Errors
    /// Those of compilation.
    pub fn for_all_launches(&self) -> Result<Cow<'_, [u32]>> {
        match &self.variants.general_words {
            _ if self.is_general() => Ok(Cow::Borrowed(&self.words)),
            Some(words) => Ok(Cow::Borrowed(words)),
            None => self.variants.compile(&self.device, for_all_launches).map(Cow::Owned),
        }
    }

    /// The module itself, if it is not right for all launches.
    pub fn for_most_launches(&self) -> Option<ForMostLaunches<&[u32]>> {
        let has_distinct_arguments = self.is_for_distinct_arguments;
        (!self.is_general()).then(|| ForMostLaunches { spirv: &self.words[..], has_distinct_arguments })
    }

    fn variant<'m>(
        &'m self,
        made: &Mutex<Option<Arc<LoadedModule>>>,
        words: impl FnOnce() -> Result<Cow<'m, [u32]>>,
    ) -> Result<Arc<LoadedModule>> {
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = &*made {
            return Ok(module.clone());
        }
        let words = words()?;
        // SAFETY: the module comes from our compiler, which makes valid modules with the reflection of their code.
        let mut module = unsafe { LoadedModule::new(&self.device, &words) }?;
        module.share(self)?;
        let module = Arc::new(module);
        *made = Some(module.clone());
        Ok(module)
    }

    /// Makes the program-scope variables and receivers of another module of the same program its own.
    fn share(&mut self, other: &LoadedModule) -> Result<()> {
        let (own, others) = (&self.interface.program_data, &other.interface.program_data);
        let same = |(a, b): (&ProgramData, &ProgramData)| {
            (&a.data, &a.relocations, a.writable) == (&b.data, &b.relocations, b.writable)
        };
        if own.len() == others.len() && own.iter().zip(others).all(same) {
            self.data.clone_from(&other.data);
        } else if own.iter().chain(others).any(|data| data.writable) {
            let text = "its program-scope variables are not the same where it was compiled again";
            return Err(Error::Launch(text.into()));
        }
        if let (Some(printer), Some(other)) = (&mut self.printer, &other.printer) {
            printer.share_output(other);
        }
        if let (Some(checker), Some(other)) = (&mut self.checker, &other.checker) {
            checker.share_output(other);
        }
        Ok(())
    }

    /// Whether its kernels can have ids of 64 bits, if need be compiled again.
    pub fn allows_wide_ids(&self) -> bool {
        has_wide_ids(&self.interface) || self.variants.origin.is_some()
    }
}

impl KernelShared {
    /// The kernel with ids of 64 bits, for a launch that needs them: itself if it has them (`None`).
    ///
    /// # Errors
    /// Those of compilation and of loading; [`Error::Internal`] for a module that cannot be compiled again.
    pub fn wide(&self) -> Result<Option<Arc<KernelShared>>> {
        if self.rules.has_wide_ids {
            return Ok(None);
        }
        if let Some(kernel) = self.wide.get() {
            return Ok(Some(kernel.clone()));
        }
        let kernel = self.in_variant(&self.module.wide()?)?;
        Ok(Some(self.wide.get_or_init(|| kernel).clone()))
    }

    /// The kernel for all launches, of one that is not right for all.
    ///
    /// # Errors
    /// As for [`KernelShared::wide`].
    pub fn general(&self) -> Result<Arc<KernelShared>> {
        if let Some(kernel) = self.general.get() {
            return Ok(kernel.clone());
        }
        let kernel = self.in_variant(&self.module.general()?)?;
        Ok(self.general.get_or_init(|| kernel).clone())
    }

    fn in_variant(&self, module: &Arc<LoadedModule>) -> Result<Arc<KernelShared>> {
        let index = module.interface.kernels.iter().position(|kernel| kernel.name == self.interface().name);
        let index = index.ok_or_else(|| Error::Internal("a kernel is missing in its own program".into()))?;
        Ok(Arc::new(KernelShared::new(module, index)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Arg, Program, overlap};
    use crate::{Buffer, Cache, DeviceSelector, Launch};
    use clforge_compiler::interface::instructions;
    use clforge_compiler::tuning::Tuning;

    const SOURCE: &str = "
        kernel void sum(global int *out, global const int *in, int n) {
            for (int i = 0; i < n; i++)
                out[i + 1] = in[i] + 1;
        }
        kernel void both(global int *a, global int *b) { int t = a[0]; a[0] = b[0]; b[0] = t; }
    ";

    /// A program as on a device whose driver makes use of distinct arguments.
    fn program(device: &Device) -> Program {
        device.set_cache(Cache::off());
        let tuned = device.tuned(&Options::default()).with(|options| {
            options.codegen.tuning |= Tuning::NVIDIA_NON_WRITABLE;
            options.codegen.distinct_arguments = true;
        });
        let source = Source { name: "<source>", text: SOURCE.as_bytes() };
        let module = cache::compile(&device.cache(), source, &tuned).map_err(compile_error).unwrap();
        Program::compiled(device, &module, &tuned, || Origin {
            code: Code::Source { name: "<source>".into(), text: SOURCE.as_bytes().into() },
            options: Options::default(),
        })
        .unwrap()
    }

    fn has_non_writable(words: &[u32]) -> bool {
        let non_writable = spirv::Decoration::NonWritable as u32;
        let is_one = |operands: &[u32]| operands.get(2) == Some(&non_writable);
        let mut found = instructions(words).unwrap().map(|inst| inst.unwrap());
        found.any(|inst| inst.opcode == spirv::Op::MemberDecorate as u16 && is_one(inst.operands))
    }

    #[test]
    fn arguments_that_overlap_have_a_module_of_their_own() {
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let program = program(&device);
        let sum = program.kernel("sum").unwrap();
        assert!(has_non_writable(&sum.shared.module.words));
        let was_compiled = || sum.shared.general.get().is_some();
        let (out, data) = (Buffer::new(&device, 256).unwrap(), Buffer::from_slice(&device, &[0i32; 64]).unwrap());
        let n = 40i32;
        let launch = |out: Arg<'_>, data: Arg<'_>| sum.launch(&Launch::new(&[1]), &[out, data, Arg::pod(&n)]).unwrap();
        launch(Arg::Buffer(&out), Arg::Buffer(&data));
        assert_eq!(out.to_vec_of::<i32>().unwrap()[1..=40], [1; 40]);
        assert!(!was_compiled());
        // Each iteration reads what the one before has written.
        launch(Arg::Buffer(&data), Arg::Buffer(&data));
        assert!(was_compiled());
        let expected: Vec<i32> = (0..=40).collect();
        assert_eq!(data.to_vec_of::<i32>().unwrap()[..=40], expected);
        let overlaps = |args: &[Arg<'_>]| overlap(sum.shared.rules.distinct.as_ref().unwrap(), args);
        let n = Arg::pod(&n);
        assert!(!overlaps(&[Arg::Buffer(&out), Arg::Buffer(&data), n]));
        // A pointer into a buffer may be moved to before it.
        assert!(overlaps(&[Arg::BufferAt(&data, 128), Arg::Buffer(&data), n]));
        assert!(overlaps(&[Arg::Buffer(&out), Arg::Address(data.device_address().unwrap()), n]));
        assert!(!overlaps(&[Arg::Buffer(&out), Arg::Null, n]));
        // A kernel that writes all that it reads has nothing to take for distinct.
        assert!(program.kernel("both").unwrap().shared.rules.distinct.is_none());
    }

    #[test]
    #[cfg(unix)]
    fn memory_that_is_shared_may_overlap() {
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let program = program(&device);
        let sum = program.kernel("sum").unwrap();
        let Ok(exported) = Buffer::shareable(&device, 256, crate::MemoryHandle::OpaqueFd) else { return };
        let other = Buffer::new(&device, 256).unwrap();
        let overlaps = |out: &Buffer, data: &Buffer| {
            let args = [Arg::Buffer(out), Arg::Buffer(data), Arg::pod(&1i32)];
            overlap(sum.shared.rules.distinct.as_ref().unwrap(), &args)
        };
        assert!(overlaps(&exported, &other) && overlaps(&other, &exported));
    }

    #[test]
    fn what_is_written_to_files_is_for_all_launches() {
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let program = program(&device);
        let words: Vec<u32> =
            program.to_bytes().unwrap().as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert!(!has_non_writable(&words));
        let binary = program.to_binary().unwrap();
        let module = Module::from_binary(&binary).unwrap();
        assert_eq!(module.spirv(), words);
        // A binary has the other module, too, and so has the binary of what is loaded from it.
        let loaded = Program::from_module(&device, &module).unwrap();
        assert_eq!(loaded.to_binary().unwrap(), binary);
        let sum = loaded.kernel("sum").unwrap();
        assert!(has_non_writable(&sum.shared.module.words));
        let (data, n) = (Buffer::from_slice(&device, &[0i32; 64]).unwrap(), 40i32);
        let args = [Arg::Buffer(&data), Arg::Buffer(&data), Arg::pod(&n)];
        sum.launch(&Launch::new(&[1]), &args).unwrap();
        assert_eq!(data.to_vec_of::<i32>().unwrap()[..=40], (0..=40).collect::<Vec<i32>>());
        assert!(sum.shared.general.get().is_some());
    }
}
