//! `portico init`: writes a configuration file from the answers to five questions.

use super::config::flag_of;
use super::printed::{Printed, capitalised, no_folder, print, tell};
use crate::config::{Config, DatabasePlace, FILE_NAME, FILE_VARIABLE, Flags, Mistake, ended, meant, typed_program};
use clap::Args;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico init                                   ask five questions
  portico init --yes                             use the default for each
  portico init --yes --networks public --relay yes
  portico init --networks eip155:1=https://node.example,eip155:10=https://other.example
  portico init --networks eip155:1=https://node.example,eip155:1=https://second.example
                                                 two nodes for one network, the preferred one first
  printf '%s\\n' '' https://portico.example.org '' public yes | portico init

A question with a flag isn't asked. Answers can also come from a pipe, one per line. An empty line uses the default.
If the answers end too early, as with Ctrl-D, no file is written. docs/guides/relays.md says when a relay of your own helps.
An existing file is replaced only with --force.";

#[derive(Args)]
pub(super) struct InitArgs {
    /// File to write
    #[arg(long, value_name = "FILE", env = FILE_VARIABLE, hide_env_values = true, default_value = FILE_NAME)]
    config: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Use the default for each question without a flag
    #[arg(long)]
    yes: bool,
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Public URL of this server, or `none` if it has none yet
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// SQLite file, or a postgres:// URL
    #[arg(long, value_name = "FILE|URL")]
    database: Option<String>,
    /// `none`, `public` for public nodes, or your own nodes as ID=URL, separated by commas
    #[arg(long, value_name = "NETWORKS")]
    networks: Option<String>,
    /// Run a relay of your own (WalletConnect); phone wallets from app stores don't use it
    #[arg(long, value_name = "yes|no")]
    relay: Option<String>,
}

/// Question, the flag that answers it, its usual answer, and how an answer is written in the file.
struct Question {
    flag: &'static str,
    text: &'static str,
    usual: &'static str,
    write: fn(&str) -> Result<Lines, String>,
}

/// Lines of the file. Tables come last, because all that follows a table belongs to it.
#[derive(Default)]
struct Lines {
    settings: String,
    tables: String,
}

impl Lines {
    fn settings(settings: String) -> Lines {
        Lines { settings, tables: String::new() }
    }

    fn whole(&self) -> String {
        format!("{}{}", self.settings, self.tables)
    }
}

const QUESTIONS: [Question; 5] = [
    Question { flag: "--listen", text: "Address and port to listen on", usual: "127.0.0.1:8080", write: listen },
    Question {
        flag: "--public-url",
        text: "Public URL of this server, such as https://portico.example.org",
        usual: "none",
        write: public_url,
    },
    Question {
        flag: "--database",
        text: "Database: an SQLite file, or a postgres:// URL",
        usual: "portico.sqlite",
        write: database,
    },
    Question {
        flag: "--networks",
        text: "Networks: none, public (nodes run by others), or your own, such as eip155:1=https://node.example",
        usual: "none",
        write: networks,
    },
    Question {
        flag: "--relay",
        text: "Run a relay of your own (WalletConnect)? Phone wallets from app stores don't use it. Answer yes or no",
        usual: "no",
        write: relay,
    },
];

pub(super) fn run(args: &InitArgs) -> Result<(), Printed> {
    let path = &args.config;
    if !args.force && path.symlink_metadata().is_ok() {
        return Err(taken(path));
    }
    let given = [&args.listen, &args.public_url, &args.database, &args.networks, &args.relay];
    // A mistake in an option is told before the first question.
    for (question, given) in QUESTIONS.iter().zip(given).filter(|(_, given)| given.is_some()) {
        answered(question, given.as_deref(), args.yes)?;
    }
    let mut lines = Lines::settings(HEAD.into());
    for (question, given) in QUESTIONS.iter().zip(given) {
        let Lines { settings, tables } = answered(question, given.as_deref(), args.yes)?;
        lines.settings += &settings;
        lines.tables += &tables;
    }
    lines.settings += &TAIL.replace("ADMIN", &admin_listen());
    let text = lines.whole();
    let config = checked(&text).map_err(print)?;
    write(path, &text, &config, args.force)?;
    let (named, portico) = (flag_of(path), typed_program());
    say!("Wrote {}.\n\nNext:", path.display());
    say!("  1. Check that it works: {portico} doctor{named}");
    say!("  2. Let your site use the server: {portico} project add Shop --origin https://shop.example{named}");
    say!("  3. Start: {portico} serve{named}");
    Ok(())
}

/// Lines of the file for the answer to a question. At a terminal a wrong answer is asked for again.
fn answered(question: &Question, given: Option<&str>, yes: bool) -> Result<Lines, Printed> {
    let parsed = |answer: &str| {
        let lines = (question.write)(if answer.is_empty() { question.usual } else { answer })?;
        checked(&lines.whole()).map(|_| lines).map_err(|mistakes| sentences(&mistakes))
    };
    if let Some(answer) = given {
        return parsed(answer.trim()).map_err(|sentence| tell(format!("{}: {sentence}", question.flag)));
    }
    let parsed = |answer: &str| parsed(answer).map_err(|sentence| capitalised(&sentence));
    if yes {
        return parsed("").map_err(tell);
    }
    let asks = io::stdin().is_terminal();
    loop {
        let _ = write!(io::stdout(), "{} [{}]: ", question.text, question.usual);
        let _ = io::stdout().flush();
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        let read = read.map_err(|error| tell(format!("Couldn't read the answer: {error}")))?;
        // The end of the input is no answer: Ctrl-D, or a pipe with too few lines.
        if read == 0 {
            say!();
            return Err(tell("Stopped, because the answers ended. No file was written."));
        }
        if !asks {
            say!();
        }
        match parsed(answer.trim()) {
            Ok(lines) => return Ok(lines),
            Err(sentence) if asks && !answer.is_empty() => say!("  {}", ended(&sentence)),
            Err(sentence) => return Err(tell(sentence)),
        }
    }
}

/// Whether the server would start with this text, regardless of the environment.
fn checked(text: &str) -> Result<Config, Vec<Mistake>> {
    Config::parse(Path::new("the answers"), text, [], &Flags::default())
}

/// Mistakes as sentences, without a line number, because the file does not exist yet. The first one may follow the name of a flag.
fn sentences(mistakes: &[Mistake]) -> String {
    let sentence = |(number, mistake): (usize, &Mistake)| match number {
        0 => ended(mistake.sentence()),
        _ => ended(&capitalised(mistake.sentence())),
    };
    mistakes.iter().enumerate().map(sentence).collect::<Vec<_>>().join(" ")
}

fn write(path: &Path, text: &str, config: &Config, force: bool) -> Result<(), Printed> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    // The URL of a database may have a password.
    let mode = if matches!(config.database, DatabasePlace::Postgres(_)) { 0o600 } else { 0o644 };
    let written = options.mode(mode).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => taken(path),
        io::ErrorKind::NotFound => tell(no_folder(path)),
        io::ErrorKind::PermissionDenied => tell(format!(
            "This user can't write {}. Use --config FILE with a folder that it can write to.",
            path.display()
        )),
        _ => tell(format!("Couldn't write {}: {error}", path.display())),
    })
}

fn taken(path: &Path) -> Printed {
    let path = path.display();
    tell(format!("{path} already exists. Use --config FILE to write another, or --force to replace it."))
}

const HEAD: &str = "\
# Settings of portico. Lines that start with # have no effect.
# All settings: docs/operations/server.md. Check this file: portico config check
";

const TAIL: &str = "
# Metrics, health and the admin page (`portico admin link`), for this machine only.
admin_listen = \"ADMIN\"

# Folder of files to serve beside the API, such as your built site.
# static_dir = \"dist\"

# Events of widgets are stored only if you turn this on.
# analytics.enabled = true
";

/// Address of the admin page: that of the environment, as commands of a server without a file have it, or the usual one.
fn admin_listen() -> String {
    let given = Config::environment().find(|(name, _)| name == "PORTICO__ADMIN_LISTEN");
    let given = given.and_then(|(_, text)| text.parse::<SocketAddr>().ok());
    given.filter(|address| address.port() != 0).map_or("127.0.0.1:9464".into(), |address| address.to_string())
}

/// A text in quotation marks, as TOML reads it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            // Writing to a String cannot fail.
            letter if letter.is_control() => drop(write!(quoted, "\\u{:04X}", u32::from(letter))),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn listen(answer: &str) -> Result<Lines, String> {
    if answer.parse::<SocketAddr>().is_ok_and(|address| address.port() == 0) {
        return Err(format!(
            "with port 0 each start takes another port, which pages and commands don't know. Use a port, such as {}",
            answer.trim_end_matches('0').to_owned() + "8080"
        ));
    }
    let about = "Put a proxy with TLS in front of it. Then only this machine has to reach this port.";
    Ok(Lines::settings(format!("\n# {about}\nlisten = {}\n", quoted(answer))))
}

fn public_url(answer: &str) -> Result<Lines, String> {
    let about = "\n# Public URL of this server, without a slash at the end.\n";
    let url = match answer {
        "none" => "# public_url = \"https://portico.example.org\"\n".to_owned(),
        url => format!("public_url = {}\n", quoted(url.trim_end_matches('/'))),
    };
    // An https URL is that of a proxy with TLS, which is usually on the same machine.
    let sign = if answer.starts_with("https://") { "" } else { "# " };
    let proxies =
        "\n# Proxies with TLS in front of this server, so that visitors are told apart by their own addresses.\n";
    Ok(Lines::settings(format!("{about}{url}{proxies}{sign}trusted_proxies = [\"127.0.0.1\"]\n")))
}

fn database(answer: &str) -> Result<Lines, String> {
    let about =
        "SQLite file, or postgres://user@host/name for several nodes. `database_file` names a file with the URL.";
    let place = match answer.contains("://") {
        true => answer.to_owned(),
        // The server and other commands find a full path from every folder.
        false => std::path::absolute(answer).map_or_else(|_| answer.to_owned(), |path| path.display().to_string()),
    };
    Ok(Lines::settings(format!("\n# {about}\ndatabase = {}\n", quoted(&place))))
}

fn relay(answer: &str) -> Result<Lines, String> {
    let enabled = match answer {
        "yes" | "y" | "true" => true,
        "no" | "n" | "false" => false,
        _ => return Err(format!("answer yes or no, not `{answer}`")),
    };
    let about = "Relay of your own, for wallets that let you choose one: docs/operations/relay.md";
    // A table, as the documentation has it: a second one beside `relay.enabled` is a mistake.
    Ok(Lines { settings: String::new(), tables: format!("\n# {about}\n[relay]\nenabled = {enabled}\n") })
}

fn networks(answer: &str) -> Result<Lines, String> {
    let about = "Large networks over public nodes, whose operators see which accounts are looked up.";
    let settings = format!("\n# {about}\npublic_nodes = {}\n", answer == "public");
    let mut tables =
        String::from("\n# Your own nodes, one table per network, preferred node first: docs/operations/chains.md\n");
    if matches!(answer, "public" | "none") {
        tables += "# [[chains]]\n# id = \"eip155:1\"\n# upstreams = [\"https://ethereum.example/key\"]\n";
        return Ok(Lines { settings, tables });
    }
    // Nodes of each network, in the order of the answer.
    let mut chains: Vec<(&str, Vec<String>)> = Vec::new();
    for part in answer.split(',').map(str::trim) {
        if matches!(part, "public" | "none") {
            return Err(format!(
                "answer {part} alone, or only networks with their nodes, such as eip155:1=https://node.example"
            ));
        }
        let (id, url) = part.split_once('=').ok_or_else(|| {
            format!(
                "answer none, public or a network with its node, such as eip155:1=https://node.example, not `{part}`{}",
                meant(part)
            )
        })?;
        let (id, url) = (id.trim(), quoted(url.trim()));
        match chains.iter_mut().find(|(other, _)| *other == id) {
            Some((_, urls)) => urls.push(url),
            None => chains.push((id, vec![url])),
        }
    }
    for (id, urls) in chains {
        tables += &format!("[[chains]]\nid = {}\nupstreams = [{}]\n\n", quoted(id), urls.join(", "));
    }
    tables.truncate(tables.trim_end().len());
    tables.push('\n');
    Ok(Lines { settings, tables })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_answered_twice_has_two_nodes() {
        let Lines { settings, tables } =
            networks("eip155:1=https://a.example,eip155:10=https://c.example, eip155:1=https://b.example").unwrap();
        assert!(tables.contains("id = \"eip155:1\"\nupstreams = [\"https://a.example\", \"https://b.example\"]\n"));
        let config = checked(&(settings + &tables)).unwrap();
        assert_eq!(config.chains.iter().map(|chain| chain.upstreams.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn none_and_public_are_answers_of_their_own() {
        for (answer, word) in
            [("none,eip155:1=https://a.example", "none"), ("eip155:1=https://a.example, public", "public")]
        {
            let told = networks(answer).err().unwrap();
            assert!(told.starts_with(&format!("answer {word} alone, or only networks with their nodes")), "{told}");
        }
        assert!(networks("none").is_ok() && networks("public").is_ok());
    }

    #[test]
    fn an_answer_stays_one_value_whatever_it_contains() {
        for text in ["a\"b", "a\\", "\u{1}\u{7f}é", "\"\nlisten = \"x"] {
            let table: toml::Table = toml::from_str(&format!("a = {}", quoted(text))).unwrap();
            assert_eq!(table["a"].as_str(), Some(text));
        }
    }
}
