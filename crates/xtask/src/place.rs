//! Where things are: the repository, what cargo builds, what is kept between clones.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own)
}

/// The folder cargo builds into. This program was built there too, whatever chose it: a variable, a flag or a config file.
pub fn target() -> PathBuf {
    let built = env::current_exe().ok().and_then(|program| Some(program.parent()?.parent()?.to_path_buf()));
    built.unwrap_or_else(|| root().join("target"))
}

/// Stamps, logs and the demo's files: this clone's own, safe to delete.
pub fn scratch(part: &str) -> PathBuf {
    root().join(".cache").join(part)
}

/// What is worth keeping for every clone on this machine, safe to delete.
pub fn cache() -> PathBuf {
    let folder = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = folder.or_else(|| env::home_dir().map(|home| home.join(".cache")));
    folder.unwrap_or_else(env::temp_dir).join("portico")
}

/// The first program of this name on the path.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A path as a reader wants it: from the root of the repository where it is below it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
