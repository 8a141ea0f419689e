//! Sources of any size for the measurement of compile time against size.

use std::fmt::Write;

/// How much of a generated source its kernels use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Every function is called by a kernel.
    All,
    /// One kernel calls a few of the functions, as in real programs built from large headers.
    Little,
}

/// Functions that one kernel calls.
const GROUP: usize = 8;
/// Lines of [`function`]'s text and its share of a kernel.
const LINES: usize = 20;

/// OpenCL C of about `lines` lines.
pub fn source(lines: usize, reach: Reach) -> String {
    let count = (lines / LINES).max(GROUP);
    let mut text = String::new();
    for index in 0..count {
        function(&mut text, index);
        let last = index + 1 == count;
        if last || (reach == Reach::All && index % GROUP == GROUP - 1) {
            kernel(&mut text, index + 1 - GROUP.min(index % GROUP + 1), index);
        }
    }
    text
}

fn function(text: &mut String, index: usize) {
    let (a, b) = (index % 13 + 1, index % 7 + 2);
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "typedef struct {{ float4 lane; int hits[4]; }} state_{index};

static float helper_{index}(__global const float *in, int n, state_{index} *state)
{{
    float sum = 0.0f;
    for (int i = 0; i < {b}; ++i) {{
        const float v = in[(n + i * {a}) & 255];
        if (v > {a}.5f || (i & 1) == 0)
            sum += v * {a}.25f - sum / {b}.0f;
        else
            sum -= mad(v, {b}.0f, (float)(n ^ i));
        state->hits[i & 3] += (n >> {b}) % {a};
    }}
    state->lane.xy = (float2)(sum, sum * 0.5f) + state->lane.zw;
    return sum + state->lane.x * (float)state->hits[n & 3];
}}

"
    );
}

fn kernel(text: &mut String, first: usize, last: usize) {
    let _ = write!(
        text,
        "__kernel void kernel_{last}(__global const float *in, __global float *out)\n{{\n    \
         const int n = get_global_id(0);\n    float sum = 0.0f;\n"
    );
    for index in first..=last {
        let _ = writeln!(
            text,
            "    {{ state_{index} s = {{ (float4)(0.0f), {{ 0, 0, 0, 0 }} }}; sum += helper_{index}(in, n, &s); }}"
        );
    }
    text.push_str("    out[n] = sum;\n}\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_about_right_and_doubles() {
        let lines = |n, reach| source(n, reach).lines().count();
        let (small, large) = (lines(4000, Reach::All), lines(8000, Reach::All));
        assert!((3000..5000).contains(&small), "{small}");
        assert!(large.abs_diff(2 * small) < 100, "{small} {large}");
        assert!(lines(4000, Reach::Little) < small);
    }

    #[test]
    fn kernels_call_every_function_or_few() {
        let calls = |reach| source(4000, reach).matches("+= helper_").count();
        assert_eq!(calls(Reach::All), 4000 / LINES);
        assert!(calls(Reach::Little) <= GROUP);
    }
}
