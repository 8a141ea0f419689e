//! Describes modules for OpenCL by their declarations, since these modules have no reflection.

use serde_json::{Value, json};
use spirv::{AddressingModel, Decoration, ExecutionModel, LinkageType, MemoryModel, Op};

/// The description of a module whose memory model is OpenCL's.
pub struct OpenClModule {
    /// Major and minor version of SPIR-V.
    version: (u32, u32),
    /// Bits of a pointer, if the module has pointers.
    address_bits: Option<u32>,
    kernels: Vec<String>,
    /// Functions and variables of other modules, and those for them.
    imports: Vec<String>,
    exports: Vec<String>,
    /// The numbers of specialisation constants.
    constants: Vec<u32>,
}

impl OpenClModule {
    /// Reads a module; `None` if it is one for another environment.
    pub fn read(words: &[u32]) -> Option<OpenClModule> {
        let version = words.get(1)?;
        let mut module = OpenClModule {
            version: (version >> 16 & 0xff, version >> 8 & 0xff),
            address_bits: None,
            kernels: vec![],
            imports: vec![],
            exports: vec![],
            constants: vec![],
        };
        let mut is_opencl = false;
        let mut rest = words.get(5..)?;
        while let Some(first) = rest.first() {
            let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
            let instruction = rest.get(..length).filter(|instruction| !instruction.is_empty())?;
            let operand = |index: usize| instruction.get(index + 1).copied();
            match Op::from_u32(opcode) {
                Some(Op::MemoryModel) => {
                    is_opencl = operand(1) == Some(MemoryModel::OpenCL as u32);
                    module.address_bits = match operand(0).and_then(AddressingModel::from_u32) {
                        Some(AddressingModel::Physical32) => Some(32),
                        Some(AddressingModel::Physical64) => Some(64),
                        _ => None,
                    };
                }
                Some(Op::EntryPoint) if operand(0) == Some(ExecutionModel::Kernel as u32) => {
                    module.kernels.push(text(instruction.get(3..).unwrap_or_default()));
                }
                Some(Op::Decorate) if operand(1) == Some(Decoration::LinkageAttributes as u32) => {
                    let is_import = instruction.last() == Some(&(LinkageType::Import as u32));
                    let names = if is_import { &mut module.imports } else { &mut module.exports };
                    names.push(text(instruction.get(3..).unwrap_or_default()));
                }
                Some(Op::Decorate) if operand(1) == Some(Decoration::SpecId as u32) => {
                    let number = operand(2).filter(|number| !module.constants.contains(number));
                    module.constants.extend(number);
                }
                Some(Op::Function) => break,
                _ => {}
            }
            rest = rest.get(length..)?;
        }
        is_opencl.then_some(module)
    }

    /// For people.
    pub fn text(&self) -> String {
        let (major, minor) = self.version;
        let bits = self.address_bits.map(|bits| format!(", {bits}-bit addresses")).unwrap_or_default();
        let mut text = format!(
            "a module for OpenCL (SPIR-V {major}.{minor}{bits}): 'clforge run' and 'clforge compile' translate it for Vulkan\n"
        );
        text.extend(self.kernels.iter().map(|name| format!("kernel {name}\n")));
        if self.kernels.is_empty() {
            text += "no kernels\n";
        }
        text.extend(self.exports.iter().map(|name| format!("exports {name}\n")));
        text.extend(self.imports.iter().map(|name| format!("imports {name}\n")));
        text.extend(self.constants.iter().map(|number| format!("specialisation constant {number}\n")));
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let (major, minor) = self.version;
        let kernels: Vec<Value> = self.kernels.iter().map(|name| json!({ "name": name })).collect();
        json!({
            "environment": "opencl",
            "spirv_version": format!("{major}.{minor}"),
            "address_bits": self.address_bits,
            "kernels": kernels,
            "exports": self.exports,
            "imports": self.imports,
            "specialization_constants": self.constants,
        })
    }
}

/// A literal string: four bytes a word, up to the first zero.
fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
