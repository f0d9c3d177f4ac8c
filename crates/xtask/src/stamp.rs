//! Stamps: the digest of a step's inputs at its last success, so that an unchanged step can be skipped.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::{OrSay, Result};
use crate::place;

/// Folders with built or downloaded files, which are not inputs.
const MADE: [&str; 6] = ["node_modules", "dist", "target", ".git", ".cache", ".vite"];

/// Builder of a digest over the inputs of a step.
#[derive(Default)]
pub struct Inputs(Sha256);

impl Inputs {
    /// Adds a text, such as a version or a flag.
    pub fn text(mut self, text: &str) -> Self {
        self.add(text.as_bytes());
        self
    }

    /// Adds a file, or every file below a folder except in the folders of [`MADE`]. A missing path adds no file.
    pub fn path(mut self, path: &Path) -> Result<Self> {
        for file in files(path, &MADE)? {
            self.add(file.to_string_lossy().as_bytes());
            self.add(&fs::read(&file).or_say(format_args!("read {}", file.display()))?);
        }
        self.add(b"|");
        Ok(self)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Returns the digest in hexadecimal.
    pub fn digest(self) -> String {
        self.0.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Every file below a folder, sorted, or the file itself; folders with a name in `without` are skipped.
pub fn files(path: &Path, without: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut left = vec![path.to_path_buf()];
    while let Some(path) = left.pop() {
        if path.is_file() {
            found.push(path);
        } else if path.is_dir() && !path.file_name().is_some_and(|name| without.iter().any(|one| name == *one)) {
            for entry in fs::read_dir(&path).or_say(format_args!("read {}", path.display()))? {
                left.push(entry.or_say(format_args!("read {}", path.display()))?.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Stamp file of a step, written at its last success.
pub struct Stamp(PathBuf);

impl Stamp {
    /// Returns the stamp of the step with this name.
    pub fn of(step: &str) -> Self {
        Self(place::scratch("stamps").join(step))
    }

    /// Note of the last success, if the digest is unchanged and all files in `made` still exist.
    pub fn note(&self, digest: &str, made: &[&Path]) -> Option<String> {
        let kept = fs::read_to_string(&self.0).ok()?;
        let (kept_digest, note) = kept.split_once('\n')?;
        (kept_digest == digest && made.iter().all(|path| path.exists())).then(|| note.to_owned())
    }

    /// Removes the stamp, before work that may be interrupted.
    pub fn forget(&self) {
        // The call fails if there is no stamp, which is fine.
        let _ = fs::remove_file(&self.0);
    }

    /// Stores the digest and a note.
    pub fn keep(&self, digest: &str, note: &str) -> Result<()> {
        write(&self.0, format!("{digest}\n{note}").as_bytes())
    }
}

/// Writes a file atomically, and creates the folders above it.
pub fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    let what = format!("write {}", file.display());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).or_say(&what)?;
    }
    let half = file.with_extension(format!("{}.half", std::process::id()));
    fs::write(&half, bytes).or_say(&what)?;
    fs::rename(&half, file).or_say(&what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(folder: &Path) -> String {
        Inputs::default().path(folder).unwrap().digest()
    }

    #[test]
    fn a_digest_follows_names_and_contents_and_nothing_that_is_made() {
        let folder = std::env::temp_dir().join(format!("portico-stamp-{}", std::process::id()));
        write(&folder.join("a.txt"), b"one").unwrap();
        let first = digest(&folder);
        assert_eq!(digest(&folder), first);
        write(&folder.join("dist/made.js"), b"made").unwrap();
        assert_eq!(digest(&folder), first);
        write(&folder.join("b.txt"), b"two").unwrap();
        let second = digest(&folder);
        assert_ne!(second, first);
        fs::rename(folder.join("b.txt"), folder.join("c.txt")).unwrap();
        assert_ne!(digest(&folder), second);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn two_texts_are_not_the_same_as_their_sum() {
        assert_ne!(Inputs::default().text("ab").text("c").digest(), Inputs::default().text("a").text("bc").digest());
    }
}
