//! Tests of the table and of overload resolution. What is accepted and rejected was taken from clang 15
//! (`-cl-std=CL1.2 -Xclang -finclude-default-header`) given the same calls.

use super::pattern::SCALARS;
use super::*;
use crate::hir::types::{FloatKind, Scalar, TyKind};
use clforge_basic::options::ClStd;
use clforge_syntax::ast::{AddressSpace, Qualifiers};

/// `float4`, `global int*`, `const global float*`, …
fn parse_type(types: &mut TypeTable, text: &str) -> Ty {
    if let Some(rest) = text.strip_suffix('*') {
        let mut pointee = QualTy::plain(Ty::VOID);
        for word in rest.split_whitespace() {
            match word {
                "global" => pointee.space = AddressSpace::Global,
                "local" => pointee.space = AddressSpace::Local,
                "constant" => pointee.space = AddressSpace::Constant,
                "generic" => pointee.space = AddressSpace::Generic,
                "const" => pointee.quals |= Qualifiers::CONST,
                "volatile" => pointee.quals |= Qualifiers::VOLATILE,
                _ => pointee.ty = parse_type(types, word),
            }
        }
        return types.pointer_to(pointee);
    }
    match text {
        "void" => return Ty::VOID,
        "event_t" => return Ty::EVENT,
        "sampler_t" => return Ty::SAMPLER,
        "bool" => return Ty::BOOL,
        "size_t" => return Ty::ULONG,
        _ => {}
    }
    if let Some(value) = text.strip_prefix("atomic_") {
        let value = parse_type(types, value);
        let (scalar, _) = types.lanes(value).expect("a number");
        return types.intern(TyKind::Atomic(scalar));
    }
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let lanes = text[letters.len()..].parse().unwrap_or(1);
    let scalar = SCALARS.iter().find(|scalar| scalar.name() == letters);
    types.vector(*scalar.unwrap_or_else(|| panic!("no type {text}")), lanes)
}

fn resolve_text(call: &str, options: &Options) -> (Resolution, TypeTable) {
    let mut types = TypeTable::new();
    let (name, arguments) = call.trim_end_matches(')').split_once('(').expect("a call");
    let arguments: Vec<Argument> = arguments
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(|text| match text {
            "0" => Argument { ty: QualTy::plain(Ty::INT), is_null: true },
            "NULL" => Argument { ty: QualTy::plain(parse_type(&mut types, "generic void*")), is_null: true },
            _ => QualTy::plain(parse_type(&mut types, text)).into(),
        })
        .collect();
    let resolution = resolve(name, &arguments, &mut types, options);
    (resolution, types)
}

fn spell(types: &TypeTable, ty: Ty) -> String {
    match (types.kind(ty), types.lanes(ty)) {
        (_, Some((scalar, 1))) => scalar.name().into(),
        (_, Some((scalar, lanes))) => format!("{}{lanes}", scalar.name()),
        (TyKind::Void, _) => "void".into(),
        (TyKind::Event, _) => "event_t".into(),
        (TyKind::Atomic(scalar), _) => format!("atomic_{}", scalar.name()),
        (TyKind::Pointer(pointee), _) => format!("{}*", spell(types, pointee.ty)),
        (kind, _) => format!("{kind:?}"),
    }
}

/// The result type and the parameter types, or which error.
fn outcome(call: &str, options: &Options) -> String {
    let (resolution, types) = resolve_text(call, options);
    match resolution {
        Resolution::Found { parameters, result, .. } => {
            let parameters: Vec<String> = parameters.iter().map(|one| spell(&types, one.ty)).collect();
            format!("{}({})", spell(&types, result), parameters.join(", "))
        }
        Resolution::Unknown => "unknown".into(),
        Resolution::NoMatch => "no match".into(),
        Resolution::Ambiguous { candidates } => {
            assert!(candidates.len() > 1, "{call}: ambiguous between {candidates:?}");
            "ambiguous".into()
        }
        Resolution::Unavailable { needs } => format!("needs {needs}"),
    }
}

#[track_caller]
fn expect(cases: &[(&str, &str)], options: &Options) {
    for (call, expected) in cases {
        assert_eq!(outcome(call, options), *expected, "{call}");
    }
}

#[test]
fn scalars_convert_where_one_overload_is_best() {
    expect(
        &[
            ("pow(float, int)", "float(float, float)"),
            ("pow(int, float)", "float(float, float)"),
            ("pow(float, double)", "ambiguous"),
            ("pow(int, int)", "ambiguous"),
            ("sqrt(int)", "ambiguous"),
            ("fabs(int)", "ambiguous"),
            ("max(float, int)", "ambiguous"),
            ("max(int, uint)", "ambiguous"),
            ("max(char, int)", "ambiguous"),
            ("max(short, char)", "ambiguous"),
            ("max(short, short)", "short(short, short)"),
            ("min(int, size_t)", "ambiguous"),
            ("fmax(float, int)", "float(float, float)"),
            ("fmax(double, float)", "ambiguous"),
            ("clamp(float, int, int)", "ambiguous"),
            ("clamp(float, double, double)", "ambiguous"),
            ("clamp(float, float, int)", "ambiguous"),
            ("mix(float, int, double)", "ambiguous"),
            ("abs(char)", "uchar(char)"),
            ("abs(float)", "ambiguous"),
            ("abs(bool)", "uint(int)"),
            ("isnan(int)", "ambiguous"),
            ("get_global_id(double)", "ulong(uint)"),
            ("native_exp(int)", "float(float)"),
            ("mad(float, int, int)", "float(float, float, float)"),
            ("fma(float, double, int)", "ambiguous"),
            ("pown(float, float)", "float(float, int)"),
            ("rotate(uint, int)", "ambiguous"),
            ("atan2(double, int)", "double(double, double)"),
            ("add_sat(char, int)", "ambiguous"),
            ("mad24(int, int, double)", "int(int, int, int)"),
            ("mul24(char, uint)", "ambiguous"),
        ],
        &Options::default(),
    );
}

#[test]
fn scalars_widen_to_vectors_and_vectors_never_convert() {
    expect(
        &[
            ("max(float4, int)", "float4(float4, float)"),
            ("max(float4, double)", "float4(float4, float)"),
            ("clamp(float4, int, int)", "float4(float4, float, float)"),
            ("max(int4, uint)", "int4(int4, int)"),
            ("pow(float4, int)", "float4(float4, float4)"),
            ("pow(float4, double)", "float4(float4, float4)"),
            ("mix(float4, float4, double)", "float4(float4, float4, float)"),
            ("ldexp(float4, int)", "float4(float4, int)"),
            ("step(float, float4)", "float4(float, float4)"),
            ("smoothstep(int, int, float4)", "float4(float, float, float4)"),
            ("dot(float4, float4)", "float(float4, float4)"),
            ("dot(float8, float8)", "no match"),
            ("max(float4, float2)", "no match"),
            ("max(float4, int4)", "no match"),
        ],
        &Options::default(),
    );
}

#[test]
fn relational_results_are_as_wide_as_the_operands() {
    expect(
        &[
            ("isnan(float)", "int(float)"),
            ("isnan(double)", "int(double)"),
            ("isnan(double4)", "long4(double4)"),
            ("isequal(half8, half8)", "short8(half8, half8)"),
            ("select(float, float, int)", "float(float, float, int)"),
            ("select(float, float, long)", "ambiguous"),
            ("select(int, float, int)", "ambiguous"),
            ("select(float4, float4, uint4)", "float4(float4, float4, uint4)"),
            ("all(int4)", "int(int4)"),
            ("upsample(short4, ushort4)", "int4(short4, ushort4)"),
            ("upsample(int, uint)", "long(int, uint)"),
            ("nan(ulong2)", "double2(ulong2)"),
        ],
        &Options::default(),
    );
}

#[test]
fn pointers_match_by_pointee_and_space() {
    expect(
        &[
            ("vload4(int, global float*)", "float4(ulong, float*)"),
            ("vload4(int, const constant uchar*)", "uchar4(ulong, uchar*)"),
            ("vstore4(float4, int, constant float*)", "no match"),
            ("vstore3(int3, int, int*)", "void(int3, ulong, int*)"),
            ("atomic_add(global int*, uint)", "int(int*, int)"),
            ("atomic_add(volatile local uint*, int)", "uint(uint*, uint)"),
            ("atomic_add(int*, int)", "no match"),
            ("atomic_inc(global float*)", "ambiguous"),
            ("atomic_xchg(global float*, int)", "float(float*, float)"),
            ("atom_add(global ulong*, int)", "ulong(ulong*, ulong)"),
            ("atomic_add(global long*, int)", "int(int*, int)"),
            ("atomic_inc(global long*)", "ambiguous"),
            ("vload4(int, global void*)", "ambiguous"),
            ("fract(float4, float4*)", "float4(float4, float4*)"),
            ("frexp(double2, local int2*)", "double2(double2, int2*)"),
            ("fract(float, constant float*)", "no match"),
            (
                "async_work_group_copy(local float4*, global float4*, int, event_t)",
                "event_t(float4*, float4*, ulong, event_t)",
            ),
            (
                "async_work_group_copy(local float*, const global float*, int, int)",
                "event_t(float*, float*, ulong, event_t)",
            ),
            ("wait_group_events(int, event_t*)", "void(int, event_t*)"),
            ("vload_half4(int, global half*)", "float4(ulong, half*)"),
            ("vstore_half_rtz(double, int, half*)", "void(double, ulong, half*)"),
            ("shuffle(float4, uint8)", "float8(float4, uint8)"),
            ("shuffle2(short2, short2, ushort16)", "short16(short2, short2, ushort16)"),
            ("shuffle(float4, int4)", "no match"),
        ],
        &Options::default(),
    );
}

/// As clang 15 resolves them, in OpenCL C 2.0 and, where overloads for several address spaces are ambiguous, in 1.2.
#[test]
fn null_pointer_constants_convert_to_every_pointer() {
    let mut options = Options::default().with_cl_std(ClStd::CL2_0);
    expect(
        &[
            ("wait_group_events(int, 0)", "void(int, event_t*)"),
            ("wait_group_events(int, NULL)", "void(int, event_t*)"),
            ("wait_group_events(int, generic void*)", "void(int, event_t*)"),
            ("wait_group_events(int, global void*)", "void(int, event_t*)"),
            ("wait_group_events(int, constant void*)", "no match"),
            ("wait_group_events(int, int)", "no match"),
            ("fract(float, 0)", "float(float, float*)"),
            ("fract(float4, NULL)", "float4(float4, float4*)"),
            ("fract(float, int)", "no match"),
            ("vstore4(float4, int, NULL)", "void(float4, ulong, float*)"),
            ("vload4(int, NULL)", "ambiguous"),
            // There is one for constant memory too.
            ("vload_half(int, NULL)", "ambiguous"),
            ("vload_half(int, 0)", "ambiguous"),
            ("atomic_add(0, int)", "ambiguous"),
            ("atomic_fetch_add(generic void*, int)", "int(atomic_int*, int)"),
            ("atomic_fetch_add(generic int*, int)", "int(atomic_int*, int)"),
            ("atomic_load(generic int*)", "ambiguous"),
            ("async_work_group_copy(NULL, global int*, int, event_t)", "event_t(int*, int*, ulong, event_t)"),
        ],
        &options,
    );
    options.language.cl_std = Some(ClStd::CL1_2);
    expect(&[("wait_group_events(int, 0)", "void(int, event_t*)"), ("fract(float, 0)", "ambiguous")], &options);
}

#[test]
fn conversions_are_found_by_their_names() {
    expect(
        &[
            ("convert_int_sat(float)", "int(float)"),
            ("convert_uchar4_sat_rte(float4)", "uchar4(float4)"),
            ("convert_float16_rtp(double16)", "float16(double16)"),
            ("convert_int4_rtz(float)", "no match"),
            ("convert_float_sat(int)", "unknown"),
            ("convert_int5(int)", "unknown"),
            ("convert_int_rtx(int)", "unknown"),
        ],
        &Options::default(),
    );
    for text in ["convert_uchar4_sat_rte", "convert_half", "convert_ulong16_rtn", "convert_double3_rtp"] {
        let id = convert::parse(text).expect(text);
        assert_eq!(name(id), text);
    }
}

#[test]
fn later_functions_say_what_they_need() {
    let mut options = Options::default();
    expect(
        &[("ctz(int)", "needs OpenCL C 2.0 or newer"), ("no_such(int)", "unknown"), ("__clz(int)", "unknown")],
        &options,
    );
    options.language.cl_std = Some(ClStd::CL2_0);
    expect(
        &[
            ("ctz(int)", "int(int)"),
            ("atomic_fetch_add(global atomic_int*, int)", "int(atomic_int*, int)"),
            ("atomic_compare_exchange_strong(local atomic_int*, int*, int)", "bool(atomic_int*, int*, int)"),
        ],
        &options,
    );
    assert!(is_builtin("read_pipe") && !is_builtin("__clz") && !is_builtin("foo") && is_builtin("convert_int_sat"));
    let (resolution, _) = resolve_text("read_pipe()", &options);
    assert!(matches!(resolution, Resolution::Unavailable { .. }), "{resolution:?}");
}

#[test]
fn rows_are_unique_and_found_by_name() {
    let mut names: Vec<&str> = table::TABLE.iter().map(|row| row.name).collect();
    for (index, name) in names.iter().enumerate() {
        assert_eq!(table::find(name), Some(BuiltinId(index as u16)), "{name}");
        assert_eq!(super::name(BuiltinId(index as u16)), *name);
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count < usize::from(u16::MAX >> 2));
}

#[test]
fn every_signature_has_instances_that_resolve_to_themselves() {
    let options = Options::default().with_cl_std(ClStd::CL3_0);
    for (index, row) in table::TABLE.iter().enumerate() {
        for sig in row.sigs {
            let mut instances = 0;
            for instance in sig.instances() {
                instances += 1;
                let mut types = TypeTable::new();
                let Some(arguments) = arguments_of(sig, instance, &mut types) else { continue };
                let given: Vec<Argument> = arguments.iter().map(|ty| (*ty).into()).collect();
                match resolve(row.name, &given, &mut types, &options) {
                    Resolution::Found { id, result, parameters, .. } => {
                        assert_eq!(usize::from(id.0), index);
                        let first = arguments.first().copied();
                        assert_eq!(result, sig.result.of(instance).intern(&mut types, first), "{}", row.name);
                        assert_eq!(parameters.len(), arguments.len());
                    }
                    other => panic!("{}: {other:?}", sig.spelling(row.name, instance)),
                }
            }
            assert!(instances > 0, "{}", row.name);
        }
    }
}

/// Arguments of exactly the types of an instance; `None` for images, which this test does not make.
fn arguments_of(sig: &pattern::Sig, instance: pattern::Instance, types: &mut TypeTable) -> Option<Vec<QualTy>> {
    let make = |param: &pattern::Pattern| {
        let ty = match param.of(instance) {
            pattern::Param::Image(..) => return None,
            pattern::Param::Ptr(_, _, spaces) => {
                let space = match spaces {
                    pattern::CONSTANT => AddressSpace::Constant,
                    spaces if spaces & pattern::GLOBAL != 0 => AddressSpace::Global,
                    spaces if spaces & pattern::PRIVATE != 0 => AddressSpace::Private,
                    _ => AddressSpace::Local,
                };
                let any = types.pointer_to(QualTy::plain(Ty::INT).in_space(space));
                param.of(instance).intern(types, Some(QualTy::plain(any)))
            }
            other => other.intern(types, None),
        };
        Some(QualTy::plain(ty))
    };
    sig.params.iter().map(make).collect()
}

#[test]
fn floats_are_told_from_each_other() {
    assert_eq!(Scalar::Float(FloatKind::Half).size(), 2);
    let (resolution, mut types) = resolve_text("exp(half)", &Options::default());
    let expected = types.vector(Scalar::Float(FloatKind::Half), 1);
    assert!(matches!(resolution, Resolution::Found { result, .. } if result == expected));
}
