//! Tests of the help that each command prints.

use super::Cli;
use clap::{CommandFactory, Parser};

/// Whole help of each command and its subcommands, with the words that ask for it.
fn helps(command: &clap::Command, words: &str, into: &mut Vec<(String, String)>) {
    let words = format!("{words} {}", command.get_name());
    into.push((words.trim().to_owned(), command.clone().render_long_help().to_string()));
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        helps(below, &words, into);
    }
}

#[test]
fn the_help_of_every_command_has_examples_that_every_shell_takes() {
    let mut all = Vec::new();
    helps(&Cli::command(), "", &mut all);
    assert!(all.len() > 30, "{}", all.len());
    for (words, help) in &all {
        assert!(help.contains("Examples:\n") || help.contains("More examples:\n"), "{words}");
        let Some((_, examples)) = help.split_once("xamples:\n") else { continue };
        for line in examples.lines() {
            assert!(line.chars().count() <= 140, "{words}: {line}");
            // zsh takes a star outside quotation marks for names of files.
            let outside: String = line.split('\'').step_by(2).collect();
            let typed = line.starts_with("  portico");
            assert!(!typed || !outside.contains('*'), "{words}: {line}");
        }
    }
    let guides = ["server", "wallet", "two-nodes", "relay", "chains"];
    for guide in guides.map(|name| format!("{}/../../docs/operations/{name}.md", env!("CARGO_MANIFEST_DIR"))) {
        let text = std::fs::read_to_string(&guide).unwrap();
        for line in text.lines().filter(|line| line.starts_with("portico ")) {
            let outside: String = line.split('\'').step_by(2).collect();
            assert!(!outside.contains('*'), "{guide}: {line}");
        }
    }
}

#[test]
fn the_help_of_every_command_has_the_same_layout() {
    let mut all = Vec::new();
    helps(&Cli::command(), "", &mut all);
    for (words, help) in &all {
        assert!(help.contains("Print help\n"), "{words}: {help}");
    }
}

#[test]
fn an_older_name_of_a_flag_still_works() {
    for flag in ["--unfreeze", "--thaw"] {
        assert!(Cli::try_parse_from(["portico", "vault", "freeze", "ada@example.org", flag]).is_ok());
    }
}
