//! Plots of many values of one kind: a line for each series, a dot for each value. They are SVG that takes its colours from the page
//! where it is a part of one, and from the reader's choice of a light or dark scheme where it is a file.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 20.0;
const ROW: f64 = 58.0;
const TOP: f64 = 12.0;
/// Characters of a label.
const MOST: usize = 90;
/// The style of a file: a page has its own colour of text.
const STYLE: &str =
    "<style>.plot{color:#333}@media (prefers-color-scheme: dark){.plot{color:#ddd;background:#161923}}</style>";

/// One line of a plot.
pub struct Series {
    pub label: String,
    /// A name for each value.
    pub values: Vec<(String, f64)>,
    /// The value that is marked, with its meaning.
    pub mark: Option<(f64, String)>,
}

/// What all lines have in common.
pub struct Axis {
    pub title: String,
    /// The values that the axis names, from its left to its right end.
    pub ticks: Vec<f64>,
    /// The value with a line through all series.
    pub reference: f64,
    pub is_logarithmic: bool,
}

impl Axis {
    /// Where a value stands; values beyond an end of the axis stand at it.
    fn place(&self, value: f64) -> f64 {
        let of = |value: f64| if self.is_logarithmic { value.max(1e-9).ln() } else { value };
        let (first, last) = (self.ticks.first().map_or(0.0, |v| of(*v)), self.ticks.last().map_or(1.0, |v| of(*v)));
        LEFT + ((of(value) - first) / (last - first)).clamp(0.0, 1.0) * (WIDTH - 2.0 * LEFT)
    }
}

/// The picture.
pub fn plot(axis: &Axis, series: &[Series]) -> String {
    let bottom = TOP + ROW * series.len() as f64;
    let height = bottom + 44.0;
    let mut text = format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"currentColor\">\n{STYLE}\n<title>{}</title>\n",
        escaped(&axis.title)
    );
    for tick in &axis.ticks {
        let x = axis.place(*tick);
        let dashes = if *tick == axis.reference { "" } else { " stroke-dasharray=\"2 4\" opacity=\"0.5\"" };
        let _ = writeln!(text, "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"currentColor\"{dashes}/>");
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>", bottom + 16.0);
    }
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", bottom + 36.0, escaped(&axis.title));
    for (row, series) in series.iter().enumerate() {
        line(axis, series, TOP + ROW * row as f64, &mut text);
    }
    text.push_str("</svg>\n");
    text
}

/// The label, dots and mark of a series, below `top`.
fn line(axis: &Axis, series: &Series, top: f64, text: &mut String) {
    let mark = series.mark.as_ref().map_or_else(String::new, |(value, _)| format!("{value:.2}: "));
    let label = escaped(&(mark + &shortened(&series.label)));
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{:.1}\">{label}</text>", top + 14.0);
    for (index, (name, value)) in series.values.iter().enumerate() {
        // Dots of equal values stand below each other.
        let (x, y) = (axis.place(*value), top + 24.0 + 5.0 * (index % 5) as f64);
        let name = escaped(&format!("{name}: {value:.2}"));
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#3b82f6\" opacity=\"0.7\"><title>{name}</title></circle>"
        );
    }
    if let Some((value, _)) = series.mark {
        let x = axis.place(value);
        let _ = writeln!(text, "<path d=\"M{x:.1} {:.1}v30\" stroke=\"#f97316\" stroke-width=\"3\"/>", top + 19.0);
    }
}

/// A label without what stands in parentheses, and as long as a line.
fn shortened(label: &str) -> String {
    let mut depth = 0;
    let mut kept = String::new();
    for character in label.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 => kept.push(character),
            _ => {}
        }
    }
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",");
    if kept.chars().count() <= MOST { kept } else { kept.chars().take(MOST).chain(['…']).collect() }
}

/// A plot as a part of a page, whose colours it takes, and which scrolls it where it is too narrow.
pub fn inline(picture: &str) -> String {
    format!("<div class=\"plot-wrapper\">\n{}</div>\n\n", picture.replace(&format!("{STYLE}\n"), ""))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        let axis = Axis { title: "a".into(), ticks: vec![0.5, 1.0, 2.0], reference: 1.0, is_logarithmic: true };
        let middle = axis.place(1.0);
        assert!((middle - WIDTH / 2.0).abs() < 1e-9 && axis.place(9.0) == WIDTH - LEFT && axis.place(0.0) == LEFT);
        let series = Series { label: "s<".into(), values: vec![("k".into(), 1.0)], mark: Some((1.0, "mean".into())) };
        let picture = plot(&axis, &[series]);
        assert_eq!(shortened("a (b, (c)) , d"), "a, d");
        assert!(picture.contains("1.00: s&lt;") && picture.contains("<title>k: 1.00</title>"));
        assert!(picture.contains("<style>") && !inline(&picture).contains("<style>"));
    }
}
