//! The part of a module that one kernel needs.
//!
//! NVIDIA's driver (580.159) optimises a kernel less where the module has others (a Mandelbrot kernel on an H200 0.232 ms
//! instead of 0.214), and every driver reads all functions for each pipeline. Vulkan counts all variables of local memory that a
//! module declares against the limit (VUID-RuntimeSpirv-Workgroup-06530).

use clforge_compiler::interface::{Instruction, InterfaceError, instructions};
use spirv::{Op, StorageClass};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A function of a module.
#[derive(Default)]
struct Function {
    calls: Vec<u32>,
    /// The ids that its instructions define.
    results: Vec<u32>,
    /// The variables of local memory that its instructions seem to refer to: literals can only make them more.
    locals: Vec<u32>,
}

/// The module without the entry points other than `function`, the functions that it does not call, the variables of local memory
/// that it does not use, and what names or decorates the ids of those.
pub(crate) fn one_kernel(code: &[u32], function: u32) -> Result<Cow<'_, [u32]>, InterfaceError> {
    let (mut entry_points, mut functions) = (0, HashMap::new());
    let (mut listed, mut locals) = (HashSet::new(), HashSet::new());
    let mut current: Option<(u32, Function)> = None;
    for instruction in instructions(code)? {
        let instruction = instruction?;
        match (Op::from_u32(instruction.opcode.into()), &mut current) {
            (Some(Op::EntryPoint), _) => {
                entry_points += 1;
                if instruction.word(1) == Some(function) {
                    listed.extend(instruction.operands.iter().copied());
                }
            }
            (Some(Op::Variable), None) if instruction.word(2) == Some(StorageClass::Workgroup as u32) => {
                locals.extend(instruction.result());
            }
            (Some(Op::Function), _) => {
                current = instruction.word(1).map(|id| (id, Function { results: vec![id], ..Function::default() }));
            }
            (Some(Op::FunctionEnd), _) => functions.extend(current.take()),
            (Some(op), Some((_, function))) => {
                function.results.extend(instruction.result());
                function.locals.extend(instruction.operands.iter().filter(|id| locals.contains(*id)));
                function.calls.extend(instruction.word(2).filter(|_| op == Op::FunctionCall));
            }
            _ => {}
        }
    }
    if entry_points < 2 {
        return Ok(Cow::Borrowed(code));
    }
    let (mut reached, mut pending) = (HashSet::new(), vec![function]);
    while let Some(id) = pending.pop() {
        if reached.insert(id) {
            pending.extend(functions.get(&id).into_iter().flat_map(|function| &function.calls));
        }
    }
    let (kept, removed): (Vec<_>, Vec<_>) = functions.iter().partition(|(id, _)| reached.contains(*id));
    listed.extend(kept.iter().flat_map(|(_, function)| &function.locals));
    let mut removed: HashSet<u32> = removed.iter().flat_map(|(_, function)| &function.results).copied().collect();
    removed.extend(locals.difference(&listed));
    copy(code, &removed).map(Cow::Owned)
}

/// Copies a module without the functions and variables whose ids are among `removed`, and without what refers to those ids.
fn copy(code: &[u32], removed: &HashSet<u32>) -> Result<Vec<u32>, InterfaceError> {
    let mut out = Vec::with_capacity(code.len());
    out.extend(code.iter().take(5));
    let mut is_removed = false;
    for instruction in instructions(code)? {
        let instruction = instruction?;
        let op = Op::from_u32(instruction.opcode.into());
        if op == Some(Op::Function) {
            is_removed = instruction.word(1).is_some_and(|id| removed.contains(&id));
        }
        if !is_removed && !target(op, &instruction).is_some_and(|id| removed.contains(&id)) {
            out.extend(code.get(instruction.at..=instruction.at + instruction.operands.len()).unwrap_or_default());
        }
        is_removed &= op != Some(Op::FunctionEnd);
    }
    Ok(out)
}

/// The id that an instruction before all functions is about, or that a variable is.
fn target(op: Option<Op>, instruction: &Instruction<'_>) -> Option<u32> {
    match op? {
        Op::EntryPoint | Op::Variable => instruction.word(1),
        Op::ExecutionMode | Op::ExecutionModeId | Op::Name | Op::Decorate | Op::DecorateId | Op::DecorateString => {
            instruction.word(0)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_compiler::validate::validate;
    use clforge_compiler::{Options, Source, compile};

    const SOURCE: &str = "
float both(float x) __attribute__((noinline)) { return x * 3.0f + 1.0f; }
float own(float x) __attribute__((noinline)) { return both(x) / 7.0f; }
kernel void a(global float *p) { p[0] = own(p[1]); }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void b(global float *p) { local float l[4]; l[get_local_id(0)] = p[0];
    barrier(CLK_LOCAL_MEM_FENCE); p[0] = both(l[3 - get_local_id(0)]); }
kernel void c(global float *p) { printf(\"%f\", p[0]); }
";

    #[test]
    fn each_kernel_alone_is_valid() {
        let options = Options::parse("-g").unwrap();
        let words = compile(Source { name: "a.cl", text: SOURCE.as_bytes() }, &options).unwrap().spirv;
        let count = |words: &[u32], op: Op| {
            instructions(words).unwrap().filter(|each| each.as_ref().unwrap().opcode == op as u16).count()
        };
        let entry_points: Vec<u32> = instructions(&words)
            .unwrap()
            .map(Result::unwrap)
            .filter(|each| each.opcode == Op::EntryPoint as u16)
            .filter_map(|each| each.word(1))
            .collect();
        assert_eq!(entry_points.len(), 3);
        let plain =
            crate::module::adapt(&words, &crate::module::Scan::new(&words).unwrap(), &Default::default()).unwrap();
        for function in entry_points.iter().copied() {
            let alone = one_kernel(&plain, function).unwrap();
            assert_eq!(count(&alone, Op::EntryPoint), 1);
            assert!(count(&alone, Op::Function) < count(&plain, Op::Function));
            let is_local = |each: &Instruction<'_>| {
                each.opcode == Op::Variable as u16 && each.word(2) == Some(StorageClass::Workgroup as u32)
            };
            let locals = instructions(&alone).unwrap().filter(|each| is_local(each.as_ref().unwrap())).count();
            assert_eq!(locals, usize::from(function == entry_points[1]), "variables of local memory");
            validate(&alone, options.target).unwrap();
            assert!(matches!(one_kernel(&alone, function).unwrap(), Cow::Borrowed(_)));
        }
    }
}
