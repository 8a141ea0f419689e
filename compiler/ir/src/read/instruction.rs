//! Regions and instructions of the text form.

use super::*;
use crate::Intrinsic;
use crate::operations::FieldSource;

/// Reads the fields of an operation; `before` stands before the next operand.
struct Fields<'r, 't> {
    reader: &'r mut Reader<'t>,
    function: &'r mut Function,
    before: &'static str,
}

impl FieldSource for Fields<'_, '_> {
    fn word(&mut self, words: &[&'static str]) -> Read<&'static str> {
        let word = self.reader.any_word()?;
        words.iter().copied().find(|known| *known == word).ok_or_else(|| format!("'{word}' may not stand here").into())
    }

    fn value(&mut self) -> Read<Value> {
        self.reader.need_mark(self.before)?;
        self.before = ",";
        self.reader.value(self.function)
    }
}

impl<'t> Reader<'t> {
    /// Instructions up to `}`, which is taken.
    pub fn region_body(&mut self, f: &mut Function, region: RegionId) -> Read<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply".into());
        }
        while !self.mark("}") {
            if self.kind() == Kind::End {
                return self.expected("'}'");
            }
            let results = match self.kind() {
                Kind::Value(_) => self.definitions("=")?,
                _ => Vec::new(),
            };
            let op = self.operation(f)?;
            let id = f.insts.next_key();
            for ((value, ty), index) in results.iter().zip(0..) {
                define(f, *value, *ty, ValueDef::Inst(id, index))?;
            }
            let results = results.into_iter().map(|result| result.0).collect();
            f.insts.push(Inst { op, results, span: Default::default() });
            f.region_mut(region).insts.push(id);
        }
        self.depth -= 1;
        Ok(())
    }

    /// `(%1: i32) { … }`
    fn region(&mut self, f: &mut Function) -> Read<RegionId> {
        let region = f.new_region();
        if self.mark("(") {
            for (param, ty) in self.definitions(")")? {
                define(f, param, ty, ValueDef::RegionParam(region))?;
                f.region_mut(region).params.push(param);
            }
        }
        self.need_mark("{")?;
        self.region_body(f, region)?;
        Ok(region)
    }

    /// `%1` or a constant.
    fn value(&mut self, f: &mut Function) -> Read<Value> {
        if let Kind::Value(number) = self.kind() {
            self.at += 1;
            let value = Value::new(number);
            // A number without definition so far was given the placeholder's definition.
            let defined = match f.values.get(value) {
                Some((_, ValueDef::Constant(_))) | None => false,
                Some(_) => true,
            };
            return if defined { Ok(value) } else { Err(format!("%{value} is not defined before").into()) };
        }
        if self.word("undef") {
            let ty = self.ty()?;
            return Ok(f.undef(ty));
        }
        let ty = self.ty()?;
        let mask = constant::mask(ty.scalar);
        let mut lanes = SmallVec::new();
        if self.mark("[") {
            while !self.mark("]") {
                if !lanes.is_empty() {
                    self.need_mark(",")?;
                }
                lanes.push(self.bits()? & mask);
            }
        } else {
            lanes.push(self.bits()? & mask);
        }
        if lanes.len() != usize::from(ty.lanes) {
            return Err(format!("{} lanes for {ty}", lanes.len()).into());
        }
        Ok(f.constant(Constant::Bits { ty, lanes }))
    }

    /// Values with commas between them, on this line; possibly none.
    fn values(&mut self, f: &mut Function) -> Read<Values> {
        let mut values = Values::new();
        if self.same_line() && matches!(self.kind(), Kind::Value(_) | Kind::Word(_)) {
            values.push(self.value(f)?);
            while self.mark(",") {
                values.push(self.value(f)?);
            }
        }
        Ok(values)
    }

    /// `(%1, %2)`
    fn list(&mut self, f: &mut Function) -> Read<Values> {
        self.need_mark("(")?;
        let values = if self.kind() == Kind::Mark(")") { Values::new() } else { self.values(f)? };
        self.need_mark(")")?;
        Ok(values)
    }

    fn exactly<const N: usize>(&mut self, f: &mut Function) -> Read<[Value; N]> {
        let values = self.values(f)?;
        values.as_slice().try_into().map_err(|_| format!("expected {N} operands, found {}", values.len()).into())
    }

    fn operation(&mut self, f: &mut Function) -> Read<Op> {
        let word = self.any_word()?;
        if let Some(op) = UnaryOp::ALL.iter().find(|op| op.text() == word) {
            let [operand] = self.exactly(f)?;
            return Ok(Op::Unary { op: *op, operand });
        }
        if let Some(op) = BinaryOp::ALL.iter().find(|op| op.text() == word) {
            let [lhs, rhs] = self.exactly(f)?;
            return Ok(Op::Binary { op: *op, lhs, rhs });
        }
        if let Some(op) = CompareOp::ALL.iter().find(|op| op.text() == word) {
            let [lhs, rhs] = self.exactly(f)?;
            return Ok(Op::Compare { op: *op, lhs, rhs });
        }
        if let Some(op) = ConvertOp::ALL.iter().find(|op| op.text() == word) {
            let [operand] = self.exactly(f)?;
            return Ok(Op::Convert { op: *op, operand });
        }
        match word {
            "if" | "switch" | "loop" => self.structured(f, word),
            "yield" => Ok(Op::Yield(self.values(f)?)),
            "break" => Ok(Op::Break(self.values(f)?)),
            "continue" => Ok(Op::Continue(self.values(f)?)),
            "fallthrough" => Ok(Op::Fallthrough(self.values(f)?)),
            "next" => Ok(Op::Next(self.values(f)?)),
            "next_if" => {
                let condition = self.value(f)?;
                Ok(Op::NextIf { condition, next: self.list(f)?, results: self.list(f)? })
            }
            "return" => {
                let values = self.values(f)?;
                Ok(Op::Return(values.first().copied()))
            }
            "unreachable" => Ok(Op::Unreachable),
            _ => self.simple(f, word),
        }
    }

    fn simple(&mut self, f: &mut Function, word: &str) -> Read<Op> {
        Ok(match word {
            "select" => {
                let [condition, if_true, if_false] = self.exactly(f)?;
                Op::Select { condition, if_true, if_false }
            }
            "extract" => {
                let [vector] = self.exactly(f)?;
                Op::Extract { vector, lane: self.number()? }
            }
            "insert" => {
                let [vector, scalar] = self.exactly(f)?;
                Op::Insert { vector, scalar, lane: self.number()? }
            }
            "extract_dynamic" => {
                let [vector, index] = self.exactly(f)?;
                Op::ExtractDynamic { vector, index }
            }
            "insert_dynamic" => {
                let [vector, scalar, index] = self.exactly(f)?;
                Op::InsertDynamic { vector, scalar, index }
            }
            "construct" => Op::Construct { elements: self.values(f)? },
            "shuffle" => {
                let [first, second] = self.exactly(f)?;
                self.need_mark("[")?;
                let mut lanes = Lanes::new();
                while !self.mark("]") {
                    if !lanes.is_empty() {
                        self.need_mark(",")?;
                    }
                    lanes.push(self.number()?);
                }
                Op::Shuffle { first, second, lanes }
            }
            "ptr_add" => self.ptr_add(f)?,
            "address" => Op::GlobalAddress(GlobalId::new(self.numbered('g')?)),
            "work_item" => {
                let query = self.one_of(WorkItemQuery::ALL, WorkItemQuery::text)?;
                Op::WorkItem { query, dim: self.number()? }
            }
            "intrinsic" => {
                let name = self.text()?;
                let function = Intrinsic::by_name(&name).ok_or_else(|| format!("no built-in '{name}'"))?;
                Op::Intrinsic { function, args: self.values(f)? }
            }
            _ => return self.memory(f, word),
        })
    }

    fn ptr_add(&mut self, f: &mut Function) -> Read<Op> {
        let base = self.value(f)?;
        self.need_mark("[")?;
        let (mut index, mut stride) = (None, 0);
        if !matches!(self.kind(), Kind::Number(_)) {
            index = Some(self.value(f)?);
            self.need_mark("*")?;
            stride = self.signed()?;
            self.need_mark("+")?;
        }
        let displacement = self.signed()?;
        self.need_mark("]")?;
        Ok(Op::PtrAdd { base, index, stride, displacement })
    }

    /// `[%1]` or nothing.
    fn index(&mut self, f: &mut Function) -> Read<Option<Value>> {
        if !self.mark("[") {
            return Ok(None);
        }
        let index = self.value(f)?;
        self.need_mark("]")?;
        Ok(Some(index))
    }

    fn semantics(&mut self) -> Read<Semantics> {
        let order = self.one_of(MemoryOrder::ALL, MemoryOrder::text)?;
        let scope = self.one_of(Scope::ALL, Scope::text)?;
        let (local, global, image) = (self.word("local"), self.word("global"), self.word("image"));
        Ok(Semantics { order, scope, local, global, image })
    }

    fn memory(&mut self, f: &mut Function, word: &str) -> Read<Op> {
        Ok(match word {
            "alloca" => Op::Alloca { size: self.named("size")?, align: self.named("align")? },
            "load" => {
                let (volatile, align) = (self.word("volatile"), self.named("align")?);
                Op::Load { ptr: self.value(f)?, align, volatile }
            }
            "store" => {
                let (volatile, align) = (self.word("volatile"), self.named("align")?);
                let [ptr, value] = self.exactly(f)?;
                Op::Store { ptr, value, align, volatile }
            }
            "atomic" => {
                let op = self.one_of(AtomicOp::ALL, AtomicOp::text)?;
                let semantics = self.semantics()?;
                let unequal = self.one_of(MemoryOrder::ALL, MemoryOrder::text)?;
                let ptr = self.value(f)?;
                Op::Atomic { op, ptr, operands: self.more(f)?, semantics, unequal }
            }
            "barrier" => {
                let execution = self.one_of(Scope::ALL, Scope::text)?;
                Op::Barrier { execution, semantics: self.semantics()? }
            }
            "fence" => Op::Fence(self.semantics()?),
            "group" => {
                let scope = self.one_of(Scope::ALL, Scope::text)?;
                let uniform = self.word("uniform");
                Op::Group { op: self.fields(f, GroupOp::read)?, scope, uniform }
            }
            "device" => Op::Device(self.fields(f, DeviceOp::read)?),
            "enqueue" => self.enqueue(f)?,
            "read_clock" => Op::ReadClock(self.one_of(Scope::ALL, Scope::text)?),
            "call" => {
                let name = self.symbol()?;
                let function = *self.functions.get(name).ok_or_else(|| format!("no function '@{name}'"))?;
                Op::Call { function, args: self.list(f)? }
            }
            "variable_load" => {
                Op::VariableLoad { variable: VariableId::new(self.numbered('v')?), index: self.index(f)? }
            }
            "variable_store" => {
                let (variable, index) = (VariableId::new(self.numbered('v')?), self.index(f)?);
                self.need_mark(",")?;
                Op::VariableStore { variable, index, value: self.value(f)? }
            }
            "variable_atomic" => {
                let op = self.one_of(AtomicOp::ALL, AtomicOp::text)?;
                let semantics = self.semantics()?;
                let unequal = self.one_of(MemoryOrder::ALL, MemoryOrder::text)?;
                let (variable, index) = (VariableId::new(self.numbered('v')?), self.index(f)?);
                Op::VariableAtomic { op, variable, index, operands: self.more(f)?, semantics, unequal }
            }
            "input" => {
                let input = self.one_of(Input::ALL, Input::text)?;
                Op::Input { input, dim: self.number()? }
            }
            "spec_constant" => Op::SpecConstant(self.number()?),
            "sampler" => Op::Sampler(self.number()?),
            "resource" => {
                let (set, binding) = (self.number()?, self.number()?);
                let element = matches!(self.kind(), Kind::Number(_)).then(|| self.number()).transpose()?;
                Op::Resource { set, binding, element }
            }
            "image" => {
                let word = self.any_word()?;
                let texel = self.one_of(Texel::ALL, Texel::text)?;
                let image = self.value(f)?;
                let op = ImageOp::read(word, &mut Fields { reader: self, function: f, before: "," })?;
                Op::Image { op, texel, image }
            }
            _ => return Err(format!("no operation '{word}'").into()),
        })
    }

    /// A word of a family of operations, the words of its kinds, and a list of operands.
    fn fields<T>(&mut self, f: &mut Function, read: fn(&str, &mut dyn FieldSource) -> Read<T>) -> Read<T> {
        let word = self.any_word()?;
        let mut fields = Fields { reader: self, function: f, before: "(" };
        let op = read(word, &mut fields)?;
        if fields.before == "(" {
            self.need_mark("(")?;
        }
        self.need_mark(")")?;
        Ok(op)
    }

    fn enqueue(&mut self, f: &mut Function) -> Read<Op> {
        let word = self.any_word()?;
        let name = self.symbol()?;
        let kernel = *self.functions.get(name).ok_or_else(|| format!("no function '@{name}'"))?;
        let (size, align) = (self.named("size")?, self.named("align")?);
        let mut fields = Fields { reader: self, function: f, before: "(" };
        let op = EnqueueOp::read(word, &mut fields)?;
        let block = fields.value()?;
        let local_sizes = self.more(f)?.into_iter().collect();
        self.need_mark(")")?;
        Ok(Op::Enqueue { op, kernel, block, local_sizes, size, align })
    }

    /// `, %1, %2`
    fn more(&mut self, f: &mut Function) -> Read<SmallVec<[Value; 2]>> {
        let mut values = SmallVec::new();
        while self.mark(",") {
            values.push(self.value(f)?);
        }
        Ok(values)
    }

    fn structured(&mut self, f: &mut Function, word: &str) -> Read<Op> {
        match word {
            "if" => {
                let condition = self.value(f)?;
                let then = self.region(f)?;
                self.need_word("else")?;
                Ok(Op::If { condition, then, otherwise: self.region(f)? })
            }
            "switch" => {
                let selector = self.value(f)?;
                let inputs = self.list(f)?;
                let mut cases = Vec::new();
                while self.word("case") {
                    let mut values = SmallVec::new();
                    while matches!(self.kind(), Kind::Number(_)) {
                        values.push(self.bits()?);
                    }
                    let default = self.word("default");
                    cases.push(Case { values, default, region: self.region(f)? });
                }
                Ok(Op::Switch { selector, inputs, cases })
            }
            _ => {
                let inits = self.list(f)?;
                let hint = match () {
                    () if self.word("unroll") => LoopHint::Unroll,
                    () if self.word("unroll_by") => LoopHint::UnrollBy(self.number()?),
                    () if self.word("dont_unroll") => LoopHint::DontUnroll,
                    () => LoopHint::None,
                };
                let body = self.region(f)?;
                self.need_word("continuing")?;
                Ok(Op::Loop { inits, body, continuing: self.region(f)?, hint })
            }
        }
    }
}
