//! Counts of passed and failed tests, parsed from the summaries of the test runners.

use std::fmt;
use std::ops::AddAssign;

/// Test counts of one runner, or of all.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed, and steps that failed before their first test.
    pub failed: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl Tally {
    /// Sum of cargo's summary lines, one for each test binary.
    pub fn of_cargo(said: &str) -> Self {
        sum(said.lines().filter_map(|line| line.trim().strip_prefix("test result: ")).map(|line| counted(line, ';')))
    }

    /// Counts of Vitest's summary line for tests; the line above it counts files.
    pub fn of_vitest(said: &str) -> Self {
        sum(said.lines().filter_map(|line| line.trim().strip_prefix("Tests ")).map(|line| counted(line, '|')))
    }

    /// Counts of the last line in the form of this type's own output.
    pub fn of_sums(said: &str) -> Self {
        let sums = |line: &str| {
            let (passed, failed) = line.trim().strip_suffix(" failed")?.split_once(" passed, ")?;
            Some(Self { passed: passed.parse().ok()?, failed: failed.parse().ok()? })
        };
        said.lines().rev().find_map(sums).unwrap_or_default()
    }
}

fn sum(tallies: impl Iterator<Item = Tally>) -> Tally {
    tallies.fold(Tally::default(), |mut sum, tally| {
        sum += tally;
        sum
    })
}

/// Counts in a line of parts such as `3 passed`; in cargo's line the first part begins with the result, such as `ok.`.
fn counted(line: &str, between: char) -> Tally {
    let mut tally = Tally::default();
    for part in line.split(between) {
        let words: Vec<_> = part.split_whitespace().collect();
        for pair in words.windows(2) {
            match (pair[0].parse::<u64>(), pair[1].trim_end_matches(';')) {
                (Ok(count), "passed") => tally.passed += count,
                (Ok(count), "failed") => tally.failed += count,
                _ => {}
            }
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binaries_of_cargo_are_summed() {
        let said = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; \
                    finished in 0.01s\n\ntest result: FAILED. 40 passed; 3 failed; 0 ignored\n";
        assert_eq!(Tally::of_cargo(said), Tally { passed: 42, failed: 3 });
    }

    #[test]
    fn the_tests_of_vitest_are_counted_and_not_its_files() {
        let said = " Test Files  1 failed | 4 passed (5)\n      Tests  2 failed | 31 passed | 1 skipped (34)\n";
        assert_eq!(Tally::of_vitest(said), Tally { passed: 31, failed: 2 });
        assert_eq!(Tally::of_vitest("      Tests  12 passed (12)"), Tally { passed: 12, failed: 0 });
    }

    #[test]
    fn the_last_sum_of_an_output_counts() {
        let said = "  connect ✓\n1 passed, 1 failed in between\n12 passed, 0 failed\n\n";
        assert_eq!(Tally::of_sums(said), Tally { passed: 12, failed: 0 });
        assert_eq!(Tally::of_sums("nothing"), Tally::default());
    }

    #[test]
    fn a_tally_is_said_as_the_runners_say_it() {
        let mut tally = Tally { passed: 3, failed: 0 };
        tally += Tally { passed: 0, failed: 1 };
        assert_eq!(tally.to_string(), "3 passed, 1 failed");
    }
}
