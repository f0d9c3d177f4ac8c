//! Reads the text in which metrics are exported, so that the admin page shows the same numbers.

use std::collections::BTreeMap;

/// One line: a name, its labels and a number.
#[derive(Debug, PartialEq)]
struct Sample {
    name: String,
    labels: Vec<(String, String)>,
    value: f64,
}

/// The numbers of one moment.
#[derive(Default)]
pub(super) struct Figures(Vec<Sample>);

impl Figures {
    /// Parses the text; lines that are none are left out.
    pub(super) fn parse(text: &str) -> Figures {
        Figures(text.lines().filter(|line| !line.starts_with('#')).filter_map(sample).collect())
    }

    /// Sum of all samples of a name whose labels have these values.
    pub(super) fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let fits = |sample: &&Sample| labels.iter().all(|(label, value)| sample.label(label) == *value);
        // An empty sum of floats is -0.
        self.named(name).filter(fits).fold(0.0, |sum, sample| sum + sample.value)
    }

    /// Sums by the values of two labels, the largest first.
    pub(super) fn by(&self, name: &str, labels: [&str; 2]) -> Vec<([String; 2], f64)> {
        let mut sums: BTreeMap<[String; 2], f64> = BTreeMap::new();
        for sample in self.named(name) {
            *sums.entry(labels.map(|label| sample.label(label).to_owned())).or_default() += sample.value;
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by(|one, other| other.1.total_cmp(&one.1));
        sums
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Sample> {
        self.0.iter().filter(move |sample| sample.name == name)
    }
}

impl Sample {
    fn label(&self, name: &str) -> &str {
        self.labels.iter().find(|(label, _)| label == name).map_or("", |(_, value)| value)
    }
}

fn sample(line: &str) -> Option<Sample> {
    let (head, value) = line.rsplit_once(' ')?;
    let value = value.parse().ok()?;
    let Some((name, rest)) = head.split_once('{') else {
        return Some(Sample { name: head.into(), labels: Vec::new(), value });
    };
    let mut rest = rest.strip_suffix('}')?;
    let mut labels = Vec::new();
    while !rest.is_empty() {
        let (label, after) = rest.split_once("=\"")?;
        let mut text = String::new();
        let mut letters = after.char_indices();
        let end = loop {
            match letters.next()? {
                (at, '"') => break at,
                (_, '\\') => match letters.next()?.1 {
                    'n' => text.push('\n'),
                    letter => text.push(letter),
                },
                (_, letter) => text.push(letter),
            }
        };
        labels.push((label.into(), text));
        rest = after[end + 1..].trim_start_matches(',');
    }
    Some(Sample { name: name.into(), labels, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# HELP a_total Things\n# TYPE a_total counter\na_total{route=\"/v1\",status=\"200\"} 2\n\
                        a_total{route=\"/v1\",status=\"404\"} 3\na_total{route=\"/a\\\"}, \\\\b\",status=\"404\"} 1\nb 1.5\nnonsense\n\n";

    #[test]
    fn numbers_are_summed_by_their_labels() {
        let figures = Figures::parse(TEXT);
        assert_eq!(figures.sum("a_total", &[]), 6.0);
        assert_eq!(figures.sum("a_total", &[("status", "404")]), 4.0);
        assert_eq!(figures.sum("a_total", &[("route", "/a\"}, \\b")]), 1.0);
        assert_eq!((figures.sum("b", &[]), figures.sum("c", &[])), (1.5, 0.0));
        let by = figures.by("a_total", ["route", "status"]);
        assert_eq!(by[0], (["/v1".into(), "404".into()], 3.0));
        assert_eq!(by.len(), 3);
    }

    #[test]
    fn a_line_that_is_cut_off_is_left_out() {
        for line in ["a{b=\"c", "a{b=\"c\\", "a{b} 1", "a{b=\"c\" 1", "a x", ""] {
            assert_eq!(sample(line), None, "{line}");
        }
    }
}
