//! `cargo xtask size`: compares the compressed size of the files that the browser downloads with the budgets in each package.json.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::failure::{Failure, OrSay, Result};
use crate::parts::PARTS;
use crate::split::HOME;
use crate::{npm, place, progress, widget};

/// Packages that a visitor's browser loads.
const PACKAGES: [&str; 3] = ["packages/widget", "packages/walletconnect", "packages/frame"];

/// Item of `"portico": { "budgets": [...] }` in a package.json.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    /// Point in time that it applies to: "before the click".
    name: String,
    /// Files of the package, such as `dist/index.js`; one `*` in a file's name matches the bundler's hash.
    entries: Vec<String>,
    /// Files that are already loaded by then: neither they nor their imports count.
    #[serde(default)]
    after: Vec<String>,
    /// Wasm modules that are loaded by then; `*` as in `entries`.
    #[serde(default)]
    wasm: Vec<String>,
    /// Wasm module that is loaded with the files and has a budget of its own; the table also shows the sum of both.
    #[serde(default)]
    beside: Option<String>,
    /// Limit in bytes after brotli at quality 11; the command fails above it.
    limit: usize,
    /// Size to reach, in bytes; the table tells whether it is missed.
    #[serde(default)]
    aim: Option<usize>,
}

/// Limits of the core's parts, `"portico": { "parts": {...} }` in a package.json.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartLimits {
    /// Limit of the part home, in bytes.
    home: usize,
    /// Limit of the part send, which resolves names.
    send: usize,
    /// Limit of the part swap, which reads the calldata of every exchange.
    swap: usize,
    /// Limit of the part solana, which reads what wallets add to a transaction, and notifications.
    solana: usize,
    /// Limit of each other part.
    other: usize,
}

/// Runs the command: builds the widget and measures it.
pub fn command() -> Result<()> {
    widget::ready()?;
    measure()
}

/// Step: measures each budget's files with their static imports; fails if a budget is exceeded or docs/benchmarks.md is out of date.
pub fn measure() -> Result<()> {
    progress::step("size", |_| {
        let mut passed = Vec::new();
        let mut measured = Vec::new();
        for (package, budget) in &budgets()? {
            let files = files_of(package, budget)?;
            let size = weight(&files)?;
            let mark = if size > budget.limit { '✗' } else { '✓' };
            let aim = budget.aim.filter(|aim| size > *aim);
            let missed = aim.map(|aim| format!(", the aim of {} is missed", kilobytes(aim))).unwrap_or_default();
            let row = format!(
                "    {mark} {:<50} {:>9} of {:>9}  {} files{missed}",
                budget.name,
                kilobytes(size),
                kilobytes(budget.limit),
                files.len()
            );
            progress::say(&row);
            if size > budget.limit {
                passed.push(format!("{} by {} bytes", budget.name, size - budget.limit));
            }
            measured.push((budget.name.clone(), size));
        }
        if !passed.is_empty() {
            return Err(Failure::new(format!(
                "Over budget: {}. Make it smaller, or say why the budget should grow.",
                passed.join(", ")
            )));
        }
        let page = fs::read_to_string(place::root().join(PAGE)).or_say(format_args!("read {PAGE}"))?;
        match outdated_sizes(&page, &measured).as_slice() {
            [] => Ok(()),
            names => Err(Failure::new(format!(
                "{PAGE} has outdated sizes of {}. Run `cargo xtask bench size`.",
                names.join(", ")
            ))),
        }
    })
}

/// Page with the table of sizes.
const PAGE: &str = "docs/benchmarks.md";
/// Heading of the section with the sizes.
pub const SECTION: &str = "\n## Size\n";

/// Table of sizes, in Markdown.
pub fn table() -> Result<String> {
    let mut lines = vec!["| In brotli | Limit | Measured | Aim | |".to_owned(), "|---|---|---|---|---|".to_owned()];
    for (package, budget) in &budgets()? {
        let size = weight(&files_of(package, budget)?)?;
        let aim = match budget.aim {
            Some(aim) if size > aim => format!("{}, **missed**", kilobytes(aim)),
            Some(aim) => format!("{}, reached", kilobytes(aim)),
            None => String::new(),
        };
        let note = match &budget.beside {
            Some(module) => {
                let part = weight(&BTreeSet::from([package.join(module)]))?;
                format!("its part of the core {}, together {}", kilobytes(part), kilobytes(part + size))
            }
            None => String::new(),
        };
        let (name, limit) = (capital(&budget.name), kilobytes(budget.limit));
        lines.push(format!("| {name} | {limit} | {} | {aim} | {note} |", kilobytes(size)));
    }
    Ok(lines.join("\n"))
}

/// Names of the budgets whose size on the page is missing or differs from the measured one.
fn outdated_sizes(page: &str, measured: &[(String, usize)]) -> Vec<String> {
    let section = page.split_once(SECTION).map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or_default();
    let told = |name: &str| {
        let row = section.lines().find_map(|line| line.strip_prefix(&format!("| {} |", capital(name))))?;
        row.split('|').nth(1)?.trim().strip_suffix(" KB")?.parse::<f64>().ok()
    };
    let differs = |(name, size): &&(String, usize)| {
        let size = *size as f64 / KILOBYTE;
        told(name).is_none_or(|told| (told - size).abs() > 0.06 + size * TOLERANCE)
    };
    measured.iter().filter(differs).map(|(name, _)| name.clone()).collect()
}

/// Accepted relative difference between the page and the measurement, because other compilers write slightly different modules.
const TOLERANCE: f64 = 0.01;

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Sum of the files' sizes after brotli.
fn weight(files: &BTreeSet<PathBuf>) -> Result<usize> {
    let mut size = 0;
    for file in files {
        size += brotli(&fs::read(file).or_say(format_args!("read {}", file.display()))?);
    }
    Ok(size)
}

/// All budgets, each with the folder of its package.
fn budgets() -> Result<Vec<(PathBuf, Budget)>> {
    let mut all = Vec::new();
    for package in PACKAGES {
        let mut settings = npm::manifest(package)?["portico"].take();
        let unread = format!("read the budgets in {package}/package.json");
        let mut budgets: Vec<Budget> = serde_json::from_value(settings["budgets"].take()).or_say(&unread)?;
        let parts = settings["parts"].take();
        if !parts.is_null() {
            let limits: PartLimits = serde_json::from_value(parts).or_say(&unread)?;
            budgets.extend(PARTS.iter().map(|part| of_part(part, &limits)));
        }
        all.extend(budgets.into_iter().map(|budget| (place::root().join(package), budget)));
    }
    Ok(all)
}

/// Budget of a part of the core.
fn of_part(part: &str, limits: &PartLimits) -> Budget {
    Budget {
        name: format!("the core's part {part}"),
        entries: Vec::new(),
        after: Vec::new(),
        wasm: vec![format!("dist/portico_{part}.wasm")],
        beside: None,
        limit: match part {
            HOME => limits.home,
            "send" => limits.send,
            "swap" => limits.swap,
            "solana" => limits.solana,
            _ => limits.other,
        },
        aim: None,
    }
}

fn files_of(package: &Path, budget: &Budget) -> Result<BTreeSet<PathBuf>> {
    let there = closure(package, budget, &budget.after)?;
    let mut files = closure(package, budget, &budget.entries)?;
    files.retain(|file| !there.contains(file));
    for module in &budget.wasm {
        files.extend(named(package, budget, module)?);
    }
    Ok(files)
}

/// Files of a budget with all their static imports.
fn closure(package: &Path, budget: &Budget, entries: &[String]) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for entry in entries {
        for file in named(package, budget, entry)? {
            follow(&file, &mut files)?;
        }
    }
    Ok(files)
}

/// Files that a budget names; an error if there is none.
fn named(package: &Path, budget: &Budget, entry: &str) -> Result<Vec<PathBuf>> {
    match matching(package, entry) {
        found if found.is_empty() => {
            let sentence = format!("The budget \"{}\" names {entry}, which the build does not write.", budget.name);
            Err(Failure::new(sentence))
        }
        found => Ok(found),
    }
}

/// Files that an entry names, exactly or with one `*`.
fn matching(package: &Path, entry: &str) -> Vec<PathBuf> {
    let path = package.join(entry);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some((start, end)) = name.split_once('*') else {
        return path.is_file().then_some(path).into_iter().collect();
    };
    let folder = path.parent().unwrap_or(package);
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let fits = |name: &String| name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end);
    names.filter(fits).map(|name| folder.join(name)).collect()
}

/// Adds a file and its static imports. Packages that the host provides are not followed.
fn follow(file: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if !files.insert(file.to_path_buf()) {
        return Ok(());
    }
    let source = fs::read_to_string(file).or_say(format_args!("read {}", file.display()))?;
    let folder = file.parent().unwrap_or(file);
    for import in static_imports(&source) {
        if let Ok(imported) = folder.join(import).canonicalize() {
            follow(&imported, files)?;
        }
    }
    Ok(())
}

/// Relative paths after `from` or a bare `import`. A dynamic `import(` is loaded later and does not count.
fn static_imports(source: &str) -> Vec<&str> {
    let mut imports = Vec::new();
    for word in ["from", "import"] {
        for (at, _) in source.match_indices(word) {
            let before = source[..at].chars().next_back();
            let rest = source[at + word.len()..].trim_start();
            let address = ['"', '\''].iter().find_map(|quote| rest.strip_prefix(*quote)?.split_once(*quote));
            let part_of_a_name = before.is_some_and(|c| c.is_alphanumeric() || "_$.\"'".contains(c));
            match address {
                Some((address, _)) if !part_of_a_name && address.starts_with('.') => imports.push(address),
                _ => {}
            }
        }
    }
    imports
}

/// Length after brotli at the highest quality.
pub fn brotli(bytes: &[u8]) -> usize {
    let mut counted = Counted(0);
    let mut writer = brotli::CompressorWriter::new(&mut counted, 1 << 16, 11, 22);
    writer.write_all(bytes).expect("counting does not fail");
    drop(writer);
    counted.0
}

struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Bytes of 1 KB.
const KILOBYTE: f64 = 1000.0;

/// Formats a number of bytes; 1 KB is 1000 bytes.
pub fn kilobytes(bytes: usize) -> String {
    format!("{:.1} KB", bytes as f64 / KILOBYTE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stamp::write;

    #[test]
    fn a_page_tells_otherwise_where_a_size_moved_by_more_than_a_compiler_moves_it_or_is_not_told() {
        let page = "# Benchmarks\n\n| Before the click | 10.0 KB | 1.0 KB | kept | |\n\n## Size\n\n\
            | Before the click | 10.0 KB | 9.9 KB | kept | |\n\n## Relay\n\n| The views | 25.0 KB | 3.0 KB | kept | |\n";
        let told = |before: usize| outdated_sizes(page, &[("before the click".to_owned(), before)]);
        assert_eq!([told(9_900), told(9_990), told(9_760)], [[]; 3] as [[&str; 0]; 3]);
        assert_eq!([told(10_160), told(9_670)], [["before the click"]; 2]);
        assert_eq!(outdated_sizes(page, &[("the views".to_owned(), 3_000)]), ["the views"]);
    }

    #[test]
    fn only_static_and_relative_imports_are_followed() {
        let source = r#"import{a as b}from"./a.js";import"./style.js";export*from'../up.js';import React from"react";
            const later=()=>import("./later.js");const x={from:"./no.js"};Array.from("./no.js");"#;
        assert_eq!(static_imports(source), ["./a.js", "../up.js", "./style.js"]);
    }

    #[test]
    fn a_budget_counts_a_shared_file_once_and_a_circle_ends() {
        let folder = std::env::temp_dir().join(format!("portico-size-{}", std::process::id()));
        let folder = {
            fs::create_dir_all(&folder).unwrap();
            folder.canonicalize().unwrap()
        };
        write(&folder.join("dist/one.js"), b"import'./shared-1a2b.js';import('./later.js')").unwrap();
        write(&folder.join("dist/two.js"), b"import'./shared-1a2b.js'").unwrap();
        write(&folder.join("dist/shared-1a2b.js"), b"import'./one.js'").unwrap();
        write(&folder.join("dist/later.js"), b"").unwrap();
        write(&folder.join("dist/core.wasm"), b"").unwrap();
        let budget = |entries: &[&str]| Budget {
            name: "open".into(),
            entries: entries.iter().map(ToString::to_string).collect(),
            after: Vec::new(),
            beside: None,
            wasm: vec!["dist/core.wasm".into()],
            limit: 1,
            aim: None,
        };
        let names = |files: BTreeSet<PathBuf>| -> Vec<String> {
            files.iter().map(|file| file.strip_prefix(&folder).unwrap().display().to_string()).collect()
        };
        assert_eq!(
            names(files_of(&folder, &budget(&["dist/one.js", "dist/two.js"])).unwrap()),
            ["dist/core.wasm", "dist/one.js", "dist/shared-1a2b.js", "dist/two.js"]
        );
        assert_eq!(matching(&folder, "dist/shared-*.js"), [folder.join("dist/shared-1a2b.js")]);
        let later = Budget { after: vec!["dist/two.js".into()], ..budget(&["dist/three.js", "dist/shared-*.js"]) };
        write(&folder.join("dist/three.js"), b"import'./shared-1a2b.js'").unwrap();
        assert_eq!(names(files_of(&folder, &later).unwrap()), ["dist/core.wasm", "dist/three.js"]);
        let missing = files_of(&folder, &budget(&["dist/four.js"])).unwrap_err();
        assert_eq!(missing.sentence, "The budget \"open\" names dist/four.js, which the build does not write.");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn sizes_are_those_of_brotli_at_its_best() {
        assert!(brotli(&[b'a'; 10_000]) < 20);
        assert_eq!(kilobytes(12_345), "12.3 KB");
    }
}
