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
const ALLOWED: [&str; 13] = [
    "crate::config::", // options are read through the facts, by their types
    "crate::analytics::",
    "crate::notice::AlertKey",
    "crate::notice::{Message, Variant}",
    "crate::rpc::Receipt",
    "crate::rpc::DISAGREED",
    "crate::rpc::NO_ENDPOINT",
    "crate::rpc::{DISAGREED, NO_ENDPOINT,",
    "crate::rpc::{DISAGREED, UNPROVEN}",
    "crate::modal::View",
    "crate::network::needs_unsupported_screen",
    "crate::network::NetworkFault",
    "crate::connect::ConnectFault",
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
            if file.ends_with("tests.rs") {
                continue;
            }
            for statement in statements(&fs::read_to_string(&file).unwrap()) {
                for other in features.iter().filter(|other| **other != feature && !READERS.contains(&(feature, other)))
                {
                    if names(&statement, other) && !ALLOWED.iter().any(|allowed| statement.contains(allowed)) {
                        found.push(format!("{}: {statement}", file.display()));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "a rule between two features is a line in src/reactions.rs:\n{}", found.join("\n"));
}

/// State of another feature that a `feature.rs` may reach: the account's holdings, the networks and the connections.
const READ: [&str; 3] = ["account", "network", "connect"];

#[test]
fn a_feature_changes_no_state_of_another_feature() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let features = features();
    let mut found = Vec::new();
    for &feature in &features {
        let file = source.join(feature).join("feature.rs");
        for statement in statements(&fs::read_to_string(file).unwrap_or_default()) {
            let reached = |other: &&&str| {
                ["own.", "features.", "self."].iter().any(|root| {
                    statement.match_indices(&format!("{root}{other}")).any(|(at, path)| {
                        let rest = &statement[at + path.len()..];
                        let whole = !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
                        whole && (!READ.contains(other) || rest.contains(" = "))
                    })
                })
            };
            let others = features.iter().filter(|other| **other != feature);
            found.extend(
                others.filter(reached).map(|other| format!("{feature}/feature.rs reaches {other}: {statement}")),
            );
        }
    }
    assert!(found.is_empty(), "a rule between two features is a line in src/reactions.rs:\n{}", found.join("\n"));
}

/// Code without comments, an import of several lines as one.
fn statements(code: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in code.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        match found.last_mut().filter(|_| open) {
            Some(import) => import.push_str(line),
            None => found.push(line.into()),
        }
        let import = found.last().is_some_and(|last| last.starts_with("use ") || last.starts_with("pub use "));
        open = import && !line.ends_with(';');
    }
    found
}

/// Whether a statement names a module of the crate: alone, in a list, or by `super::super`.
fn names(statement: &str, module: &str) -> bool {
    let listed = |list: &str| {
        let mut depth = 0;
        let top = list.chars().take_while(|letter| {
            depth += i32::from(*letter == '{') - i32::from(*letter == '}');
            depth >= 0
        });
        let mut depth = 0;
        let flat: String = top
            .filter(|letter| {
                depth += i32::from(*letter == '{') - i32::from(*letter == '}');
                depth == 0
            })
            .collect();
        flat.split(',').any(|item| item.trim().split("::").next() == Some(module))
    };
    ["crate::", "super::super::"].iter().any(|root| {
        statement.match_indices(root).any(|(at, _)| {
            let rest = &statement[at + root.len()..];
            match rest.strip_prefix('{') {
                Some(list) => listed(list),
                None => rest
                    .strip_prefix(module)
                    .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')),
            }
        })
    })
}

#[test]
fn an_import_is_found_in_each_form() {
    for import in [
        "use crate::send::Send;",
        "use crate::send;",
        "use crate::{cx::Cx, send};",
        "use crate::{\n    cx::{Cx, Other},\n    send::Send,\n};",
        "use super::super::send::Send;",
        "let state = crate::send::Send::default();",
    ] {
        assert!(statements(import).iter().any(|statement| names(statement, "send")), "{import}");
    }
    for other in
        ["use crate::sender::Sender;", "use crate::cx::{send, Cx};", "// crate::send::Send", "use super::send;"]
    {
        assert!(!statements(other).iter().any(|statement| names(statement, "send")), "{other}");
    }
}

#[test]
fn a_folder_of_a_feature_has_a_row_and_a_file_of_scenarios_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (features, mut found) = (features(), Vec::new());
    for folder in fs::read_dir(root.join("src")).unwrap().map(|entry| entry.unwrap()) {
        let name = folder.file_name().into_string().unwrap();
        if folder.path().join("feature.rs").exists() && !features.contains(&name.as_str()) {
            found.push(format!("src/{name} has no row in src/table.rs"));
        }
    }
    let scenarios = root.join("tests/scenarios");
    for file in files(&scenarios) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let parent = file.parent().unwrap();
        let above = if parent == scenarios { scenarios.join("main.rs") } else { parent.with_extension("rs") };
        if name != "main" && !fs::read_to_string(&above).unwrap().contains(&format!("mod {name};")) {
            found.push(format!("{} lacks `mod {name};`", above.display()));
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
