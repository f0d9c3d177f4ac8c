//! Writes all generated files from the Rust types.
//!
//! `cargo run -p portico-gen` writes them and removes old snapshots; `-- --check` fails if a written file is stale.

mod acting;
mod buying;
mod contracts;
mod entering;
mod errors;
mod holdings;
mod namespaces;
mod naming;
mod openapi;
mod pairing;
mod paying;
mod paying_bitcoin;
mod sending;
mod signing_in;
mod snapshots;
mod socials;
mod swapped;
mod swapping;
mod typescript;
mod wanted;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut stale = Vec::new();
    let files = files();
    for path in left_over(&root, &files) {
        if check {
            stale.push(path);
        } else if let Err(error) = std::fs::remove_file(&path) {
            eprintln!("cannot remove {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    for (path, text) in files {
        let path = root.join(path);
        if std::fs::read_to_string(&path).is_ok_and(|written| written == text) {
            continue;
        }
        if check {
            stale.push(path);
        } else if let Err(error) = write(&path, &text) {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    if stale.is_empty() {
        return ExitCode::SUCCESS;
    }
    for path in stale {
        eprintln!("stale: {}; run `cargo xtask gen`", path.display());
    }
    ExitCode::FAILURE
}

fn files() -> Vec<(PathBuf, String)> {
    let widget = Path::new("packages/widget/src/generated");
    let mut files = vec![
        (widget.join("core.ts"), typescript::types()),
        (widget.join("words.ts"), typescript::words()),
        (widget.join("constants.ts"), typescript::constants()),
        (widget.join("idle.ts"), typescript::idle()),
        (widget.join("parts.ts"), typescript::parts()),
        ("crates/calldata/src/known.rs".into(), contracts::table()),
        ("crates/calldata/src/named.rs".into(), contracts::named()),
        ("crates/xtask/src/parts.rs".into(), typescript::split()),
        ("packages/walletconnect/src/generated/client.ts".into(), typescript::sign_client()),
        ("packages/frame/src/generated/frame.ts".into(), typescript::frame()),
        ("packages/frame/src/generated/signer.ts".into(), typescript::signer()),
        ("docs/errors.md".into(), errors::page()),
        ("docs/openapi.json".into(), openapi::document()),
    ];
    for (name, text) in snapshots::cases() {
        files.push((Path::new("fixtures/snapshots").join(name + ".json"), text));
    }
    for (name, text) in snapshots::replays() {
        files.push((Path::new("fixtures/replays").join(name + ".jsonl"), text));
    }
    files
}

/// Snapshots of cases that there are no more.
fn left_over(root: &Path, files: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let folder = Path::new("fixtures/snapshots");
    let there = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let gone = |name: &std::ffi::OsString| files.iter().all(|(path, _)| *path != folder.join(name));
    there.map(|entry| entry.file_name()).filter(gone).map(|name| root.join(folder).join(name)).collect()
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}
