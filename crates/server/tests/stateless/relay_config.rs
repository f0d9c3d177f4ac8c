//! Relay settings of an operator, and the messages about them.

use crate::support;
use portico_server::config::{Config, Flags};
use std::path::Path;
use support::node::said;

fn read(toml: &str) -> Result<Config, Vec<String>> {
    let read = Config::parse(Path::new("portico.toml"), toml, [], &Flags::default());
    read.map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

#[test]
fn there_is_a_relay_where_it_is_turned_on_and_nowhere_else() {
    assert!(read("").unwrap().relay.is_none());
    assert!(read("[relay]\nenabled = false\nurls = [\"wss://relay.example\"]\n").unwrap().relay.is_none());
    let relay = read("[relay]\nenabled = true\n").unwrap().relay.unwrap();
    assert_eq!((relay.max_message, relay.max_ttl), (256 * 1024, 2_592_000));
    assert_eq!((relay.messages_per_topic, relay.bytes_per_topic), (1000, 8 * 1024 * 1024));
    let rate = relay.publishes.unwrap();
    assert_eq!((rate.per_second.to_string(), rate.burst), ("30".into(), 100));
    let free =
        read("[relay]\nenabled = true\npublishes_per_second = 0\nnew_topics_per_second = 0\n").unwrap().relay.unwrap();
    assert_eq!((free.publishes, free.new_topics), (None, None));
}

#[test]
fn each_mistake_is_told_with_its_line_whether_or_not_the_relay_is_on() {
    for on in ["true", "false"] {
        let toml = format!(
            "[relay]\nenabled = {on}\nurls = [\"relay.example\", \"ftp://relay.example\"]\nmax_message_kib = 0\nmax_ttl_seconds = \"a day\"\npublish_burst = 0\n"
        );
        let mistakes = read(&toml).unwrap_err();
        assert_eq!(
            mistakes,
            [
                "portico.toml, line 3: use the address of the relay such as wss://relay.example.com, not `relay.example`.",
                "portico.toml, line 3: use the address of the relay such as wss://relay.example.com, not `ftp://relay.example`.",
                "portico.toml, line 4: use 1 to 16384 kibibytes, not `0`.",
                "portico.toml, line 5: use 1 to 31536000 seconds, not `a day`.",
                "portico.toml, line 6: use 1 to 1000000 requests at once, not `0`.",
            ]
        );
    }
    assert!(read("[relay]\nenabled = \"yes\"\n").unwrap_err()[0].contains("use true or false as `relay.enabled`"));
    assert!(
        read("[relay]\nurl = \"a\"\n").unwrap_err()[0].contains("no setting `relay.url`. Did you mean `relay.urls`?")
    );
}

#[tokio::test]
async fn the_check_and_the_doctor_say_what_becomes_of_the_relay() {
    let folder = tempfile::tempdir().unwrap();
    let write =
        |toml: &str| std::fs::write(folder.path().join("portico.toml"), format!("listen = \"127.0.0.1:0\"\n{toml}"));
    let doctor = async || said(folder.path(), &["doctor"]).await.1;
    write("").unwrap();
    assert!(doctor().await.contains("relay (`relay.enabled = true`)"));
    write("[relay]\nenabled = true\n").unwrap();
    let (_, check, _) = said(folder.path(), &["config", "check"]).await;
    assert_eq!(check, "portico.toml has no mistakes (no chains yet, relay on).\n");
    let told = doctor().await;
    assert!(
        told.contains(
            "note   relay: on, for clients on this machine only. For others, set `relay.urls` or `public_url`."
        ),
        "{told}"
    );
    assert!(told.contains("note   database: portico.sqlite isn't there yet. `portico serve` creates it.\n"), "{told}");
    assert!(said(folder.path(), &["migrate"]).await.0);
    write("public_url = \"https://shop.example\"\n[relay]\nenabled = true\nurls = [\"wss://relay.example\"]\n")
        .unwrap();
    let told = doctor().await;
    assert!(told.contains("ok     relay: on, at wss://relay.example/, wss://shop.example/relay\n"), "{told}");
    assert!(told.contains("ok     relay: messages waiting: 0, subscriptions: 0 (0% of `relay.mib_total`, 0% of `relay.subscriptions_total`)\n"), "{told}");
}
