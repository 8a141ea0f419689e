//! What records what sanitizers find in a running kernel: at once, or where the kernel ends.

use super::findings_buffer::FindingsBuffer;
use super::first_findings::FirstFindings;
use crate::interface::ModuleInterface;
use clforge_basic::options::Options;
use clforge_basic::tuning::Tuning;
use clforge_ir::*;
use smallvec::smallvec;

/// What records findings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorder {
    pub buffer: FindingsBuffer,
    /// How many ranges the host gives.
    pub ranges: u32,
    /// (what, end, site): records a finding.
    record: FunctionId,
    /// Where findings are noted until the kernel ends, if they are.
    first: Option<FirstFindings>,
}

impl Recorder {
    /// Appends the function that records, to a module whose interface has a buffer for it.
    pub fn new(module: &mut Module, interface: &ModuleInterface, options: &Options) -> Result<Recorder, Error> {
        let buffer = FindingsBuffer::of(module, interface, options)?;
        let ranges = interface.bounds.as_ref().map_or(0, |bounds| bounds.ranges);
        let mut function = Function::new("bounds_record");
        let [what, end] = [(); 2].map(|()| function.add_param(Type::I64));
        let site = function.add_param(Type::I32);
        let mut b = Builder::new(&mut function);
        buffer.count(&mut b, [what, end, site]);
        b.effect(Op::Return(None));
        let record = module.functions.push_and_get_key(function);
        let is_late = options.codegen.tuning.contains(Tuning::LAVAPIPE_FIRST_FINDINGS);
        let first = is_late.then(|| FirstFindings::of(module));
        Ok(Recorder { buffer, ranges, record, first })
    }

    /// Records (what, end, site) if it is not good, now or where the kernel ends.
    pub fn record_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        if !self.note_unless(b, good, what) {
            self.record_now_unless(b, good, what);
        }
    }

    /// Records (what, end, site) now if it is not good.
    pub fn record_now_unless(self, b: &mut Builder<'_>, good: Value, what: [Value; 3]) {
        let then = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        let otherwise = b.nested(|b| {
            self.record(b, what);
            b.effect(Op::Yield(smallvec![]));
        });
        b.effect(Op::If { condition: good, then, otherwise });
    }

    /// Notes (what, end, site) if it is not good, where findings are noted; whether they are.
    pub fn note_unless(self, b: &mut Builder<'_>, good: Value, [what, end, site]: [Value; 3]) -> bool {
        let site = b.function.as_int(site).and_then(|site| u32::try_from(site).ok());
        let (Some(first), Some(site)) = (self.first, site) else { return false };
        first.note_unless(b, good, [what, end], site)
    }

    /// Records (what, end, site).
    pub fn record(self, b: &mut Builder<'_>, what: [Value; 3]) {
        b.call(self.record, &what, None);
    }
}
