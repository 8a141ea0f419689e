//! SPIR-V assembly, for people and tests.

use rspirv::binary::{Consumer, Disassemble, ParseAction, parse_words};
use rspirv::dr::{Instruction, Loader, ModuleHeader, Operand};
use rspirv::spirv::Op;

/// The assembly of a module, one instruction a line.
///
/// The reflection of Vulkan modules stands behind the last function, where rspirv's loader takes no instructions; so
/// those are written by themselves.
pub fn disassemble(words: &[u32]) -> String {
    let mut all = Instructions::default();
    if let Err(error) = parse_words(words, &mut all) {
        return format!("; not readable: {error:?}\n");
    }
    let end =
        all.list.iter().rposition(|inst| inst.class.opcode == Op::FunctionEnd).map_or(all.list.len(), |at| at + 1);
    let trailing = all.list.split_off(end);
    let mut loader = Loader::new();
    let header = all.header.unwrap_or_else(|| ModuleHeader::new(0));
    loader.consume_header(header);
    for inst in all.list {
        if let ParseAction::Error(error) = loader.consume_instruction(inst) {
            return format!("; not readable: {error}\n");
        }
    }
    let mut module = loader.module();
    // rspirv complains on standard error about instruction sets it does not know: their imports are put in by hand.
    let unknown = |inst: &Instruction| matches!(inst.operands.first(), Some(Operand::LiteralString(name)) if name.starts_with("NonSemantic."));
    let imports: String =
        module.ext_inst_imports.extract_if(.., |inst| unknown(inst)).map(|inst| inst.disassemble() + "\n").collect();
    let mut text = module.disassemble();
    if let Some(at) = text.find("OpMemoryModel") {
        text.insert_str(at, &imports);
    }
    for inst in trailing {
        text.push('\n');
        text.push_str(&inst.disassemble());
    }
    text.push('\n');
    text
}

/// A module as it stands.
#[derive(Default)]
struct Instructions {
    header: Option<ModuleHeader>,
    list: Vec<Instruction>,
}

impl Consumer for Instructions {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, header: ModuleHeader) -> ParseAction {
        self.header = Some(header);
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, inst: Instruction) -> ParseAction {
        self.list.push(inst);
        ParseAction::Continue
    }
}
