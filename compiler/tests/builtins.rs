//! Every overload of every built-in function compiles to a valid module for both kinds of target, and every function is
//! executed by a case.
//!
//! A kernel is made for each overload from the listing, many kernels a module. By default a share of the overloads is
//! taken, some of every function; with `CLFORGE_FULL`, as `cargo xtask builtins` sets it, all of them, and a
//! table is printed.

use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{Options, Source, Stage, Target, compile, print_stage};
use clforge_sema::builtins::{Overload, overloads};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const TARGETS: [Target; 2] = [Target::Vulkan(VulkanVersion::V1_2), Target::OpenCl(OpenClVersion::V3_0)];
/// Kernels in a module.
const BATCH: usize = 64;
/// One overload in so many is taken where not all are; a prime, so that all types and address spaces get their turn.
const SHARE: usize = 11;

/// What a target cannot do, and what the message says of it.
fn is_rejected(overload: &Overload, target: Target) -> Option<&'static str> {
    let text = overload.to_string();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if target.is_vulkan() && has(&["_msaa_"]) {
        return Some("'cl_khr_gl_msaa_sharing'");
    }
    None
}

fn takes_all() -> bool {
    std::env::var_os("CLFORGE_FULL").is_some()
}

/// Functions and types of arguments that have tests of their own.
const ELSEWHERE: [&str; 1] = ["printf("];

fn is_tested_here(overload: &Overload) -> bool {
    let text = overload.to_string();
    ELSEWHERE.iter().all(|part| !text.contains(part))
}

/// The overloads to test.
fn chosen() -> Vec<Overload> {
    let mut seen = BTreeSet::new();
    let mut chosen = Vec::new();
    for (index, overload) in overloads().into_iter().filter(is_tested_here).enumerate() {
        let first = seen.insert(overload.name);
        if takes_all() || first || index % SHARE == 0 {
            chosen.push(overload);
        }
    }
    chosen
}

/// A type without address space and qualifiers, and its address space.
fn pointee(pointer: &str) -> (String, &str) {
    let mut space = "";
    let mut words: Vec<&str> = Vec::new();
    for word in pointer.trim_end_matches('*').split_whitespace() {
        match word {
            "__global" | "__local" | "__constant" | "__generic" => space = word,
            "const" | "volatile" => {}
            // Any pointer will do.
            "void" => words.push("int"),
            _ => words.push(word),
        }
    }
    (words.join(" "), space)
}

/// What a kernel needs for an argument: parameters, statements, and the argument itself; `None` for types that no kernel
/// made here can have.
fn argument(overload: &Overload, index: usize) -> Option<(String, String, String)> {
    let ty = overload.parameters[index].as_str();
    let name = format!("a{index}");
    let last = index + 1 == overload.parameters.len();
    if ty == "event_t" {
        return Some((String::new(), format!("event_t {name} = 0;"), name));
    }
    if matches!(ty, "clk_event_t" | "reserve_id_t") {
        return Some((String::new(), format!("{ty} {name} = ({ty})0;"), name));
    }
    if overload.name.starts_with("sub_group_clustered_") && last {
        return Some((String::new(), String::new(), "4".into()));
    }
    if !ty.ends_with('*') {
        let known = ["char", "short", "int", "long", "half", "float", "double", "sampler_t", "image"];
        return known.iter().any(|word| ty.contains(word)).then(|| (format!("{ty} {name}"), String::new(), name));
    }
    let (pointee, space) = pointee(ty);
    Some(match space {
        "" | "__generic" if pointee == "event_t" => (String::new(), format!("event_t {name} = 0;"), format!("&{name}")),
        "" => (String::new(), format!("{pointee} {name}[16];"), name),
        // A pointer whose address space is unknown at compile time.
        "__generic" => (
            format!("__global {pointee} *g{index}, __local {pointee} *l{index}"),
            format!(
                "{pointee} p{index}[16]; __generic {pointee} *{name} = get_local_id(0) == 0 ? (__generic {pointee} *)g{index} \
                 : get_local_id(0) == 1 ? (__generic {pointee} *)l{index} : (__generic {pointee} *)p{index};"
            ),
            name,
        ),
        _ => (format!("{} {name}", ty.replace("void", "int")), String::new(), name),
    })
}

/// A kernel that calls the overload and keeps its result.
fn kernel(number: usize, overload: &Overload) -> Option<String> {
    let arguments: Vec<_> = (0..overload.parameters.len()).map(|i| argument(overload, i)).collect::<Option<_>>()?;
    let mut parameters: Vec<String> =
        arguments.iter().map(|(parameter, ..)| parameter.clone()).filter(|text| !text.is_empty()).collect();
    let statements: String = arguments.iter().map(|(_, statements, _)| statements.as_str()).collect();
    let values: Vec<&str> = arguments.iter().map(|(.., value)| value.as_str()).collect();
    let call = format!("{}({})", overload.name, values.join(", "));
    let (stored, keep) = match overload.result.as_str() {
        "void" => (None, format!("{call};")),
        "event_t" => (None, format!("event_t r = {call}; wait_group_events(1, &r);")),
        "queue_t" | "clk_event_t" | "ndrange_t" => (None, format!("{} r = {call};", overload.result)),
        "bool" => (Some("int"), format!("*out = {call};")),
        result if result.ends_with('*') => (Some("ulong"), format!("*out = (ulong){call};")),
        result => (Some(result), format!("*out = {call};")),
    };
    parameters.extend(stored.map(|ty| format!("__global {ty} *out")));
    Some(format!("kernel void k{number}({}) {{ {statements} {keep} }}\n", parameters.join(", ")))
}

/// Compiles and validates; the first line of what went wrong.
fn try_module(text: &str, target: Target) -> Result<(), String> {
    let options = Options::for_target(target).with_cl_std(ClStd::CL3_0).with(|o| o.language.no_warnings = true);
    let source = Source { name: "overloads.cl", text: text.as_bytes() };
    let compiled = compile(source, &options).map_err(|diagnostics| diagnostics.render(false))?;
    match validate(&compiled.spirv, target) {
        Ok(()) | Err(ValidateError::TooOld(_)) => Ok(()),
        Err(ValidateError::Invalid(message)) => Err(format!("not valid: {message}")),
        Err(ValidateError::Unavailable(reason)) => panic!("the validator cannot be run: {reason}"),
    }
}

/// Tests some overloads; what went wrong with each that failed.
fn failures(batch: &[(usize, &Overload, String)], target: Target) -> Vec<String> {
    let text: String = batch.iter().map(|(.., kernel)| kernel.as_str()).collect();
    let Err(error) = try_module(&text, target) else { return Vec::new() };
    match batch {
        [(_, overload, _)] => vec![format!("{target}: {overload}: {}", error.lines().next().unwrap_or(""))],
        _ => {
            let (first, second) = batch.split_at(batch.len() / 2);
            [failures(first, target), failures(second, target)].concat()
        }
    }
}

/// Runs jobs on all cores and gathers what they give.
fn in_parallel<J: Sync>(jobs: &[J], work: impl Fn(&J) -> Vec<String> + Sync) -> Vec<String> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = work(job);
                    results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(found);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[test]
fn every_overload_compiles_and_is_valid() {
    let chosen = chosen();
    let kernels: Vec<(usize, &Overload, String)> = chosen
        .iter()
        .enumerate()
        .filter_map(|(number, overload)| Some((number, overload, kernel(number, overload)?)))
        .collect();
    let mut wrong = Vec::new();
    for target in TARGETS {
        let accepted: Vec<_> =
            kernels.iter().filter(|(_, one, _)| is_rejected(one, target).is_none()).cloned().collect();
        let batches: Vec<_> = accepted.chunks(BATCH).collect();
        let failed = in_parallel(&batches, |batch| failures(batch, target));
        println!("{target}: {} overloads, {} fail", accepted.len(), failed.len());
        wrong.extend(failed);
        for (_, overload, kernel) in &kernels {
            let Some(reason) = is_rejected(overload, target) else { continue };
            match try_module(kernel, target) {
                Err(message) if message.contains(reason) => {}
                other => wrong.push(format!("{target}: {overload}: expected an error about '{reason}', got {other:?}")),
            }
        }
    }
    let names: BTreeSet<&str> = chosen.iter().map(|overload| overload.name).collect();
    println!("{} functions, {} overloads, {} compiled", names.len(), chosen.len(), kernels.len());
    assert!(wrong.is_empty(), "{} overloads fail:\n{}", wrong.len(), wrong.join("\n"));
}

/// A kernel for every function with a scope, or an order and a scope, of memory: each pair of constants that OpenCL C has, numbers
/// that it does not have, and values that the compiler does not know.
fn memory_scopes() -> String {
    const SCOPES: [&str; 7] = [
        "memory_scope_work_item",
        "memory_scope_sub_group",
        "memory_scope_work_group",
        "memory_scope_device",
        "memory_scope_all_svm_devices",
        "17",
        "n",
    ];
    const ORDERS: [&str; 7] = [
        "memory_order_relaxed",
        "memory_order_acquire",
        "memory_order_release",
        "memory_order_acq_rel",
        "memory_order_seq_cst",
        "17",
        "n",
    ];
    const FLAGS: &str = "CLK_GLOBAL_MEM_FENCE";
    let mut calls = Vec::new();
    for scope in SCOPES {
        for flags in ["0", FLAGS, "CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE", "(cl_mem_fence_flags)n"] {
            calls.push(format!("work_group_barrier({flags}, {scope})"));
            calls.push(format!("sub_group_barrier({flags}, {scope})"));
        }
        for order in ORDERS {
            calls.push(format!("atomic_work_item_fence({FLAGS}, {order}, {scope})"));
            for object in ["g", "&l"] {
                calls.push(format!("out[0] = atomic_load_explicit({object}, {order}, {scope})"));
                calls.push(format!("atomic_store_explicit({object}, n, {order}, {scope})"));
                calls.push(format!("out[0] = atomic_fetch_max_explicit({object}, n, {order}, {scope})"));
                for unequal in ORDERS {
                    let orders = format!("{order}, {unequal}, {scope}");
                    let call = format!("atomic_compare_exchange_weak_explicit({object}, &other, n, {orders})");
                    calls.push(format!("out[0] = {call}"));
                }
            }
            calls.push(format!("out[0] = atomic_flag_test_and_set_explicit(f, {order}, {scope})"));
            calls.push(format!("atomic_flag_clear_explicit(f, {order}, {scope})"));
        }
    }
    let kernel = |(index, call): (usize, &String)| {
        let parameters = "global int *out, volatile global atomic_int *g, volatile global atomic_flag *f, int n";
        format!("kernel void k{index}({parameters}) {{ local atomic_int l; int other = 0; {call}; }}\n")
    };
    calls.iter().enumerate().map(kernel).collect()
}

#[test]
fn every_memory_order_and_scope_is_valid_on_every_target() {
    let text = memory_scopes();
    let vulkan = [VulkanVersion::V1_1, VulkanVersion::V1_2, VulkanVersion::V1_3].map(Target::Vulkan);
    let opencl = [OpenClVersion::V2_0, OpenClVersion::V2_2, OpenClVersion::V3_0].map(Target::OpenCl);
    let targets = [vulkan, opencl].concat();
    let wrong = in_parallel(&targets, |target| try_module(&text, *target).err().into_iter().collect());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All sources that the end-to-end tests run, and tests of the runtime that have theirs inside.
fn executed_sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("shaders-test"), root.join("runtime/tests")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cl" || extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Identifiers that stand before a parenthesis after preprocessing.
fn called(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = if path.extension().is_some_and(|extension| extension == "cl") {
        let options = Options::default().with_cl_std(ClStd::CL3_0).with(|o| o.language.no_warnings = true);
        let source = Source { name: "case.cl", text: &text };
        print_stage(source, &options, Stage::Preprocessed).unwrap_or_default()
    } else {
        String::from_utf8_lossy(&text).into_owned()
    };
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices('(') {
        let before = text[..at].trim_end();
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |index| index + 1);
        names.insert(before[start..].to_owned());
    }
    names
}

/// Functions that no driver at hand can execute, of multi-sample images; and one whose results no case knows
/// (`runtime/opencl/tests/device_enqueue.c`).
const NOT_EXECUTED: [&str; 2] = ["get_image_num_samples", "capture_event_profiling_info"];

#[test]
fn every_function_is_executed_by_a_case() {
    let executed: BTreeSet<String> = executed_sources().iter().flat_map(|path| called(path)).collect();
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    // Conversions are tested through all their types at once elsewhere.
    let listed = overloads().into_iter().filter(|overload| !overload.name.starts_with("convert_"));
    for overload in listed {
        if !executed.contains(overload.name) && !NOT_EXECUTED.contains(&overload.name) {
            *missing.entry(overload.name).or_default() += 1;
        }
    }
    let excused: Vec<_> = NOT_EXECUTED.iter().filter(|name| executed.contains(**name)).collect();
    assert!(excused.is_empty(), "{excused:?} are executed");
    println!("{} functions are executed by no case: {missing:?}", missing.len());
    assert!(missing.is_empty(), "{} functions are executed by no case: {missing:?}", missing.len());
}
