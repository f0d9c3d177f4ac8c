//! Paths: the repository, cargo's target folder, and the cache that clones share.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Root of the repository.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        // Clones with one target folder may share this program, so the folder that cargo runs it for comes before that it was compiled in.
        let run =
            env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).filter(|folder| folder.ends_with("crates/xtask"));
        let own = run.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        own.ancestors().nth(2).unwrap_or(&own).to_path_buf()
    })
}

/// Cargo's target folder, derived from the path of this program, because a variable, a flag or a config file may have set it.
pub fn target() -> PathBuf {
    let built = env::current_exe().ok().and_then(|program| Some(program.parent()?.parent()?.to_path_buf()));
    built.unwrap_or_else(|| root().join("target"))
}

/// Folder for stamps, logs and the demo's files of this clone. It is safe to delete.
pub fn scratch(part: &str) -> PathBuf {
    root().join(".cache").join(part)
}

/// Cache that all clones on this machine share. It is safe to delete.
pub fn cache() -> PathBuf {
    let folder = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = folder.or_else(|| env::home_dir().map(|home| home.join(".cache")));
    folder.unwrap_or_else(env::temp_dir).join("portico")
}

/// First program of this name in `PATH`.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Path for messages, relative to the root of the repository if it is below it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
