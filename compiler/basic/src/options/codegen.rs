//! How code is made: what is optimised and checked, what drivers need, limits.

use super::Sanitizers;
use crate::tuning::Tuning;
use crate::workarounds::Workarounds;

/// The options of what the compiler makes of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CodegenOptions {
    /// `-cl-opt-disable`: only the passes that legality needs.
    pub opt_disable: bool,
    /// Names of passes that are left out, of those that legality does not need (`optimization_names` of the compiler).
    pub disabled_passes: Vec<String>,
    /// The IR is verified after each pass, as it always is in debug builds.
    pub verify_ir: bool,
    /// `-cl-kernel-arg-info`: keep argument names and types in the module.
    pub kernel_arg_info: bool,
    /// `-cl-uniform-work-group-size`: the local size divides the global size in every launch.
    pub uniform_work_group_size: bool,
    /// `-g`: emit line information and names.
    pub debug_info: bool,
    /// `-fdebug-prefix-map=OLD=NEW`, in order: what paths in line information begin with, and what they are to begin with.
    pub debug_prefixes: Vec<(String, String)>,
    /// The factor by which loops are unrolled for Vulkan drivers that limit the iterations of a loop; 1 for all others. A number
    /// and not a workaround flag, since drivers differ in the limit.
    pub unroll_factor: u32,
    /// With an unroll factor: kernels whose launches know that their loops make few iterations are not unrolled, and do not detect
    /// that the driver has ended a loop. Other launches of them need the program without this
    /// (`KernelInterface::iteration_bound`).
    pub few_iterations: bool,
    /// Defects of consumers that the module is written around.
    pub workarounds: Workarounds,
    /// Forms of code that a driver executes faster.
    pub tuning: Tuning,
    /// Bytes of the buffer that `printf` writes to in Vulkan modules; what finds no room is lost and counted.
    pub printf_buffer_size: u32,
    /// Accesses outside of a launch's buffers, outside of objects of local and private memory, and to texels outside of images
    /// without a sampler read zeros and write nothing, and are recorded with their place in the source. For Vulkan targets only.
    /// This is the sanitizer [`Sanitizers::ADDRESS`].
    pub bounds_check: bool,
    /// The other mistakes that the module looks for while it runs, and records with their places in the source. For Vulkan
    /// targets only.
    pub sanitize: Sanitizers,
    /// Accesses outside of what a descriptor binds of a buffer access its last element instead, in modules for Vulkan with
    /// logical addressing. A buffer must have one element at least. This is the policy `Restrict` of naga, and Vulkan's
    /// `robustBufferAccess` allows it. Loads and stores of cooperative matrices are as without it.
    pub robust_buffer_access: bool,
    /// Global ids, sizes and offsets have 64 bits in Vulkan modules, for ND-ranges that reach beyond 2^32 work-items in a dimension.
    /// Without it they have 32, as the devices' inputs have: most ND-ranges need no more, and arithmetic is cheaper.
    pub wide_ids: bool,
    /// In modules for Vulkan, no memory that a kernel writes through one of its pointers is read through another that it only reads
    /// through, as if the parameters that it only reads through were `restrict`. A launch with arguments that overlap so needs the
    /// program without this. Kernels that access other memory or images, have atomics or fences of global memory for more than a
    /// work-group, or are in programs that enqueue kernels, are as without it.
    pub distinct_arguments: bool,
    /// Local memory begins as zeros: of the program, and of `local` arguments in modules for Vulkan (`cl_khr_initialize_memory`).
    pub zero_local_memory: bool,
    /// Private memory begins as zeros.
    pub zero_private_memory: bool,
    /// The module is for a translator to the language of another API, and not for a Vulkan driver: see [`Translatable`].
    pub translatable: Option<Translatable>,
    /// Most instructions of a program in every stage, since the memory and the time that passes need are proportional to them; a
    /// longer one is an error. By default as many as a SPIR-V module has ids (SPIR-V 2.17, Universal Limits).
    pub max_instructions: usize,
    /// Most bytes of the SPIR-V that a compilation may make, apart from its header; a larger module is an error. By default 64
    /// million, of which drivers take minutes or gigabytes.
    pub max_module_bytes: usize,
}

/// What a module for a translator, such as one to WGSL, differs in from one for a Vulkan driver. It has no push constants: a launch
/// begins at 0 and is one dispatch, of whole work-groups, and sizes of the ND-range follow from it. The work-group size is constant. No
/// floating constant is infinite or NaN, and there are no execution modes of floats. A translator needs logical addressing besides,
/// and emulation of the types that its language lacks ([`Options::for_web_gpu`](super::Options::for_web_gpu)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Translatable {
    /// The work-group size of kernels without the attribute `reqd_work_group_size`.
    pub work_group_size: [u32; 3],
    /// The bytes of each `local` argument, whose size is otherwise chosen by a launch.
    pub local_bytes: u32,
}

impl Translatable {
    /// With a work-group size for kernels that require none, and 4,096 bytes for each `local` argument.
    pub fn new(work_group_size: [u32; 3]) -> Translatable {
        Translatable { work_group_size, local_bytes: 4096 }
    }
}

impl Default for CodegenOptions {
    fn default() -> Self {
        CodegenOptions {
            opt_disable: false,
            disabled_passes: Vec::new(),
            verify_ir: false,
            kernel_arg_info: true,
            uniform_work_group_size: false,
            debug_info: false,
            debug_prefixes: Vec::new(),
            unroll_factor: 1,
            few_iterations: false,
            workarounds: Workarounds::default(),
            tuning: Tuning::default(),
            printf_buffer_size: 1 << 20,
            bounds_check: false,
            sanitize: Sanitizers::empty(),
            robust_buffer_access: false,
            wide_ids: false,
            distinct_arguments: false,
            zero_local_memory: false,
            zero_private_memory: false,
            translatable: None,
            max_instructions: 4_194_303,
            max_module_bytes: 64_000_000,
        }
    }
}

impl CodegenOptions {
    /// Every mistake that the module looks for.
    pub fn sanitizers(&self) -> Sanitizers {
        let mut all = self.sanitize;
        all.set(Sanitizers::ADDRESS, self.bounds_check);
        all
    }

    /// Sets what the module looks for, and nothing else.
    pub fn set_sanitizers(&mut self, sanitizers: Sanitizers) {
        self.bounds_check = sanitizers.contains(Sanitizers::ADDRESS);
        self.sanitize = sanitizers - Sanitizers::ADDRESS;
    }

    /// Whether a flag is set for which a pass runs.
    pub fn has_flag_of(&self, pass: &str) -> bool {
        let workarounds = Workarounds::of_pass(pass).is_some_and(|flags| self.workarounds.intersects(flags));
        workarounds || Tuning::of_pass(pass).is_some_and(|flags| self.tuning.intersects(flags))
    }

    /// A path as line information has it: without `.` as a folder, which is a spelling only, and with the prefix that
    /// `-fdebug-prefix-map` gives it; of several that fit the last one.
    pub fn debug_path(&self, path: &str) -> String {
        let root = if path.starts_with('/') { "/" } else { "" };
        let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let path = format!("{root}{}", parts.join("/"));
        let fitting =
            self.debug_prefixes.iter().rev().find_map(|(old, new)| Some((path.strip_prefix(old.as_str())?, new)));
        fitting.map(|(rest, new)| format!("{new}{rest}")).unwrap_or(path)
    }
}
