//! "did you mean": the nearest name by edit distance.

/// The candidate nearest to `name`, if near enough to be a typing slip.
pub(super) fn nearest<'t>(name: &str, candidates: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let limit = (name.len() / 3).min(3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let bound = best.map_or(limit, |(distance, _)| distance.saturating_sub(1));
        if candidate.len().abs_diff(name.len()) > bound || candidate == name || bound == 0 {
            continue;
        }
        let distance = distance(name.as_bytes(), candidate.as_bytes());
        if distance <= bound {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Levenshtein distance.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances() {
        assert_eq!(distance(b"kitten", b"sitting"), 3);
        assert_eq!(distance(b"", b"abc"), 3);
    }

    #[test]
    fn near_names() {
        assert_eq!(nearest("lenght", ["width", "length"].into_iter()), Some("length"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
        assert_eq!(nearest("alpha", ["omega"].into_iter()), None);
    }
}
