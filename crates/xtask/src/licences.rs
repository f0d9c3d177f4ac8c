//! Licence check of all dependencies: crates and npm packages must be under licences that `deny.toml` allows, crates from crates.io only.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::failure::{Failure, OrSay, Result};
use crate::toolchain::TARGET;
use crate::{compiler, place, process, progress};

const UNTOLD: &str = "nothing that is told";
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Lock files to check: of this repository, and of the sample applications that test the widget.
const LOCKS: [&str; 2] = ["package-lock.json", "e2e/hosts/apps/package-lock.json"];

/// Packages that state their licence only in a file: name, version, and the licence read there.
const IN_A_FILE: [(&str, &str, &str); 4] = [
    ("@ensdomains/resolver", "0.3.1", "BSD-2-Clause"),
    ("eyes", "0.1.8", "MIT"),
    ("memorystream", "0.3.1", "MIT"),
    ("text-encoding-utf-8", "1.0.2", "Unlicense"),
];

/// Packages under other licences that are only used in tests and are part of no release: contracts on the test chain, and dependencies
/// of the sample applications and of test pages.
const FOR_TESTS: [(&str, &str, &str); 12] = [
    ("@csstools/color-helpers", "5.1.0", "MIT-0"),
    ("@uniswap/swap-router-contracts", "1.3.1", "GPL-2.0-or-later"),
    ("@uniswap/v2-core", "1.0.1", "GPL-3.0-or-later"),
    ("@uniswap/v2-periphery", "1.1.0-beta.0", "GPL-3.0-or-later"),
    // GPL-2.0-or-later since its change date, 2023-04-01.
    ("@uniswap/v3-core", "1.0.1", "BUSL-1.1"),
    ("@uniswap/v3-periphery", "1.4.4", "GPL-2.0-or-later"),
    ("caniuse-lite", "1.0.30001826", "CC-BY-4.0"),
    ("fast-sha256", "1.3.0", "Unlicense"),
    ("graceful-fs", "4.2.12", "BlueOak-1.0.0"),
    ("lru-cache", "11.5.3", "BlueOak-1.0.0"),
    ("rpc-websockets", "9.3.10", "LGPL-3.0-only"),
    ("text-encoding-utf-8", "1.0.2", "Unlicense"),
];

/// Step: checks every crate of the workspace's dependency tree and every npm package of the lock files.
pub fn check() -> Result<()> {
    progress::step("licences", |note| {
        let allowed = allowed()?;
        let (of_crates, mut wrong) = crates_against(&metadata()?, &allowed);
        let mut of_npm = 0;
        for file in LOCKS {
            let lock = fs::read_to_string(place::root().join(file)).or_say(format_args!("read {file}"))?;
            let packages = serde_json::from_str(&lock).or_say(format_args!("understand {file}"))?;
            let (count, more) = npm_against(&packages, &allowed);
            of_npm += count;
            wrong.extend(more);
        }
        if wrong.is_empty() {
            *note = format!("{of_crates} crates, {of_npm} npm packages");
            return Ok(());
        }
        let sentence = "Dependencies that are not allowed: replace them, or allow their licences in deny.toml.";
        Err(Failure::new(sentence).with_details(wrong.join("\n")))
    })
}

/// Output of `cargo metadata` for this machine and for wasm; dependencies of other platforms are not downloaded.
fn metadata() -> Result<Value> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["metadata", "--format-version", "1", "--locked"]);
    cargo.args(["--filter-platform", TARGET, "--filter-platform", &compiler::active().host()?]);
    let metadata = cargo.output().or_say("run cargo metadata")?;
    if !metadata.status.success() {
        let said = process::plain(&String::from_utf8_lossy(&metadata.stderr));
        let failure = Failure::new("Cargo could not list the dependencies.").with_details(said);
        return Err(failure.or_no_network("the crate registry"));
    }
    serde_json::from_slice(&metadata.stdout).or_say("understand cargo metadata")
}

/// Licences that `deny.toml` allows.
fn allowed() -> Result<Vec<String>> {
    let text = fs::read_to_string(place::root().join("deny.toml")).or_say("read deny.toml")?;
    list(&text).ok_or_else(|| Failure::new("The `allow` of `[licenses]` in deny.toml is not a list of texts."))
}

/// Items of `allow = ["…"]` below `[licenses]`.
fn list(text: &str) -> Option<Vec<String>> {
    let (_, section) = text.split_once("\n[licenses]\n")?;
    let section = section.split("\n[").next()?;
    let (_, rest) = section.split_once("\nallow = [")?;
    let (items, _) = rest.split_once(']')?;
    let texts = items.split(',').map(str::trim).filter(|item| !item.is_empty());
    texts.map(|item| Some(item.strip_prefix('"')?.strip_suffix('"')?.to_owned())).collect()
}

/// Number of external crates, and a line for each problem. Crates of this repository have no source.
fn crates_against(metadata: &Value, allowed: &[String]) -> (usize, Vec<String>) {
    let all = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let foreign: Vec<_> = all.iter().filter(|one| !one["source"].is_null()).collect();
    let mut wrong = Vec::new();
    for one in &foreign {
        let name = format!("{} {}", text(&one["name"]), text(&one["version"]));
        if one["source"] != CRATES_IO {
            wrong.push(format!("{name} does not come from crates.io but from {}", text(&one["source"])));
        }
        let licence = text(&one["license"]);
        if !may(licence, &|id| allowed.iter().any(|one| one == id)) {
            wrong.push(format!("{name} is under `{licence}`"));
        }
    }
    (foreign.len(), wrong)
}

/// Number of npm packages, and a line for each problem. Optional packages of unknown licence are skipped: they are builds for other
/// platforms, of the same release as the one for this platform.
fn npm_against(lock: &Value, allowed: &[String]) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for (path, one) in lock["packages"].as_object().into_iter().flatten() {
        let unknown = one["license"].is_null() && one["optional"] == true;
        let Some((_, name)) = path.rsplit_once("node_modules/").filter(|_| one["link"] != true && !unknown) else {
            continue;
        };
        count += 1;
        let told = one["license"].as_str().or_else(|| in_a_file(name, text(&one["version"])));
        let licence = told.unwrap_or(UNTOLD);
        if one["dev"] == true && FOR_TESTS.contains(&(name, text(&one["version"]), licence)) {
            continue;
        }
        if !may(licence, &|id| allowed.iter().any(|one| one == id)) {
            wrong.push(format!("{name} {} is under `{licence}`", text(&one["version"])));
        }
    }
    (count, wrong)
}

fn in_a_file(name: &str, version: &str) -> Option<&'static str> {
    let found = IN_A_FILE.iter().find(|(package, of, _)| *package == name && *of == version);
    found.map(|(.., licence)| *licence)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or(UNTOLD)
}

/// Whether an SPDX expression can be satisfied with allowed licences. `WITH` only adds permissions; `/` is an old spelling of `OR`.
fn may(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<_> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) == Some(true) && rest.is_empty()
}

fn any(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut found = every(rest, allowed)?;
    while taken(rest, "OR") {
        found |= every(rest, allowed)?;
    }
    Some(found)
}

fn every(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut found = one(rest, allowed)?;
    while taken(rest, "AND") {
        found &= one(rest, allowed)?;
    }
    Some(found)
}

fn one(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    if taken(rest, "(") {
        let found = any(rest, allowed)?;
        return taken(rest, ")").then_some(found);
    }
    let (id, after) = rest.split_first()?;
    *rest = after;
    if taken(rest, "WITH") {
        *rest = rest.split_first()?.1;
    }
    Some(allowed(id))
}

fn taken(rest: &mut &[&str], word: &str) -> bool {
    let is = rest.first() == Some(&word);
    if is {
        *rest = &rest[1..];
    }
    is
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_expression_is_allowed_when_one_of_its_ways_is() {
        let allowed = |id: &str| ["MIT", "Apache-2.0", "Zlib"].contains(&id);
        for expression in [
            "MIT",
            "MIT OR Apache-2.0",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "(MIT OR Apache-2.0) AND Zlib",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(may(expression, &allowed), "{expression}");
        }
        for expression in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND GPL-3.0", "MIT MIT", "(MIT", "MIT OR", "mit"]
        {
            assert!(!may(expression, &allowed), "{expression}");
        }
    }

    #[test]
    fn the_list_is_read_from_deny_toml() {
        let text =
            "\n[graph]\nallow = [\"no\"]\n\n[licenses]\n# why\nallow = [\"MIT\", \"ISC\"]\n\n[bans]\nallow = []\n";
        assert_eq!(list(text), Some(vec!["MIT".into(), "ISC".into()]));
        assert_eq!(list("[licenses]\n"), None);
        assert!(allowed().unwrap().contains(&"Apache-2.0".to_owned()));
    }

    #[test]
    fn a_crate_of_another_source_or_licence_is_named() {
        let metadata = json!({ "packages": [
            { "name": "ours", "version": "1.0.0", "source": null, "license": null },
            { "name": "good", "version": "1.0.0", "source": CRATES_IO, "license": "MIT" },
            { "name": "closed", "version": "2.0.0", "source": CRATES_IO, "license": "SSPL-1.0" },
            { "name": "silent", "version": "3.0.0", "source": CRATES_IO, "license": null },
            { "name": "fork", "version": "4.0.0", "source": "git+https://git.example/fork", "license": "MIT" },
        ]});
        let (count, wrong) = crates_against(&metadata, &["MIT".into()]);
        assert_eq!(count, 4);
        assert_eq!(
            wrong,
            [
                "closed 2.0.0 is under `SSPL-1.0`",
                "silent 3.0.0 is under `nothing that is told`",
                "fork 4.0.0 does not come from crates.io but from git+https://git.example/fork",
            ]
        );
    }

    #[test]
    fn a_package_of_another_licence_is_named_wherever_it_lies() {
        let lock = json!({ "packages": {
            "": { "name": "portico" },
            "packages/widget": { "version": "0.1.0", "license": "MIT OR Apache-2.0" },
            "node_modules/@portico/widget": { "link": true },
            "node_modules/react": { "version": "19.0.0", "license": "MIT" },
            "node_modules/silent": { "version": "1.0.0" },
            "node_modules/a/node_modules/@b/c": { "version": "2.0.0", "license": "GPL-3.0", "dev": true },
            "node_modules/for-another-machine": { "version": "1.0.0", "optional": true },
        }});
        let (count, wrong) = npm_against(&lock, &["MIT".into()]);
        assert_eq!(count, 3);
        assert_eq!(wrong, ["@b/c 2.0.0 is under `GPL-3.0`", "silent 1.0.0 is under `nothing that is told`"]);
    }

    #[test]
    fn a_package_for_tests_keeps_its_licence_as_long_as_nothing_else_needs_it() {
        let lock = |package: Value| json!({ "packages": { "node_modules/@uniswap/v2-core": package } });
        let of = |version: &str, dev| json!({ "version": version, "license": "GPL-3.0-or-later", "dev": dev });
        assert_eq!(npm_against(&lock(of("1.0.1", true)), &["MIT".into()]), (1, vec![]));
        let told = |version| [format!("@uniswap/v2-core {version} is under `GPL-3.0-or-later`")];
        assert_eq!(npm_against(&lock(of("1.0.1", false)), &["MIT".into()]).1, told("1.0.1"));
        assert_eq!(npm_against(&lock(of("1.0.2", true)), &["MIT".into()]).1, told("1.0.2"));
    }

    #[test]
    fn a_licence_that_was_read_in_a_file_holds_for_that_version() {
        let lock = |version: &str| json!({ "packages": { "node_modules/memorystream": { "version": version } } });
        assert_eq!(npm_against(&lock("0.3.1"), &["MIT".into()]), (1, vec![]));
        assert_eq!(npm_against(&lock("0.3.1"), &["ISC".into()]).1, ["memorystream 0.3.1 is under `MIT`"]);
        let told = ["memorystream 0.3.2 is under `nothing that is told`"];
        assert_eq!(npm_against(&lock("0.3.2"), &["MIT".into()]).1, told);
    }
}
