//! The binary form of each type. The parts of a type are listed once, for writing and for reading.

use super::DecodeError;
use super::stream::{Reader, Writer};
use crate::field::Kind;
use crate::inst::ops;
use crate::object::{Line, Object, Place, RecordType, SymbolType};
use crate::operations::families;
use crate::*;
use clforge_basic::image::{AccessQualifier, ImageShape};
use clforge_basic::layout::{Element, MemberLayout, RecordLayout, ValueLayout};
use clforge_basic::matrix::{MatrixComponent, MatrixUse};
use clforge_basic::source::Span;
use rustc_hash::FxHashMap;
use smallvec::{Array, SmallVec};
use typed_index_collections::{TiSlice, TiVec};

type Read<T> = Result<T, DecodeError>;

/// Types with a binary form.
pub trait Form: Sized {
    fn write(&self, to: &mut Writer);
    fn read(from: &mut Reader<'_>) -> Read<Self>;
}

/// Records: the forms of their fields, one after the other.
macro_rules! records {
    ($($name:ident { $($field:ident),* $(,)? })*) => {
        $(impl Form for $name {
            fn write(&self, to: &mut Writer) {
                let $name { $($field),* } = self;
                $($field.write(to);)*
            }

            fn read(from: &mut Reader<'_>) -> Read<$name> {
                Ok($name { $($field: Form::read(from)?),* })
            }
        })*
    };
}

/// Choices: the number of the variant, then the forms of its parts.
macro_rules! choices {
    ($($name:ident {
        $($variant:ident $(($($part:ident),*))? $({ $($field:ident),* $(,)? })?),* $(,)?
    })*) => {
        $(impl Form for $name {
            fn write(&self, to: &mut Writer) {
                enum Number { $($variant),* }
                match self {
                    $($name::$variant $(($($part),*))? $({ $($field),* })? => {
                        to.byte(Number::$variant as u8);
                        $($($part.write(to);)*)?
                        $($($field.write(to);)*)?
                    })*
                }
            }

            fn read(from: &mut Reader<'_>) -> Read<$name> {
                enum Number { $($variant),* }
                let number = from.byte()?;
                $(if number == Number::$variant as u8 {
                    $($(let $part = Form::read(from)?;)*)?
                    $($(let $field = Form::read(from)?;)*)?
                    return Ok($name::$variant $(($($part),*))? $({ $($field),* })?);
                })*
                from.damaged()
            }
        })*
    };
}

/// Numbers of things, which must exist.
macro_rules! numbers {
    ($($name:ident ($from:ident) $limit:expr;)*) => {
        $(impl Form for $name {
            fn write(&self, to: &mut Writer) {
                to.unsigned(u64::from(self.number()));
            }

            fn read($from: &mut Reader<'_>) -> Read<$name> {
                $from.below($limit).map($name::new)
            }
        })*
    };
}

numbers! {
    Value (from) from.values;
    InstId (from) from.insts;
    RegionId (from) from.regions;
    ConstantId (from) from.constants;
    FunctionId (from) from.limits.functions;
    GlobalId (from) from.limits.globals;
    VariableId (from) from.limits.variables;
}

/// The number of a variant in the list of all.
fn write_listed<T: PartialEq>(all: &[T], item: &T, to: &mut Writer) {
    let number = all.iter().position(|variant| variant == item);
    // One that is not in the list would not be read back.
    to.unsigned(number.unwrap_or(all.len()) as u64);
}

fn read_listed<T: Copy>(all: &[T], from: &mut Reader<'_>) -> Read<T> {
    let number = from.below(all.len())?;
    all.get(number as usize).copied().map_or_else(|| from.damaged(), Ok)
}

impl<K: Kind> Form for K {
    fn write(&self, to: &mut Writer) {
        write_listed(K::ALL, self, to);
    }

    fn read(from: &mut Reader<'_>) -> Read<K> {
        read_listed(K::ALL, from)
    }
}

impl Form for Intrinsic {
    fn write(&self, to: &mut Writer) {
        write_listed(Intrinsic::ALL, self, to);
    }

    fn read(from: &mut Reader<'_>) -> Read<Intrinsic> {
        read_listed(Intrinsic::ALL, from)
    }
}

choices! {
    Space { Private, Local, Global, Constant, Generic }
    Opaque { Event, Sampler, Image(image), Queue, ClkEvent, ReserveId, Pipe { size, align, write }, Matrix(matrix) }
    ImageShape {
        D1, D1Buffer, D1Array, D2, D2Array, D3, D2Depth, D2ArrayDepth, D2Msaa, D2ArrayMsaa, D2MsaaDepth, D2ArrayMsaaDepth,
    }
    AccessQualifier { ReadOnly, WriteOnly, ReadWrite }
    MatrixComponent { I8, I16, I32, I64, F16, F32, F64 }
    MatrixUse { A, B, Accumulator }
    Element { BuiltIn(name), Record(index) }
    ScalarType { Bool, I8, I16, I32, I64, F16, F32, F64, Ptr(space), Opaque(opaque), Ptr32(space) }
    Storage { Function, Private, Workgroup, PushConstant, Uniform { set, binding }, StorageBuffer { set, binding } }
    ValueDef { Constant(constant), Inst(inst, result), RegionParam(region), FunctionParam(index) }
    KernelParameter { Value(ty), Pointer(space), Local { element_size, align }, ByValue { size, align }, Opaque(ty) }
    LoopHint { None, Unroll, UnrollBy(factor), DontUnroll }
}

/// The operations, as their table says.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt $properties:tt;
    )*) => {
        choices! { Op { $($name $(($part))? $({ $($field),+ })?),* } }
    };
}

ops!(operations);

/// The families, as their table says.
macro_rules! family_operations {
    ($(
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident $({ $($field:ident: $ty:ty),+ $(,)? })? = $word:literal,)*
        }
    )*) => {
        choices! { $($name { $($variant $({ $($field),+ })?),* })* }
    };
}

families!(family_operations);

records! {
    MatrixType { component, rows, columns, usage }
    ImageType { shape, access }
    Semantics { order, scope, local, global, image }
    Case { values, default, region }
    Inst { op, results, span }
    Region { params, insts }
    KernelInfo {
        required_work_group_size, work_group_size_hint, required_sub_group_size, vec_type_hint, is_block, references,
        attributes, arguments,
    }
    KernelArgument { kind, info, layout, span }
    ValueLayout { element, size, lengths }
    MemberLayout { name, offset, value }
    RecordLayout { name, is_union, size, members }
    ArgumentInfo { name, type_name, address_qualifier, access_qualifier, type_qualifiers }
    Relocation { offset, target, addend }
    Global {
        name, span, space, size, align, init, relocations, exported, once, imported, size_argument, per_work_item,
    }
    Variable { name, storage, element, size, zero_initialized }
    VariableSize { fixed, arguments, per_work_item }
    SymbolType { name, ty, records }
    RecordType { name, members, layout }
    Place { line, start, end }
    Line { file, number, text }
}

impl Form for Object {
    fn write(&self, to: &mut Writer) {
        let Object { module, types, places, lines, files } = self;
        module.write(to);
        types.write(to);
        places.write(to);
        lines.write(to);
        files.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Read<Object> {
        let (module, types, places) = (Form::read(from)?, Form::read(from)?, Form::read(from)?);
        let mut object = Object { module, types, places, lines: Form::read(from)?, files: Form::read(from)? };
        if object.is_consistent() { Ok(object) } else { from.damaged() }
    }
}

impl Form for Type {
    fn write(&self, to: &mut Writer) {
        self.scalar.write(to);
        self.lanes.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Read<Type> {
        let (scalar, lanes) = (Form::read(from)?, from.byte()?);
        if matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16) { Ok(Type { scalar, lanes }) } else { from.damaged() }
    }
}

/// The type, and the bits of each lane: as many as the type has, or none where it is undefined.
impl Form for Constant {
    fn write(&self, to: &mut Writer) {
        self.ty().write(to);
        let lanes = self.lanes().unwrap_or_default();
        to.length(lanes.len());
        lanes.iter().for_each(|bits| to.unsigned(*bits));
    }

    fn read(from: &mut Reader<'_>) -> Read<Constant> {
        let ty = Type::read(from)?;
        let lanes = SmallVec::read(from)?;
        match lanes.len() {
            0 => Ok(Constant::Undef(ty)),
            length if length == usize::from(ty.lanes) => Ok(Constant::Bits { ty, lanes }),
            _ => from.damaged(),
        }
    }
}

/// First how many values, instructions, regions and constants there are, since their numbers are used before they are read.
impl Form for Function {
    fn write(&self, to: &mut Writer) {
        let Function { name, kernel, params, result, body, exported, once, precise, inline, values, .. } = self;
        let Function { insts, regions, constants, interned: _, span, .. } = self;
        [values.len(), insts.len(), regions.len(), constants.len()].iter().for_each(|length| to.length(*length));
        values.iter().for_each(|value| value.write(to));
        insts.iter().for_each(|inst| inst.write(to));
        regions.iter().for_each(|region| region.write(to));
        constants.iter().for_each(|constant| constant.write(to));
        name.write(to);
        kernel.write(to);
        params.write(to);
        result.write(to);
        body.write(to);
        exported.write(to);
        once.write(to);
        precise.write(to);
        inline.write(to);
        span.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Read<Function> {
        (from.values, from.insts, from.regions) = (from.length()?, from.length()?, from.length()?);
        from.constants = from.length()?;
        let values: TiVec<Value, _> = list(from, from.values)?.into();
        let insts = list(from, from.insts)?.into();
        let regions = list(from, from.regions)?.into();
        let constants: TiVec<ConstantId, _> = list(from, from.constants)?.into();
        Ok(Function {
            name: Form::read(from)?,
            kernel: Form::read(from)?,
            params: Form::read(from)?,
            result: Form::read(from)?,
            body: Form::read(from)?,
            exported: Form::read(from)?,
            once: Form::read(from)?,
            precise: Form::read(from)?,
            inline: Form::read(from)?,
            interned: interned(&values, &constants),
            constants,
            values,
            insts,
            regions,
            span: Form::read(from)?,
        })
    }
}

/// The constants among a function's values, by which they are found again.
fn interned(
    values: &TiSlice<Value, (Type, ValueDef)>,
    constants: &TiSlice<ConstantId, Constant>,
) -> FxHashMap<Constant, Value> {
    let mut interned = FxHashMap::default();
    for (value, (_, def)) in values.iter_enumerated() {
        if let ValueDef::Constant(id) = def
            && let Some(constant) = constants.get(*id)
        {
            interned.entry(constant.clone()).or_insert(value);
        }
    }
    interned
}

/// First how many there are of each, as for functions.
impl Form for Module {
    fn write(&self, to: &mut Writer) {
        let Module { functions, globals, variables, records } = self;
        [functions.len(), globals.len(), variables.len()].iter().for_each(|length| to.length(*length));
        functions.iter().for_each(|function| function.write(to));
        globals.iter().for_each(|global| global.write(to));
        variables.iter().for_each(|variable| variable.write(to));
        records.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Read<Module> {
        let (functions, globals, variables) = (from.length()?, from.length()?, from.length()?);
        from.limits = super::Limits { functions, globals, variables };
        Ok(Module {
            functions: list(from, functions)?.into(),
            globals: list(from, globals)?.into(),
            variables: list(from, variables)?.into(),
            records: Form::read(from)?,
        })
    }
}

fn list<T: Form>(from: &mut Reader<'_>, length: usize) -> Read<Vec<T>> {
    // An element takes more memory than bytes, so the room for damaged lengths is not made beforehand.
    let mut items = Vec::with_capacity(length.min(1 << 16));
    for _ in 0..length {
        items.push(T::read(from)?);
    }
    Ok(items)
}

impl<T: Form> Form for Vec<T> {
    fn write(&self, to: &mut Writer) {
        to.length(self.len());
        self.iter().for_each(|item| item.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Read<Vec<T>> {
        let length = from.length()?;
        list(from, length)
    }
}

impl<A: Array<Item: Form>> Form for SmallVec<A> {
    fn write(&self, to: &mut Writer) {
        to.length(self.len());
        self.iter().for_each(|item| item.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Read<SmallVec<A>> {
        let length = from.length()?;
        (0..length).map(|_| Form::read(from)).collect()
    }
}

impl<T: Form> Form for Option<T> {
    fn write(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(item) = self {
            item.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Read<Option<T>> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<A: Form, B: Form> Form for (A, B) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Read<(A, B)> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

impl Form for [u32; 3] {
    fn write(&self, to: &mut Writer) {
        self.iter().for_each(|item| item.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Read<[u32; 3]> {
        Ok([Form::read(from)?, Form::read(from)?, Form::read(from)?])
    }
}

impl Form for bool {
    fn write(&self, to: &mut Writer) {
        to.byte(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Read<bool> {
        Ok(from.below(2)? == 1)
    }
}

impl Form for u8 {
    fn write(&self, to: &mut Writer) {
        to.byte(*self);
    }

    fn read(from: &mut Reader<'_>) -> Read<u8> {
        from.byte()
    }
}

impl Form for u32 {
    fn write(&self, to: &mut Writer) {
        to.unsigned(u64::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Read<u32> {
        u32::try_from(from.unsigned()?).or_else(|_| from.damaged())
    }
}

impl Form for u64 {
    fn write(&self, to: &mut Writer) {
        to.unsigned(*self);
    }

    fn read(from: &mut Reader<'_>) -> Read<u64> {
        from.unsigned()
    }
}

impl Form for i64 {
    fn write(&self, to: &mut Writer) {
        to.signed(*self);
    }

    fn read(from: &mut Reader<'_>) -> Read<i64> {
        from.signed()
    }
}

impl Form for String {
    fn write(&self, to: &mut Writer) {
        to.length(self.len());
        self.bytes().for_each(|byte| to.byte(byte));
    }

    fn read(from: &mut Reader<'_>) -> Read<String> {
        let length = from.length()?;
        let bytes = from.take(length)?;
        std::str::from_utf8(bytes).map(str::to_owned).or_else(|_| from.damaged())
    }
}

impl Form for Span {
    fn write(&self, to: &mut Writer) {
        to.span(*self);
    }

    fn read(from: &mut Reader<'_>) -> Read<Span> {
        from.span()
    }
}
