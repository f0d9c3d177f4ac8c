//! Mistakes in secrets, in the gateway for names and in the URL of a database have the place of their setting.

use crate::config::{mistakes, parse};
use portico_server::config::Flags;

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
