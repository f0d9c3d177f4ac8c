//! Commands for the operator of a running server without a configuration file, which work as they are: they have the flags and variables
//! of the server.

use super::DatabasePlace;
use super::file::Flags;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Variables that are shown with their values. Others may be secrets.
const SHOWN: [&str; 10] = [
    LISTEN,
    "PORTICO__ADMIN_LISTEN",
    "PORTICO__PUBLIC_NODES",
    "PORTICO__PUBLIC_URL",
    "PORTICO__STATIC_DIR",
    "PORTICO__LOG",
    "PORTICO__LOG_FORMAT",
    "PORTICO__DATABASE",
    "PORTICO__ANALYTICS__ENABLED",
    RELAY,
];

/// Longest command in one line, in bytes.
const LONGEST_LINE: usize = 76;

const PREFIX: &str = "PORTICO__";
/// End of a variable that names the file of a secret.
const FILE: &str = "_FILE";
const LISTEN: &str = "PORTICO__LISTEN";
const RELAY: &str = "PORTICO__RELAY__ENABLED";
const NAME: &str = "portico";

/// Flags and variables that a server was started with.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    program: String,
    folder: PathBuf,
    flags: Flags,
    variables: Vec<(String, String)>,
    left_out: Vec<String>,
    /// Whether the server has its admin page.
    admin: bool,
}

/// Program as it was started: a path, or the name by which shells find it.
fn program() -> String {
    std::env::args().next().filter(|program| program.contains('/')).unwrap_or_else(|| NAME.into())
}

/// The same, as a shell reads it.
pub(crate) fn typed_program() -> String {
    quoted(&program())
}

impl Commands {
    /// Commands of a server that this process runs.
    pub(super) fn new(flags: &Flags, environment: impl IntoIterator<Item = (String, String)>) -> Commands {
        Commands::of(program(), std::env::current_dir().unwrap_or_default(), flags, environment)
    }

    fn of(
        program: String,
        folder: PathBuf,
        flags: &Flags,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Commands {
        let mut flags = flags.clone();
        let mut left_out = Vec::new();
        for (name, value) in [("--database", &mut flags.database), ("--redis-url", &mut flags.redis)] {
            if value.take_if(|text| has_password(text)).is_some() {
                left_out.push(name.to_owned());
            }
        }
        let settings = environment.into_iter().filter(|(name, _)| name.starts_with(PREFIX));
        let (mut variables, hidden): (Vec<_>, Vec<_>) = settings
            .partition(|(name, value)| name.ends_with(FILE) || SHOWN.contains(&name.as_str()) && !has_password(value));
        variables.sort();
        left_out.extend(hidden.into_iter().map(|(name, _)| name));
        left_out.sort();
        Commands { program, folder, flags, variables, left_out, admin: true }
    }

    /// Names the port that the server took, if it was started with port 0: with that, the next start would move it.
    pub(super) fn took(&mut self, address: SocketAddr) {
        let listen = self.variables.iter_mut().filter(|(name, _)| name == LISTEN).map(|(_, value)| value);
        for text in self.flags.listen.iter_mut().chain(listen) {
            if text.parse::<SocketAddr>().is_ok_and(|given| given.port() == 0) {
                *text = address.to_string();
            }
        }
    }

    /// The admin page is off, because another server has its port. Commands look for the server there, so they have to name the database.
    pub(super) fn lost_admin(&mut self, database: &DatabasePlace) {
        self.admin = false;
        if let DatabasePlace::Sqlite(file) = database {
            self.flags.database.get_or_insert_with(|| file.display().to_string());
        }
    }

    /// Whether the server has its admin page.
    pub(crate) fn admin(&self) -> bool {
        self.admin
    }

    /// Command that goes to the folder in which the server was started.
    pub(crate) fn folder(&self) -> String {
        format!("cd {}", quoted(&self.folder.to_string_lossy()))
    }

    /// Flags and variables that the commands lack, because their values may be secrets.
    pub(crate) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Command that starts the server as it runs, also with public nodes or with a relay.
    pub(crate) fn serve(&self, public_nodes: bool, relay: bool) -> String {
        let Flags { listen, database, redis, static_dir, log_format, .. } = &self.flags;
        let flags = [
            ("--listen", listen),
            ("--database", database),
            ("--redis-url", redis),
            ("--static", static_dir),
            ("--log-format", log_format),
        ];
        let public_nodes = public_nodes || self.flags.public_nodes.is_some();
        self.command(if public_nodes { "serve --public-nodes" } else { "serve" }, &flags, relay)
    }

    /// Command that works on the database of the server; `words` are those after the name of the program.
    pub(crate) fn on_database(&self, words: &str) -> String {
        self.command(words, &[("--database", &self.flags.database)], false)
    }

    /// Command that writes a file with the settings of the server.
    pub(crate) fn init(&self) -> String {
        let Flags { listen, database, public_nodes, .. } = &self.flags;
        let networks = public_nodes.as_ref().map(|_| "public".to_owned());
        let relay = self.variables.iter().any(|(name, value)| name == RELAY && value == "true").then(|| "yes".into());
        let flags = [("--listen", listen), ("--database", database), ("--networks", &networks), ("--relay", &relay)];
        self.command("init", &flags, false)
    }

    fn command(&self, words: &str, flags: &[(&str, &Option<String>)], relay: bool) -> String {
        let variables = self.variables.iter().filter(|(name, _)| !relay || name != RELAY);
        let mut variables: Vec<String> = variables.map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        if relay {
            variables.push(format!("{RELAY}=true"));
        }
        let (verb, options) = words.split_at(words.find(" --").unwrap_or(words.len()));
        let mut options: Vec<String> = vec![options.trim_start().to_owned()];
        for (flag, value) in flags {
            options.extend(value.as_ref().map(|value| format!("{flag} {}", quoted(value))));
        }
        let pieces =
            [variables.join(" "), format!("{} {verb}", quoted(&self.program)), options.join(" ").trim().to_owned()];
        let pieces: Vec<String> = pieces.into_iter().filter(|piece| !piece.is_empty()).collect();
        let line = pieces.join(" ");
        // A shell reads on after a backslash.
        if line.len() > LONGEST_LINE { pieces.join(" \\\n  ") } else { line }
    }
}

/// Whether a text is a URL with a password.
fn has_password(text: &str) -> bool {
    let authority = text.split_once("://").and_then(|(_, rest)| rest.split(['/', '?']).next());
    authority.and_then(|authority| authority.rsplit_once('@')).is_some_and(|(login, _)| login.contains(':'))
        || text.contains("password=")
}

/// Word of a command line for a POSIX shell.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-:=@%+,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(flags: &Flags, variables: &[(&str, &str)]) -> Commands {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Commands::of("./portico".into(), "/srv/my shop's".into(), flags, variables)
    }

    #[test]
    fn commands_have_the_flags_and_variables_of_the_server_and_those_of_each_other() {
        let flags = Flags {
            listen: Some("127.0.0.1:9000".into()),
            database: Some("a b.sqlite".into()),
            public_nodes: Some("true".into()),
            ..Flags::default()
        };
        let commands = commands(&flags, &[("PORTICO__ADMIN_LISTEN", "127.0.0.1:9001"), ("PATH", "/bin")]);
        let admin = "PORTICO__ADMIN_LISTEN=127.0.0.1:9001";
        let place = "--listen 127.0.0.1:9000 --database 'a b.sqlite'";
        assert_eq!(commands.folder(), r"cd '/srv/my shop'\''s'");
        // Long commands continue on the next line.
        let serve = format!("./portico serve \\\n  --public-nodes {place}");
        assert_eq!(commands.serve(false, false), format!("{admin} \\\n  {serve}"));
        let relay = commands.serve(true, true);
        assert_eq!(relay, format!("{admin} PORTICO__RELAY__ENABLED=true \\\n  {serve}"));
        assert_eq!(
            commands.on_database("doctor"),
            format!("{admin} \\\n  ./portico doctor \\\n  --database 'a b.sqlite'")
        );
        assert_eq!(commands.on_database("x"), format!("{admin} ./portico x --database 'a b.sqlite'"));
        assert_eq!(commands.init(), format!("{admin} \\\n  ./portico init \\\n  {place} --networks public"));
        assert!(commands.left_out().is_empty());
    }

    #[test]
    fn commands_of_a_server_whose_admin_page_is_off_name_its_database() {
        let mut commands = commands(&Flags::default(), &[]);
        assert!(commands.admin());
        commands.lost_admin(&DatabasePlace::Sqlite("portico.sqlite".into()));
        assert_eq!(commands.on_database("project list"), "./portico project list --database portico.sqlite");
        assert!(!commands.admin());
    }

    #[test]
    fn commands_of_a_server_at_any_free_port_name_the_port_that_it_took() {
        let taken = "127.0.0.1:39737".parse().unwrap();
        let listens = |listen: &str, variables: &[(&str, &str)]| {
            let mut commands = commands(&Flags { listen: Some(listen.into()), ..Flags::default() }, variables);
            commands.took(taken);
            (commands.init(), commands.serve(true, false))
        };
        let init = "./portico init --listen 127.0.0.1:39737".to_owned();
        let serve = "./portico serve --public-nodes --listen 127.0.0.1:39737".to_owned();
        assert_eq!(listens("127.0.0.1:0", &[]), (init, serve));
        assert_eq!(listens("127.0.0.1:9000", &[]).0, "./portico init --listen 127.0.0.1:9000");
        let by_variable = listens("127.0.0.1:9000", &[(LISTEN, "127.0.0.1:0")]).0;
        assert!(by_variable.starts_with("PORTICO__LISTEN=127.0.0.1:39737 "), "{by_variable}");
    }

    #[test]
    fn secrets_are_left_out_and_named() {
        let flags = Flags { redis: Some("redis://:secret@127.0.0.1".into()), ..Flags::default() };
        let variables = [
            ("PORTICO__DATABASE", "postgres://me:secret@db.example/portico"),
            ("PORTICO__SOURCES__ZERION_KEY", "secret"),
            ("PORTICO__SOURCES__HELIUS_KEY_FILE", "key"),
            (RELAY, "true"),
        ];
        let commands = commands(&flags, &variables);
        let serve = commands.serve(false, true);
        assert_eq!(serve, "PORTICO__SOURCES__HELIUS_KEY_FILE=key PORTICO__RELAY__ENABLED=true \\\n  ./portico serve");
        assert!(commands.init().ends_with("./portico init \\\n  --relay yes"));
        assert_eq!(commands.left_out(), ["--redis-url", "PORTICO__DATABASE", "PORTICO__SOURCES__ZERION_KEY"]);
    }
}
