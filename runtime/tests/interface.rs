//! `ModuleInterface::from_spirv` on assembled modules, whole and damaged.

mod common;

use clforge_compiler::interface::{
    Argument, ArgumentBinding, ArgumentInfo, Descriptor, Element, InterfaceError, KernelInterface, MemberLayout,
    ModuleInterface, ProgramData, ProgramDataBinding, PushConstant, PushConstantKind, RecordLayout, ValueLayout,
};
use common::module;

fn read(name: &str) -> ModuleInterface {
    ModuleInterface::from_spirv(&module(name)).unwrap()
}

#[test]
fn arguments_in_push_constants_with_names() {
    let module = read("vector_add");
    let pointer = |offset| ArgumentBinding::PointerPushConstant { offset, size: 8 };
    let bindings = [pointer(16), pointer(24), pointer(32), ArgumentBinding::PodPushConstant { offset: 40, size: 4 }];
    let infos = [
        ("a", "float*", 0x119B, 1),
        ("b", "float*", 0x119B, 1),
        ("c", "float*", 0x119B, 0),
        ("scale", "float", 0x119E, 0),
    ];
    let arguments = (0..).zip(bindings).zip(infos).map(|((ordinal, binding), info)| {
        let (name, type_name, address_qualifier, type_qualifiers) = info;
        let (name, type_name) = (name.into(), type_name.into());
        let mut argument = Argument::new(ordinal, binding);
        argument.info =
            Some(ArgumentInfo { name, type_name, address_qualifier, access_qualifier: 0x11A3, type_qualifiers });
        argument
    });
    let mut expected = KernelInterface::default();
    expected.name = "vector_add".into();
    expected.arguments = arguments.collect();
    expected.declared_arguments = 4;
    assert_eq!(module.kernels, [expected]);
    let region_offset = PushConstant { kind: PushConstantKind::RegionOffset, offset: 0, size: 12 };
    assert_eq!(module.push_constants, [region_offset]);
    assert_eq!(module.work_group_size_spec_ids, Some([0, 1, 2]));
}

#[test]
fn local_arguments_and_the_nd_range() {
    let module = read("ids");
    let kernel = &module.kernels[0];
    assert_eq!(kernel.arguments[1], Argument::new(1, ArgumentBinding::Workgroup { spec_id: 4, element_size: 4 }));
    assert_eq!((kernel.declared_arguments, kernel.argument_count()), (0, 2));
    let kinds: Vec<_> = module.push_constants.iter().map(|constant| (constant.kind, constant.offset)).collect();
    use PushConstantKind as K;
    let expected = [
        (K::RegionOffset, 0),
        (K::RegionGroupOffset, 16),
        (K::EnqueuedLocalSize, 32),
        (K::NumWorkgroups, 48),
        (K::GlobalOffset, 64),
        (K::GlobalSize, 80),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(module.work_dim_spec_id, Some(3));
}

#[test]
fn descriptors_unused_arguments_and_constant_data() {
    let module = read("descriptors");
    let at = |set, binding| Descriptor { set, binding };
    let arguments = [
        Argument::new(0, ArgumentBinding::StorageBuffer(at(0, 0))),
        Argument::new(1, ArgumentBinding::PodUniform { at: at(0, 3), offset: 4, size: 4 }),
    ];
    assert_eq!(module.kernels[0].arguments, arguments);
    assert_eq!(module.kernels[0].argument_count(), 3);
    assert_eq!(module.kernels[0].argument(2), None);
    assert_eq!(module.kernels[1].required_work_group_size, Some([8, 4, 1]));
    let table = ProgramData {
        binding: ProgramDataBinding::StorageBuffer(at(2, 0)),
        data: vec![10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 40, 0, 0, 0],
        relocations: vec![],
        writable: false,
    };
    assert_eq!(module.program_data, [table]);
}

#[test]
fn program_scope_variables_with_relocations() {
    let module = read("program_scope");
    let data = &module.program_data[0];
    assert_eq!(data.binding, ProgramDataBinding::PushConstantPointer { offset: 8, size: 8 });
    assert_eq!((data.writable, data.data.len(), &data.relocations[..]), (true, 16, &[(0, 12)][..]));
}

#[test]
fn no_module_and_no_reflection() {
    assert_eq!(ModuleInterface::from_spirv(&[]), Err(InterfaceError::NotSpirv));
    assert_eq!(ModuleInterface::from_spirv(&[0x0723_0203, 0x10000]), Err(InterfaceError::NotSpirv));
    let empty = [0x0723_0203, 0x10000, 0, 1, 0];
    assert_eq!(ModuleInterface::from_spirv(&empty), Err(InterfaceError::NoReflection));
    let zero_length = [0x0723_0203, 0x10000, 0, 1, 0, 7];
    assert!(matches!(ModuleInterface::from_spirv(&zero_length), Err(InterfaceError::Malformed { word: 5, .. })));
}

/// Every prefix, and every word replaced by values that are likely to hurt: an answer each time, whatever it is.
#[test]
fn damaged_modules_do_not_panic() {
    for name in ["vector_add", "descriptors", "program_scope"] {
        let words = module(name);
        for length in 0..words.len() {
            let _ = ModuleInterface::from_spirv(&words[..length]);
        }
        let mut damaged = words.clone();
        for at in 0..words.len() {
            for value in [0, 1, u32::MAX, 0x0001_0000, 0xFFFF_000C, words[at] ^ 1, words[at] ^ 0x0001_0000] {
                damaged[at] = value;
                let _ = ModuleInterface::from_spirv(&damaged);
            }
            damaged[at] = words[at];
        }
    }
}

/// The module of a kernel whose argument `c` is described by these instructions.
fn with_layouts(instructions: &str) -> Vec<u32> {
    let text = common::assembly("vector_add");
    let set = "%layouts = OpExtInstImport \"NonSemantic.ClforgeLayouts.1\"\n OpMemoryModel";
    let strings = "%s_int = OpString \"int\"\n %s_s = OpString \"struct s\"\n OpDecorate %gid";
    let text = text.replacen("OpMemoryModel", set, 1).replacen("OpDecorate %gid", strings, 1);
    common::assemble(&(text + instructions), "vulkan1.2")
}

/// struct s { int a; int b[3]; }; global struct s (*c)[2]
const LAYOUT: &str = "
    %s = OpExtInst %void %layouts 1 %s_s %u16 %u0
    %m0 = OpExtInst %void %layouts 2 %s %a_str %u0 %s_int %u4
    %m1 = OpExtInst %void %layouts 2 %s %b_str %u4 %s_int %u4 %u3
    %arg = OpExtInst %void %layouts 3 %kernel %u2 %s %u16 %u2\n";

#[test]
fn layouts_of_arguments() {
    let module = ModuleInterface::from_spirv(&with_layouts(LAYOUT)).unwrap();
    let int =
        |lengths: &[u32]| ValueLayout { element: Element::BuiltIn("int".into()), size: 4, lengths: lengths.into() };
    let members = vec![
        MemberLayout { name: "a".into(), offset: 0, value: int(&[]) },
        MemberLayout { name: "b".into(), offset: 4, value: int(&[3]) },
    ];
    assert_eq!(module.records, [RecordLayout { name: "struct s".into(), is_union: false, size: 16, members }]);
    let layout = ValueLayout { element: Element::Record(0), size: 16, lengths: vec![2] };
    assert_eq!(module.kernels[0].arguments[2].layout, Some(layout));
    assert_eq!(module.kernels[0].arguments[1].layout, None);
}

/// What a host could not trust is an error, and damage anywhere is an answer.
#[test]
fn damaged_layouts() {
    for (from, to, problem) in [
        ("%b_str %u4 %s_int", "%b_str %u8 %s_int", "a member is outside of its record"),
        ("%u4 %s_int %u4 %u3", "%global %s_int %u4 %u3", "a member is outside of its record"),
        ("%u0 %s_int %u4", "%u0 %s %u16", "a record contains itself"),
        ("%kernel %u2 %s %u16", "%kernel %u2 %s %u12", "the sizes of a record differ"),
        ("%kernel %u2 %s", "%kernel %u4 %s", "the kernel has no argument 4"),
        ("2 %s %a_str", "2 %kernel %a_str", "the member is not of the last record"),
        ("%u16 %u2\n", "%u16 %global %global %global\n", "a value has more than 32 bits of bytes"),
        ("%s_int %u4 %u3", "%u4 %u4 %u3", "is not a string"),
    ] {
        assert!(LAYOUT.contains(from), "{from}");
        let error = ModuleInterface::from_spirv(&with_layouts(&LAYOUT.replace(from, to))).unwrap_err();
        assert!(error.to_string().contains(problem), "{to}: {error}");
    }
    let words = with_layouts(LAYOUT);
    let mut damaged = words.clone();
    for at in 0..words.len() {
        for value in [0, 1, u32::MAX, words[at] ^ 1, words[at] ^ 0x0001_0000] {
            damaged[at] = value;
            let _ = ModuleInterface::from_spirv(&damaged);
        }
        damaged[at] = words[at];
    }
}
