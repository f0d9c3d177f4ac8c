//! Checks the order of the server's modules: a module imports only those before it. `AppState` is excepted: it is made of the state of all
//! modules, and every request gets it.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules, the lowest first.
const ORDER: [&str; 53] = [
    // Values and tools that know no other module.
    "digits",
    "error",
    "etag",
    "near",
    "testing",
    "user",
    "language",
    "html",
    "visitors",
    "picture_link",
    "outbound",
    "source",
    "money",
    "marks",
    "egress",
    // Settings and stores.
    "shared",
    "config",
    "db",
    "project",
    // Logins at other services, and the embedded wallet's vault.
    "oauth",
    "vault",
    // Checks of every request.
    "guard",
    "stop",
    // Chains and pictures.
    "rpc",
    "picture_source",
    "ens",
    // Data of third parties.
    "directory",
    "files",
    "name",
    "siwx",
    "picture",
    "price",
    "activity",
    "upstream",
    // Resources of the API.
    "account",
    "identity",
    "onramp",
    "swap",
    "relay",
    "analytics",
    "project_config",
    "reference",
    "wallet",
    "welcome",
    // The whole server.
    "health",
    "state",
    "admin",
    "reload",
    "cli",
    "lib",
    "main",
    "floors",
    "tests",
];

/// Names at the root of the crate that every module may import.
const EVERYWHERE: [&str; 2] = ["AppState", "Failure"];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Names after `crate::` in a text, also those in braces.
fn imports(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let word = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let Some(list) = rest.strip_prefix('{') else {
            found.push(&rest[..word(rest)]);
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (place, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                _ if start && letter.is_alphanumeric() => {
                    found.push(&list[place..place + word(&list[place..])]);
                    start = false;
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn a_module_imports_only_modules_before_it_in_the_order() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rank = |module: &str| ORDER.iter().position(|known| *known == module);
    let mut wrong = Vec::new();
    for file in files(&source).into_iter().filter(|file| file.extension().is_some_and(|kind| kind == "rs")) {
        let path = file.strip_prefix(&source).unwrap();
        let top = path.components().next().unwrap().as_os_str().to_string_lossy();
        let top = top.trim_end_matches(".rs");
        let Some(own) = rank(top) else {
            wrong.push(format!("{top} has no place in the order of src/floors.rs"));
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        // Tests may use everything.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if file.ends_with("tests.rs") || ["lib", "main", "floors"].contains(&top) {
            continue;
        }
        // `super` of a module's first file is the crate.
        let first = path.components().count() == 1 || path.ends_with("mod.rs") && path.components().count() == 2;
        let code = if first { code.replace("super::", "crate::") } else { code.replace("super::super::", "crate::") };
        for import in imports(&code).into_iter().filter(|import| *import != top && !EVERYWHERE.contains(import)) {
            match rank(import) {
                Some(other) if other > own => {
                    wrong.push(format!("{}: {top} imports {import}, which comes after it", path.display()));
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_are_found_alone_and_in_braces() {
    let text = "use crate::price::{Money, plain};\nuse crate::{AppState, ens::{Name, lookup}, name};\nlet a = crate::db::on();";
    assert_eq!(imports(text), ["price", "AppState", "ens", "name", "db"]);
}
