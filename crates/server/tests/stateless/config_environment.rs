//! Settings from environment variables, flags and files of secrets, and mistakes in them.

use crate::config::{here, mistakes, parse};
use portico_server::config::{Config, Flags};
use std::path::Path;

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let toml = "listen = \"127.0.0.1:1\"\ndatabase = \"file.sqlite\"\nlog = \"warn\"\n";
    let environment = [("PORTICO__LISTEN", "127.0.0.1:2"), ("PORTICO__DATABASE", "env.sqlite"), ("HOME", "/root")];
    let config = parse(toml, &environment, &Flags { listen: Some("[::1]:3".into()), ..Flags::default() }).unwrap();
    assert_eq!(config.listen.to_string(), "[::1]:3");
    assert_eq!(config.database.to_string(), "env.sqlite");
    assert_eq!(config.log.default_level().unwrap().to_string(), "warn");
}

#[test]
fn the_numbers_come_from_the_file_or_the_environment() {
    let numbers = |toml: &str, environment: &[(&str, &str)]| {
        let config = parse(toml, environment, &Flags::default()).unwrap();
        (config.max_connections, config.max_connections_per_client, config.max_body_memory_mib)
    };
    assert_eq!(numbers("", &[]), (4096, 1024, 512));
    // One visitor never takes all connections.
    assert_eq!(numbers("max_connections = 7\n", &[]), (7, 2, 512));
    let toml = "max_connections = 7\nmax_connections_per_client = 3\nmax_body_memory_mib = 64\n";
    assert_eq!(numbers(toml, &[]), (7, 3, 64));
    let environment = [
        ("PORTICO__MAX_CONNECTIONS", "9"),
        ("PORTICO__MAX_CONNECTIONS_PER_CLIENT", "2"),
        ("PORTICO__MAX_BODY_MEMORY_MIB", "1"),
    ];
    assert_eq!(numbers(toml, &environment), (9, 2, 1));
    assert_eq!(
        mistakes("max_connections = 0\nmax_connections_per_client = -1\nmax_body_memory_mib = 0\n"),
        [
            "portico.toml, line 1: use 1 to 1000000 connections, not `0`.",
            "portico.toml, line 2: use 1 to 1000000 connections, not `-1`.",
            "portico.toml, line 3: use 1 to 1048576 mebibytes, not `0`.",
        ]
    );
    assert_eq!(
        mistakes("limits.client_part = 0\nlimits.client_per_second = -1\nlimits.client_burst = 0\n"),
        [
            "portico.toml, line 1: use 1 to 1000000 parts of a project's quota, not `0`.",
            "portico.toml, line 2: use 0 to 1000000 requests per second, not `-1`.",
            "portico.toml, line 3: use 1 to 1000000 requests at once, not `0`.",
        ]
    );
    assert_eq!(
        parse("", &[("PORTICO__MAX_CONNECTIONS", "many")], &Flags::default()).unwrap_err(),
        ["PORTICO__MAX_CONNECTIONS: use 1 to 1000000 connections, not `many`."]
    );
}

#[test]
fn a_mistake_of_the_environment_or_a_flag_names_it() {
    let found = parse("", &[("PORTICO__LISTEN", "x"), ("PORTICO__RPC__LIMIT", "1")], &Flags::default()).unwrap_err();
    assert_eq!(found.len(), 2, "{found:?}");
    // The other settings of the section follow.
    assert!(
        found[0].starts_with("PORTICO__RPC__LIMIT: no setting `rpc.limit`. Use one of rpc.cache_mib, "),
        "{found:?}"
    );
    assert_eq!(found[1], "PORTICO__LISTEN: use an address and a port such as 127.0.0.1:8080 or [::]:8080, not `x`.");
    let flags = Flags { static_dir: Some("nowhere".into()), ..Flags::default() };
    assert_eq!(
        parse("", &[], &flags).unwrap_err(),
        [format!(
            "--static: the folder of static files nowhere (relative to {}) doesn't exist. Create it first.",
            here()
        )]
    );
}

#[test]
fn a_secret_may_stand_in_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("database");
    std::fs::write(&file, "postgres://portico:pass@db.example/portico\n").unwrap();
    let named = format!("database_file = {:?}\n", file.display().to_string());
    let config = parse(&named, &[], &Flags::default()).unwrap();
    assert_eq!(config.database.to_string(), "portico on db.example");
    // The closer source wins, as a value or as a file.
    let nearer = parse(&named, &[("PORTICO__DATABASE", "near.sqlite")], &Flags::default()).unwrap();
    assert_eq!(nearer.database.to_string(), "near.sqlite");
    let variable = file.display().to_string();
    let other = parse("database = \"far.sqlite\"", &[("PORTICO__DATABASE_FILE", variable.as_str())], &Flags::default())
        .unwrap();
    assert_eq!(other.database.to_string(), "portico on db.example");
    let flags = Flags { database: Some("flag.sqlite".into()), ..Flags::default() };
    assert_eq!(parse(&named, &[], &flags).unwrap().database.to_string(), "flag.sqlite");
    let both = mistakes(&format!("database = \"a.sqlite\"\n{named}"));
    assert_eq!(both, ["portico.toml, line 2: set `database` or `database_file`, not both."]);
    let absent = mistakes("redis_file = \"no-such-file\"\n");
    assert_eq!(
        absent,
        [format!(
            "portico.toml, line 1: the file no-such-file (relative to {}), named by `redis_file`, doesn't exist.",
            here()
        )]
    );
    std::fs::write(&file, "mysql://db.example").unwrap();
    assert!(!mistakes(&named)[0].contains("mysql"));
}

#[test]
fn a_variable_with_one_underscore_is_told_with_the_right_spelling() {
    let environment = [
        ("PORTICO_LISTEN", "127.0.0.1:1"),
        ("PORTICO_WALLET_MAIL_SMTP", "smtps://a"),
        ("PORTICO_RELAY__ENABLE", "true"),
        ("PORTICO_COLOUR", "red"),
        ("PORTICO_CONFIG", "other.toml"),
        ("PORTICO_BIN", "/bin/portico"),
        ("PORTICO_TEST_REDIS_URL", "redis://a"),
        ("PORTICO_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
        ("PORTICO_SERVICE_HOST", "10.0.0.1"),
        ("PORTICOS", "7"),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::parse(Path::new("portico.toml"), "", environment, &Flags::default()).unwrap();
    assert_eq!(config.listen.port(), 8080);
    let told: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
    let ignored = "ignored, because settings begin with PORTICO__ (two underscores).";
    assert_eq!(
        told,
        [
            format!("PORTICO_LISTEN: {ignored} Use PORTICO__LISTEN."),
            format!("PORTICO_WALLET_MAIL_SMTP: {ignored} Use PORTICO__WALLET__MAIL__SMTP."),
            format!("PORTICO_RELAY__ENABLE: {ignored} Did you mean PORTICO__RELAY__ENABLED?"),
            format!("PORTICO_COLOUR: {ignored}"),
        ]
    );
}

#[test]
fn a_section_as_a_variable_is_answered_with_the_variables_of_its_settings() {
    for (name, meant) in [
        ("RELAY", "PORTICO__RELAY__ENABLED=true"),
        ("ANALYTICS", "PORTICO__ANALYTICS__ENABLED=true"),
        ("WALLET", "PORTICO__WALLET__ORIGIN=…"),
    ] {
        let environment = [(format!("PORTICO__{name}"), "true".to_owned())];
        let mistakes = Config::parse(Path::new("portico.toml"), "", environment, &Flags::default()).unwrap_err();
        let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        let section = name.to_lowercase();
        let sentence =
            format!("`{section}` is a section, so each of its settings has a variable of its own, such as {meant}.");
        assert_eq!(told, [format!("PORTICO__{name}: {sentence}")]);
    }
}
