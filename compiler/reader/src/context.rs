//! The facts about the module being read that all parts of the reader use.

use crate::decode::Instruction;
use crate::error::Result;
use crate::tables::{FunctionDef, Tables};
use crate::types::Kind;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::Options;
use clforge_basic::source::Span;
use clforge_ir::object::{LAST_COLUMN, Line, Place};
use clforge_ir::{self as ir, FunctionId, GlobalId};
use clforge_sema::hir::TypeTable;
use rspirv::spirv::{BuiltIn, Decoration, Op};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most bytes of an object of private or local memory.
const MAX_OBJECT: u64 = 1 << 30;

/// A variable of the module, with the type of its address.
#[derive(Clone, Copy, Debug)]
pub enum Variable {
    Global { ty: u32, global: GlobalId },
    BuiltIn { ty: u32, built_in: BuiltIn },
}

/// The lines of the source that instructions are from.
#[derive(Debug, Default)]
pub struct Lines {
    pub places: Vec<Place>,
    pub lines: Vec<Line>,
    pub files: Vec<String>,
    /// Places by file, line and bytes in front, lines by file and number, and files by their ids.
    numbers: FxHashMap<(u32, u32, u32), u32>,
    line_numbers: FxHashMap<(u32, u32), u32>,
    file_numbers: FxHashMap<u32, u32>,
}

/// Most parts of all values, where they are made and where they are used.
const MAX_TOTAL_PARTS: usize = 1 << 26;

/// A module being read.
pub struct ModuleReader<'w, 'o> {
    pub tables: Tables<'w>,
    pub options: &'o Options,
    pub module: ir::Module,
    /// Of the functions that were read.
    pub instructions: usize,
    /// Parts of the values that were made and used so far: copies of structures have many and take no instructions.
    pub parts: usize,
    /// Bytes of the initial values of variables so far.
    pub initial_bytes: u64,
    pub variables: FxHashMap<u32, Variable>,
    /// Functions that can be called.
    pub functions: FxHashMap<u32, FunctionId>,
    /// The kernels of functions that are enqueued, by these.
    pub block_kernels: FxHashMap<u32, FunctionId>,
    /// Types by which built-in functions are chosen.
    pub types: TypeTable,
    /// Lines of the source.
    pub lines: Lines,
    /// Images of unsigned integers, where instructions do not say it.
    pub unsigned_images: FxHashSet<u32>,
}

impl<'w, 'o> ModuleReader<'w, 'o> {
    /// A reader that has read nothing yet.
    pub fn new(tables: Tables<'w>, options: &'o Options) -> Self {
        ModuleReader {
            tables,
            options,
            module: ir::Module::default(),
            instructions: 0,
            parts: 0,
            initial_bytes: 0,
            variables: FxHashMap::default(),
            functions: FxHashMap::default(),
            block_kernels: FxHashMap::default(),
            types: TypeTable::new(),
            lines: Lines::default(),
            unsigned_images: FxHashSet::default(),
        }
    }

    /// That a module with a function of so many instructions is within limits.
    pub fn check_room(&self, at: &Instruction<'_>, instructions: usize) -> Result<()> {
        let limit = self.options.codegen.max_instructions;
        if self.instructions.saturating_add(instructions) > limit {
            return Err(at.limit(format!("the program has more than {limit} instructions")));
        }
        if self.parts > MAX_TOTAL_PARTS {
            return Err(at.limit(format!("values of more than {MAX_TOTAL_PARTS} parts in all")));
        }
        Ok(())
    }

    /// The span of what is from a line and a column of a file, both from 1; 0 where it is not known.
    pub fn span(&mut self, file: u32, number: u32, column: u32) -> Span {
        let Some(name) = self.tables.strings.get(&file) else { return Span::default() };
        let Lines { places, lines, files, numbers, line_numbers, file_numbers } = &mut self.lines;
        let start = Some(column.saturating_sub(1)).filter(|start| *start <= LAST_COLUMN).unwrap_or(0);
        let place = *numbers.entry((file, number, start)).or_insert_with(|| {
            let file = *file_numbers.entry(file).or_insert_with(|| {
                files.push(name.clone());
                to_u32(files.len()) - 1
            });
            let line = *line_numbers.entry((file, number)).or_insert_with(|| {
                lines.push(Line { file, number, text: String::new() });
                to_u32(lines.len()) - 1
            });
            places.push(Place { line, start, end: start });
            to_u32(places.len()) - 1
        });
        Span::token(place)
    }

    /// The variable with an id, if it is one.
    pub fn variable(&self, id: u32) -> Option<Variable> {
        self.variables.get(&id).copied()
    }

    /// The type of a parameter, a constant or a variable of the module.
    pub fn type_of(&self, id: u32) -> Option<u32> {
        let constant = self.tables.constants.get(&id).map(|constant| constant.ty);
        let variable = self.variables.get(&id).map(|variable| match variable {
            Variable::Global { ty, .. } | Variable::BuiltIn { ty, .. } => *ty,
        });
        constant.or(variable).or_else(|| self.tables.parameter_type(id))
    }

    /// The function that a call names.
    pub fn callee(&self, at: &Instruction<'_>, id: u32) -> Result<(FunctionId, FunctionDef<'w>)> {
        let def = self.tables.function_ids.get(&id).and_then(|place| self.tables.functions.get(*place));
        let def = def.ok_or_else(|| at.invalid(format!("%{id} is no function")))?;
        let function = self.functions.get(&id).copied();
        Ok((function.ok_or_else(|| at.unsupported("a call of a kernel is not supported"))?, def.clone()))
    }

    /// Size and alignment in bytes of the object that a variable declares.
    pub fn object(&self, at: &Instruction<'w>) -> Result<(u64, u64)> {
        let pointee = self.pointee(at)?;
        let info = self.tables.types.get(at, pointee)?;
        if matches!(info.kind, Kind::Void | Kind::Function { .. } | Kind::SampledImage | Kind::Named(_)) {
            return Err(at.unsupported("a variable of a type without objects"));
        }
        if info.size > MAX_OBJECT {
            return Err(at.limit(format!("an object of {} bytes; at most {MAX_OBJECT} are supported", info.size)));
        }
        let declared = self.tables.fact(at.result, Decoration::Alignment).and_then(|operands| operands.first());
        let mut align = declared.map_or(info.align, |align| u64::from(*align));
        if self.tables.types.meant(pointee).is_some() {
            align = align.max(info.align);
        }
        match align.is_power_of_two() && align <= 1 << 20 {
            true => Ok((info.size, align)),
            false => Err(at.invalid(format!("the alignment {align}"))),
        }
    }

    /// The type of the object that a variable declares.
    pub fn pointee(&self, at: &Instruction<'w>) -> Result<u32> {
        if at.op == Op::UntypedVariableKHR {
            let ty = at.operand(1)?;
            self.tables.types.check_untyped(at, ty)?;
            return Ok(ty);
        }
        match self.tables.types.get(at, at.ty)?.kind {
            Kind::Pointer { pointee: Some(pointee), .. } => Ok(pointee),
            _ => Err(at.invalid("a variable whose type is no pointer")),
        }
    }
}
