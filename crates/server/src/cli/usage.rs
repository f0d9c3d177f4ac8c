//! Mistakes in the words of a command: what the parser of the command line says about them, with a suggestion.

use super::Cli;
use super::printed::capitalised;
use crate::config::ended;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::ExitCode;

/// Parses the words of a command. `portico help --help` is `portico help`: clap takes the second word for a command there.
pub(super) fn parsed(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let is_flag = |word: &str| matches!(word, "--help" | "-h");
    let mut words: Vec<OsString> = args.into_iter().collect();
    Cli::try_parse_from(&words).or_else(|error| match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(typed)) if is_flag(typed) => {
            words.retain(|word| !word.to_str().is_some_and(is_flag));
            Cli::try_parse_from(&words)
        }
        _ => Err(error),
    })
}

/// Prints help, or a mistake.
pub(super) fn told(mut error: clap::Error) -> ExitCode {
    suggest(&mut error);
    if error.use_stderr() {
        remark!("{}", in_sentences(&error.render().to_string()));
    } else {
        // A failure to print help cannot be reported.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1))
}

/// Mistake as sentences, like all other mistakes: the parser writes notes in lower case.
fn in_sentences(rendered: &str) -> String {
    let sentence = |line: &str| {
        let note = line.strip_prefix("error: ").or_else(|| line.trim_start().strip_prefix("tip: "));
        note.map_or_else(
            || line.to_owned(),
            |note| if note.ends_with(':') { capitalised(note) } else { ended(&capitalised(note)) },
        )
    };
    rendered.trim_end().lines().map(sentence).collect::<Vec<_>>().join("\n")
}

/// Words that people type for a command of another name.
const SYNONYMS: [(&str, &str); 6] = [
    ("start", "serve"),
    ("run", "serve"),
    ("setup", "init"),
    ("check", "config check"),
    ("status", "doctor"),
    ("freeze", "vault freeze"),
];

/// Adds a suggestion to an unknown command of which no command of the same level is near: one of another name, or of a level below.
fn suggest(error: &mut clap::Error) {
    if error.kind() != ErrorKind::InvalidSubcommand || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    if usage.contains(" project ") && ["remove", "delete", "rm"].contains(&typed.as_str()) {
        let meant = ContextValue::Strings(vec!["project disable".into()]);
        error.insert(ContextKind::SuggestedSubcommand, meant);
        return;
    }
    let synonym = SYNONYMS.iter().find(|(word, _)| word == typed).map(|(_, command)| (*command).to_owned());
    let cli = Cli::command();
    let below = cli.get_subcommands().filter(|command| command.find_subcommand(typed).is_some());
    let below = below.map(|command| format!("{} {typed}", command.get_name()));
    let meant: Vec<String> = synonym.into_iter().chain(below).collect::<BTreeSet<_>>().into_iter().collect();
    if !meant.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(meant));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_about_help_is_help() {
        for words in ["help --help", "help -h", "help", "--help", "project help --help", "help project --help"] {
            let words = ["portico"].into_iter().chain(words.split(' ')).map(OsString::from);
            assert_eq!(parsed(words).err().unwrap().kind(), ErrorKind::DisplayHelp);
        }
        let words = ["portico", "nonsense", "--help"].map(OsString::from);
        assert_eq!(parsed(words).err().unwrap().kind(), ErrorKind::InvalidSubcommand);
    }
}
