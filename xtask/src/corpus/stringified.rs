//! Kernels that their host program includes as a string: `MACRO(` source `)` with `#define MACRO(...) #__VA_ARGS__`.
//!
//! Such a file is no OpenCL C yet. The C preprocessor makes it one string: comments and line breaks become spaces, a
//! backslash at the end of a line goes, and
//! a `\n` that is written out becomes the line break.

/// The source that the host program gets, if the whole file is the argument of one macro.
pub fn unwrap(text: &str) -> Option<String> {
    let text = without_comments(&text.replace("\\\r\n", "").replace("\\\n", ""));
    let (name, rest) = text.trim().split_once('(')?;
    let name = name.trim_end();
    let is_macro = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let argument = rest.strip_suffix(')')?;
    if !is_macro || !argument.contains('{') {
        return None;
    }
    Some(argument.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\n", "\n"))
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        rest = if from.starts_with("//") {
            from.find('\n').map_or("", |end| &from[end..])
        } else if from.starts_with("/*") {
            kept.push(' ');
            from.find("*/").map_or("", |end| &from[end + 2..])
        } else {
            kept.push('/');
            &from[1..]
        };
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_macro_is_unwrapped() {
        let text = "// head\nSTRING_OF(\n\\n#define A \\\n1 // one\n\\n#define B 2\n\\n\nint f(int a, /* why */ int b)\n{ return a / b; }\n)\n";
        let source = unwrap(text).unwrap_or_default();
        assert_eq!(source.trim(), "#define A 1 \n#define B 2 \n int f(int a, int b) { return a / b; }");
        assert_eq!(unwrap("kernel void k(global int *a) { a[0] = 1; }"), None);
        assert_eq!(unwrap("FUNCTION(int, f)"), None);
    }
}
