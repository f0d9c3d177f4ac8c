//! Reads the configuration file, the environment and the flags into validated values.

pub(super) mod database;
mod secret;

use super::chains::WrittenChain;
use super::jwt::WrittenWallet;
use super::known::{above, known, section as a_section, section_of_variables, stray, unknown};
use super::open_list::open_list;
use super::parser::sentence;
use super::swap::WrittenSwap;
use super::{Config, DatabasePlace, Mistake, SettingSource, Written};
use serde::Deserialize;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::path::Path;
use toml::de::{DeTable, DeValue};

pub(super) use secret::{fault, text_of};

/// Settings from command-line flags.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--listen`
    pub listen: Option<String>,
    /// `--database` or `--database-url`
    pub database: Option<String>,
    /// `--redis-url`
    pub redis: Option<String>,
    /// `--static`
    pub static_dir: Option<String>,
    /// `--public-nodes`
    pub public_nodes: Option<String>,
    /// `--log-format`
    pub log_format: Option<String>,
}

/// Placeholder for an invalid address; never used, because a configuration with a mistake is not returned.
pub(super) const NOWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// Settings outside of any section.
pub(super) const SETTINGS: &[&str] = &[
    "listen",
    "admin_listen",
    "admin_from",
    "database",
    "database_file",
    "static_dir",
    "static_csp",
    "log",
    "log_format",
    "max_connections",
    "max_connections_per_client",
    "max_body_memory_mib",
    "redis",
    "redis_file",
    "redis_prefix",
    "public_nodes",
];

/// Suffix of settings that name a file with the value of `<name>`, for secrets.
const FILE: &str = "_file";

const VARIABLE: &str = "PORTICO__";
const DEFAULT_LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_DATABASE: &str = "portico.sqlite";
const DEFAULT_REDIS_PREFIX: &str = "portico:";
const DEFAULT_MAX_CONNECTIONS: &str = "4096";
const DEFAULT_MAX_BODY_MEMORY: &str = "512";
const MOST_CONNECTIONS: usize = 1_000_000;
const MOST_MEBIBYTES: usize = 1024 * 1024;

/// Lists of tables, and tables with free names, in the file.
#[derive(Default, Deserialize)]
pub(super) struct Lists {
    #[serde(default)]
    pub(super) chains: Vec<WrittenChain>,
    #[serde(default)]
    swap: WrittenSwap,
    #[serde(default)]
    wallet: WrittenWallet,
}

const LISTS: [&str; 3] = ["chains", "swap.onchain", "wallet.jwt"];

/// Value of a setting and its source. A scalar is one text, as in the environment; a list has one text per element.
struct Setting {
    texts: Vec<String>,
    place: SettingSource,
}

/// Reads the settings one by one and collects mistakes.
pub(super) struct Read<'a> {
    pub(super) path: &'a Path,
    text: &'a str,
    settings: HashMap<&'static str, Setting>,
    pub(super) chains: Vec<WrittenChain>,
    pub(super) swap: WrittenSwap,
    pub(super) wallet_tables: WrittenWallet,
    /// Whether `[[chains]]` and the other lists were readable at all.
    pub(super) chains_read: bool,
    pub(super) mistakes: Vec<Mistake>,
    pub(super) warnings: Vec<Mistake>,
}

impl<'a> Read<'a> {
    pub(super) fn new(
        path: &'a Path,
        text: &'a str,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Read<'a>, Vec<Mistake>> {
        let refused = |error: toml::de::Error| {
            let Some(offset) = error.span().map(|span| span.start) else {
                return vec![Mistake::new(SettingSource::File(path.into()), sentence(text, 0, error.message()))];
            };
            let (at, told) = match open_list(text, offset, error.message()) {
                Some(list) => (list.begin, list.sentence()),
                None => (offset, sentence(text, offset, error.message())),
            };
            vec![Mistake::new(SettingSource::Line(path.into(), line_of(text, at)), told)]
        };
        let table = DeTable::parse(text).map_err(refused)?;
        // A mistake in a list must not hide the other mistakes.
        let (lists, mistakes) = match toml::from_str::<Lists>(text) {
            Ok(lists) => (lists, Vec::new()),
            Err(error) => (Lists::default(), refused(error)),
        };
        let chains_read = mistakes.is_empty();
        let mut read = Read {
            path,
            text,
            settings: HashMap::new(),
            chains: lists.chains,
            swap: lists.swap,
            wallet_tables: lists.wallet,
            chains_read,
            mistakes,
            warnings: Vec::new(),
        };
        read.take_table("", table.get_ref());
        read.take_environment(environment);
        let flags = [
            ("listen", "--listen", &flags.listen),
            ("database", "--database", &flags.database),
            ("redis", "--redis-url", &flags.redis),
            ("static_dir", "--static", &flags.static_dir),
            ("public_nodes", "--public-nodes", &flags.public_nodes),
            ("log_format", "--log-format", &flags.log_format),
        ];
        for (name, flag, given) in flags {
            if let Some(text) = given.clone() {
                read.settings.remove(partner(name).as_str());
                read.settings.insert(name, Setting { texts: vec![text], place: SettingSource::Flag(flag) });
            }
        }
        Ok(read)
    }

    fn take_table(&mut self, section: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = format!("{section}{}", key.get_ref());
            if LISTS.contains(&name.as_str()) {
                continue;
            }
            if let DeValue::Table(inner) = value.get_ref() {
                self.take_table(&format!("{name}."), inner);
                continue;
            }
            let place = self.line(key.span());
            match (known(&name), texts(value.get_ref())) {
                (None, _) => {
                    let misplaced = above(&name).filter(|_| !section.is_empty());
                    let told = a_section(&name).or(misplaced).unwrap_or_else(|| unknown(&name));
                    // The tables of this section, such as [[wallet.jwt]], were refused at the same line.
                    self.mistakes.retain(|other| !other.is_at(&place));
                    self.mistakes.push(Mistake::new(place, told));
                }
                (_, None) => {
                    let sentence = format!("`{name}` is a text, a number, true, false or a list of those");
                    self.mistakes.push(Mistake::new(place, sentence));
                }
                (Some(name), Some(texts)) => {
                    self.settings.insert(name, Setting { texts, place });
                }
            }
        }
    }

    fn take_environment(&mut self, environment: impl IntoIterator<Item = (String, String)>) {
        for (variable, text) in environment {
            let Some(name) = variable.strip_prefix(VARIABLE) else {
                if let Some(told) = stray(&variable) {
                    self.warnings.push(Mistake::new(SettingSource::Variable(variable), told));
                }
                continue;
            };
            let name = name.to_ascii_lowercase().replace("__", ".");
            let place = SettingSource::Variable(variable);
            match known(&name) {
                Some(name) => {
                    // A secret in the environment overrides a `_file` setting of the configuration, and the reverse.
                    self.settings.remove(partner(name).as_str());
                    self.settings.insert(name, Setting { texts: vec![text], place });
                }
                None => {
                    let chains = name == "chains" || name.starts_with("chains.");
                    let told = match chains {
                        true => "[[chains]] can only be in the file. Or set PORTICO__PUBLIC_NODES=true.".into(),
                        false => section_of_variables(&name).unwrap_or_else(|| unknown(&name)),
                    };
                    self.mistakes.push(Mistake::new(place, told));
                }
            }
        }
    }

    pub(super) fn listen(&mut self) -> Option<SocketAddr> {
        let place = self.place("listen");
        let listen = self.address("listen", DEFAULT_LISTEN)?;
        self.warn_of_any_port(place, "listen", listen, DEFAULT_LISTEN);
        Some(listen)
    }

    /// Warns of port 0 in the file, from which other commands read the port. A flag or a variable with it is for a try.
    fn warn_of_any_port(&mut self, place: SettingSource, name: &str, address: SocketAddr, example: &str) {
        if address.port() == 0 && place.number() > 0 {
            let told = format!(
                "with port 0 as `{name}` each start takes another port, which pages and commands don't know. Set a \
                 port, such as {example}."
            );
            self.warnings.push(Mistake::new(place, told));
        }
    }

    /// Parses an address with a port.
    pub(super) fn address(&mut self, name: &'static str, default: &str) -> Option<SocketAddr> {
        let (text, place) = self.text_or(name, default);
        let parsed =
            text.parse().map_err(|_| format!("use an address and a port such as {default} or [::]:8080, not `{text}`"));
        self.keep(place, parsed)
    }

    /// Has no default, because several servers on one machine would need the same port.
    pub(super) fn admin_listen(&mut self, listen: SocketAddr) -> Option<SocketAddr> {
        let (text, place) = self.text("admin_listen")?;
        let parsed = match text.parse::<SocketAddr>() {
            Ok(address) if address == listen && address.port() != 0 => {
                Err("admin_listen is the same as listen. Use another port, such as 127.0.0.1:9464.".into())
            }
            Ok(address) => Ok(address),
            Err(_) => Err(format!("use an address and a port such as 127.0.0.1:9464, not `{text}`")),
        };
        let admin = self.keep(place.clone(), parsed)?;
        self.warn_of_any_port(place, "admin_listen", admin, "127.0.0.1:9464");
        Some(admin)
    }

    pub(super) fn database(&mut self) -> Option<DatabasePlace> {
        self.database_at("database", "database_file", DEFAULT_DATABASE)
    }

    pub(super) fn redis(&mut self) -> Option<redis::ConnectionInfo> {
        let (text, place) = self.secret_at("redis", "redis_file")?;
        let parsed =
            redis::IntoConnectionInfo::into_connection_info(text.as_str()).map_err(
                |_| match database::is_password_cut(&text) {
                    true => database::CUT_PASSWORD.to_owned(),
                    false => "use a URL such as redis://127.0.0.1:6379 as address of Redis".to_owned(),
                },
            );
        self.keep(place, parsed)
    }

    pub(super) fn redis_prefix(&mut self) -> String {
        self.text_or("redis_prefix", DEFAULT_REDIS_PREFIX).0
    }

    pub(super) fn max_connections(&mut self) -> Option<usize> {
        self.number("max_connections", DEFAULT_MAX_CONNECTIONS, MOST_CONNECTIONS, "connections")
    }

    /// A quarter of all by default, so that one visitor never takes them all.
    pub(super) fn max_connections_per_client(&mut self, all: usize) -> Option<usize> {
        self.number("max_connections_per_client", &all.div_ceil(4).to_string(), MOST_CONNECTIONS, "connections")
    }

    pub(super) fn max_body_memory_mib(&mut self) -> Option<usize> {
        self.number("max_body_memory_mib", DEFAULT_MAX_BODY_MEMORY, MOST_MEBIBYTES, "mebibytes")
    }

    /// Parses a whole number from 1 to `most`.
    pub(super) fn number(&mut self, name: &'static str, default: &str, most: usize, of: &str) -> Option<usize> {
        let (text, place) = self.text_or(name, default);
        let parsed = text.parse().ok().filter(|number| (1..=most).contains(number));
        let parsed = parsed.ok_or_else(|| format!("use 1 to {most} {of}, not `{text}`"));
        self.keep(place, parsed)
    }

    /// Parses `true` or `false`.
    pub(super) fn switch(&mut self, name: &'static str, default: bool) -> Option<bool> {
        self.switch_at(name, default).map(|(on, _)| on)
    }

    pub(super) fn switch_at(&mut self, name: &'static str, default: bool) -> Option<(bool, SettingSource)> {
        let (text, place) = self.text_or(name, if default { "true" } else { "false" });
        let parsed = text.parse().map_err(|_| format!("use true or false as `{name}`, not `{text}`"));
        self.keep(place.clone(), parsed).map(|on| (on, place))
    }

    /// Takes a setting of one text; a list is a mistake.
    pub(super) fn text(&mut self, name: &'static str) -> Option<(String, SettingSource)> {
        let Setting { mut texts, place } = self.settings.remove(name)?;
        match (texts.pop(), texts.is_empty()) {
            (Some(text), true) => Some((text, place)),
            _ => {
                self.mistakes.push(Mistake::new(place, format!("use one value as `{name}`, not a list")));
                None
            }
        }
    }

    /// Place of a setting that isn't taken yet.
    pub(super) fn place(&self, name: &'static str) -> SettingSource {
        self.settings.get(name).map_or(SettingSource::Default(name), |setting| setting.place.clone())
    }

    /// Takes a setting of several texts; the environment separates them by commas.
    pub(super) fn texts(&mut self, name: &'static str) -> Option<(Vec<String>, SettingSource)> {
        let Setting { texts, place } = self.settings.remove(name)?;
        let texts = match &place {
            SettingSource::Variable(_) => {
                texts.iter().flat_map(|text| text.split(',')).map(|text| text.trim().into()).collect()
            }
            _ => texts,
        };
        Some((texts, place))
    }

    /// The settings, before they are taken.
    pub(super) fn written(&self) -> Written {
        Written::of(self.settings.iter().map(|(name, setting)| (*name, setting.texts.as_slice())))
    }

    /// The configuration, or its mistakes: those of the file in the order of its lines, then all others.
    pub(super) fn finish(mut self, config: Config) -> Result<Config, Vec<Mistake>> {
        let line = |mistake: &Mistake| match mistake.place().number() {
            0 => usize::MAX,
            line => line,
        };
        self.mistakes.sort_by_key(line);
        if self.mistakes.is_empty() { Ok(config) } else { Err(self.mistakes) }
    }

    pub(super) fn text_or(&mut self, name: &'static str, default: &str) -> (String, SettingSource) {
        self.text(name).unwrap_or_else(|| (default.into(), SettingSource::Default(name)))
    }

    pub(super) fn keep<T>(&mut self, place: SettingSource, checked: Result<T, String>) -> Option<T> {
        checked.map_err(|sentence| self.mistakes.push(Mistake::new(place, sentence))).ok()
    }

    pub(super) fn line(&self, span: Range<usize>) -> SettingSource {
        SettingSource::Line(self.path.into(), line_of(self.text, span.start))
    }
}

/// Name of the `_file` setting of a secret, and the reverse.
fn partner(name: &str) -> String {
    name.strip_suffix(FILE).map_or_else(|| format!("{name}{FILE}"), str::to_owned)
}

fn texts(value: &DeValue<'_>) -> Option<Vec<String>> {
    let scalar = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(is) => Some(is.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    };
    match value {
        DeValue::Array(list) => list.iter().map(|item| scalar(item.get_ref())).collect(),
        value => scalar(value).map(|text| vec![text]),
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}
