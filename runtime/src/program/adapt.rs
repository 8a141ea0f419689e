//! Makes a module fit its device: leaves out what the driver must not or need not see.

use super::capabilities::float_mode;
use super::scan::{FloatMode, Scan, is_float_control};
use crate::device::DeviceInfo;
use clforge_compiler::interface::{InterfaceError, instructions};
use spirv::{Capability, ExecutionMode, Op};

/// Copies `words` without
///
/// - non-semantic instructions (a driver ignores them at best, and needs `VK_KHR_shader_non_semantic_info` for that),
/// - requests to keep denormals, infinities and the like that the device does not know: it then does what it always
///   does, which OpenCL allows for denormals.
pub(super) fn adapt(words: &[u32], scan: &Scan, info: &DeviceInfo) -> Result<Vec<u32>, InterfaceError> {
    let kept: Vec<u32> =
        scan.float_modes.iter().filter(|mode| float_mode(info, **mode)).map(|mode| mode.mode).collect();
    let mut out = Vec::with_capacity(words.len());
    out.extend(words.iter().take(5));
    for instruction in instructions(words)? {
        let instruction = instruction?;
        let drop = match (Op::from_u32(instruction.opcode.into()), instruction.operands) {
            (Some(Op::ExtInstImport), [id, ..]) => scan.non_semantic_sets.contains(id),
            (Some(Op::ExtInst), [_, _, set, ..]) => scan.non_semantic_sets.contains(set),
            (Some(Op::Extension), _) => {
                instruction.string(0).is_some_and(|(name, _)| name == "SPV_KHR_non_semantic_info")
            }
            (Some(Op::ExecutionMode), [_, mode, width]) if is_float_control(*mode) => {
                !float_mode(info, FloatMode { mode: *mode, width: *width })
            }
            (Some(Op::Capability), [capability]) => {
                // The float controls' capabilities and modes have the same order.
                let mode = capability
                    .checked_sub(Capability::DenormPreserve as u32)
                    .map(|index| index.saturating_add(ExecutionMode::DenormPreserve as u32));
                mode.is_some_and(|mode| is_float_control(mode) && !kept.contains(&mode))
            }
            _ => false,
        };
        if !drop {
            out.extend(words.get(instruction.at..=instruction.at + instruction.operands.len()).unwrap_or_default());
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instruction(op: Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
        words.extend(operands);
        words
    }

    #[test]
    fn unknown_float_controls_go_with_their_capability() {
        let preserve = ExecutionMode::SignedZeroInfNanPreserve as u32;
        let header = vec![0x0723_0203, 0x10500, 0, 10, 0];
        let capability = instruction(Op::Capability, &[Capability::SignedZeroInfNanPreserve as u32]);
        let mode32 = instruction(Op::ExecutionMode, &[1, preserve, 32]);
        let mode64 = instruction(Op::ExecutionMode, &[1, preserve, 64]);
        let words = [header.clone(), capability.clone(), mode32.clone(), mode64].concat();
        let scan = Scan::new(&words).unwrap();
        let none = adapt(&words, &scan, &DeviceInfo::default()).unwrap();
        assert_eq!(none, header);
        let features = vec!["shaderSignedZeroInfNanPreserveFloat32"];
        let some = adapt(&words, &scan, &DeviceInfo { features, ..DeviceInfo::default() }).unwrap();
        assert_eq!(some, [header, capability, mode32].concat());
    }
}
