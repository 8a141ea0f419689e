//! The module's interface as `NonSemantic.ClspvReflection` instructions, revision 5.

use crate::emit::common::ModuleBuilder;
use crate::interface::bounds::{self, Bounds};
use crate::interface::{
    Accesses, Argument, ArgumentBinding, ArgumentInfo, CapturedHandle, Descriptor, Element, ImageFact, ImageFactKind,
    KernelInterface, ModuleInterface, ProgramDataBinding, PushConstantKind, RecordLayout, ValueLayout, WrappedSampler,
    layouts,
};
use clforge_basic::narrow::to_u32;
use clforge_ir::{FunctionId, Module};
use rspirv::dr::Operand;
use rspirv::spirv::{self, NonsemanticClspvreflectionOp as Op, Word};
use rustc_hash::FxHashMap;
use typed_index_collections::TiSlice;

/// Bytes of program data in one string: two digits each and a terminator in at most 65,533 words (an instruction has at
/// most 65,535, two of which are not the string's).
const DATA_PART_BYTES: usize = 131_064;

struct Reflection<'m> {
    m: &'m mut ModuleBuilder,
    set: Word,
}

/// Appends the reflection of a module whose functions have these ids.
pub fn emit(
    m: &mut ModuleBuilder,
    interface: &ModuleInterface,
    module: &Module,
    functions: &TiSlice<FunctionId, Word>,
) {
    if !m.at_least(1, 6) {
        m.extension("SPV_KHR_non_semantic_info");
    }
    // Validators of today know no later revision; the instructions added since are ignored by who does not know them.
    let set = m.b.ext_inst_import("NonSemantic.ClspvReflection.5");
    let mut r = Reflection { m, set };
    let kernels = module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some());
    let kernels: FxHashMap<&str, FunctionId> = kernels.map(|(id, function)| (function.name.as_str(), id)).collect();
    let (mut arguments, mut samplers, mut iterations) = (Vec::new(), Vec::new(), Vec::new());
    let (mut accesses, mut nulls, mut marks) = (Vec::new(), Vec::new(), Vec::new());
    let (mut captured, mut iteration_bounds) = (Vec::new(), Vec::new());
    for kernel in &interface.kernels {
        if let Some(id) = kernels.get(kernel.name.as_str()) {
            let declaration = r.kernel(kernel, functions[*id]);
            let described = kernel.arguments.iter();
            let described =
                described.filter_map(|argument| Some((declaration, argument.ordinal, argument.layout.as_ref()?)));
            arguments.extend(described);
            iterations.extend(kernel.most_iterations.map(|count| (declaration, count)));
            iteration_bounds.extend(kernel.iteration_bound.as_ref().map(|bound| (declaration, bound)));
            accesses.extend(kernel.accesses.as_ref().map(|kernel| (declaration, kernel)));
            let facts = kernel.image_facts.iter().filter(|fact| fact.kind == ImageFactKind::NullPointer);
            nulls.extend(facts.map(|fact| (declaration, *fact)));
            marks.extend(kernel.enqueues.then_some((declaration, layouts::ENQUEUES)));
            marks.extend(kernel.is_block.then_some((declaration, layouts::BLOCK)));
            captured.extend(kernel.captured.iter().map(|handle| (declaration, *handle)));
            samplers.extend(kernel.wrapped_samplers.iter().map(|sampler| (declaration, *sampler)));
        }
    }
    r.launch(interface);
    r.data(interface);
    r.printf(interface);
    if let Some(bounds) = &interface.bounds {
        r.set = r.m.b.ext_inst_import(bounds::SET);
        r.bounds(bounds);
    }
    let says_more = !arguments.is_empty()
        || !nulls.is_empty()
        || !samplers.is_empty()
        || !iterations.is_empty()
        || !iteration_bounds.is_empty()
        || !accesses.is_empty()
        || !marks.is_empty();
    let offsets = [(layouts::LOOP_STATUS, interface.loop_status), (layouts::QUEUE_MEMORY, interface.queue_memory)];
    if says_more || offsets.iter().any(|(_, offset)| offset.is_some()) {
        r.set = r.m.b.ext_inst_import(layouts::SET);
        r.layouts(&interface.records, &arguments);
        r.wrapped_samplers(&samplers);
        for (kernel, ImageFact { ordinal, offset, at, .. }) in nulls {
            let place = at.map_or_else(Vec::new, |at| vec![at.set, at.binding]);
            let words = [&[ordinal, offset], &place[..]].concat();
            let words: Vec<Word> = words.iter().map(|word| r.m.constant_u32(*word)).collect();
            r.numbered(layouts::NULL_POINTER, &[&[kernel], &words[..]].concat());
        }
        for (kernel, count) in iterations {
            let count = r.m.constant_u32(count);
            r.numbered(layouts::ITERATIONS, &[kernel, count]);
        }
        for (kernel, bound) in iteration_bounds {
            let words: Vec<Word> = bound.to_words().iter().map(|word| r.m.constant_u32(*word)).collect();
            r.numbered(layouts::ITERATION_BOUND, &[&[kernel], &words[..]].concat());
        }
        for (kernel, accesses) in accesses {
            r.accesses(kernel, accesses);
        }
        for (kernel, mark) in marks {
            r.numbered(mark, &[kernel]);
        }
        for (kernel, CapturedHandle { ordinal, offset }) in captured {
            let [ordinal, offset] = [ordinal, offset].map(|number| r.m.constant_u32(number));
            r.numbered(layouts::CAPTURED, &[kernel, ordinal, offset]);
        }
        for (number, offset) in offsets {
            if let Some(offset) = offset {
                let offset = r.m.constant_u32(offset);
                r.numbered(number, &[offset]);
            }
        }
    }
}

impl Reflection<'_> {
    fn inst(&mut self, op: Op, args: &[Word]) -> Word {
        self.numbered(op as u32, args)
    }

    /// An instruction of the set that is written now.
    fn numbered(&mut self, number: u32, args: &[Word]) -> Word {
        let void = self.m.void();
        let mut operands = vec![Operand::IdRef(self.set), Operand::LiteralExtInstInteger(number)];
        operands.extend(args.iter().map(|arg| Operand::IdRef(*arg)));
        self.m.trailing(spirv::Op::ExtInst, void, operands)
    }

    /// An instruction whose operands are all 32-bit constants.
    fn words(&mut self, op: Op, words: &[u32]) -> Word {
        let ids: Vec<Word> = words.iter().map(|word| self.m.constant_u32(*word)).collect();
        self.inst(op, &ids)
    }

    fn accesses(&mut self, kernel: Word, accesses: &Accesses) {
        let arguments = accesses.arguments.iter().flat_map(|(ordinal, access)| [*ordinal, access.bits()]);
        let words = [accesses.other.bits()].into_iter().chain(arguments);
        let words: Vec<Word> = words.map(|word| self.m.constant_u32(word)).collect();
        self.numbered(layouts::ACCESSES, &[&[kernel], &words[..]].concat());
    }

    fn kernel(&mut self, kernel: &KernelInterface, function: Word) -> Word {
        let name = self.m.string(&kernel.name);
        let count = self.m.constant_u32(to_u32(kernel.arguments.len()));
        let flags = self.m.constant_u32(u32::from(kernel.uses_printf));
        let attributes = self.m.string(&kernel.attributes);
        let id = self.inst(Op::Kernel, &[function, name, count, flags, attributes]);
        for argument in &kernel.arguments {
            self.argument(id, argument);
        }
        for fact in &kernel.image_facts {
            let op = match fact.kind {
                // Of a set of our own.
                ImageFactKind::NullPointer => continue,
                ImageFactKind::ChannelOrder => Op::ImageArgumentInfoChannelOrderPushConstant,
                ImageFactKind::ChannelDataType => Op::ImageArgumentInfoChannelDataTypePushConstant,
                ImageFactKind::NormalizedSamplerMask => Op::NormalizedSamplerMaskPushConstant,
            };
            let words = [fact.ordinal, fact.offset, fact.size].map(|word| self.m.constant_u32(word));
            self.inst(op, &[id, words[0], words[1], words[2]]);
        }
        if let Some(size) = kernel.required_work_group_size {
            let mut args = vec![id];
            args.extend(size.map(|dim| self.m.constant_u32(dim)));
            self.inst(Op::PropertyRequiredWorkgroupSize, &args);
        }
        id
    }

    fn argument_info(&mut self, info: &ArgumentInfo) -> Word {
        let name = self.m.string(&info.name);
        let type_name = self.m.string(&info.type_name);
        let numbers = [info.address_qualifier, info.access_qualifier, info.type_qualifiers];
        let mut args = vec![name, type_name];
        args.extend(numbers.map(|number| self.m.constant_u32(number)));
        self.inst(Op::ArgumentInfo, &args)
    }

    fn argument(&mut self, kernel: Word, argument: &Argument) {
        use ArgumentBinding as B;
        let at = |Descriptor { set, binding }: Descriptor| [set, binding];
        let (op, words): (Op, Vec<u32>) = match argument.binding {
            B::StorageBuffer(d) => (Op::ArgumentStorageBuffer, at(d).to_vec()),
            B::UniformBuffer(d) => (Op::ArgumentUniform, at(d).to_vec()),
            B::PodStorageBuffer { at: d, offset, size } => {
                (Op::ArgumentPodStorageBuffer, vec![d.set, d.binding, offset, size])
            }
            B::PodUniform { at: d, offset, size } => (Op::ArgumentPodUniform, vec![d.set, d.binding, offset, size]),
            B::PodPushConstant { offset, size } => (Op::ArgumentPodPushConstant, vec![offset, size]),
            B::PointerPushConstant { offset, size } => (Op::ArgumentPointerPushConstant, vec![offset, size]),
            B::PointerUniform { at: d, offset, size } => {
                (Op::ArgumentPointerUniform, vec![d.set, d.binding, offset, size])
            }
            B::Workgroup { spec_id, element_size } => (Op::ArgumentWorkgroup, vec![spec_id, element_size]),
            B::SampledImage(d) => (Op::ArgumentSampledImage, at(d).to_vec()),
            B::StorageImage(d) => (Op::ArgumentStorageImage, at(d).to_vec()),
            B::UniformTexelBuffer(d) => (Op::ArgumentUniformTexelBuffer, at(d).to_vec()),
            B::StorageTexelBuffer(d) => (Op::ArgumentStorageTexelBuffer, at(d).to_vec()),
            B::Sampler(d) => (Op::ArgumentSampler, at(d).to_vec()),
        };
        let mut args = vec![kernel, self.m.constant_u32(argument.ordinal)];
        args.extend(words.iter().map(|word| self.m.constant_u32(*word)));
        if let Some(info) = &argument.info {
            args.push(self.argument_info(info));
        }
        self.inst(op, &args);
    }

    fn launch(&mut self, interface: &ModuleInterface) {
        if let Some(ids) = interface.work_group_size_spec_ids {
            self.words(Op::SpecConstantWorkgroupSize, &ids);
        }
        if let Some(id) = interface.work_dim_spec_id {
            self.words(Op::SpecConstantWorkDim, &[id]);
        }
        for constant in &interface.push_constants {
            let op = match constant.kind {
                PushConstantKind::GlobalOffset => Op::PushConstantGlobalOffset,
                PushConstantKind::EnqueuedLocalSize => Op::PushConstantEnqueuedLocalSize,
                PushConstantKind::GlobalSize => Op::PushConstantGlobalSize,
                PushConstantKind::RegionOffset => Op::PushConstantRegionOffset,
                PushConstantKind::NumWorkgroups => Op::PushConstantNumWorkgroups,
                PushConstantKind::RegionGroupOffset => Op::PushConstantRegionGroupOffset,
                PushConstantKind::WorkDim => continue,
            };
            self.words(op, &[constant.offset, constant.size]);
        }
    }

    fn printf(&mut self, interface: &ModuleInterface) {
        let Some(buffer) = interface.printf.buffer else { return };
        for format in &interface.printf.formats {
            let text = self.m.string(&format.text);
            let mut args = vec![self.m.constant_u32(format.id), text];
            args.extend(format.argument_sizes.iter().map(|size| self.m.constant_u32(*size)));
            self.inst(Op::PrintfInfo, &args);
        }
        match buffer.binding {
            ProgramDataBinding::PushConstantPointer { offset, size } => {
                self.words(Op::PrintfBufferPointerPushConstant, &[offset, size, buffer.size]);
            }
            ProgramDataBinding::StorageBuffer(at) => {
                self.words(Op::PrintfBufferStorageBuffer, &[at.set, at.binding, buffer.size]);
            }
            ProgramDataBinding::UniformBuffer(_) => {}
        }
    }

    fn bounds(&mut self, bounds: &Bounds) {
        let words = [bounds.offset, bounds.ranges, u32::from(bounds.has_shadows)].map(|word| self.m.constant_u32(word));
        self.numbered(bounds::BUFFER, &words);
        for site in &bounds.sites {
            let file = self.m.string(&site.file);
            let argument = site.argument.unwrap_or(bounds::NO_ARGUMENT);
            let numbers = [site.line, site.column, site.bytes, site.kind.number(), argument];
            let mut args = vec![file];
            args.extend(numbers.map(|number| self.m.constant_u32(number)));
            args.push(self.m.string(&site.variable));
            args.push(self.m.constant_u32(site.memory.number()));
            args.push(self.m.string(&site.text));
            let (first, end) = site.marked;
            args.extend([first, end, site.check.number()].map(|number| self.m.constant_u32(number)));
            self.numbered(bounds::SITE, &args);
        }
    }

    /// Records, and what arguments are made of: (kernel, ordinal, layout).
    fn layouts(&mut self, records: &[RecordLayout], arguments: &[(Word, u32, &ValueLayout)]) {
        let mut ids = Vec::with_capacity(records.len());
        for record in records {
            let name = self.m.string(&record.name);
            let numbers = [record.size, u32::from(record.is_union)].map(|number| self.m.constant_u32(number));
            let id = self.numbered(layouts::RECORD, &[name, numbers[0], numbers[1]]);
            for member in &record.members {
                let name = self.m.string(&member.name);
                let mut operands = vec![id, name, self.m.constant_u32(member.offset)];
                operands.extend(self.value_layout(&member.value, &ids));
                self.numbered(layouts::MEMBER, &operands);
            }
            ids.push(id);
        }
        for (kernel, ordinal, layout) in arguments {
            let mut operands = vec![*kernel, self.m.constant_u32(*ordinal)];
            operands.extend(self.value_layout(layout, &ids));
            self.numbered(layouts::ARGUMENT, &operands);
        }
    }

    /// The constants by which kernels wrap coordinates, each with its kernel.
    fn wrapped_samplers(&mut self, samplers: &[(Word, WrappedSampler)]) {
        for (kernel, WrappedSampler { ordinal, spec_id }) in samplers {
            let numbers = [*ordinal, *spec_id].map(|number| self.m.constant_u32(number));
            self.numbered(layouts::WRAPPED_SAMPLER, &[*kernel, numbers[0], numbers[1]]);
        }
    }

    /// An element, which may be one of the records, its size, and the lengths of an array.
    fn value_layout(&mut self, value: &ValueLayout, records: &[Word]) -> Vec<Word> {
        let element = match &value.element {
            Element::BuiltIn(name) => self.m.string(name),
            // A record is behind those that it contains.
            Element::Record(index) => records.get(*index as usize).copied().unwrap_or_default(),
        };
        let numbers = [value.size].into_iter().chain(value.lengths.iter().copied());
        let numbers: Vec<Word> = numbers.map(|number| self.m.constant_u32(number)).collect();
        [element].into_iter().chain(numbers).collect()
    }

    fn data(&mut self, interface: &ModuleInterface) {
        for data in &interface.program_data {
            let is_plain = !data.writable && data.relocations.is_empty();
            let (op, place) = match (data.binding, is_plain) {
                (ProgramDataBinding::PushConstantPointer { offset, size }, true) => {
                    (Op::ConstantDataPointerPushConstant, [offset, size])
                }
                (ProgramDataBinding::PushConstantPointer { offset, size }, false) => {
                    (Op::ProgramScopeVariablePointerPushConstant, [offset, size])
                }
                (ProgramDataBinding::StorageBuffer(at), true) => (Op::ConstantDataStorageBuffer, [at.set, at.binding]),
                (ProgramDataBinding::StorageBuffer(at), false) => {
                    (Op::ProgramScopeVariablesStorageBuffer, [at.set, at.binding])
                }
                (ProgramDataBinding::UniformBuffer(_), _) => continue,
            };
            // A string is limited by its instruction's length: longer data is stored in parts for the same place.
            for part in data.data.chunks(DATA_PART_BYTES) {
                let mut hex = String::with_capacity(part.len() * 2);
                for byte in part {
                    hex.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
                    hex.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
                }
                let text = self.m.b.string(hex);
                let place = place.map(|word| self.m.constant_u32(word));
                let args = [place[0], place[1], text];
                self.inst(op, &args);
            }
            for (at, target) in &data.relocations {
                self.words(Op::ProgramScopeVariablePointerRelocation, &[*target, *at, 8]);
            }
        }
        for sampler in &interface.literal_samplers {
            self.words(Op::LiteralSampler, &[sampler.at.set, sampler.at.binding, sampler.mask]);
        }
    }
}
