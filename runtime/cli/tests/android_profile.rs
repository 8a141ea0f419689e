//! `examples/android-profile/`: the module fits the profile `VP_ANDROID_baseline_2022`, and computes what the host computes.

mod common;

use common::expect;
use serde_json::Value;
use std::path::Path;

/// The features for shaders of the profile (version 2), for Vulkan 1.1.106.
const FEATURES: [&str; 9] = [
    "robustBufferAccess",
    "shaderInt16",
    "shaderSampledImageArrayDynamicIndexing",
    "shaderStorageBufferArrayDynamicIndexing",
    "shaderStorageImageArrayDynamicIndexing",
    "shaderUniformBufferArrayDynamicIndexing",
    "variablePointers",
    "variablePointersStorageBuffer",
    // Of each device with Vulkan 1.1.
    "subgroup basic operations",
];

/// The limits of the profile that a module can exceed.
const LIMITS: [(&str, u64); 4] = [
    ("maxPerStageDescriptorStorageBuffers", 4),
    ("maxPushConstantsSize", 128),
    ("maxBoundDescriptorSets", 4),
    ("maxComputeSharedMemorySize", 16_384),
];

fn limit(name: &str) -> u64 {
    LIMITS.iter().find(|(known, _)| *known == name).expect("a limit").1
}

/// A folder with the example, and the command in its description.
fn example() -> (tempfile::TempDir, Vec<String>) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/android-profile");
    let read = |name: &str| std::fs::read_to_string(source.join(name)).expect("a file of the example");
    let readme = read("README.md").replace("\\\n", " ");
    let command = readme.lines().find_map(|line| line.strip_prefix("clforge ")).expect("the command");
    let words = command.split_whitespace().map(str::to_owned).collect();
    (common::folder_with(&[("picture.cl", &read("picture.cl"))]), words)
}

/// The profile itself, where `CLFORGE_ANDROID_PROFILE` names its file, has these features and limits.
#[test]
fn the_profile_has_these_features_and_limits() {
    let Some(path) = std::env::var_os("CLFORGE_ANDROID_PROFILE") else { return };
    let text = std::fs::read(path).expect("the profile");
    let profile: Value = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(profile["profiles"]["VP_ANDROID_baseline_2022"]["api-version"], "1.1.106");
    let baseline = &profile["capabilities"]["baseline"];
    let structures: Vec<&Value> = baseline["features"].as_object().expect("structures").values().collect();
    for feature in FEATURES.iter().filter(|name| !name.contains(' ')) {
        assert!(structures.iter().any(|structure| structure[feature] == true), "{feature}");
    }
    let limits = &baseline["properties"]["VkPhysicalDeviceProperties"]["limits"];
    for (name, value) in LIMITS {
        assert_eq!(limits[name], value, "{name}");
    }
}

#[test]
fn the_module_fits_the_profile() {
    let (folder, command) = example();
    expect(0, &folder, &command.iter().map(String::as_str).collect::<Vec<_>>());
    let text = std::fs::read(folder.path().join("picture.json")).expect("the description");
    let module: Value = serde_json::from_slice(&text).expect("JSON");
    let bytes = std::fs::read(folder.path().join("picture.spv")).expect("the module");
    let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let requirements = clforge_runtime::requirements(&words).expect("a module");
    assert_eq!((requirements.spirv_version, requirements.extensions.len()), ((1, 3), 0), "{requirements:?}");
    for needed in requirements.capabilities {
        // What every device has, or one of the features.
        let has_one = needed.features.iter().any(|feature| FEATURES.contains(feature));
        assert!(has_one || needed.capability == "Shader", "{needed:?}");
    }
    for kernel in module["kernels"].as_array().expect("kernels") {
        let bindings = kernel["arguments"].as_array().expect("arguments").iter().map(|argument| &argument["binding"]);
        let buffers = bindings.clone().filter(|binding| binding["kind"] == "storage_buffer").count();
        let data = module["program_data"].as_array().expect("data").len();
        assert!((buffers + data) as u64 <= limit("maxPerStageDescriptorStorageBuffers"), "{kernel}");
        let sets = bindings.clone().filter_map(|binding| binding["set"].as_u64());
        assert!(sets.max() < Some(limit("maxBoundDescriptorSets")), "{kernel}");
        let ends = bindings
            .filter(|binding| binding["set"].is_null())
            .filter_map(|binding| Some(binding["offset"].as_u64()? + binding["size"].as_u64()?));
        assert!(ends.max() <= Some(limit("maxPushConstantsSize")), "{kernel}");
    }
    // 256 words of one kernel are all of its local memory.
    assert!(256 * 4 <= limit("maxComputeSharedMemorySize"));
}

/// Executed with the reflection, which the runtime needs.
#[test]
fn the_module_computes_what_the_host_computes() {
    let (folder, command) = example();
    let with_reflection: Vec<&str> =
        command.iter().map(String::as_str).filter(|word| *word != "--strip-reflection").collect();
    expect(0, &folder, &with_reflection);
    let pixels: Vec<[u8; 4]> = (0..300_u32).map(|i| [i * 7, i * 13 + 5, i * i, 255].map(|byte| byte as u8)).collect();
    let greys: Vec<u8> = pixels
        .iter()
        .map(|[r, g, b, _]| ((u32::from(*r) * 77 + u32::from(*g) * 150 + u32::from(*b) * 29) >> 8) as u8)
        .collect();
    std::fs::write(folder.path().join("picture.bin"), pixels.concat()).expect("a file");
    let run = ["run", "picture.spv", "--kernel"];
    let grey = ["grey", "--global", "300", "--arg", "buffer:file=picture.bin", "--arg", "300"];
    let out = ["--arg", "buffer:bytes=300", "--out", "grey=grey.bin"];
    expect(0, &folder, &[&run[..], &grey, &out].concat());
    assert_eq!(std::fs::read(folder.path().join("grey.bin")).expect("the result"), greys);
    let histogram = ["histogram", "--global", "128", "--local", "64", "--arg", "buffer:file=grey.bin", "--arg", "300"];
    let out =
        ["--arg", "buffer:bytes=1024", "--arg", "buffer:bytes=8", "--out", "bins=bins.bin", "--out", "sum=sum.bin"];
    expect(0, &folder, &[&run[..], &histogram, &out].concat());
    let mut bins = vec![0_u32; 256];
    greys.iter().for_each(|grey| bins[usize::from(*grey)] += 1);
    let expected: Vec<u8> = bins.iter().flat_map(|bin| bin.to_le_bytes()).collect();
    assert_eq!(std::fs::read(folder.path().join("bins.bin")).expect("the result"), expected);
    let sum: u64 = greys.iter().map(|grey| u64::from(*grey) << 32).sum();
    assert_eq!(std::fs::read(folder.path().join("sum.bin")).expect("the result"), sum.to_le_bytes());
}
