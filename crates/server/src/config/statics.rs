//! Static files that are served next to the API.

use super::file::Read;
use super::folder::{FolderFault, closed, enter};
use super::{DatabasePlace, named};
use axum::http::HeaderValue;
use std::path::{Path, PathBuf};

impl Read<'_> {
    pub(super) fn static_dir(&mut self, database: &DatabasePlace) -> Option<PathBuf> {
        let (text, place) = self.text("static_dir")?;
        let folder = PathBuf::from(&text);
        let database = match database {
            DatabasePlace::Sqlite(file) => Some(file.as_path()),
            DatabasePlace::Postgres(_) => None,
        };
        let private = [Some(self.path), database].into_iter().flatten().find(|file| holds(&folder, file));
        let checked = match (enter(&folder), private) {
            (Err(FolderFault::File), _) => {
                Err(format!("{} is a file, not a folder. Name the folder that it is in.", named(&text)))
            }
            (Err(FolderFault::Missing), _) => {
                Err(format!("the folder of static files {} doesn't exist. Create it first", named(&text)))
            }
            (Err(FolderFault::Closed), _) => Err(closed("the folder of static files", &text)),
            (Ok(()), Some(file)) => {
                let file = file.display();
                Err(format!("move {file} out of the folder `{text}` of static files, where every visitor can read it"))
            }
            (Ok(()), None) => Ok(folder),
        };
        self.keep(place, checked)
    }

    pub(super) fn static_csp(&mut self) -> Option<HeaderValue> {
        let (text, place) = self.text("static_csp")?;
        let one_line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let parsed = HeaderValue::try_from(one_line)
            .map_err(|_| "the content security policy has characters that aren't allowed in a header".to_owned());
        self.keep(place, parsed)
    }
}

/// Whether `file` lies in `folder`, however the two paths are written; `file` need not exist yet.
fn holds(folder: &Path, file: &Path) -> bool {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), parent.canonicalize()) {
        (Ok(folder), Ok(parent)) => parent.starts_with(folder),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    #[test]
    fn a_file_in_the_place_of_the_folder_of_static_files_is_called_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = format!("static_dir = {:?}\n", file.path());
        let mistakes = Config::parse(Path::new("portico.toml"), &text, [], &Flags::default()).unwrap_err();
        let told = format!("{} is a file, not a folder. Name the folder that it is in.", file.path().display());
        assert_eq!(mistakes.iter().map(|mistake| mistake.sentence()).collect::<Vec<_>>(), [told]);
    }
}
