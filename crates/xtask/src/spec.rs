//! `cargo xtask spec`: lists which requirements of the specification a test reaches, by the ids at the start of test names.
//!
//! A test reaches a requirement if it goes the way of a visitor or a host: it lies on a floor that drives the product from outside. A unit
//! test shows that an inner function is right, not that anything calls it, so ids with unit tests only are listed apart. So are those of
//! [`UNBUILT`], which tests name although no visitor can get there yet. Whether a test asserts what its requirement says is for the reader of
//! the change.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::Args;

use crate::failure::{Failure, OrSay, Result};
use crate::stamp::files;
use crate::{place, progress};

/// All ids with a short title, one per line.
const IDS: &str = include_str!("../../../docs/spec-ids.txt");
const WHERE: [&str; 3] = ["crates", "packages", "e2e"];

/// Requirements that tests name although no visitor can reach them, or a part of them, because smart accounts are not built.
/// Reviewed by hand: whoever builds one of these removes its line.
const UNBUILT: [(Id, &str); 1] =
    [(Id(8, 9), "no visitor has a smart account; the test connects a scripted embedded wallet")];

/// Arguments of `cargo xtask spec`.
#[derive(Args, Clone, Copy, Default)]
pub struct Spec {
    /// Show every id with its title and its tests, not only the summary
    #[arg(long)]
    list: bool,
}

/// Id of a requirement, section and item. Ids are ordered by number: 2.9 before 2.10.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Id(u32, u32);

/// Tests of an id, each with its file.
#[derive(Debug, Default)]
pub struct Tests {
    /// Tests that go the way of a visitor or a host.
    reaching: Vec<String>,
    /// Tests of inner functions.
    inner: Vec<String>,
}

/// Tests of each id.
pub type Covered = BTreeMap<Id, Tests>;

/// Folders of tests that drive the product from outside: the core through events of a page, the server through its router, the sign client
/// and the frame through their inputs, the widget through the host's calls, and everything in a browser.
const OUTSIDE: [&str; 8] = [
    "crates/core/tests/scenarios/",
    "crates/frame-core/tests/scenarios/",
    "crates/server/tests/",
    "crates/walletconnect/tests/",
    "packages/widget/src/host/",
    "packages/walletconnect/src/",
    "packages/frame/src/",
    "e2e/",
];

/// Whether the tests of a file go the way of a visitor or a host. Those of `.tsx` mount views.
fn reaches(path: &str) -> bool {
    OUTSIDE.iter().any(|folder| path.starts_with(folder)) || path.ends_with(".test.tsx")
}

/// Runs the command.
pub fn command(spec: Spec) -> Result<()> {
    let known = known();
    let covered = check()?;
    if spec.list {
        for (id, title) in &known {
            let tests = covered.get(id);
            let mark = match Standing::of(*id, &covered) {
                Standing::Reached => '✓',
                Standing::Unbuilt => '○',
                Standing::Inner => '·',
                Standing::Without => ' ',
            };
            println!("{mark} {:<5} {title}", format!("{}.{}", id.0, id.1));
            for test in tests.iter().flat_map(|tests| tests.reaching.iter().chain(&tests.inner)) {
                println!("          {test}");
            }
        }
    }
    let of = |standing| ranges(known.keys().filter(|id| Standing::of(**id, &covered) == standing));
    println!("Reached: {}", of(Standing::Reached));
    println!("By unit test only: {}", of(Standing::Inner));
    println!("Without: {}", of(Standing::Without));
    println!("Named by tests, but at least in part out of a visitor's reach, as smart accounts are not built:");
    for (id, reason) in &UNBUILT {
        println!("  {:<5} {reason}", format!("{}.{}", id.0, id.1));
    }
    Ok(())
}

/// How far the tests of a requirement go.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Standing {
    /// A test goes the way of a visitor or a host.
    Reached,
    /// One of [`UNBUILT`].
    Unbuilt,
    /// Unit tests only.
    Inner,
    Without,
}

impl Standing {
    fn of(id: Id, covered: &Covered) -> Standing {
        match covered.get(&id) {
            None => Standing::Without,
            Some(_) if UNBUILT.iter().any(|(unbuilt, _)| *unbuilt == id) => Standing::Unbuilt,
            Some(tests) if tests.reaching.is_empty() => Standing::Inner,
            Some(_) => Standing::Reached,
        }
    }
}

/// Step: fails if a test names an id that does not exist.
pub fn check() -> Result<Covered> {
    progress::step("spec", |note| {
        let known = known();
        let covered = scan(place::root())?;
        if let Some((id, tests)) = covered.iter().find(|(id, _)| !known.contains_key(*id)) {
            let test = tests.reaching.iter().chain(&tests.inner).next().map_or("", String::as_str);
            return Err(Failure::new(format!(
                "A test names {}.{}, which is no id of the specification: {test}. docs/spec-ids.txt has those that are.",
                id.0, id.1
            )));
        }
        let count = |standing| known.keys().filter(|id| Standing::of(**id, &covered) == standing).count();
        *note = format!(
            "{} of {} ids are reached by a test, {} cannot be reached yet, {} have unit tests only",
            count(Standing::Reached),
            known.len(),
            count(Standing::Unbuilt),
            count(Standing::Inner)
        );
        Ok(covered)
    })
}

fn known() -> BTreeMap<Id, &'static str> {
    IDS.lines().filter_map(|line| line.split_once(' ')).filter_map(|(id, title)| Some((dotted(id)?, title))).collect()
}

fn dotted(text: &str) -> Option<Id> {
    let (section, item) = text.split_once('.')?;
    Some(Id(section.parse().ok()?, item.parse().ok()?))
}

/// Formats ids as ranges of consecutive items of a section, such as `2.1-3 2.10`.
fn ranges<'a>(ids: impl Iterator<Item = &'a Id>) -> String {
    let mut rows: Vec<(Id, u32)> = Vec::new();
    for id in ids {
        match rows.last_mut() {
            Some((first, last)) if first.0 == id.0 && *last + 1 == id.1 => *last = id.1,
            _ => rows.push((*id, id.1)),
        }
    }
    let told = rows.iter().map(|(first, last)| match last - first.1 {
        0 => format!("{}.{}", first.0, first.1),
        _ => format!("{}.{}-{last}", first.0, first.1),
    });
    let told: Vec<_> = told.collect();
    if told.is_empty() { "none".into() } else { told.join(" ") }
}

fn scan(root: &Path) -> Result<Covered> {
    let mut covered = Covered::new();
    for folder in WHERE {
        for file in files(&root.join(folder), &["node_modules", "dist", "target", "generated", "wasm"])? {
            let Some(ids) = file.extension().and_then(|extension| reader(extension.to_str()?)) else { continue };
            let source = fs::read_to_string(&file).or_say(format_args!("read {}", file.display()))?;
            let path = place::shown(&file).to_string();
            for (id, name) in ids(&source) {
                let tests = covered.entry(id).or_default();
                let list = if reaches(&path) { &mut tests.reaching } else { &mut tests.inner };
                list.push(format!("{path}: {name}"));
            }
        }
    }
    Ok(covered)
}

type Reader = fn(&str) -> Vec<(Id, &str)>;

fn reader(extension: &str) -> Option<Reader> {
    match extension {
        "rs" => Some(in_rust),
        "ts" | "tsx" | "mts" | "js" | "mjs" => Some(in_typescript),
        _ => None,
    }
}

/// Ids at the start of the names of Rust tests, as in `fn spec_2_18_2_19_and_2_20_…`.
fn in_rust(source: &str) -> Vec<(Id, &str)> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("fn spec_") {
        let rest = &source[at + "fn ".len()..];
        let Some((name, _)) = rest.split_once('(') else { continue };
        // A comment may mention a test; only a declaration has its brackets right after the name.
        if name.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            continue;
        }
        found.extend(leading(&name["spec_".len()..], '_', &["_and_", "_"]).into_iter().map(|id| (id, name)));
    }
    found
}

/// Ids at the start of the titles of TypeScript tests, as in `test('spec 2.18 and 2.19 …'` or `it('spec_2_18_…'`.
fn in_typescript(source: &str) -> Vec<(Id, &str)> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("spec") {
        let Some(quote) = source[..at].chars().next_back().filter(|c| "'\"`".contains(*c)) else { continue };
        let first_argument = source[..at - 1].trim_end().ends_with('(');
        let title = source[at..].split(quote).next().unwrap_or_default();
        let ids = match title.as_bytes().get("spec".len()) {
            Some(b' ') => leading(&title["spec ".len()..], '.', &[", ", " and "]),
            Some(b'_') => leading(&title["spec_".len()..], '_', &["_and_", "_"]),
            _ => continue,
        };
        if first_argument {
            found.extend(ids.into_iter().map(|id| (id, title)));
        }
    }
    found
}

/// Ids at the start of a text, separated by one of `joints`.
fn leading(mut text: &str, point: char, joints: &[&str]) -> Vec<Id> {
    let mut ids = Vec::new();
    while let Some((section, item, rest)) = id_at_start(text, point) {
        ids.push(Id(section, item));
        let (item, rest) = last_of_row(section, item, rest, point);
        ids.extend((ids.last().map_or(item, |id| id.1) + 1..=item).map(|item| Id(section, item)));
        match joints.iter().find_map(|joint| rest.strip_prefix(joint)) {
            Some(next) => text = next,
            None => break,
        }
    }
    ids
}

/// End of a row of ids, as in `spec_7_14_to_7_16_…`; the id itself where no row begins.
fn last_of_row(section: u32, item: u32, rest: &str, point: char) -> (u32, &str) {
    let end = rest.strip_prefix("_to_").and_then(|rest| id_at_start(rest, point));
    end.filter(|end| end.0 == section && end.1 > item).map_or((item, rest), |(_, last, rest)| (last, rest))
}

fn id_at_start(text: &str, point: char) -> Option<(u32, u32, &str)> {
    let (section, rest) = number(text)?;
    let (item, rest) = number(rest.strip_prefix(point)?)?;
    // `spec_2_7th…` is not an id.
    (!rest.starts_with(char::is_alphanumeric)).then_some((section, item, rest))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(found: Vec<(Id, &str)>) -> Vec<(u32, u32)> {
        found.into_iter().map(|(id, _)| (id.0, id.1)).collect()
    }

    #[test]
    fn there_are_263_ids_each_with_a_title() {
        assert_eq!(known().len(), 263);
        assert_eq!(IDS.lines().count(), 263);
        assert!(IDS.lines().zip(known()).all(|(line, (id, title))| line == format!("{}.{} {title}", id.0, id.1)));
    }

    #[test]
    fn a_rust_test_names_its_ids_at_the_start() {
        // The names are assembled at run time, so that this file does not count as having these tests.
        let source = "#[test]\nfn NAME_2_18_pushing_twice() {}\nasync fn NAME_4_5_4_6_and_9_1_a_pairing() {}\n\
            fn NAME_3_1_to_3_3_and_3_7_rows() {}\nfn NAME_3_9_to_3_8_no_row() {}\nfn NAME_of_nothing() {}\nfn NAME_2_7th() {}\nfn other_NAME_1_1() {}\n\
            // such as `fn NAME_1_2_` (in prose)\n"
            .replace("NAME", "spec");
        assert_eq!(ids(in_rust(&source)), [(2, 18), (4, 5), (4, 6), (9, 1), (3, 1), (3, 2), (3, 3), (3, 7), (3, 9)]);
    }

    #[test]
    fn a_typescript_test_names_its_ids_at_the_start_of_its_title() {
        let source = "test('NAME 2.18 pushing', () => {})\nit.each(rows)(\n  \"NAME 8.2, 8.3 and 8.4: texts\", f)\n\
            it(`NAME_2_19_2_20_and_2_21_words`, f)\nconst title = 'NAME 9.9 is no test'\ntest('the NAME 1.1', f)\n"
            .replace("NAME", "spec");
        assert_eq!(ids(in_typescript(&source)), [(2, 18), (8, 2), (8, 3), (8, 4), (2, 19), (2, 20), (2, 21)]);
    }

    #[test]
    fn a_test_of_an_inner_function_reaches_nothing() {
        for path in [
            "crates/core/tests/scenarios/session/back.rs",
            "crates/server/tests/whole/swap.rs",
            "packages/widget/src/host/AppKit.test.ts",
            "packages/widget/src/account/AccountView.test.tsx",
            "e2e/swap.spec.ts",
        ] {
            assert!(reaches(path), "{path}");
        }
        for path in [
            "crates/core/src/modal/tests.rs",
            "crates/core/tests/rules/constants.rs",
            "crates/terms/src/wallet.rs",
            "crates/server/src/directory/tests.rs",
            "packages/widget/src/shell/perform/browser.test.ts",
        ] {
            assert!(!reaches(path), "{path}");
        }
    }

    #[test]
    fn each_unbuilt_id_exists_and_counts_as_reached_by_no_test() {
        let known = known();
        assert!(UNBUILT.iter().all(|(id, reason)| known.contains_key(id) && !reason.is_empty()));
        assert!(UNBUILT.is_sorted_by(|(one, _), (next, _)| one < next), "each once, in order");
        let tests = |reaching: &[&str]| Tests {
            reaching: reaching.iter().map(|test| String::from(*test)).collect(),
            inner: vec!["inner".into()],
        };
        let covered = Covered::from([(Id(2, 1), tests(&["a"])), (Id(2, 3), tests(&[])), (UNBUILT[0].0, tests(&["b"]))]);
        let standings = [Id(2, 1), UNBUILT[0].0, Id(2, 3), Id(2, 4)].map(|id| Standing::of(id, &covered));
        assert_eq!(standings, [Standing::Reached, Standing::Unbuilt, Standing::Inner, Standing::Without]);
    }

    #[test]
    fn ids_in_a_row_are_told_as_one() {
        let ids = [Id(2, 1), Id(2, 2), Id(2, 3), Id(2, 10), Id(3, 11)];
        assert_eq!(ranges(ids.iter()), "2.1-3 2.10 3.11");
        assert_eq!(ranges([].iter()), "none");
    }
}
