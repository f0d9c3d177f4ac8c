//! Checks imports between floors: a feature imports no other feature; only `app` and `reactions.rs` know them all.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the features, from the rows of the table, and `rpc`.
fn features() -> Vec<&'static str> {
    let rows =
        include_str!("../../src/table.rs").lines().filter_map(|line| line.split_once(") in ")?.1.split_once(" {"));
    rows.map(|(folder, _)| folder).chain(["rpc"]).collect()
}

/// Imports from other features that are allowed: values and rules without state.
const ALLOWED: [&str; 10] = [
    "crate::config::", // options are read through the facts, by their types
    "crate::analytics::",
    "crate::notice::AlertKey",
    "crate::notice::{Message, Variant}",
    "crate::rpc::Receipt",
    "crate::modal::View",
    "crate::network::needs_unsupported_screen",
    "crate::network::NetworkFault",
    "crate::connect::ConnectFault",
    "crate::account::BALANCE_DECIMALS",
];

/// Pairs of a feature and a module that it may import, because its view is drawn from both states.
const READERS: [(&str, &str); 4] =
    [("account", "connect"), ("account", "network"), ("receive", "network"), ("rpc", "app")];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_feature_does_not_reach_into_another_feature() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let features = features();
    assert!(features.len() > 12, "the rows of the table are read");
    for &feature in &features {
        for file in files(&source.join(feature)) {
            // The `feature.rs` of a feature belongs to `app`, as `home.rs` does.
            if file.ends_with("tests.rs") || file.ends_with("feature.rs") {
                continue;
            }
            for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
                for other in features.iter().filter(|other| **other != feature && !READERS.contains(&(feature, other)))
                {
                    if line.contains(&format!("crate::{other}::"))
                        && !ALLOWED.iter().any(|allowed| line.contains(allowed))
                    {
                        found.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Beginnings of the method names of wallets and chains.
const METHODS: [&str; 5] = ["\"eth_", "\"wallet_", "\"personal_", "\"solana:sign", "\"standard:"];

#[test]
fn methods_of_wallets_and_chains_are_named_in_the_folder_of_wallets_alone() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for file in files(&source) {
        if file.starts_with(source.join("wallet")) || file.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let comment = line.trim_start().starts_with("//");
            if !comment && METHODS.iter().any(|method| line.contains(method)) {
                found.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "name these in src/wallet:\n{}", found.join("\n"));
}

/// Texts of all source files of the core.
fn sources() -> Vec<String> {
    fn collect(folder: &Path, into: &mut Vec<String>) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { collect(&path, into) } else { into.push(fs::read_to_string(&path).unwrap()) }
        }
    }
    let mut all = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    all
}

#[test]
fn every_refusal_of_a_call_is_a_fault_and_every_fault_is_on_the_page_of_errors() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md")).unwrap();
    let sources = sources();
    let lines = || sources.iter().flat_map(|source| source.lines().map(str::trim));
    let loose: Vec<_> =
        lines().filter(|line| line.contains("HostError::new(") && !line.contains("fault.reason()")).collect();
    assert!(loose.is_empty(), "{loose:?}");
    let words: Vec<_> = lines()
        .filter(|line| !line.contains("#[error"))
        .filter_map(|line| line.split_once("Fault::")?.1.split_once(" => \"")?.1.strip_suffix("\","))
        .collect();
    assert!(words.contains(&"notConnected"));
    for word in &words {
        let times = words.iter().filter(|other| *other == word).count();
        let rows = page.matches(&format!("| `{word}` |")).count();
        assert!(rows >= times, "{word}: {times} faults, {rows} rows");
    }
}
