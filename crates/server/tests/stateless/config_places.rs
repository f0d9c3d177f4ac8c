//! Mistakes in secrets, in files of prices, in the gateway for names and in the URL of a database have the place of their setting.

use crate::config::{mistakes, parse};
use portico_server::config::Flags;

#[test]
fn a_mistake_in_a_file_of_prices_has_the_line_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prices.json");
    std::fs::write(&file, "[").unwrap();
    for named in [file.to_str().unwrap(), "/nowhere"] {
        let told = mistakes(&format!("[sources]\nprice_file = {named:?}\n"));
        assert!(told.len() == 1 && told[0].starts_with("portico.toml, line 2: "), "{told:?}");
    }
}

#[test]
fn the_url_of_a_database_has_a_host_and_a_name() {
    let told = "portico.toml, line 1: use a URL with a host and the name of a database, such as postgres://user@host/name, as database.";
    for url in
        ["postgres://", "postgresql://", "postgres:///shop", "postgres://ada@db.example", "postgres://ada@db.example/"]
    {
        assert_eq!(mistakes(&format!("database = {url:?}\n")), [told], "{url}");
    }
    for url in [
        "postgres://ada@db.example/shop",
        "postgresql://[::1]:5433/shop?sslmode=disable",
        "postgres:///shop?host=/run/postgresql",
        "postgres://%2Frun%2Fpostgresql/shop",
        "postgres://db.example?dbname=shop",
    ] {
        assert!(parse(&format!("database = {url:?}\n"), &[], &Flags::default()).is_ok(), "{url}");
    }
}
