//! Check of the frame: its folder is one that the build wrote, and the wallet's origin serves it.

use crate::cli::report::Report;
use crate::config::{self, NO_FRAME};
use crate::wallet::Wallet;
use k256::sha2::{Digest, Sha256};
use reqwest::{Client, header};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Time limit of a request to the frame.
const WAIT: Duration = Duration::from_secs(10);

const PAGE: &str = "index.html";

/// Files of every build, as `name-<hash>.ending`.
const BUILT: [(&str, &str); 6] =
    [("page", "js"), ("frame", "css"), ("frame", "wasm"), ("keeper", "js"), ("signer", "wasm"), ("password", "wasm")];

/// Number of the files above that the page itself names.
const NAMED: usize = 3;

/// Length of the hash in a name: the first digits of the file's SHA-256.
const DIGITS: usize = 16;

/// The frame's files, and whether its origin serves them; without a client the server does not run.
pub(super) async fn check(wallet: &config::Wallet, client: Option<&Client>, report: &mut Report) {
    if let Some(sentence) = wallet.frame.as_deref().and_then(mistake) {
        return report.wrong("wallet.frame", sentence);
    }
    let read = match Wallet::open(wallet) {
        Ok(read) => read,
        Err(error) => return report.wrong("wallet.frame", error),
    };
    let Some(hash) = read.frame_hash() else {
        return report.wrong("wallet.frame", NO_FRAME);
    };
    let origin = &wallet.origin;
    match client {
        Some(client) => served(wallet, hash, client, report).await,
        None => report.ok(
            "wallet.frame",
            format!("complete. {origin} is checked while the server runs. Its `frameIntegrity`: {hash}"),
        ),
    }
}

/// Whether the origin serves the files with this hash.
async fn served(wallet: &config::Wallet, hash: &str, client: &Client, report: &mut Report) {
    let origin = &wallet.origin;
    let asked = client.get(format!("{origin}/frame/v4/latest")).timeout(WAIT).send().await;
    let response = match asked {
        Ok(response) => response,
        Err(error) if error.is_timeout() => {
            return report
                .wrong("wallet.frame", format!("{origin} isn't responding. Check its DNS entry and your proxy."));
        }
        Err(_) => {
            return report.wrong(
                "wallet.frame",
                format!(
                    "Couldn't reach {origin}. Point its DNS entry to your proxy, and the proxy to {}.",
                    wallet.listen
                ),
            );
        }
    };
    let place = response.headers().get(header::LOCATION).and_then(|place| place.to_str().ok()).unwrap_or_default();
    match place.strip_prefix("/frame/v4/").and_then(|rest| rest.split('/').next()) {
        Some(found) if found == hash => {
            report.ok("wallet.frame", format!("{origin} serves it. Its `frameIntegrity`: {hash}"))
        }
        Some(_) => report.note("wallet.frame", format!("{origin} serves another version. Restart the server.")),
        None => report.wrong(
            "wallet.frame",
            format!("{origin} is another server's. Let your proxy pass all of it to {}.", wallet.listen),
        ),
    }
}

/// Sentence about a folder that isn't a complete frame.
fn mistake(folder: &Path) -> Option<String> {
    let shown = config::named(folder);
    // A folder that can't be read is told by the one who reads it all.
    let page = String::from_utf8_lossy(&fs::read(folder.join(PAGE)).ok()?).into_owned();
    let names: Vec<&str> =
        page.match_indices("\"./").filter_map(|(at, start)| page[at + start.len()..].split('"').next()).collect();
    let built = |kind: &(&str, &str)| names.iter().any(|name| hash_of(name, *kind).is_some());
    if !BUILT[..NAMED].iter().all(built) {
        return Some(format!(
            "the {PAGE} in {shown} isn't the built frame's, so no login works. Build the frame as docs/operations/wallet.md says, and set `wallet.frame` to its folder."
        ));
    }
    let lacking = |name: &str| {
        Some(format!("{shown} lacks {name} of the frame, so no login works. Copy the whole folder of the frame again."))
    };
    if let Some(name) = names.iter().find(|name| !folder.join(name).is_file()) {
        return lacking(name);
    }
    let files: Vec<String> =
        fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    for kind @ (name, ending) in BUILT {
        let mut found = files.iter().filter_map(|file| Some((file, hash_of(file, kind)?))).peekable();
        if found.peek().is_none() {
            return lacking(&format!("{name}-….{ending}"));
        }
        if let Some((file, _)) = found.find(|(file, hash)| !has(&folder.join(file), hash)) {
            return Some(format!(
                "{file} in {shown} isn't as it was built, so no login works. Copy the whole folder of the frame again."
            ));
        }
    }
    None
}

/// Hash in the name of a file of this kind.
fn hash_of<'a>(file: &'a str, (name, ending): (&str, &str)) -> Option<&'a str> {
    let hash = file.strip_prefix(name)?.strip_prefix('-')?.strip_suffix(ending)?.strip_suffix('.')?;
    (hash.len() == DIGITS && hash.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(hash)
}

/// Whether a file has the content of this hash.
fn has(file: &Path, hash: &str) -> bool {
    fs::read(file).is_ok_and(|bytes| format!("{:x}", Sha256::digest(bytes)).starts_with(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILD: &str = include_str!("../../../../../packages/frame/build.mjs");
    const SOURCE: &str = include_str!("../../../../../packages/frame/src/index.html");

    fn named(name: &str, ending: &str, bytes: &[u8]) -> String {
        format!("{name}-{}.{ending}", &format!("{:x}", Sha256::digest(bytes))[..DIGITS])
    }

    /// Folder as the build writes it, with the page of its source; the other files hold their names.
    fn built() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut page = SOURCE.replace("{preloads}", "<link rel=\"modulepreload\" href=\"./chunk-AE6NKVFX.js\">");
        fs::write(folder.path().join("chunk-AE6NKVFX.js"), "chunk").unwrap();
        for (name, ending) in BUILT {
            let bytes = format!("{name}.{ending}");
            let file = named(name, ending, bytes.as_bytes());
            fs::write(folder.path().join(&file), &bytes).unwrap();
            fs::write(folder.path().join(format!("{file}.br")), "compressed").unwrap();
            let place = match (name, ending) {
                ("page", _) => "{page}",
                ("frame", "css") => "{style}",
                ("frame", _) => "{module}",
                _ => continue,
            };
            assert!(page.contains(place), "{place}");
            page = page.replace(place, &file);
        }
        fs::write(folder.path().join(PAGE), page).unwrap();
        folder
    }

    #[test]
    fn the_files_of_the_build_are_the_ones_that_are_looked_for() {
        for (name, ending) in BUILT {
            assert!(BUILD.contains(&format!("'{name}.{ending}'")), "{name}.{ending}");
        }
        let names = BUILD.matches("await put(").count();
        assert_eq!(names, BUILT.len(), "the build writes other files");
        assert!(BUILD.contains(&format!(".slice(0, {DIGITS})")));
    }

    #[test]
    fn a_complete_frame_has_no_mistake() {
        assert_eq!(mistake(built().path()), None);
    }

    #[test]
    fn another_page_is_not_taken_for_the_frame() {
        for page in ["<!doctype html><h1>shop</h1>", "x", "", SOURCE] {
            let folder = built();
            fs::write(folder.path().join(PAGE), page).unwrap();
            let told = mistake(folder.path()).unwrap();
            let begin = format!(
                "the index.html in {} isn't the built frame's, so no login works. Build",
                folder.path().display()
            );
            assert!(told.starts_with(&begin), "{told}");
        }
    }

    #[test]
    fn a_file_of_the_frame_that_is_missing_or_cut_off_is_named() {
        let folder = built();
        let shown = folder.path().display().to_string();
        let again = "so no login works. Copy the whole folder of the frame again.";
        let files =
            BUILT.map(|kind @ (name, ending)| (kind, named(name, ending, format!("{name}.{ending}").as_bytes())));
        for (at, ((name, ending), file)) in files.iter().enumerate() {
            let path = folder.path().join(file);
            let whole = fs::read(&path).unwrap();
            fs::write(&path, &whole[..3]).unwrap();
            assert_eq!(mistake(folder.path()), Some(format!("{file} in {shown} isn't as it was built, {again}")));
            fs::remove_file(&path).unwrap();
            let lacking = if at < NAMED { file.clone() } else { format!("{name}-….{ending}") };
            assert_eq!(mistake(folder.path()), Some(format!("{shown} lacks {lacking} of the frame, {again}")));
            fs::write(&path, &whole).unwrap();
        }
        fs::remove_file(folder.path().join("chunk-AE6NKVFX.js")).unwrap();
        assert_eq!(mistake(folder.path()), Some(format!("{shown} lacks chunk-AE6NKVFX.js of the frame, {again}")));
    }
}
