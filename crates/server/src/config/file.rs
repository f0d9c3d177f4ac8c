//! From text to checked values.

use super::chains::WrittenChain;
use super::{Config, Mistake, Place};
use axum::http::HeaderValue;
use serde::Deserialize;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use tracing_subscriber::filter::Targets;

/// The settings a flag may give.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--listen`
    pub listen: Option<String>,
    /// `--database`
    pub database: Option<String>,
    /// `--static`
    pub static_dir: Option<String>,
}

/// Stands in for an address that was refused; never reaches anyone, as a configuration with a mistake is not handed out.
pub(super) const NOWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

const SETTINGS: [&str; 8] = [
    "listen",
    "database",
    "static_dir",
    "static_csp",
    "log",
    "max_connections",
    "max_connections_per_client",
    "max_body_memory_mib",
];
const VARIABLE: &str = "PORTICO__";
const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_DATABASE: &str = "portico.sqlite";
const DEFAULT_LOG: &str = "info";
const DEFAULT_MAX_CONNECTIONS: &str = "4096";
const DEFAULT_MAX_BODY_MEMORY: &str = "512";
const MOST_CONNECTIONS: usize = 1_000_000;
const MOST_MEBIBYTES: usize = 1024 * 1024;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    listen: Option<Spanned<String>>,
    database: Option<Spanned<String>>,
    static_dir: Option<Spanned<String>>,
    static_csp: Option<Spanned<String>>,
    log: Option<Spanned<String>>,
    max_connections: Option<Spanned<i64>>,
    max_connections_per_client: Option<Spanned<i64>>,
    max_body_memory_mib: Option<Spanned<i64>>,
    #[serde(default)]
    chains: Vec<WrittenChain>,
}

/// A text and where it came from.
struct Setting {
    text: String,
    place: Place,
}

/// Reads one setting after the other and collects what is wrong.
pub(super) struct Read<'a> {
    path: &'a Path,
    text: &'a str,
    settings: HashMap<&'static str, Setting>,
    pub(super) chains: Vec<WrittenChain>,
    pub(super) mistakes: Vec<Mistake>,
}

impl<'a> Read<'a> {
    pub(super) fn new(
        path: &'a Path,
        text: &'a str,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Read<'a>, Vec<Mistake>> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let place = match error.span() {
                Some(span) => Place::Line(path.into(), line_of(text, span.start)),
                None => Place::File(path.into()),
            };
            vec![Mistake::new(place, error.message().split_whitespace().collect::<Vec<_>>().join(" "))]
        })?;
        let mut read = Read { path, text, settings: HashMap::new(), chains: written.chains, mistakes: Vec::new() };
        let fields = [
            written.listen,
            written.database,
            written.static_dir,
            written.static_csp,
            written.log,
            written.max_connections.map(as_text),
            written.max_connections_per_client.map(as_text),
            written.max_body_memory_mib.map(as_text),
        ];
        for (name, field) in SETTINGS.into_iter().zip(fields) {
            if let Some(field) = field {
                let place = read.line(field.span());
                read.settings.insert(name, Setting { text: field.into_inner(), place });
            }
        }
        read.take_environment(environment);
        let flags = [
            ("listen", "--listen", &flags.listen),
            ("database", "--database", &flags.database),
            ("static_dir", "--static", &flags.static_dir),
        ];
        for (name, flag, given) in flags {
            if let Some(text) = given.clone() {
                read.settings.insert(name, Setting { text, place: Place::Flag(flag) });
            }
        }
        Ok(read)
    }

    fn take_environment(&mut self, environment: impl IntoIterator<Item = (String, String)>) {
        for (variable, text) in environment {
            let Some(name) = variable.strip_prefix(VARIABLE) else { continue };
            let name = name.to_ascii_lowercase().replace("__", ".");
            let place = Place::Variable(variable);
            match SETTINGS.into_iter().find(|setting| *setting == name) {
                Some(setting) => {
                    self.settings.insert(setting, Setting { text, place });
                }
                None => {
                    let sentence = format!(
                        "there is no setting `{name}` that the environment could give; those are {}",
                        SETTINGS.join(", ")
                    );
                    self.mistakes.push(Mistake::new(place, sentence));
                }
            }
        }
    }

    pub(super) fn listen(&mut self) -> Option<SocketAddr> {
        let setting = self.take_or("listen", DEFAULT_LISTEN);
        let parsed = setting.text.parse().map_err(|_| {
            format!("`{}` is not an address and a port, such as {DEFAULT_LISTEN} or [::]:8080", setting.text)
        });
        self.keep(setting.place, parsed)
    }

    pub(super) fn database(&mut self) -> Option<PathBuf> {
        let setting = self.take_or("database", DEFAULT_DATABASE);
        let file = PathBuf::from(&setting.text);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let checked = if setting.text.is_empty() {
            Err("the path of the database is empty".to_owned())
        } else if file.is_dir() {
            Err(format!("{} is a folder, the database is a file in one", file.display()))
        } else if !folder.is_dir() {
            Err(format!("the folder {} of the database does not exist; make it first", folder.display()))
        } else {
            Ok(file)
        };
        self.keep(setting.place, checked)
    }

    pub(super) fn static_dir(&mut self, database: &Path) -> Option<PathBuf> {
        let setting = self.settings.remove("static_dir")?;
        let folder = PathBuf::from(&setting.text);
        let private = [self.path, database].into_iter().find(|file| holds(&folder, file));
        let checked = match private {
            _ if !folder.is_dir() => Err(format!("the folder `{}` of static files does not exist", setting.text)),
            Some(file) => {
                let file = file.display();
                Err(format!("the folder `{}` of static files holds {file}, which no visitor may read", setting.text))
            }
            None => Ok(folder),
        };
        self.keep(setting.place, checked)
    }

    pub(super) fn static_csp(&mut self) -> Option<HeaderValue> {
        let setting = self.settings.remove("static_csp")?;
        let one_line: String = setting.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let parsed = HeaderValue::try_from(one_line)
            .map_err(|_| "the content security policy holds characters that no header can carry".to_owned());
        self.keep(setting.place, parsed)
    }

    pub(super) fn log(&mut self) -> Option<Targets> {
        let setting = self.take_or("log", DEFAULT_LOG);
        let parsed = setting.text.parse().map_err(|_| {
            format!("`{}` does not say what to log; say error, warn, info, debug, trace or off", setting.text)
        });
        self.keep(setting.place, parsed)
    }

    pub(super) fn max_connections(&mut self) -> Option<usize> {
        self.number("max_connections", DEFAULT_MAX_CONNECTIONS, MOST_CONNECTIONS, "connections")
    }

    /// A client may have them all where nothing else is said: behind a proxy, all visitors are one client.
    pub(super) fn max_connections_per_client(&mut self, all: usize) -> Option<usize> {
        self.number("max_connections_per_client", &all.to_string(), MOST_CONNECTIONS, "connections")
    }

    pub(super) fn max_body_memory_mib(&mut self) -> Option<usize> {
        self.number("max_body_memory_mib", DEFAULT_MAX_BODY_MEMORY, MOST_MEBIBYTES, "mebibytes")
    }

    fn number(&mut self, name: &'static str, default: &str, most: usize, of: &str) -> Option<usize> {
        let setting = self.take_or(name, default);
        let parsed = setting.text.parse().ok().filter(|number| (1..=most).contains(number));
        let parsed = parsed.ok_or_else(|| format!("`{}` is not a number of {of} from 1 to {most}", setting.text));
        self.keep(setting.place, parsed)
    }

    pub(super) fn finish(self, config: Config) -> Result<Config, Vec<Mistake>> {
        if self.mistakes.is_empty() { Ok(config) } else { Err(self.mistakes) }
    }

    fn take_or(&mut self, name: &'static str, default: &str) -> Setting {
        self.settings.remove(name).unwrap_or_else(|| Setting { text: default.into(), place: Place::Default(name) })
    }

    pub(super) fn keep<T>(&mut self, place: Place, checked: Result<T, String>) -> Option<T> {
        checked.map_err(|sentence| self.mistakes.push(Mistake::new(place, sentence))).ok()
    }

    pub(super) fn line(&self, span: Range<usize>) -> Place {
        Place::Line(self.path.into(), line_of(self.text, span.start))
    }
}

/// Beside the environment, which knows texts alone, every setting is one.
fn as_text(written: Spanned<impl ToString>) -> Spanned<String> {
    Spanned::new(written.span(), written.get_ref().to_string())
}

/// Whether `folder` holds `file`, which need not be there yet, however the two are written.
fn holds(folder: &Path, file: &Path) -> bool {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), parent.canonicalize()) {
        (Ok(folder), Ok(parent)) => parent.starts_with(folder),
        _ => false,
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}
