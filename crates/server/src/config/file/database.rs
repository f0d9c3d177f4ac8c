//! Places of databases: a file, or the URL of a PostgreSQL server.

use super::Read;
use crate::config::folder::{FolderFault, closed, enter};
use crate::config::{DatabasePlace, SettingSource, named};
use reqwest::Url;
use std::path::{Path, PathBuf};

impl Read<'_> {
    /// Parses the place of a database: a file, or the URL of a PostgreSQL server.
    pub(in crate::config) fn database_at(
        &mut self,
        name: &'static str,
        file: &'static str,
        default: &str,
    ) -> Option<DatabasePlace> {
        let given = self.secret_at(name, file);
        let (text, place) = given.unwrap_or_else(|| (default.into(), SettingSource::Default(name)));
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let url = text.parse().ok().filter(|_| names_a_database(&text));
            let url = url.ok_or_else(|| match names_a_database(&text) {
                _ if is_password_cut(&text) => CUT_PASSWORD.to_owned(),
                true => "check the parameters behind the `?` of this URL".to_owned(),
                false => {
                    "use a URL with a host and the name of a database, such as postgres://user@host/name, as database"
                        .to_owned()
                }
            });
            return self.keep(place, url.map(|url| DatabasePlace::Postgres(Box::new(url))));
        }
        let file = PathBuf::from(&text);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let checked = if text.is_empty() {
            Err("add the path of the database".to_owned())
        } else if let Some(path) = path_in(&text) {
            Err(format!("write only the path of the SQLite file: `{path}`"))
        } else if text.contains("://") {
            Err("use the path of an SQLite file, or a URL that begins with postgres://, as database".to_owned())
        } else if file.is_dir() {
            Err(format!("{} is a folder. Name a file in it.", file.display()))
        } else {
            match enter(folder) {
                Ok(()) => Ok(DatabasePlace::Sqlite(file)),
                Err(FolderFault::File) => {
                    Err(format!("{} is a file, not a folder. Use another folder for the database.", named(folder)))
                }
                Err(FolderFault::Missing) => {
                    Err(format!("the database's folder {} doesn't exist. Create it first.", named(folder)))
                }
                Err(FolderFault::Closed) => Err(closed("the database's folder", folder)),
            }
        };
        self.keep(place, checked)
    }
}

/// Path in a URL of SQLite, as other programs write it: "portico.sqlite" of "sqlite://portico.sqlite?mode=rwc".
fn path_in(text: &str) -> Option<&str> {
    let path = text.strip_prefix("sqlite:").or_else(|| text.strip_prefix("file:"))?;
    let path = path.strip_prefix("//").unwrap_or(path).split('?').next()?;
    Some(path).filter(|path| !path.is_empty() && !path.starts_with(':'))
}

/// Advice for a URL whose password has a letter that ends the host.
pub(in crate::config) const CUT_PASSWORD: &str = "write / as %2F, # as %23 and ? as %3F in the password of the URL";

/// Whether the password of a URL has a letter that ends the host: the host seems to be the name of the user then.
pub(in crate::config) fn is_password_cut(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let Some(end) = rest.find(['/', '#', '?']) else { return false };
    !rest[..end].contains('@') && rest[..end].contains(':') && rest[end..].contains('@')
}

/// Whether the URL of a PostgreSQL server has a host and the name of a database, as parts of it or as parameters. PostgreSQL's own defaults are
/// the machine itself and the name of the user, which are hardly ever meant.
fn names_a_database(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let parameter =
        |names: [&str; 2]| url.query_pairs().any(|(name, value)| names.contains(&name.as_ref()) && !value.is_empty());
    let host = url.host_str().is_some_and(|host| !host.is_empty()) || parameter(["host", "hostaddr"]);
    let name = url.path().len() > 1 || parameter(["dbname", "dbname"]);
    host && name
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    #[test]
    fn the_url_of_an_sqlite_file_is_answered_with_its_path() {
        for (url, path) in [
            ("sqlite:portico.sqlite", "portico.sqlite"),
            ("sqlite://data/portico.sqlite?mode=rwc", "data/portico.sqlite"),
            ("sqlite:///srv/portico.sqlite", "/srv/portico.sqlite"),
            ("file:portico.sqlite", "portico.sqlite"),
        ] {
            let text = format!("database = {url:?}\n");
            let mistakes = Config::parse(Path::new("portico.toml"), &text, [], &Flags::default()).unwrap_err();
            let told = format!("portico.toml, line 1: write only the path of the SQLite file: `{path}`.");
            assert_eq!(mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
        }
    }

    #[test]
    fn a_letter_that_ends_the_host_is_written_otherwise_in_a_password() {
        for (url, told) in [
            ("postgres://portico:a/b@db.example/portico", super::CUT_PASSWORD),
            ("postgres://portico:a#b@db.example/portico", super::CUT_PASSWORD),
            ("postgres://portico:a?b@db.example/portico", super::CUT_PASSWORD),
            ("postgres://db.example/portico?sslmode=foo", "check the parameters behind the `?` of this URL"),
        ] {
            let text = format!("database = {url:?}\n");
            let mistakes = Config::parse(Path::new("portico.toml"), &text, [], &Flags::default()).unwrap_err();
            let told = format!("portico.toml, line 1: {told}.");
            assert_eq!(mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(), [told], "{url}");
        }
    }

    #[test]
    fn a_database_below_a_file_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = format!("database = {:?}\n", file.path().join("portico.sqlite"));
        let mistakes = Config::parse(Path::new("portico.toml"), &text, [], &Flags::default()).unwrap_err();
        let told = "is a file, not a folder. Use another folder for the database.";
        assert!(mistakes.len() == 1 && mistakes[0].sentence().ends_with(told), "{mistakes:?}");
    }
}
