//! Regions and instructions of the text form.

use super::*;
use crate::Intrinsic;
use crate::field::Kind as Words;
use crate::inst::ops;
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

    fn function_name(&mut self) -> Read<FunctionId> {
        let name = self.symbol()?;
        self.functions.get(name).copied().ok_or_else(|| format!("no function '@{name}'").into())
    }

    fn image(&mut self, f: &mut Function) -> Read<Op> {
        let word = self.any_word()?;
        let texel = Texel::parse(self, f, "")?;
        let image = self.value(f)?;
        let op = ImageOp::read(word, &mut Fields { reader: self, function: f, before: "," })?;
        Ok(Op::Image { op, texel, image })
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
        let kernel = self.function_name()?;
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

    /// A word or a mark.
    fn literal(&mut self, text: &str) -> Read<()> {
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) { self.need_word(text) } else { self.need_mark(text) }
    }
}

/// Reads operations by their text form in the table ([`crate::inst`]).
macro_rules! read_operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt $properties:tt;
    )*) => {
        impl Reader<'_> {
            fn operation(&mut self, f: &mut Function) -> Read<Op> {
                let word = self.any_word()?;
                $(read_operations!(@form self f word (Op::$name $({ $($field),+ })? $(($part))?) $syntax);)*
                Err(format!("no operation '{word}'").into())
            }
        }
    };
    (@form $reader:ident $f:ident $word:ident $op:tt (custom $method:ident)) => {
        if $word == stringify!($method) {
            return $reader.$method($f);
        }
    };
    (@form $reader:ident $f:ident $word:ident ($($op:tt)+) ($first:literal $($item:tt)*)) => {
        if $word == $first {
            $(read_operations!(@item $reader $f $item);)*
            return Ok($($op)+);
        }
    };
    (@form $reader:ident $f:ident $word:ident ($($op:tt)+) ($first:ident $($item:tt)*)) => {
        if let Some($first) = Words::by_text($word) {
            $(read_operations!(@item $reader $f $item);)*
            return Ok($($op)+);
        }
    };
    (@item $reader:ident $f:ident $word:literal) => { $reader.literal($word)?; };
    (@item $reader:ident $f:ident $field:ident) => { let $field = Parse::parse($reader, $f, stringify!($field))?; };
    (@item $reader:ident $f:ident [$field:ident]) => { let $field = $reader.index($f)?; };
    (@item $reader:ident $f:ident {, $field:ident}) => { let $field = $reader.more($f)?; };
}

ops!(read_operations);

/// A field of an operation in the text form.
trait Parse: Sized {
    fn parse(from: &mut Reader<'_>, f: &mut Function, name: &str) -> Read<Self>;
}

/// Fields of these types.
macro_rules! parse_fields {
    ($($ty:ty: |$from:ident, $f:ident| $read:expr;)*) => {
        $(impl Parse for $ty {
            fn parse($from: &mut Reader<'_>, $f: &mut Function, _: &str) -> Read<$ty> {
                $read
            }
        })*
    };
}

parse_fields! {
    Value: |from, f| from.value(f);
    Option<Value>: |from, f| Ok(from.values(f)?.first().copied());
    Values: |from, f| from.values(f);
    RegionId: |from, f| from.region(f);
    u8: |from, _f| from.number();
    u32: |from, _f| from.number();
    u64: |from, _f| from.number();
    Option<u32>: |from, _f| matches!(from.kind(), Kind::Number(_)).then(|| from.number()).transpose();
    GlobalId: |from, _f| from.numbered('g').map(GlobalId::new);
    VariableId: |from, _f| from.numbered('v').map(VariableId::new);
    FunctionId: |from, _f| from.function_name();
    GroupOp: |from, f| from.fields(f, GroupOp::read);
    DeviceOp: |from, f| from.fields(f, DeviceOp::read);
    MatrixOp: |from, f| from.fields(f, MatrixOp::read);
}

impl Parse for bool {
    fn parse(from: &mut Reader<'_>, _: &mut Function, name: &str) -> Read<bool> {
        Ok(from.word(name))
    }
}

impl<K: Words> Parse for K {
    fn parse(from: &mut Reader<'_>, _: &mut Function, _: &str) -> Read<K> {
        let word = from.any_word()?;
        K::by_text(word).ok_or_else(|| format!("'{word}' may not stand here").into())
    }
}

impl Parse for Lanes {
    fn parse(from: &mut Reader<'_>, _: &mut Function, _: &str) -> Read<Lanes> {
        from.need_mark("[")?;
        let mut lanes = Lanes::new();
        while !from.mark("]") {
            if !lanes.is_empty() {
                from.need_mark(",")?;
            }
            lanes.push(from.number()?);
        }
        Ok(lanes)
    }
}

impl Parse for Semantics {
    fn parse(from: &mut Reader<'_>, f: &mut Function, _: &str) -> Read<Semantics> {
        let (order, scope) = (Parse::parse(from, f, "")?, Parse::parse(from, f, "")?);
        let (local, global, image) = (from.word("local"), from.word("global"), from.word("image"));
        Ok(Semantics { order, scope, local, global, image })
    }
}

impl Parse for Intrinsic {
    fn parse(from: &mut Reader<'_>, _: &mut Function, _: &str) -> Read<Intrinsic> {
        let name = from.text()?;
        Intrinsic::by_name(&name).ok_or_else(|| format!("no built-in '{name}'").into())
    }
}

impl Parse for LoopHint {
    fn parse(from: &mut Reader<'_>, _: &mut Function, _: &str) -> Read<LoopHint> {
        Ok(match () {
            () if from.word("unroll") => LoopHint::Unroll,
            () if from.word("unroll_by") => LoopHint::UnrollBy(from.number()?),
            () if from.word("dont_unroll") => LoopHint::DontUnroll,
            () => LoopHint::None,
        })
    }
}

impl Parse for Vec<Case> {
    fn parse(from: &mut Reader<'_>, f: &mut Function, _: &str) -> Read<Vec<Case>> {
        let mut cases = Vec::new();
        while from.word("case") {
            let mut values = SmallVec::new();
            while matches!(from.kind(), Kind::Number(_)) {
                values.push(from.bits()?);
            }
            let default = from.word("default");
            cases.push(Case { values, default, region: from.region(f)? });
        }
        Ok(cases)
    }
}
