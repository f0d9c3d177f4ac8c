//! Whether the running server was started with other settings than this check has: flags, or variables of the environment.

use crate::cli::port::{self, Running};
use crate::cli::printed::capitalised;
use crate::cli::report::Report;
use crate::config::{Config, FILE_VARIABLE};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Flag that both have, and which names a file.
const CONFIG: &str = "--config";

/// Names of the flag that this check has too.
const DATABASE: [&str; 2] = ["--database", "--database-url"];

/// Names of the setting that this check finds out from the running server.
const PUBLIC_NODES: [&str; 2] = ["--public-nodes", "PORTICO__PUBLIC_NODES"];

const VARIABLE: &str = "PORTICO__";

/// End of a variable that names the file of a secret.
const FILE: &str = "_FILE";

pub(super) fn check(config: &Config, running: Option<Running>, file: &Path, asks_public: bool, report: &Report) {
    let Some(running) = running else { return };
    let Some(holder) = running.holder() else { return };
    let (Some(words), Some(theirs)) = (holder.words(), holder.variables()) else { return };
    // With another database, it is the operator's own only if it has the same configuration file, or was started in the same folder.
    if !running.is_own() && !reads(&words, &theirs, file) && port::same_folder(running.at) != Some(true) {
        return;
    }
    let mut other = differing(&words, settings(theirs), &settings(Config::environment()));
    if config.database_by_flag && running.is_own() {
        // This check has the same flag.
        other.retain(|flag| !DATABASE.contains(&flag.as_str()));
    }
    if asks_public {
        // This check asks them too.
        other.retain(|flag| !PUBLIC_NODES.contains(&flag.as_str()));
    }
    if !other.is_empty() {
        let (before, next) = match is_newer(file, holder.started()) {
            true => (format!(" before {} was last changed, and", file.display()), restart(&other, file)),
            false => (String::new(), next_step(&other, file, config.built_in)),
        };
        report.note(
            "running server",
            format!("it was started{before} with other settings than this check has: {}. {next}", other.join(", ")),
        );
    }
}

/// Whether the file was changed after this time, which may be a second too early.
fn is_newer(file: &Path, started: Option<SystemTime>) -> bool {
    let changed = std::fs::metadata(file).and_then(|file| file.modified());
    let (Ok(changed), Some(started)) = (changed, started) else { return false };
    changed.duration_since(started).is_ok_and(|after| after > Duration::from_secs(1))
}

/// Sentence about settings that the file may have since the server was started.
fn restart(other: &[String], file: &Path) -> String {
    let same = match other.iter().any(|name| name.starts_with(VARIABLE)) {
        true => ", and give this check the other variables",
        false => "",
    };
    format!("Restart it without those that {} has now{same}.", file.display())
}

/// Sentence that says where the settings belong. Without a file, `portico init` writes one.
fn next_step(other: &[String], file: &Path, built_in: bool) -> String {
    let (flags, variables): (Vec<&str>, Vec<&str>) =
        other.iter().map(String::as_str).partition(|name| name.starts_with("--"));
    let same = "Give this check the same variables";
    let written = match built_in {
        true => {
            let answers = flags.iter().filter_map(|flag| match *flag {
                "--listen" => Some(" --listen …"),
                flag if DATABASE.contains(&flag) => Some(" --database …"),
                "--public-nodes" => Some(" --networks public"),
                _ => None,
            });
            let answers: String = answers.collect();
            format!("write a file with the same settings: `portico init{answers}`")
        }
        false => format!("write flags to {}", file.display()),
    };
    match (flags.is_empty(), variables.is_empty()) {
        (true, _) => format!("{same}."),
        (false, true) => format!("{}.", capitalised(&written)),
        (false, false) => format!("{same}, and {written}."),
    }
}

/// Whether a server was started with this configuration file, by a flag or a variable with its full path.
fn reads(words: &[String], variables: &[(String, String)], file: &Path) -> bool {
    let after = |pair: &[String]| (pair[0] == CONFIG).then(|| pair[1].clone());
    let joined = |word: &String| Some(word.strip_prefix(CONFIG)?.strip_prefix('=')?.to_owned());
    let flag = words.windows(2).find_map(after).or_else(|| words.iter().find_map(joined));
    let variable = || variables.iter().find(|(name, _)| name == FILE_VARIABLE).map(|(_, path)| path.clone());
    let Some(path) = flag.or_else(variable).map(PathBuf::from).filter(|path| path.is_absolute()) else { return false };
    path.canonicalize().is_ok_and(|path| file.canonicalize().is_ok_and(|file| file == path))
}

fn settings(variables: impl IntoIterator<Item = (String, String)>) -> BTreeMap<String, String> {
    variables.into_iter().filter(|(name, _)| name.starts_with(VARIABLE)).collect()
}

/// Flags of the server's command line, and names of the variables whose values differ.
fn differing(words: &[String], mut theirs: BTreeMap<String, String>, ours: &BTreeMap<String, String>) -> Vec<String> {
    let flags = words.iter().filter_map(|word| word.split('=').next().filter(|flag| flag.starts_with("--")));
    let flags: BTreeSet<&str> = flags.filter(|flag| *flag != CONFIG).collect();
    let mut names: Vec<String> = flags.into_iter().map(str::to_owned).collect();
    // A file of a secret has another path for the service, below its credentials.
    let same = |name: &str, value: &str| ours.get(name).is_some_and(|other| other == value || name.ends_with(FILE));
    let missing: Vec<String> = ours.keys().filter(|name| !theirs.contains_key(*name)).cloned().collect();
    theirs.retain(|name, value| !same(name, value));
    names.extend(theirs.into_keys());
    names.extend(missing);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(variables: &[(&str, &str)]) -> BTreeMap<String, String> {
        settings(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn a_server_with_the_same_configuration_file_is_told_by_its_full_path() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("a.toml"), folder.path().join("b.toml"));
        for path in [&file, &other] {
            std::fs::write(path, "").unwrap();
        }
        let path = file.display().to_string();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let variable = [(FILE_VARIABLE.to_owned(), path.clone())];
        assert!(reads(&words(&["portico", "serve", "--config", &path]), &[], &file));
        assert!(reads(&words(&["portico", "serve", &format!("--config={path}")]), &[], &file));
        assert!(reads(&words(&["portico", "serve"]), &variable, &file));
        assert!(!reads(&words(&["portico", "serve"]), &variable, &other));
        assert!(!reads(&words(&["portico", "serve", "--config", "a.toml"]), &[], &file), "relative to its own folder");
        assert!(!reads(&words(&["portico", "serve"]), &[], &file));
    }

    #[test]
    fn the_next_step_names_the_file_or_the_command_that_writes_one() {
        let told = |names: &[&str], built_in| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            next_step(&names, Path::new("portico.toml"), built_in)
        };
        assert_eq!(told(&["--listen"], false), "Write flags to portico.toml.");
        let init = "a file with the same settings: `portico init --listen … --networks public`.";
        assert_eq!(told(&["--listen", "--public-nodes", "--static"], true), format!("Write {init}"));
        assert_eq!(told(&["PORTICO__LOG"], true), "Give this check the same variables.");
        let both = told(&["--listen", "--public-nodes", "PORTICO__LOG"], true);
        assert_eq!(both, format!("Give this check the same variables, and write {init}"));
    }

    #[test]
    fn a_file_that_is_changed_more_than_a_second_after_the_start_is_newer() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let started = SystemTime::now();
        for (millis, newer) in [(0, false), (1000, false), (1001, true)] {
            file.as_file().set_modified(started + Duration::from_millis(millis)).unwrap();
            assert_eq!(is_newer(file.path(), Some(started)), newer, "{millis}");
        }
        assert!(!is_newer(file.path(), None));
        assert!(!is_newer(&file.path().join("none"), Some(started)));
    }

    #[test]
    fn a_server_older_than_the_file_is_restarted_without_what_the_file_has_now() {
        let told = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            restart(&names, Path::new("portico.toml"))
        };
        assert_eq!(told(&["--listen"]), "Restart it without those that portico.toml has now.");
        assert_eq!(
            told(&["--listen", "PORTICO__LOG"]),
            "Restart it without those that portico.toml has now, and give this check the other variables."
        );
    }

    #[test]
    fn flags_and_variables_that_differ_are_named_without_their_values() {
        let words = ["portico", "serve", "--config", "a.toml", "--public-nodes", "--database=secret"].map(String::from);
        let (file, other) = (("PORTICO__DATABASE_FILE", "/run/a"), ("PORTICO__DATABASE_FILE", "/etc/a"));
        let theirs = map(&[("PORTICO__RELAY__ENABLED", "true"), ("PORTICO__LOG", "info"), ("PATH", "/bin"), file]);
        let ours = map(&[("PORTICO__LOG", "info"), ("PORTICO__REDIS", "redis://x"), ("PATH", "/usr/bin"), other]);
        let named = ["--database", "--public-nodes", "PORTICO__RELAY__ENABLED", "PORTICO__REDIS"];
        assert_eq!(differing(&words, theirs, &ours), named);
        assert_eq!(
            differing(&words[..4], map(&[("PORTICO__LOG", "info")]), &map(&[("PORTICO__LOG", "info")])),
            [""; 0]
        );
    }
}
