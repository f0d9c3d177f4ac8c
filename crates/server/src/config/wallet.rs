//! `[wallet]`: the embedded wallet's origin, its vault and its mails.

mod mail;

use super::file::Read;
use super::folder::{FolderFault, closed, fault};
use super::{DatabasePlace, Farcaster, JwtIssuer, Mistake, SettingSource, Social, VaultPlace, named};
use portico_api::project::SocialService;
use reqwest::Url;
use std::net::SocketAddr;
use std::path::PathBuf;

use mail::PAUSE;
pub use mail::{MailWay, SmtpUrl};

pub(super) const SETTINGS: &[&str] = &[
    "wallet.origin",
    "wallet.listen",
    "wallet.frame",
    "wallet.vault.database",
    "wallet.vault.database_file",
    "wallet.vault.root_key_file",
    "wallet.vault.socket",
    "wallet.vault.socket_mode",
    "wallet.vault.start",
    "wallet.vault.releases_per_hour",
    "wallet.vault.user_releases_per_hour",
    "wallet.vault.logins_per_minute",
    "wallet.mail.smtp",
    "wallet.mail.smtp_file",
    "wallet.mail.from",
    "wallet.mail.outbox",
    "wallet.mail.pause_seconds",
];

const DEFAULT_LISTEN: &str = "127.0.0.1:8081";
const DEFAULT_DATABASE: &str = "vault.sqlite";
const DEFAULT_ROOT: &str = "vault.key";
const DEFAULT_SOCKET: &str = "vault.sock";
const MOST: usize = 1_000_000;
/// Longest path of the socket in bytes: 107 on Linux, less the `.new` at the end of its first name.
const LONGEST_SOCKET: usize = 103;

/// Sentence about a wallet without a frame.
pub(crate) const NO_FRAME: &str = "missing, so no page can open the wallet. Set it to the folder of the built frame, such as /usr/share/portico/frame.";

/// Settings of the embedded wallet.
#[derive(Clone, Debug)]
pub struct Wallet {
    /// Origin of the frame and of the approval page: "https://wallet.example.org".
    pub origin: String,
    /// Whether the origin is on this machine.
    pub local: bool,
    /// Address and port of its listener.
    pub listen: SocketAddr,
    /// Folder of the built frame; without one, no frame is served, and `serve` warns.
    pub frame: Option<PathBuf>,
    /// The vault.
    pub vault: VaultPlace,
    /// Way of its mails.
    pub mail: MailWay,
    /// Services at which visitors log in.
    pub socials: Vec<Social>,
    /// Login by Farcaster.
    pub farcaster: Option<Farcaster>,
    /// Issuers of the hosts' own tokens.
    pub jwt: Vec<JwtIssuer>,
}

impl Wallet {
    /// Warning about a wallet that no page can open.
    pub(crate) fn warning(&self) -> Option<String> {
        self.frame.is_none().then(|| format!("`wallet.frame`: {NO_FRAME}"))
    }

    /// Services at which visitors log in, as the widget offers them.
    pub fn services(&self) -> Vec<SocialService> {
        let services = self.socials.iter().map(|social| (social.word, social.name.clone()));
        let services = services.chain(self.farcaster.as_ref().map(|_| ("farcaster", None)));
        services.map(|(word, name)| SocialService { id: word.into(), name }).collect()
    }
}

impl Read<'_> {
    /// `None` without an origin.
    pub(super) fn wallet(
        &mut self,
        listen: SocketAddr,
        admin_listen: Option<SocketAddr>,
        database: &DatabasePlace,
    ) -> Option<Wallet> {
        self.wallet_without_origin();
        let place = self.place("wallet.origin");
        let origin = self.wallet_origin();
        let others = [("listen", Some(listen)), ("admin_listen", admin_listen)];
        let listen = self.wallet_listen(origin.is_some(), others);
        let frame = self.frame_folder();
        let mut vault = self.vault_place(origin.is_some().then_some(database));
        let mail = self.mail(&origin, place.clone());
        let pause = self.mail_pause(mail.as_ref());
        if let (Some(vault), Some(pause)) = (&mut vault, pause) {
            vault.mail_pause = pause;
        }
        let (socials, farcaster, jwt) = (self.socials(), self.farcaster(), self.jwt_issuers());
        let (origin, local) = origin??;
        let (listen, mail) = (listen?, mail?);
        if local {
            self.warn_of_ports(place, &origin, listen.port());
        }
        Some(Wallet { origin, local, listen, frame: frame?, vault: vault?, mail, socials, farcaster, jwt })
    }

    /// Warns of an origin on this machine that isn't at the port of the wallet's listener. One with https has a reverse proxy.
    fn warn_of_ports(&mut self, place: SettingSource, origin: &str, listens: u16) {
        let Some(url) = Url::parse(origin).ok().filter(|url| url.scheme() == "http" && listens != 0) else { return };
        if let Some(port) = url.port_or_known_default().filter(|port| *port != listens) {
            let told = format!(
                "`wallet.origin` has port {port}, but `wallet.listen` has port {listens}, so {origin} leads to the \
                 wallet through a proxy only. Without one, give both the same port."
            );
            self.warnings.push(Mistake::new(place, told));
        }
    }

    /// Parses the address of the wallet's listener. It isn't that of another listener, if there is a wallet at all.
    fn wallet_listen(&mut self, on: bool, others: [(&str, Option<SocketAddr>); 2]) -> Option<SocketAddr> {
        let place = self.place("wallet.listen");
        let listen = self.address("wallet.listen", DEFAULT_LISTEN)?;
        let same = others.into_iter().find(|(_, other)| *other == Some(listen) && listen.port() != 0);
        let Some((name, _)) = same.filter(|_| on) else { return Some(listen) };
        let free = if listen.port() == 8081 { "127.0.0.1:8082" } else { DEFAULT_LISTEN };
        let subject = subject("wallet.listen", &place);
        self.keep(place, Err(format!("{subject}the same as {name}. Use another port, such as {free}.")))
    }

    /// Warns of settings of a wallet that is off, because it has no origin.
    fn wallet_without_origin(&mut self) {
        if !matches!(self.place("wallet.origin"), SettingSource::Default(_)) {
            return;
        }
        // Sub-sections of the wallet such as the issuers of tokens have no setting of their own here.
        let set = SETTINGS.iter().chain(super::vault_link::SETTINGS).chain(super::social::SETTINGS);
        let places =
            set.map(|name| (name, self.place(name))).filter(|(_, at)| !matches!(at, SettingSource::Default(_)));
        if let Some((name, place)) = places.min_by_key(|(_, place)| place.number()) {
            let told = format!(
                "`{name}` has no effect: the wallet is off, because it has no origin. Set `wallet.origin`, such as \
                 https://wallet.example.org."
            );
            self.warnings.push(Mistake::new(place, told));
        }
    }

    /// Outer `None`: no embedded wallet; inner `None`: a mistake was recorded.
    fn wallet_origin(&mut self) -> Option<Option<(String, bool)>> {
        let (text, place) = self.text("wallet.origin")?;
        let url = Url::parse(&text).ok();
        let url = url.filter(|url| url.has_host() && url.path() == "/" && url.query().is_none());
        let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
        let checked = url.map(|url| (url.origin().ascii_serialization(), is_local(&url), url.scheme() == "https"));
        // Browsers give pages keys that cannot be exported in secure contexts only.
        let checked = checked.filter(|(_, local, secure)| *secure || *local && text.starts_with("http://"));
        let wrong = || {
            format!(
                "use an https origin of its own for the wallet, such as https://wallet.example.org, not `{text}` (http works on localhost only)"
            )
        };
        Some(self.keep(place, checked.map(|(origin, local, _)| (origin, local)).ok_or_else(wrong)))
    }

    /// Outer `None`: a mistake was recorded.
    fn frame_folder(&mut self) -> Option<Option<PathBuf>> {
        let Some((text, place)) = self.text("wallet.frame") else { return Some(None) };
        let folder = PathBuf::from(&text);
        let checked = match std::fs::metadata(folder.join("index.html")) {
            Ok(page) if page.is_file() => Ok(Some(folder)),
            Err(error) if fault(&error) == FolderFault::Closed => Err(closed("the frame's folder", &folder)),
            _ => Err(format!(
                "the folder {} has no index.html. Build the frame as docs/operations/wallet.md says, or set `wallet.frame` to its folder.",
                named(&folder)
            )),
        };
        self.keep(place, checked)
    }

    /// `server` is the server's database, which isn't the vault's.
    fn vault_place(&mut self, server: Option<&DatabasePlace>) -> Option<VaultPlace> {
        let place = match (self.place("wallet.vault.database_file"), self.place("wallet.vault.database")) {
            (file @ (SettingSource::Line(..) | SettingSource::Variable(_)), _) => file,
            (_, place) => place,
        };
        let database = self.database_at("wallet.vault.database", "wallet.vault.database_file", DEFAULT_DATABASE);
        if let (Some(vault @ DatabasePlace::Sqlite(file)), Some(server @ DatabasePlace::Sqlite(_))) =
            (&database, server)
            && server.mark() == vault.mark()
        {
            let free = if file.ends_with(DEFAULT_DATABASE) { "wallet.sqlite" } else { DEFAULT_DATABASE };
            let subject = subject("`wallet.vault.database`", &place);
            let sentence =
                format!("{subject}the same file as `database`. Give the vault a file of its own, such as {free}.");
            self.mistakes.push(Mistake::new(place, sentence));
        }
        let root = self.text_or("wallet.vault.root_key_file", DEFAULT_ROOT).0;
        let (socket, socket_place) = self.text_or("wallet.vault.socket", DEFAULT_SOCKET);
        let socket = self.keep(socket_place.clone(), short(socket));
        let (mode, place) = self.text_or("wallet.vault.socket_mode", "0600");
        let mode = match mode.as_str() {
            "0600" => Ok(0o600),
            "0660" => Ok(0o660),
            _ => Err(format!("use \"0600\", or \"0660\" for a server in the vault's group, not `{mode}`")),
        };
        let mode = self.keep(place, mode);
        let link = self.vault_link();
        let start = self.starts_vault(link.as_ref().and_then(Option::as_ref));
        let releases = self.number("wallet.vault.releases_per_hour", "600", MOST, "releases");
        let own = self.number("wallet.vault.user_releases_per_hour", "20", MOST, "releases");
        let logins = self.number("wallet.vault.logins_per_minute", "600", MOST, "logins");
        Some(VaultPlace {
            database: database?,
            root_key_file: root.into(),
            socket: socket?,
            socket_place,
            link: link?,
            socket_mode: mode?,
            start: start?,
            releases_per_hour: u32::try_from(releases?).unwrap_or(u32::MAX),
            user_releases_per_hour: u32::try_from(own?).unwrap_or(u32::MAX),
            logins_per_minute: u32::try_from(logins?).unwrap_or(u32::MAX),
            mail_pause: PAUSE,
        })
    }
}

/// Checks that the path of the socket isn't longer than the system allows.
fn short(path: String) -> Result<PathBuf, String> {
    match path.len() {
        ..=LONGEST_SOCKET => Ok(path.into()),
        long => Err(format!(
            "the path of the vault's socket has {long} bytes. Use one of at most {LONGEST_SOCKET} bytes, such as /run/portico/vault.sock."
        )),
    }
}

/// Beginning of a sentence about a setting, unless its place names it.
fn subject(name: &str, place: &SettingSource) -> String {
    match place {
        SettingSource::Default(_) => String::new(),
        _ => format!("{name} is "),
    }
}

/// Whether the host is this machine, which browsers trust without TLS.
fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "localhost" || host.ends_with(".localhost") || host == "127.0.0.1" || host == "[::1]"
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    fn mistakes(before: &str, wallet: &str) -> Vec<String> {
        let toml = format!("{before}\n[wallet]\norigin = \"http://localhost:1\"\nmail.outbox = true\n{wallet}\n");
        let read = Config::parse(Path::new("portico.toml"), &toml, [], &Flags::default());
        read.map_or_else(|found| found.iter().map(ToString::to_string).collect(), |_| Vec::new())
    }

    #[test]
    fn the_wallets_listener_is_no_other_one() {
        let told =
            "portico.toml, line 5: wallet.listen is the same as listen. Use another port, such as 127.0.0.1:8081.";
        assert_eq!(mistakes("", "listen = \"127.0.0.1:8080\""), [told]);
        let told = "portico.toml, line 5: wallet.listen is the same as admin_listen. Use another port, such as 127.0.0.1:8081.";
        assert_eq!(mistakes("admin_listen = \"127.0.0.1:9464\"", "listen = \"127.0.0.1:9464\""), [told]);
        let told = "`wallet.listen`: the same as listen. Use another port, such as 127.0.0.1:8082.";
        assert_eq!(mistakes("listen = \"127.0.0.1:8081\"", ""), [told]);
        let any = "listen = \"127.0.0.1:0\"";
        assert!(mistakes(any, any).is_empty());
        let alone = Config::parse(Path::new("portico.toml"), "listen = \"127.0.0.1:8081\"", [], &Flags::default());
        assert!(alone.is_ok());
    }

    #[test]
    fn the_vaults_database_is_not_the_servers() {
        let told = "portico.toml, line 5: `wallet.vault.database` is the same file as `database`. \
             Give the vault a file of its own, such as vault.sqlite.";
        assert_eq!(mistakes("", "vault.database = \"./portico.sqlite\""), [told]);
        let told = "`wallet.vault.database`: the same file as `database`. \
             Give the vault a file of its own, such as wallet.sqlite.";
        assert_eq!(mistakes("database = \"vault.sqlite\"", ""), [told]);
        assert!(mistakes("", "vault.database = \"other.sqlite\"").is_empty());
    }

    #[test]
    fn a_wallet_without_a_frame_is_warned_of() {
        let toml = "[wallet]\norigin = \"http://localhost:1\"\nmail.outbox = true\n";
        let config = Config::parse(Path::new("portico.toml"), toml, [], &Flags::default()).unwrap();
        let mut wallet = config.wallet.unwrap();
        assert!(wallet.warning().unwrap().starts_with("`wallet.frame`: missing, so no page can open the wallet. "));
        wallet.frame = Some("/usr/share/portico/frame".into());
        assert_eq!(wallet.warning(), None);
    }

    #[test]
    fn a_path_of_the_socket_that_is_too_long_is_refused() {
        let longest = format!("/tmp/{}", "s".repeat(98));
        assert!(mistakes("", &format!("vault.socket = {longest:?}")).is_empty());
        let told = "portico.toml, line 5: the path of the vault's socket has 104 bytes. \
             Use one of at most 103 bytes, such as /run/portico/vault.sock.";
        assert_eq!(mistakes("", &format!("vault.socket = \"{longest}s\"")), [told]);
        // The path under which the vault binds it is one that the system takes.
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let name = "s".repeat(103 - 1 - folder.path().as_os_str().len());
        assert!(std::os::unix::net::UnixListener::bind(folder.path().join(format!("{name}.new"))).is_ok());
        assert!(std::os::unix::net::UnixListener::bind(folder.path().join(format!("{name}s.new"))).is_err());
    }

    #[test]
    fn an_origin_on_this_machine_at_another_port_than_the_listener_is_warned_of() {
        let warnings = |origin: &str, more: &str| {
            let toml = format!("[wallet]\norigin = {origin:?}\n{more}\n");
            let config = Config::parse(Path::new("portico.toml"), &toml, [], &Flags::default()).unwrap();
            config.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let outbox = "mail.outbox = true\n";
        let told = "portico.toml, line 2: `wallet.origin` has port 9000, but `wallet.listen` has port 8081, so \
             http://localhost:9000 leads to the wallet through a proxy only. Without one, give both the same port.";
        let server = "mail.smtp = \"smtps://mail.example.org\"\nmail.from = \"wallet@example.org\"\n";
        for mail in [outbox, server] {
            assert_eq!(warnings("http://localhost:9000", mail), [told], "{mail}");
        }
        let portless = warnings("http://wallet.localhost", outbox);
        assert!(portless[0].contains("`wallet.origin` has port 80, "), "{portless:?}");
        for (origin, more) in [
            ("http://localhost:8081", outbox),
            ("http://localhost:9000", "mail.outbox = true\nlisten = \"127.0.0.1:9000\"\n"),
            ("http://localhost:9000", "mail.outbox = true\nlisten = \"127.0.0.1:0\"\n"),
            ("https://localhost:9000", outbox),
        ] {
            assert_eq!(warnings(origin, more), [""; 0], "{origin} {more}");
        }
    }

    #[test]
    fn the_folder_of_the_socket_is_there_if_serve_starts_the_vault() {
        let told = |start: bool| {
            let toml = format!(
                "[wallet]\norigin = \"http://localhost:1\"\nmail.outbox = true\n\
                 [wallet.vault]\nsocket = \"/nodir/vault.sock\"\nstart = {start}\n"
            );
            let config = Config::parse(Path::new("portico.toml"), &toml, [], &Flags::default()).unwrap();
            config.wallet.unwrap().vault.without_folder().map(|mistake| mistake.to_string())
        };
        let sentence = "portico.toml, line 5: the folder /nodir of the vault's socket doesn't exist. Create it first.";
        assert_eq!(told(true).as_deref(), Some(sentence));
        assert_eq!(told(false), None);
    }
}
