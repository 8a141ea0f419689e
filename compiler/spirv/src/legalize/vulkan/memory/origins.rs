//! Determines the origin of each pointer: a kernel argument, a program-scope variable, an object of private or local
//! memory, or a buffer of the runtime. Bounds checks, sanitizers, logical addressing and the list of buffers that a
//! kernel accesses use it.
//!
//! Origins are propagated forwards through the whole module until a fixed point is reached: through arithmetic, casts
//! and `select`, parameters and results of loops, conditions and functions, and through private and local objects that
//! pointers are stored to. The contents of an object have one set of origins for all offsets. Pointers that are loaded
//! from buffers, or converted from integers that are not pointers, have an unknown origin.

use super::objects::{ObjectKey, Objects};
use crate::interface::{ArgumentBinding, Descriptor, KernelInterface, ModuleInterface};
use clforge_ir::analysis::{Targets, edges, nested};
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use typed_index_collections::{TiVec, ti_vec};

/// What pointers are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    /// The memory of a kernel's argument, by its number.
    Argument(u32),
    /// A program-scope variable in constant or global memory.
    Variable(GlobalId),
    /// A storage buffer that is no argument.
    Buffer(Descriptor),
    /// An object of private or local memory, by its index in [`Objects::list`].
    Object(usize),
}

/// Most roots that are told apart: a check compares with each.
const MOST_ROOTS: usize = 8;

/// All roots that a pointer may have; of null none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In ascending order.
    Roots(SmallVec<[Root; 2]>),
    Unknown,
}

impl Origin {
    /// Of null.
    fn none() -> Origin {
        Origin::Roots(SmallVec::new())
    }

    fn of(root: Root) -> Origin {
        Origin::Roots(smallvec![root])
    }

    /// The roots, `None` where they are not all known.
    pub fn roots(&self) -> Option<&[Root]> {
        match self {
            Origin::Roots(roots) => Some(roots),
            Origin::Unknown => None,
        }
    }

    /// Adds another's roots; whether there were new ones.
    fn join(&mut self, other: &Origin) -> bool {
        let (Origin::Roots(here), there) = (&mut *self, other) else { return false };
        let Origin::Roots(there) = there else {
            *self = Origin::Unknown;
            return true;
        };
        let before = here.len();
        for root in there {
            if let Err(at) = here.binary_search(root) {
                here.insert(at, *root);
            }
        }
        let changed = here.len() > before;
        if here.len() > MOST_ROOTS {
            *self = Origin::Unknown;
        }
        changed
    }
}

/// The origins of all pointers of a module.
pub struct Origins {
    values: TiVec<FunctionId, TiVec<Value, Origin>>,
    /// Of the pointers that were stored to each object.
    contents: Vec<Origin>,
    /// Of the pointers that were stored where it is not known.
    anywhere: Origin,
    results: TiVec<FunctionId, Origin>,
    changed: bool,
}

impl Origins {
    /// Follows all pointers of a module.
    pub fn find(module: &Module, interface: &ModuleInterface, objects: &Objects) -> Origins {
        let values = module.functions.iter().map(|function| ti_vec![Origin::none(); function.value_count()]).collect();
        let mut origins = Origins {
            values,
            contents: vec![Origin::none(); objects.list.len()],
            anywhere: Origin::none(),
            results: ti_vec![Origin::none(); module.functions.len()],
            changed: true,
        };
        let kernels: FxHashMap<&str, &KernelInterface> =
            interface.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel)).collect();
        // Sets only grow, up to a limit, so this ends.
        while std::mem::take(&mut origins.changed) {
            for (id, function) in module.functions.iter_enumerated() {
                if !function.is_declaration() {
                    let kernel = function.kernel.as_ref().and_then(|_| kernels.get(function.name.as_str()).copied());
                    let mut flow = Flow { module, kernel, objects, function, id, origins: &mut origins };
                    flow.region(function.body, &Targets::default());
                }
            }
        }
        origins
    }

    /// Where a pointer of a function comes from.
    pub fn of(&self, function: FunctionId, pointer: Value) -> &Origin {
        self.values.get(function).and_then(|values| values.get(pointer)).unwrap_or(&Origin::Unknown)
    }
}

struct Flow<'o> {
    module: &'o Module,
    /// Of a function that is a kernel.
    kernel: Option<&'o KernelInterface>,
    objects: &'o Objects,
    function: &'o Function,
    id: FunctionId,
    origins: &'o mut Origins,
}

impl Flow<'_> {
    fn region(&mut self, region: RegionId, targets: &Targets) {
        let function = self.function;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            edges(function, inst, targets, &mut |from, to| {
                if function.ty(to).space().is_some() {
                    self.join(to, &self.get(from));
                }
            });
            self.op(inst);
            for (region, targets) in nested(function, inst, targets) {
                self.region(region, &targets);
            }
        }
    }

    fn is_pointer(&self, value: Value) -> bool {
        self.function.ty(value).space().is_some()
    }

    /// Whether a pointer is null wherever the program comes from.
    fn is_null(&self, pointer: Value) -> bool {
        match self.function.op(pointer) {
            Some(Op::Convert { op: ConvertOp::IntToPtr, operand }) => self.function.as_int(*operand) == Some(0),
            _ => self.function.as_constant(pointer).is_some_and(|constant| constant.splat_bits() == Some(0)),
        }
    }

    /// The origin of a pointer as far as it is known now.
    fn get(&self, pointer: Value) -> Origin {
        self.origins.of(self.id, pointer).clone()
    }

    fn join(&mut self, pointer: Value, origin: &Origin) {
        if let Some(to) = self.origins.values.get_mut(self.id).and_then(|values| values.get_mut(pointer)) {
            self.origins.changed |= to.join(origin);
        }
    }

    fn op(&mut self, inst: &Inst) {
        match &inst.op {
            Op::Store { ptr, value, .. } => self.store(*ptr, *value),
            Op::Atomic { ptr, operands, .. } => operands.iter().for_each(|operand| self.store(*ptr, *operand)),
            Op::Call { function, args } => self.call(*function, args),
            Op::Return(Some(value)) if self.is_pointer(*value) => {
                let origin = self.get(*value);
                self.origins.changed |= self.origins.results[self.id].join(&origin);
            }
            _ => {}
        }
        let Some(result) = inst.results.first().copied().filter(|result| self.is_pointer(*result)) else { return };
        let origin = match &inst.op {
            // The index may be an address.
            Op::PtrAdd { base, index: Some(_), .. } if self.is_null(*base) => Origin::Unknown,
            // They were followed already.
            Op::PtrAdd { .. } | Op::Select { .. } | Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => return,
            Op::Convert { op: ConvertOp::PtrCast | ConvertOp::PtrCastChecked, operand } => self.get(*operand),
            Op::Convert { op: ConvertOp::IntToPtr, operand } => self.integer(*operand),
            Op::Alloca { .. } => self.object(ObjectKey::Alloca(self.id, result)),
            Op::GlobalAddress(global) => match self.module.global(*global).space {
                Space::Local => self.object(ObjectKey::Local(*global)),
                _ => Origin::of(Root::Variable(*global)),
            },
            Op::Resource { set, binding, .. } => self.buffer(Descriptor { set: *set, binding: *binding }),
            Op::Load { ptr, .. } => self.load(*ptr),
            Op::Call { function, .. } => self.origins.results[*function].clone(),
            _ => Origin::Unknown,
        };
        self.join(result, &origin);
    }

    /// The origin of what a descriptor binds.
    fn buffer(&self, at: Descriptor) -> Origin {
        let arguments = self.kernel.map_or(&[][..], |kernel| &kernel.arguments);
        let argument = arguments.iter().find(|argument| argument.binding == ArgumentBinding::StorageBuffer(at));
        Origin::of(argument.map_or(Root::Buffer(at), |argument| Root::Argument(argument.ordinal)))
    }

    fn object(&self, key: ObjectKey) -> Origin {
        self.objects.index.get(&key).map_or(Origin::Unknown, |object| Origin::of(Root::Object(*object)))
    }

    /// A pointer, or bits that may be part of one, is stored.
    fn store(&mut self, ptr: Value, value: Value) {
        let is_zero = self.function.as_constant(value).is_some_and(|constant| constant.splat_bits() == Some(0));
        let origin = match self.is_pointer(value) {
            true => self.get(value),
            false if is_zero => return,
            false => Origin::Unknown,
        };
        match self.get(ptr) {
            Origin::Roots(roots) => {
                for root in roots {
                    if let Root::Object(object) = root {
                        self.origins.changed |= self.origins.contents[object].join(&origin);
                    }
                }
            }
            // No such object is in global memory.
            Origin::Unknown if self.function.ty(ptr).space() == Some(Space::Global) => {}
            Origin::Unknown => self.origins.changed |= self.origins.anywhere.join(&origin),
        }
    }

    fn load(&self, ptr: Value) -> Origin {
        let Origin::Roots(roots) = self.get(ptr) else { return Origin::Unknown };
        let mut origin = self.origins.anywhere.clone();
        for root in roots {
            match root {
                Root::Object(object) => origin.join(&self.origins.contents[object]),
                Root::Variable(global) => origin.join(&self.initial_contents(global)),
                Root::Argument(_) | Root::Buffer(_) => origin.join(&Origin::Unknown),
            };
        }
        origin
    }

    /// Of the pointers in a variable that nothing changes.
    fn initial_contents(&self, global: GlobalId) -> Origin {
        let global = self.module.global(global);
        let mut origin = if global.space == Space::Constant { Origin::none() } else { Origin::Unknown };
        for relocation in &global.relocations {
            origin.join(&Origin::of(Root::Variable(relocation.target)));
        }
        origin
    }

    fn call(&mut self, callee: FunctionId, args: &[Value]) {
        let params = &self.module.function(callee).params;
        for (arg, param) in args.iter().zip(params) {
            if self.is_pointer(*arg) {
                let origin = self.get(*arg);
                self.origins.changed |= self.origins.values[callee][*param].join(&origin);
            }
        }
    }

    /// The origin of an integer that becomes a pointer: an argument, or a pointer whose bits were computed with.
    fn integer(&self, number: Value) -> Origin {
        let function = self.function;
        if function.as_int(number) == Some(0) {
            return Origin::none();
        }
        match function.op(number) {
            Some(Op::Convert { op: ConvertOp::PtrToInt, operand }) => self.get(*operand),
            Some(Op::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or, lhs, rhs })
                if function.as_constant(*rhs).is_some() =>
            {
                self.integer(*lhs)
            }
            _ => self.argument(number).map_or(Origin::Unknown, |argument| Origin::of(Root::Argument(argument))),
        }
    }

    /// The argument whose value an address is, as `vulkan/kernel_abi` reads it: two words of the push constants or the uniform
    /// buffer.
    fn argument(&self, number: Value) -> Option<u32> {
        let function = self.function;
        let Some(Op::Convert { op: ConvertOp::Bitcast, operand: words }) = function.op(number) else { return None };
        let Some(Op::Construct { elements: words }) = function.op(*words) else { return None };
        let word = |value: &Value| match function.op(*value) {
            Some(Op::VariableLoad { variable, index: Some(index) }) => Some((*variable, function.as_int(*index)?)),
            _ => None,
        };
        let [(variable, low), (other, high)] = [word(words.first()?)?, word(words.get(1)?)?];
        if other != variable || high != low + 1 {
            return None;
        }
        let is_push = self.module.variables.get(variable)?.storage == Storage::PushConstant;
        let is_here = |binding: &ArgumentBinding| match *binding {
            ArgumentBinding::PointerPushConstant { offset, .. } => is_push && u64::from(offset) == low * 4,
            ArgumentBinding::PointerUniform { offset, .. } => !is_push && u64::from(offset) == low * 4,
            _ => false,
        };
        self.kernel?.arguments.iter().find(|argument| is_here(&argument.binding)).map(|argument| argument.ordinal)
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, Origins, Root};
    use crate::interface::ModuleInterface;
    use crate::legalize::vulkan::memory::objects;
    use clforge_basic::options::DeviceFacts;
    use clforge_ir::{FunctionId, Op, Value, read};

    /// The origins of the pointers that the first function stores through, in the order of the program: `@0` a variable,
    /// `#0` an object, `?` unknown.
    fn stores(text: &str) -> Vec<String> {
        let module = read::read(text).expect("the program");
        let (objects, _) = objects::find(&module, &DeviceFacts::default(), None);
        let origins = Origins::find(&module, &ModuleInterface::default(), &objects);
        let show = |pointer: Value| match origins.of(FunctionId::from(0), pointer) {
            Origin::Unknown => "?".to_string(),
            Origin::Roots(roots) => {
                let names = roots.iter().map(|root| match root {
                    Root::Argument(argument) => format!("{argument}"),
                    Root::Variable(global) => format!("@{global}"),
                    Root::Buffer(at) => format!("{}:{}", at.set, at.binding),
                    Root::Object(object) => format!("#{object}"),
                });
                names.collect::<Vec<_>>().join(" ")
            }
        };
        let mut found = Vec::new();
        module.function(FunctionId::from(0)).walk_body(|_, inst| {
            if let Op::Store { ptr, .. } = inst.op {
                found.push(show(ptr));
            }
        });
        found
    }

    const GLOBALS: &str = "global @g0 \"a\" global size 8 align 4\nglobal @g1 \"b\" global size 8 align 4\n";

    #[test]
    fn loops_and_choices() {
        let text = format!(
            "{GLOBALS}func @f(%0: bool) {{
  %1: ptr.global = address @g0
  %2: ptr.global = address @g1
  %3: ptr.global = loop (%1) (%4: ptr.global) {{
    store align 4 %4, i32 1
    %5: ptr.global = ptr_add %4 [4]
    if %0 {{
      break %4
    }} else {{
      yield
    }}
    continue %5
  }} continuing (%6: ptr.global) {{
    next %6
  }}
  store align 4 %3, i32 2
  %7: ptr.global = if %0 {{
    yield %3
  }} else {{
    yield %2
  }}
  store align 4 %7, i32 3
  %8: ptr.global = select %0, %2, ptr.global 0
  store align 4 %8, i32 4
  return
}}
"
        );
        assert_eq!(stores(&text), ["@0", "@0", "@0 @1", "@1"]);
    }

    #[test]
    fn memory_and_calls() {
        let text = format!(
            "{GLOBALS}func @f(%0: i64) {{
  %1: ptr.global = address @g0
  %2: ptr.global = address @g1
  %3: ptr.private = alloca size 16 align 8
  store align 8 %3, %1
  %4: ptr.private = ptr_add %3 [%0 * 8 + 0]
  %5: ptr.global = load align 8 %4
  store align 4 %5, i32 1
  %6: ptr.global = call @g(%2)
  store align 4 %6, i32 2
  %7: ptr.global = load align 8 %2
  store align 4 %7, i32 3
  %8: ptr.global = int_to_ptr %0
  store align 4 %8, i32 4
  return
}}
func @g(%0: ptr.global) -> ptr.global {{
  %1: ptr.global = ptr_add %0 [4]
  return %1
}}
"
        );
        assert_eq!(stores(&text), ["#0", "@0", "@1", "?", "?"]);
    }

    #[test]
    fn numbers_in_an_object_may_be_pointers() {
        let text = format!(
            "{GLOBALS}func @f(%0: i64) {{
  %1: ptr.global = address @g0
  %2: ptr.private = alloca size 16 align 8
  store align 8 %2, %1
  %3: ptr.private = ptr_add %2 [8]
  store align 8 %3, %0
  %4: ptr.global = load align 8 %2
  store align 4 %4, i32 1
  return
}}
"
        );
        assert_eq!(stores(&text), ["#0", "#0", "?"]);
    }
}
