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
        let distance = strsim::levenshtein(name, candidate);
        if distance <= bound {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn distances() {
        // Three edits are too many for six letters, two are not.
        assert_eq!(nearest("kitten", ["sitting"].into_iter()), None);
        assert_eq!(nearest("kitten", ["sitten", "sittin"].into_iter()), Some("sitten"));
        assert_eq!(nearest("", ["abc"].into_iter()), None);
    }

    #[test]
    fn near_names() {
        assert_eq!(nearest("lenght", ["width", "length"].into_iter()), Some("length"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
        assert_eq!(nearest("alpha", ["omega"].into_iter()), None);
    }
}
