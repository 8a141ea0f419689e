//! Modules: variables with their initial values, and functions with their signatures.

use crate::context::{Lines, ModuleReader, Variable};
use crate::decode::Instruction;
use crate::error::{ReadError, Result};
use crate::function::{Item, Known, Parts, body};
use crate::initial;
use crate::kernel::{self, inline};
use crate::references;
use crate::tables::{EntryPoint, FunctionDef, Tables};
use crate::texels::unsigned_images;
use crate::types::{Kind, space};
use clforge_basic::narrow::to_usize;
use clforge_basic::options::Options;
use clforge_basic::source::Span;
use clforge_ir::object::Object;
use clforge_ir::{self as ir, Function, FunctionId, Space, Type};
use rspirv::spirv::{BuiltIn, Decoration, FunctionParameterAttribute, LinkageType, Op, StorageClass};
use rustc_hash::FxHashSet;

/// Reads everything.
pub fn read<'w>(tables: Tables<'w>, options: &Options) -> Result<Object> {
    let mut reader = ModuleReader::new(tables, options);
    reader.unsigned_images = unsigned_images(&reader.tables)?;
    reader.declare_variables()?;
    reader.initialize_variables()?;
    reader.read_functions()?;
    let Lines { places, lines, files, .. } = reader.lines;
    Ok(Object { module: reader.module, types: Vec::new(), places, lines, files })
}

impl<'w> ModuleReader<'w, '_> {
    fn declare_variables(&mut self) -> Result<()> {
        for at in self.tables.variables.clone() {
            let class = StorageClass::from_u32(at.operand(0)?);
            // Some compilers put them into global memory, as if another module defined them.
            let built_in = self.tables.fact(at.result, Decoration::BuiltIn);
            if built_in.is_some() || class == Some(StorageClass::Input) {
                let built_in = built_in.and_then(|operands| operands.first()).copied().and_then(BuiltIn::from_u32);
                let built_in = built_in.ok_or_else(|| at.unsupported("an input that is no built-in variable"))?;
                self.variables.insert(at.result, Variable::BuiltIn { ty: at.ty, built_in });
                continue;
            }
            // LLVM's lists for linkers (`llvm.used`, `llvm.global_ctors`) are no objects of the program.
            if self.tables.linkage(&at)?.is_some_and(|(name, _)| name.starts_with("llvm.")) {
                continue;
            }
            let space = class.and_then(space).filter(|space| !matches!(space, Space::Private | Space::Generic));
            let space = space.ok_or_else(|| at.unsupported("a variable of this storage class outside of functions"))?;
            let global = self.declare(&at, space)?;
            let global = self.module.globals.push_and_get_key(global);
            self.variables.insert(at.result, Variable::Global { ty: at.ty, global });
        }
        Ok(())
    }

    fn declare(&self, at: &Instruction<'w>, space: Space) -> Result<ir::Global> {
        let (size, align) = self.object(at)?;
        let pointee = self.pointee(at)?;
        if let Kind::Value(Type { scalar: ir::ScalarType::Opaque(_), .. }) = self.tables.types.get(at, pointee)?.kind {
            return Err(at.unsupported("a variable of the module that holds a handle"));
        }
        let linkage = self.tables.linkage(at)?;
        let name = linkage.as_ref().map(|(name, _)| name.clone());
        let name = name.or_else(|| self.tables.names.get(&at.result).cloned());
        let kind = linkage.map(|(_, kind)| kind);
        Ok(ir::Global {
            name: name.unwrap_or_else(|| format!("global.{}", at.result)),
            space,
            size,
            align,
            init: None,
            relocations: Vec::new(),
            exported: matches!(kind, Some(LinkageType::Export | LinkageType::LinkOnceODR)),
            once: kind == Some(LinkageType::LinkOnceODR),
            imported: kind == Some(LinkageType::Import),
            size_argument: None,
            per_work_item: 0,
            span: Span::default(),
        })
    }

    fn initialize_variables(&mut self) -> Result<()> {
        for at in self.tables.variables.clone() {
            let Some(Variable::Global { global, .. }) = self.variables.get(&at.result).copied() else { continue };
            let place = if at.op == Op::UntypedVariableKHR { 2 } else { 1 };
            let Some(value) = at.optional(place) else { continue };
            let pointee = self.pointee(&at)?;
            let is_local = self.module.globals[global].space == Space::Local;
            if is_local && self.is_undefined(value, &mut 1000) {
                continue;
            }
            let (bytes, relocations) = initial::initial(self, &at, value, pointee)?;
            let target = &mut self.module.globals[global];
            if is_local {
                let has_others =
                    bytes.is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0)) || !relocations.is_empty();
                if has_others || target.size > initial::MAX_BYTES {
                    return Err(at.unsupported("local memory with an initial value other than zero"));
                }
                // As the passes want it; `zero_local_memory` stores the zeros.
                target.init = Some(vec![0; to_usize(target.size)]);
                continue;
            }
            target.init = bytes;
            target.relocations = relocations;
        }
        Ok(())
    }

    /// Whether a constant has no value, nor any of its members; of one of more members than `steps` that is not asked.
    fn is_undefined(&self, id: u32, steps: &mut u32) -> bool {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        match self.tables.constants.get(&id) {
            Some(at) if at.op == Op::ConstantComposite => at.operands.iter().all(|id| self.is_undefined(*id, steps)),
            at => at.is_some_and(|at| at.op == Op::Undef),
        }
    }

    fn read_functions(&mut self) -> Result<()> {
        let entry_points = std::mem::take(&mut self.tables.entry_points);
        let kernels: FxHashSet<u32> = entry_points.iter().map(|entry| entry.function).collect();
        let definitions = self.tables.functions.clone();
        for def in &definitions {
            if !kernels.contains(&def.at.result) {
                let id = self.module.functions.push_and_get_key(Function::new(""));
                self.functions.insert(def.at.result, id);
            }
        }
        for (id, _) in self.tables.invoked.clone() {
            let kernel = self.module.functions.push_and_get_key(Function::new(""));
            self.block_kernels.insert(id, kernel);
        }
        for def in &definitions {
            if let Some(id) = self.functions.get(&def.at.result).copied() {
                let function = self.function(def).map_err(|error| error.about(def.at.result))?;
                self.add(id, function, def)?;
            }
        }
        for entry in &entry_points {
            let def = self.tables.function_ids.get(&entry.function).and_then(|place| definitions.get(*place));
            let def = def.ok_or_else(|| entry.at.invalid(format!("%{} is no function", entry.function)))?;
            if self.runs_block(def) {
                continue;
            }
            let function = kernel::kernel(self, def, &entry.name)?;
            let id = self.module.functions.push_and_get_key(Function::new(""));
            self.add(id, function, def)?;
        }
        self.read_block_kernels(&entry_points)?;
        references::find(&mut self.module);
        self.check_recursion(&definitions)
    }

    /// Whether a kernel is one of a block: its first parameter is a generic pointer, which hosts cannot give. It is read where
    /// instructions enqueue it.
    fn runs_block(&self, def: &FunctionDef<'w>) -> bool {
        let first = def.param_types.first().and_then(|ty| self.tables.types.find(*ty));
        matches!(first.map(|info| &info.kind), Some(Kind::Pointer { space: Some(Space::Generic), .. }))
    }

    /// Makes kernels of the functions that are enqueued.
    fn read_block_kernels(&mut self, entry_points: &[EntryPoint<'w>]) -> Result<()> {
        for (id, _) in self.tables.invoked.clone() {
            let Some(kernel) = self.block_kernels.get(&id).copied() else { continue };
            let def = self.tables.function_ids.get(&id).and_then(|place| self.tables.functions.get(*place)).cloned();
            let def = def.ok_or_else(|| ReadError::invalid(0, "what is enqueued is no function").about(id))?;
            let callee = self.functions.get(&id).copied();
            let entry = entry_points.iter().find(|entry| entry.function == id);
            let name = match (callee, entry) {
                (Some(callee), _) => self.module.functions[callee].name.clone(),
                (None, Some(entry)) => entry.name.clone(),
                (None, None) => format!("function.{id}"),
            };
            let function = kernel::block(self, &def, name, callee)?;
            self.add(kernel, function, &def)?;
        }
        Ok(())
    }

    /// Puts a function in its place, unless the module has become too large.
    fn add(&mut self, id: FunctionId, function: Function, def: &FunctionDef<'w>) -> Result<()> {
        self.instructions += function.insts.len();
        self.module.functions[id] = function;
        self.check_room(&def.at, 0)
    }

    /// A function that is no kernel.
    fn function(&mut self, def: &FunctionDef<'w>) -> Result<Function> {
        let linkage = self.tables.linkage(&def.at)?;
        let name = linkage.as_ref().map(|(name, _)| name.clone());
        let name = name.or_else(|| self.tables.names.get(&def.at.result).cloned());
        let mut function = Function::new(name.unwrap_or_else(|| format!("function.{}", def.at.result)));
        let kind = linkage.map(|(_, kind)| kind);
        function.exported = matches!(kind, Some(LinkageType::Export | LinkageType::LinkOnceODR));
        function.once = kind == Some(LinkageType::LinkOnceODR);
        // LLVM's translator exports the function that a kernel calls by the name of the kernel, which other modules can call.
        function.exported &= !self.tables.is_kernel_name(&function.name);
        function.inline = inline(&def.at)?;
        let result = self.tables.types.get(&def.at, def.result)?;
        let is_void = result.kind == Kind::Void;
        let is_record = matches!(result.kind, Kind::Array { .. } | Kind::Struct { .. });
        let place = is_record.then(|| function.add_param(Type::ptr(Space::Private)));
        if !is_void && !is_record {
            function.result = Some(self.tables.types.value(&def.at, def.result)?);
        }
        let params = self.parameters(def, &mut function)?;
        if def.body.0 == def.body.1 {
            if kind != Some(LinkageType::Import) {
                return Err(def.at.invalid("a function without body that is not imported"));
            }
            return Ok(function);
        }
        let result = def.result;
        body::body(self, def, &mut function, |reader| {
            reader.result = place.map(|place| (place, result));
            reader.fixed.extend(params);
            // A function may write its parameters that are passed by value: each call has a copy.
            for param in &def.params {
                if kernel::has_attribute(reader.m, param.result, FunctionParameterAttribute::ByVal) {
                    reader.copy_parameter(param)?;
                }
            }
            Ok(())
        })?;
        Ok(function)
    }

    /// Adds a parameter for each part of each parameter.
    fn parameters(&mut self, def: &FunctionDef<'w>, function: &mut Function) -> Result<Vec<(u32, Known)>> {
        let mut params = Vec::with_capacity(def.params.len());
        for (param, ty) in def.params.iter().zip(&def.param_types) {
            if param.ty != *ty {
                return Err(param.invalid("the parameter is of another type than the function's type says"));
            }
            let leaves = self.tables.types.leaves(param, *ty)?;
            // A parameter takes more memory than a part of another value.
            self.parts += 4 * leaves.len();
            self.check_room(param, 0)?;
            let parts: Parts = leaves.iter().map(|leaf| function.add_param(leaf.ty)).collect();
            params.push((param.result, Known { ty: *ty, item: Item::Parts(parts) }));
        }
        Ok(params)
    }

    /// OpenCL has no recursion; the rest of the compiler relies on it.
    fn check_recursion(&self, definitions: &[FunctionDef<'w>]) -> Result<()> {
        let calls = ir::analysis::CallGraph::of(&self.module);
        // 0: not visited, 1: on the path, 2: done.
        let mut state = vec![0_u8; self.module.functions.len()];
        for start in self.module.functions.keys() {
            let mut path = vec![(start, 0)];
            while let Some((function, next)) = path.pop() {
                state[usize::from(function)] = 1;
                let Some(&callee) = calls.callees(function).get(next) else {
                    state[usize::from(function)] = 2;
                    continue;
                };
                path.push((function, next + 1));
                match state[usize::from(callee)] {
                    0 => path.push((callee, 0)),
                    1 => return Err(self.recursion(function, callee, definitions)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The error of a call by which a function calls itself.
    fn recursion(&self, caller: FunctionId, callee: FunctionId, definitions: &[FunctionDef<'w>]) -> Box<ReadError> {
        let id_of = |wanted: FunctionId| self.functions.iter().find(|(_, function)| **function == wanted);
        let [caller_id, id] = [caller, callee].map(|function| id_of(function).map_or(0, |(id, _)| *id));
        let call = definitions.iter().find(|def| def.at.result == caller_id).and_then(|def| {
            let mut body = self.tables.cursor.within(def.body.0, def.body.1).flatten();
            body.find(|at| at.op == Op::FunctionCall && at.optional(0) == Some(id))
        });
        let name = |function: FunctionId| &self.module.functions[function].name;
        let through = if caller == callee { String::new() } else { format!(" through '{}'", name(caller)) };
        let message = format!("the function '{}' calls itself{through}: recursion is not supported", name(callee));
        ReadError::unsupported(call.map_or(0, |call| call.offset), message).about(id)
    }
}
