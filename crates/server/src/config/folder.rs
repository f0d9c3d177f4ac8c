//! Folders that settings name: missing, or closed to the user that runs the server.

use super::named;
use crate::user::this_user;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// Why a path isn't a folder that this user can enter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum FolderFault {
    /// It is a file.
    File,
    /// It doesn't exist.
    Missing,
    /// This user may not enter it, or a folder above it.
    Closed,
}

/// Checks that a path leads to a folder which this user can enter.
pub(super) fn enter(path: &Path) -> Result<(), FolderFault> {
    let of = |error: Error| fault(&error);
    match std::fs::metadata(path).map_err(of)?.is_dir() {
        // Only a user who may enter a folder can look at the folder from within.
        true => std::fs::metadata(path.join(".")).map(drop).map_err(of),
        false => Err(FolderFault::File),
    }
}

/// Sentence about a folder that this user can't enter; `what` is how the setting calls it.
pub(super) fn closed(what: &str, path: impl AsRef<Path>) -> String {
    format!(
        "this user ({}) can't open {what} {}. Give the user access to it, and to each folder above it.",
        this_user(),
        named(path)
    )
}

/// Fault of a path that can't be looked at.
pub(super) fn fault(error: &Error) -> FolderFault {
    match error.kind() {
        ErrorKind::PermissionDenied => FolderFault::Closed,
        _ => FolderFault::Missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_may_not_be_entered_is_not_said_to_be_missing() {
        // EACCES, ENOENT and ENOTDIR, as the system gives them.
        let found = [13, 2, 20].map(|code| fault(&Error::from_raw_os_error(code)));
        assert_eq!(found, [FolderFault::Closed, FolderFault::Missing, FolderFault::Missing]);
        let next = "Give the user access to it, and to each folder above it.";
        let told = format!("this user ({}) can't open the folder /srv/site. {next}", this_user());
        assert_eq!(closed("the folder", "/srv/site"), told);
    }

    #[test]
    fn a_path_is_a_folder_a_file_or_missing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(enter(folder.path()), Ok(()));
        assert_eq!(enter(&file), Err(FolderFault::File));
        for path in [folder.path().join("absent"), file.join("below"), "".into()] {
            assert_eq!(enter(&path), Err(FolderFault::Missing), "{}", path.display());
        }
    }
}
