//! `packaging/release.sh`

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Codes of machines in the head of an ELF file.
const X86_64: u8 = 0x3e;
const ARM64: u8 = 0xb7;

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/release.sh")
}

/// File that begins like a program for a machine.
fn program(folder: &Path, machine: u8) -> PathBuf {
    let file = folder.join(format!("program-{machine}"));
    let mut bytes = vec![0; 64];
    bytes[..4].copy_from_slice(b"\x7fELF");
    bytes[18] = machine;
    fs::write(&file, bytes).unwrap();
    file
}

/// A built frame.
fn frame(folder: &Path) -> PathBuf {
    let frame = folder.join("built-frame");
    fs::create_dir_all(frame.join("assets")).unwrap();
    fs::write(frame.join("index.html"), "<!doctype html>").unwrap();
    fs::write(frame.join("assets/frame.js"), "export {}").unwrap();
    frame
}

/// An npm package of the widget.
fn widget(folder: &Path) -> PathBuf {
    let file = folder.join("widget.tgz");
    fs::write(&file, "the widget").unwrap();
    file
}

fn run(command: &mut Command) -> (bool, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_package_has_the_program_its_licences_its_guides_and_a_checksum() {
    for (kind, machine) in [("x86-64", X86_64), ("arm64", ARM64)] {
        let folder = tempfile::tempdir().unwrap();
        let binary = program(folder.path(), machine);
        let mut pack = Command::new(script());
        pack.arg(kind).arg("--binary").arg(&binary).arg("--output").arg(folder.path());
        pack.arg("--frame").arg(frame(folder.path())).arg("--widget").arg(widget(folder.path()));
        let (done, out, error) = run(&mut pack);
        assert!(done, "{error}");
        let name = format!("portico-{}-linux-{kind}", env!("CARGO_PKG_VERSION"));
        let package = folder.path().join(format!("{name}.tar.gz"));
        assert_eq!(out, format!("{}\n", package.display()));
        let first = fs::read(&package).unwrap();
        let check =
            Command::new("sha256sum").arg("--check").arg(format!("{name}.tar.gz.sha256")).current_dir(&folder).output();
        assert!(check.unwrap().status.success());
        assert!(Command::new("tar").arg("-xzf").arg(&package).current_dir(&folder).status().unwrap().success());
        let unpacked = folder.path().join(&name);
        assert_eq!(fs::read(unpacked.join("portico")).unwrap(), fs::read(&binary).unwrap());
        for file in [
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "README.md",
            "docs/operations/wallet.md",
            "docs/guides/relays.md",
            "docs/security/wallet.md",
            "packaging/portico.service",
            "packaging/grafana.json",
        ] {
            assert!(unpacked.join(file).is_file(), "{file}");
        }
        assert_eq!(fs::read(unpacked.join("frame/index.html")).unwrap(), b"<!doctype html>");
        assert_eq!(fs::read(unpacked.join("frame/assets/frame.js")).unwrap(), b"export {}");
        let sites = unpacked.join(format!("portico-widget-{}.tgz", env!("CARGO_PKG_VERSION")));
        assert_eq!(fs::read(sites).unwrap(), b"the widget");
        // The same files make the same package.
        assert!(run(&mut pack).0);
        assert_eq!(fs::read(&package).unwrap(), first);
    }
}

/// Files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Number of links to files in these documents, and those that lead nowhere.
fn dead_links(documents: impl Iterator<Item = PathBuf>) -> (usize, Vec<String>) {
    let (mut links, mut dead) = (0, Vec::new());
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            if path.is_empty() || link.contains("://") {
                continue;
            }
            links += 1;
            if !document.parent().unwrap().join(path).exists() {
                dead.push(format!("{}: {link}", document.display()));
            }
        }
    }
    (links, dead)
}

#[test]
fn every_link_of_the_readme_of_the_packages_works_in_the_source_code_too() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/README.md");
    let (links, dead) = dead_links(std::iter::once(readme));
    assert!(links > 3, "{links}");
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn every_link_in_a_package_leads_to_a_file_of_the_package() {
    let folder = tempfile::tempdir().unwrap();
    let binary = program(folder.path(), X86_64);
    let mut pack = Command::new(script());
    pack.arg("x86-64").arg("--binary").arg(&binary).arg("--output").arg(folder.path());
    pack.arg("--frame").arg(frame(folder.path())).arg("--widget").arg(widget(folder.path()));
    let (done, out, error) = run(&mut pack);
    assert!(done, "{error}");
    assert!(Command::new("tar").arg("-xzf").arg(out.trim()).current_dir(&folder).status().unwrap().success());
    let unpacked = folder.path().join(format!("portico-{}-linux-x86-64", env!("CARGO_PKG_VERSION")));
    let guides = files(&unpacked).into_iter().filter(|file| file.extension().is_some_and(|end| end == "md"));
    let (links, dead) = dead_links(guides);
    assert!(links > 40, "{links}");
    assert!(dead.is_empty(), "{dead:#?}");
    let server = fs::read_to_string(unpacked.join("docs/operations/server.md")).unwrap();
    let told = "bundled list (in the source code: crates/server/chains/public.toml)";
    assert!(server.contains(told) && server.find("tar -xzf") < server.find("cargo build"), "{server}");
    let nodes = fs::read_to_string(unpacked.join("docs/operations/two-nodes.md")).unwrap();
    for told in
        ["build it from the source code", "Dockerfile (in the source code: packaging/Dockerfile) builds an image"]
    {
        assert!(nodes.contains(told), "{told} is not in {nodes}");
    }
}

#[test]
fn a_program_for_another_machine_is_not_packed() {
    let folder = tempfile::tempdir().unwrap();
    let binary = program(folder.path(), X86_64);
    let mut pack = Command::new(script());
    pack.arg("arm64").arg("--binary").arg(&binary).arg("--output").arg(folder.path());
    pack.arg("--frame").arg(frame(folder.path()));
    let (done, _, error) = run(&mut pack);
    assert_eq!((done, error), (false, format!("{} is not a program for arm64.\n", binary.display())));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_folder_without_a_frame_is_not_packed() {
    let folder = tempfile::tempdir().unwrap();
    let binary = program(folder.path(), X86_64);
    let mut pack = Command::new(script());
    pack.arg("x86-64").arg("--binary").arg(&binary).arg("--frame").arg(folder.path().join("none"));
    let (done, _, error) = run(&mut pack);
    let told = format!("There is no frame in {}.\n", folder.path().join("none").display());
    assert_eq!((done, error), (false, told));
}

#[test]
fn a_widget_that_is_not_there_is_not_packed() {
    let folder = tempfile::tempdir().unwrap();
    let binary = program(folder.path(), X86_64);
    let mut pack = Command::new(script());
    pack.arg("x86-64").arg("--binary").arg(&binary).arg("--frame").arg(frame(folder.path()));
    let none = folder.path().join("none.tgz");
    let (done, _, error) = run(pack.arg("--widget").arg(&none));
    assert_eq!((done, error), (false, format!("There is no file {}.\n", none.display())));
}

#[test]
fn a_machine_that_cannot_build_for_another_says_what_to_install() {
    // Without a compiler of any kind.
    let path = tempfile::tempdir().unwrap();
    for tool in ["sh", "dirname"] {
        symlink(format!("/bin/{tool}"), path.path().join(tool)).unwrap();
    }
    fs::write(path.path().join("uname"), "#!/bin/sh\necho x86_64\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(path.path().join("uname"), mode).unwrap();
    let (done, out, error) = run(Command::new(script()).arg("arm64").env("PATH", path.path()));
    assert_eq!((done, out.as_str()), (false, ""));
    for line in [
        "Can't build for arm64 on this machine. Install:",
        "rustup target add aarch64-unknown-linux-gnu",
        "apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    ] {
        assert!(error.contains(line), "{line} is not in {error}");
    }
    for wrong in [&[][..], &["mips"], &["x86-64", "--strip", "yes"], &["x86-64", "--binary"]] {
        let (done, _, error) = run(Command::new(script()).args(wrong));
        assert!(!done && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn the_help_lists_the_options_and_no_processor_is_a_mistake() {
    for flag in ["--help", "-h"] {
        let (done, out, error) = run(Command::new(script()).arg(flag));
        assert!(
            done && error.is_empty() && out.contains("packaging/release.sh x86-64 --output FOLDER"),
            "{out}{error}"
        );
        assert!(!out.contains("set -eu") && !out.contains('#'), "{out}");
    }
    let (done, _, error) = run(&mut Command::new(script()));
    assert!(!done && error.starts_with("Say for which processor: packaging/release.sh x86-64 or "), "{error}");
}
