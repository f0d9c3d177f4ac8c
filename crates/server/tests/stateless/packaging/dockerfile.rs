//! `packaging/Dockerfile`

use super::settings;

const DOCKERFILE: &str = include_str!("../../../../../packaging/Dockerfile");
const MANIFEST: &str = include_str!("../../../../../Cargo.toml");

/// Instructions with their arguments, continued lines joined.
fn instructions() -> Vec<(&'static str, String)> {
    let joined = DOCKERFILE.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let joined = joined.replace("\\\n", " ");
    let lines: Vec<&'static str> = joined.leak().lines().filter(|line| !line.trim().is_empty()).collect();
    let split = |line: &'static str| line.split_once(' ').expect("an instruction has arguments");
    lines
        .into_iter()
        .map(split)
        .map(|(word, rest)| (word, rest.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect()
}

#[test]
fn each_instruction_is_one_of_docker_and_its_lists_are_json() {
    const KNOWN: [&str; 11] =
        ["FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "EXPOSE", "VOLUME", "STOPSIGNAL", "ENTRYPOINT", "CMD"];
    for (word, rest) in instructions() {
        assert!(KNOWN.contains(&word), "{word}");
        if ["ENTRYPOINT", "CMD"].contains(&word) {
            assert!(serde_json::from_str::<Vec<String>>(&rest).is_ok(), "{rest}");
        }
    }
}

#[test]
fn it_builds_with_the_compiler_of_the_workspace_and_runs_as_an_ordinary_user() {
    let instructions = instructions();
    let stages: Vec<&str> =
        instructions.iter().filter(|(word, _)| *word == "FROM").map(|(_, rest)| rest.as_str()).collect();
    let version =
        MANIFEST.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap().trim_end_matches('"');
    assert_eq!(stages, [&format!("rust:{version}-bookworm AS build"), "debian:bookworm-slim"]);
    let last = instructions.iter().rposition(|(word, _)| *word == "FROM").unwrap();
    let runs = &instructions[last..];
    let users: Vec<&str> = runs.iter().filter(|(word, _)| *word == "USER").map(|(_, rest)| rest.as_str()).collect();
    assert_eq!(users, ["portico"]);
    let copied: Vec<&str> = runs.iter().filter(|(word, _)| *word == "COPY").map(|(_, rest)| rest.as_str()).collect();
    assert_eq!(copied, ["--from=build /usr/local/bin/portico /usr/local/bin/portico"]);
    let command = runs.iter().filter(|(word, _)| ["ENTRYPOINT", "CMD"].contains(word));
    let words: Vec<String> = command.flat_map(|(_, rest)| serde_json::from_str::<Vec<String>>(rest).unwrap()).collect();
    assert_eq!(words, ["portico", "serve"]);
    assert!(runs.contains(&("ENV", "PORTICO_CONFIG=/etc/portico/portico.toml".into())));
}

#[test]
fn its_environment_makes_the_server_listen_on_the_port_that_it_exposes() {
    let instructions = instructions();
    let of =
        |wanted: &str| instructions.iter().find(|(word, _)| *word == wanted).map(|(_, rest)| rest.clone()).unwrap();
    let environment = of("ENV");
    let (name, value) = environment.split_once('=').unwrap();
    let config = settings("", &[(name.to_owned(), value.to_owned())]);
    assert_eq!(config.listen.to_string(), format!("0.0.0.0:{}", of("EXPOSE")));
}
