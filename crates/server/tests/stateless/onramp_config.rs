//! On-ramp settings of an operator, and the messages when they are missing or wrong.

use portico_server::config::{Config, Flags};
use std::path::Path;
use std::process::Command;

/// First key of RFC 8032, section 7.1: seed and public key.
const SECRET: &str = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==";

fn read(toml: &str, environment: &[(&str, &str)]) -> Result<Config, Vec<String>> {
    let environment = environment.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    let read = Config::parse(Path::new("portico.toml"), toml, environment, &Flags::default());
    read.map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

#[test]
fn half_a_key_a_wrong_one_and_a_seller_without_one_are_mistakes_and_no_secret_is_repeated() {
    for (toml, words) in [
        ("coinbase_key_id = \"name\"", "set `onramp.coinbase_key`"),
        ("coinbase_key = \"my-secret\"", "set `onramp.coinbase_key_id`"),
        (
            "coinbase_key_id = \"name\"\ncoinbase_key = \"my-secret\"",
            "portico.toml, line 3: use 64 bytes in base64 (Ed25519) or the PEM text of a P-256 key as `onramp.coinbase_key`.",
        ),
        (
            "coinbase_key_id = \"a name\"\ncoinbase_key = \"my-secret\"",
            "portico.toml, line 2: `onramp.coinbase_key_id` is empty, too long, or has characters that aren't allowed.",
        ),
        ("meld_key = \"my secret\"", "empty or has characters"),
        ("providers = [\"meld\"]", "needs `onramp.meld_key`"),
        ("providers = [\"moonpay\"]", "use a list of coinbase and meld as `onramp.providers`, not `moonpay`"),
        ("meld_key = \"my-secret\"\nproviders = [\"meld\", \"meld\"]", "names meld twice"),
        ("meld_url = \"ftp://meld.example\"", "use an http or https URL"),
        ("sessions_per_client_per_minute = 0", "use 1 to 10000 purchases"),
    ] {
        let mistakes = read(&format!("[onramp]\n{toml}\n"), &[]).unwrap_err().join(" ");
        assert!(mistakes.contains(words), "{toml}: {mistakes}");
        assert!(!mistakes.contains("my-secret") && !mistakes.contains("my secret"), "{mistakes}");
    }
}

#[test]
fn keys_of_the_environment_are_taken_and_never_shown() {
    let environment = [
        ("PORTICO__ONRAMP__COINBASE_KEY_ID", "name"),
        ("PORTICO__ONRAMP__COINBASE_KEY", SECRET),
        ("PORTICO__ONRAMP__MELD_KEY", "my-secret"),
        ("PORTICO__ONRAMP__PROVIDERS", "meld,coinbase"),
    ];
    let config = read("", &environment).unwrap();
    let shown = format!("{:?}", config.onramp);
    assert!(shown.find("Meld").unwrap() < shown.find("Coinbase").unwrap(), "{shown}");
    assert!(!shown.contains("my-secret") && !shown.contains(&SECRET[..16]), "{shown}");
}

#[test]
fn the_doctor_says_what_to_set_so_that_widgets_offer_to_buy() {
    let folder = tempfile::tempdir().unwrap();
    let doctor = |toml: &str| {
        std::fs::write(folder.path().join("portico.toml"), format!("listen = \"127.0.0.1:0\"\n{toml}")).unwrap();
        let done =
            Command::new(env!("CARGO_BIN_EXE_portico")).arg("doctor").current_dir(folder.path()).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    let told = doctor("");
    let expected = ", buying (`onramp.coinbase_key_id` and `onramp.coinbase_key`, or `onramp.meld_key`), ";
    assert!(told.contains(expected), "{told}");
    let told = doctor("[onramp]\nmeld_key = \"my-secret\"\n");
    assert!(told.contains("ok     buying: on, with meld\n"), "{told}");
    assert!(
        told.contains("ok     buying: for more providers, set `onramp.coinbase_key_id` and `onramp.coinbase_key`\n"),
        "{told}"
    );
    assert!(!told.contains("my-secret"), "{told}");
    let told = doctor("[onramp]\nmeld_key = \"my-secret\"\nproviders = []\n");
    assert!(told.contains(", buying (`onramp.providers`, an empty list), "), "{told}");
}
