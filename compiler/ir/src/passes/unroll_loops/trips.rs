//! An upper bound of the number of iterations of a loop.

use super::counted::Counter;
use crate::analysis::LoopShape;
use crate::pass::FunctionContext;
use crate::*;

/// The most iterations of a loop whose counter begins and ends with constants, the last test included; `None` where they are not
/// known, or the counter may pass its bound by wrapping around.
pub fn most_trips(function: &Function, context: &FunctionContext<'_>, id: InstId) -> Option<u64> {
    use CompareOp::*;
    let shape = LoopShape::of(function, id)?;
    let counter = Counter::of(function, context, &shape)?;
    let step = counter.step.constant().filter(|step| *step != 0)?;
    let own = function.ty(counter.param).scalar;
    let is_signed = matches!(counter.op, SLt | SLe | SGt | SGe);
    let number = |value: Value| {
        let (scalar, bits) = (function.ty(value).scalar, function.as_int(value)?);
        Some(if is_signed { i128::from(constant::sign_extend(scalar, bits)) } else { i128::from(bits) })
    };
    let (from, to) = (number(*shape.inits.get(counter.index)?)?, number(counter.bound)?);
    let bits = own.bits();
    let (least, most) =
        if is_signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let step = i128::from(step);
    if counter.op == Ne {
        // It goes around until it meets the bound.
        let distance = ((to - from) * step).rem_euclid(1 << bits);
        return u64::try_from(distance).ok()?.checked_add(1);
    }
    // The first value past the bound must be one that the counter can have.
    if !(least..=most).contains(&(to + step)) {
        return None;
    }
    let distance = ((to - from) * step.signum()).max(-1) + 1;
    u64::try_from(distance / step.abs() + 2).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::FunctionEffects;
    use crate::read::read;

    /// The most iterations of a loop that counts from, to, and by constants.
    fn of(from: i64, compare: &str, to: i64, step: i64) -> Option<u64> {
        let text = format!(
            "func @f() -> i32 {{
  %0: i32 = loop (i32 {from}) (%1: i32) {{
    %2: bool = {compare} %1, i32 {to}
    if %2 {{
      yield
    }} else {{
      break %1
    }}
    continue %1
  }} continuing (%3: i32) {{
    %4: i32 = add %3, i32 {step}
    next %4
  }}
  return %0
}}
"
        );
        let module = read(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let options = Default::default();
        let Module { functions, variables, globals, .. } = &module;
        let effects = FunctionEffects::of(&module);
        let context = FunctionContext { options: &options, variables, globals, effects };
        let function = functions.first().unwrap();
        let mut found = None;
        function.walk_body(|id, inst| found = if matches!(inst.op, Op::Loop { .. }) { Some(id) } else { found });
        most_trips(function, &context, found.unwrap())
    }

    #[test]
    fn as_many_as_the_loop_makes_or_a_few_more() {
        let cases = [(0, "slt", 10, 1), (3, "sle", 10, 2), (10, "sgt", -10, -3), (0, "ne", 5, 1), (5, "slt", 0, 1)];
        for (from, compare, to, step) in cases {
            let goes_on = |i: i64| match compare {
                "slt" => i < to,
                "sle" => i <= to,
                "sgt" => i > to,
                _ => i != to,
            };
            let (mut at, mut tests) = (from, 1);
            while goes_on(at) {
                (at, tests) = (at + step, tests + 1);
            }
            let found = of(from, compare, to, step).unwrap();
            assert!((tests..tests + 4).contains(&found), "{from} {compare} {to} by {step}: {found}, not {tests}");
        }
        assert_eq!(of(2, "ne", 1, 1), Some(1 << 32), "it goes around");
    }

    #[test]
    fn not_where_the_counter_may_miss_its_bound() {
        assert_eq!(of(0, "sle", 0x7fff_ffff, 1), None);
        assert_eq!(of(0, "slt", 0x7fff_ffff, 2), None);
        assert_eq!(of(0, "ult", -1, 2), None);
        assert!(of(0, "slt", 0x7fff_fffd, 2).is_some());
        // Of a bound that is large without its sign.
        assert!(of(0, "ult", -2, 1).is_some_and(|most| most > 0xffff_0000));
    }
}
