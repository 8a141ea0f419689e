//! The GPUs that Mesa's drivers compile for without having them.

use std::path::{Path, PathBuf};

/// What a driver is given so that it compiles for a GPU that the machine does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpu {
    /// The variable of the environment that chooses the GPU, and its value.
    pub choice: (&'static str, String),
    /// The library that answers for the kernel's driver, which is loaded before all others.
    pub shim: Option<PathBuf>,
}

/// A driver that compiles without hardware.
struct Compiler {
    /// What the name of its JSON file begins with.
    file: &'static str,
    /// The variable that chooses a GPU.
    variable: &'static str,
    /// Its usual GPUs.
    gpus: &'static [&'static str],
    /// The library that answers for the kernel's driver, where the driver needs one.
    shim: Option<&'static str>,
}

const COMPILERS: [Compiler; 7] = [
    Compiler {
        file: "radeon_icd",
        variable: "RADV_FORCE_FAMILY",
        gpus: &["polaris10", "vega10", "navi21", "gfx1100", "navi31", "gfx1201"],
        shim: None,
    },
    Compiler {
        file: "intel_icd",
        variable: "INTEL_STUB_GPU_PLATFORM",
        gpus: &["skl", "dg2", "lnl"],
        shim: Some("libintel_noop_drm_shim.so"),
    },
    Compiler {
        file: "intel_hasvk_icd",
        variable: "INTEL_STUB_GPU_PLATFORM",
        gpus: &["hsw", "bdw"],
        shim: Some("libintel_noop_drm_shim.so"),
    },
    // Turing, Ampere, Ada.
    Compiler {
        file: "nouveau_icd",
        variable: "NOUVEAU_CHIPSET",
        gpus: &["164", "172", "192"],
        shim: Some("libnouveau_noop_drm_shim.so"),
    },
    Compiler {
        file: "freedreno_icd",
        variable: "FD_GPU_ID",
        gpus: &["630", "740"],
        shim: Some("libfreedreno_noop_drm_shim.so"),
    },
    // Mali-G52 and Mali-G610.
    Compiler {
        file: "panfrost_icd",
        variable: "PAN_GPU_ID",
        gpus: &["7212", "a867"],
        shim: Some("libpanfrost_noop_drm_shim.so"),
    },
    // Those of the Raspberry Pi 4 and 5; the shim has the first, and must be taught the other and the variable.
    Compiler {
        file: "broadcom_icd",
        variable: "V3D_GPU",
        gpus: &["4.2", "7.1"],
        shim: Some("libv3d_noop_drm_shim.so"),
    },
];

/// The GPUs that the driver of a JSON file is to compile for. `None` stands for those that the machine has: the driver
/// does not compile for others, or there is no shim for it in the folder. `chosen` replaces the usual GPUs.
pub fn of_driver(file: &Path, chosen: &[String], shims: Option<&Path>) -> Vec<Option<Gpu>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let own = || vec![None];
    let Some(compiler) = COMPILERS.iter().find(|compiler| name.starts_with(compiler.file)) else { return own() };
    let shim = match (compiler.shim, shims) {
        (None, _) => None,
        (Some(_), None) => return own(),
        (Some(library), Some(folder)) => Some(folder.join(library)).filter(|path| path.is_file()),
    };
    if compiler.shim.is_some() && shim.is_none() {
        return own();
    }
    let usual = || compiler.gpus.iter().map(|gpu| gpu.to_string()).collect();
    let gpus: Vec<String> = if chosen.is_empty() { usual() } else { chosen.to_vec() };
    gpus.into_iter().map(|gpu| Some(Gpu { choice: (compiler.variable, gpu), shim: shim.clone() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_without_a_shim_have_the_gpus_of_the_machine() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("libintel_noop_drm_shim.so"), "").unwrap();
        let gpus = |file: &str, chosen: &[&str], shims| {
            let chosen: Vec<String> = chosen.iter().map(|gpu| gpu.to_string()).collect();
            let found = of_driver(Path::new(file), &chosen, shims).into_iter();
            found.map(|gpu| gpu.map(|gpu| format!("{}={}", gpu.choice.0, gpu.choice.1))).collect::<Vec<_>>()
        };
        let shims = Some(folder.path());
        assert_eq!(gpus("/a/lvp_icd.json", &[], shims), [None]);
        assert_eq!(gpus("/a/intel_icd.json", &["skl"], None), [None]);
        assert_eq!(gpus("/a/intel_icd.json", &["skl"], shims), [Some("INTEL_STUB_GPU_PLATFORM=skl".into())]);
        assert_eq!(gpus("/a/freedreno_icd.json", &[], shims), [None]);
        assert_eq!(gpus("/a/radeon_icd.x86_64.json", &["navi21"], None), [Some("RADV_FORCE_FAMILY=navi21".into())]);
        assert_eq!(gpus("intel_hasvk_icd.x86_64.json", &[], shims).len(), 2);
    }
}
