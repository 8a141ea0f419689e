//! Dependency files: rules for Make and Ninja, in the very form that clang writes.

/// Columns of a line.
const MAX_COLUMNS: usize = 75;

/// The rule that makes `targets`, which are quoted already, of `files`.
pub fn rule<'f>(targets: &[String], files: impl Iterator<Item = &'f str> + Clone, phony: bool) -> String {
    let mut text = String::new();
    let mut columns = 0;
    for (index, target) in targets.iter().enumerate() {
        match index {
            0 => columns += target.len(),
            _ if columns + target.len() + 2 > MAX_COLUMNS => {
                text += " \\\n  ";
                columns = target.len() + 2;
            }
            _ => {
                text.push(' ');
                columns += target.len() + 1;
            }
        }
        text += target;
    }
    text.push(':');
    columns += 1;
    for file in files.clone() {
        if columns + file.len() + 1 + 2 > MAX_COLUMNS {
            text += " \\\n ";
            columns = 2;
        }
        text.push(' ');
        text += &escaped(file);
        columns += file.len() + 1;
    }
    text.push('\n');
    // Rules without a recipe, so that a file that was removed does not stop Make.
    for file in files.skip(1).filter(|_| phony) {
        text += &format!("\n{}:\n", escaped(file));
    }
    text
}

/// A file's name as Make reads it.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    let mut backslashes = 0;
    for c in name.chars() {
        match c {
            '#' => out.push('\\'),
            ' ' => out.extend(std::iter::repeat_n('\\', backslashes + 1)),
            '$' => out.push('$'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

/// A target's name as Make reads it (`-MQ`).
pub fn quoted(target: &str) -> String {
    let mut out = String::new();
    let mut backslashes = 0;
    for c in target.chars() {
        match c {
            ' ' | '\t' => out.extend(std::iter::repeat_n('\\', backslashes + 1)),
            '$' => out.push('$'),
            '#' => out.push('\\'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What clang 15 writes for the same names, without the header of its own.
    #[test]
    fn rules_are_those_of_clang() {
        let files = [
            "my k.cl",
            "inc/a_rather_long_header_name_1.h",
            "inc/a_rather_long_header_name_2.h",
            "inc/with space.h",
            "inc/do$lar#hash.h",
            "inc/a_rather_long_header_name_3.h",
        ];
        let rules = rule(&["a b".into(), quoted("o$ u#t.o")], files.into_iter(), true);
        let expected = "a b o$$\\ u\\#t.o: my\\ k.cl inc/a_rather_long_header_name_1.h \\
  inc/a_rather_long_header_name_2.h inc/with\\ space.h inc/do$$lar\\#hash.h \\
  inc/a_rather_long_header_name_3.h

inc/a_rather_long_header_name_1.h:

inc/a_rather_long_header_name_2.h:

inc/with\\ space.h:

inc/do$$lar\\#hash.h:

inc/a_rather_long_header_name_3.h:
";
        assert_eq!(rules, expected);
    }
}
