//! Adapts a module to its device: removes what the driver cannot take or does not need.

use super::capabilities::float_mode;
use super::scan::{FloatMode, Scan, is_float_control};
use crate::vulkan::DeviceInfo;
use clforge_compiler::interface::{InterfaceError, instructions};
use spirv::{Capability, ExecutionMode, Op};

/// Copies `words` without
///
/// - non-semantic instructions, which drivers ignore and some accept only with `VK_KHR_shader_non_semantic_info`;
/// - float controls that the device does not support: OpenCL lets a device treat denormals as it does by default.
pub(crate) fn adapt(words: &[u32], scan: &Scan, info: &DeviceInfo) -> Result<Vec<u32>, InterfaceError> {
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
                // The capabilities of the float controls have the order of their execution modes.
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
    use crate::module::words::{header, instruction};

    #[test]
    fn unsupported_float_controls_are_removed_with_their_capability() {
        let preserve = ExecutionMode::SignedZeroInfNanPreserve as u32;
        let header = header(0x10500);
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
