//! Every mistake in a configuration is one sentence with its location.

use portico_server::config::{Config, Flags};
use std::path::Path;

pub fn parse(toml: &str, environment: &[(&str, &str)], flags: &Flags) -> Result<Config, Vec<String>> {
    let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::parse(Path::new("portico.toml"), toml, environment, flags)
        .map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

pub fn mistakes(toml: &str) -> Vec<String> {
    parse(toml, &[], &Flags::default()).unwrap_err()
}

/// Folder that relative paths start at.
pub fn here() -> String {
    std::env::current_dir().unwrap().display().to_string()
}

#[test]
fn an_empty_file_listens_on_loopback_only() {
    let config = parse("", &[], &Flags::default()).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.database.to_string(), "portico.sqlite");
    assert_eq!((config.static_dir, config.chains.len()), (None, 0));
}

#[test]
fn half_a_gateway_for_names_is_told_with_the_line_and_the_other_half() {
    let (resolver, key) = (format!("0x{}", "11".repeat(20)), format!("0x{}", "22".repeat(32)));
    for (parent, setting, told) in [
        (
            "parent = \"portico.eth\"\n",
            format!("signer_key = \"{key}\""),
            "portico.toml, line 3: the gateway for names also needs `names.resolver`, the contract that checks its answers.",
        ),
        (
            "parent = \"portico.eth\"\n",
            format!("resolver = \"{resolver}\""),
            "portico.toml, line 3: the gateway for names also needs `names.signer_key`, the key that signs its answers.",
        ),
        (
            "",
            format!("resolver = \"{resolver}\"\nsigner_key = \"{key}\""),
            "portico.toml, line 2: set `names.parent` to the name below which names are registered, such as example.eth.",
        ),
    ] {
        assert_eq!(mistakes(&format!("[names]\n{parent}{setting}\n")), [told]);
    }
}

#[test]
fn a_mistake_in_a_secret_has_its_line_and_never_the_secret() {
    let wrong = |name: &str| format!("portico.toml, line 3: `{name}` is empty or has characters that aren't allowed.");
    for (section, setting, told) in [
        ("onramp", "meld_key = \"\"", wrong("onramp.meld_key")),
        ("sources", "zerion_key = \"a b\"", wrong("sources.zerion_key")),
        ("sources", "coingecko_key = \"a b\"", wrong("sources.coingecko_key")),
        (
            "names",
            "signer_key = \"a b\"\nparent = \"portico.eth\"\nresolver = \"0x1111111111111111111111111111111111111111\"",
            "portico.toml, line 3: use a secp256k1 key of 64 hex digits as `names.signer_key`.".into(),
        ),
    ] {
        let told_here = mistakes(&format!("# Settings\n[{section}]\n{setting}\n"));
        assert_eq!(told_here, [told]);
        assert!(!told_here[0].contains("a b"));
    }
    // A variable and a file are named too.
    let by = parse("", &[("PORTICO__SOURCES__ZERION_KEY", "a b")], &Flags::default()).unwrap_err();
    assert_eq!(
        by,
        ["PORTICO__SOURCES__ZERION_KEY: `sources.zerion_key` is empty or has characters that aren't allowed."]
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, "a b\n").unwrap();
    let told = mistakes(&format!("[sources]\nzerion_key_file = {file:?}\n"));
    assert_eq!(told, ["portico.toml, line 2: `sources.zerion_key` is empty or has characters that aren't allowed."]);
}

#[test]
fn every_mistake_is_told_at_once_with_its_line() {
    let toml = r#"listen = "8080"
database = "no/such/folder/db"
static_dir = "no-such-folder"
static_csp = "script-src 'self'\u0000"
log = "loud=="

[[chains]]
id = "eip155:1"
upstreams = ["https://a.example", "ftp://b.example", "nonsense"]

[[chains]]
id = "1"
upstreams = []

[[chains]]
id = "eip155:1"
upstreams = ["http://127.0.0.1:8545"]
"#;
    let here = here();
    assert_eq!(
        mistakes(toml),
        [
            "portico.toml, line 1: use an address and a port such as 127.0.0.1:8080 or [::]:8080, not `8080`.",
            &format!(
                "portico.toml, line 2: the database's folder no/such/folder (relative to {here}) doesn't exist. Create it first."
            ),
            &format!(
                "portico.toml, line 3: the folder of static files no-such-folder (relative to {here}) doesn't exist. Create it first."
            ),
            "portico.toml, line 4: the content security policy has characters that aren't allowed in a header.",
            "portico.toml, line 5: use error, warn, info, debug, trace or off as log level, not `loud==`.",
            "portico.toml, line 9: use a URL that starts with http:// or https:// as upstream, not `ftp://b.example`.",
            "portico.toml, line 9: use a URL that starts with http:// or https:// as upstream, not `nonsense`.",
            "portico.toml, line 12: use the CAIP-2 id of a chain, such as eip155:1, not `1`. Did you mean eip155:1 (Ethereum)?",
            "portico.toml, line 13: add an upstream to the chain 1.",
            "portico.toml, line 16: the chain eip155:1 is listed twice, first at portico.toml, line 8.",
        ]
    );
}

#[test]
fn what_looks_right_and_would_do_nothing_is_told() {
    for log in ["loud", "info,loud", "", "info,", "portico_server=loud"] {
        let end = format!("use error, warn, info, debug, trace or off as log level, not `{log}`.");
        assert_eq!(mistakes(&format!("\nlog = \"{log}\"\n")), [format!("portico.toml, line 2: {end}")]);
    }
    for log in ["off", "warn", "info,portico_server=debug", "portico_server=trace"] {
        assert!(parse(&format!("log = {log:?}"), &[], &Flags::default()).is_ok(), "{log}");
    }
    for reference in ["abc", "01", "-1", "0x1", "99999999999999999999"] {
        let toml = format!("[[chains]]\nid = \"eip155:{reference}\"\nupstreams = [\"http://a\"]\n");
        let start = "use a number after `eip155:`, such as eip155:1,";
        assert_eq!(mistakes(&toml), [format!("portico.toml, line 2: {start} not `eip155:{reference}`.")]);
    }
    let solana = "[[chains]]\nid = \"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\"\nupstreams = [\"http://a\"]\n";
    assert!(parse(solana, &[], &Flags::default()).is_ok());
}

#[test]
fn the_log_is_quiet_about_what_postgresql_does_not_make_again() {
    let notices = |toml: &str| {
        let targets = parse(toml, &[], &Flags::default()).unwrap().log;
        targets.would_enable("sqlx::postgres::notice", &tracing::Level::INFO)
    };
    assert!(!notices("") && !notices("log = \"info\"") && !notices("log = \"info,portico_server=debug\""));
    assert!(!notices("log = \"debug\"") && notices("log = \"info,sqlx=info\""));
}

#[test]
fn what_is_wrong_with_a_list_hides_nothing_else() {
    let toml = "listen = \"8080\"\n[[chains]]\nid = \"eip155:1\"\nkey = 1\nupstreams = []\n[names]\nens_chain = \"eip155:1\"\nx = 1\n";
    let found = mistakes(toml);
    assert!(
        found.iter().any(|found| found.starts_with("portico.toml, line 4: no setting `key` in [[chains]]. ")),
        "{found:?}"
    );
    assert!(found.iter().any(|found| found.contains("line 1: use an address and a port")), "{found:?}");
    assert!(found.iter().any(|found| found.contains("no setting `names.x`")), "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn a_static_folder_that_holds_the_configuration_or_the_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("portico.toml");
    let (inner, served) = (folder.path().join("data"), folder.path().join("served"));
    std::fs::write(&path, "").unwrap();
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::create_dir_all(&served).unwrap();
    let parse = |static_dir: &Path| {
        let toml = format!("database = {:?}\nstatic_dir = {static_dir:?}\n", inner.join("portico.sqlite"));
        Config::parse(&path, &toml, [], &Flags::default())
            .map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert!(parse(&served).is_ok());
    for (static_dir, file) in [(folder.path(), path.clone()), (&inner, inner.join("portico.sqlite"))] {
        let found = parse(&served.join("..").join(static_dir)).unwrap_err();
        let start = format!("line 2: move {} out of the folder `", file.display());
        assert!(found[0].contains(&start), "{found:?}");
    }
}

#[test]
fn what_is_not_toml_or_not_a_setting_is_told_with_its_line() {
    for (toml, start) in [
        (
            "listen = \"127.0.0.1:1\"\nlisten = \"127.0.0.1:2\"\n",
            "portico.toml, line 2: listen is already set in line 1. Change it there.",
        ),
        ("\n\nlisten 5\n", "portico.toml, line 3: "),
        ("listen = 5\n", "portico.toml, line 1: use an address and a port"),
        ("\nlisten_on = \"x\"\n", "portico.toml, line 2: no setting `listen_on`. Did you mean `listen`?"),
        ("\n[[chains]]\nid = \"eip155:1\"\n", "portico.toml, line 2: add upstreams to this chain"),
        (
            "[[chains]]\nid = \"eip155:1\"\nupstreams = [\n  \"http://a\",\n  7,\n]\n",
            "portico.toml, line 5: use a URL in quotes, or a table: { url = ",
        ),
        (
            "[[chains]]\nid = \"eip155:1\"\nupstreams = [\n  { ws_url = \"ws://a\" },\n]\n",
            "portico.toml, line 4: add the URL of this upstream: { url = ",
        ),
        (
            "[[chains]]\nid = \"eip155:1\"\nupstreams = [{ url = \"http://a\", key = 1 }]\n",
            "portico.toml, line 3: no setting `key` in an upstream of [[chains]]. Use one of url, ",
        ),
        (
            "[analytics]\nenabled = true\nkeep_days = 0\n",
            "portico.toml, line 3: use 1 to 36500 days, not 0. To store no events, set `analytics.enabled = false`.",
        ),
        (
            "public_url = \"portico.example.org\"\n",
            "portico.toml, line 1: write `portico.example.org` with its scheme: https://portico.example.org.",
        ),
        (
            "public_url = \"localhost:8080\"\n",
            "portico.toml, line 1: write `localhost:8080` with its scheme: http://localhost:8080.",
        ),
        ("public_url = \"portico\"\n", "portico.toml, line 1: use the http or https URL of this server"),
        (
            "[[chains]]\nid = \"eip155:1\"\nurl = \"x\"\nupstreams = []\n",
            "portico.toml, line 3: `url` belongs to an upstream: upstreams = [{ url = \"x\" }].",
        ),
    ] {
        let found = mistakes(toml);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(start), "{found:?} for {toml}");
        assert_eq!(found[0].lines().count(), 1);
    }
}

#[test]
fn what_may_be_fetched_beside_the_public_internet_is_a_list_of_addresses_and_networks() {
    let allowed = |toml: &str, environment: &[(&str, &str)]| {
        parse(toml, environment, &Flags::default()).map(|config| config.egress.len())
    };
    assert_eq!(allowed("", &[]), Ok(0));
    let toml = "[egress]\nallow = [\"127.0.0.1:8545\", \"192.168.0.0/16\"]\n";
    assert_eq!(allowed(toml, &[]), Ok(2));
    assert_eq!(allowed(toml, &[("PORTICO__EGRESS__ALLOW", "10.0.0.0/8, [::1]:80,fd00::/8")]), Ok(3));
    assert_eq!(
        mistakes("[egress]\nallow = [\"10.0.0.0/8\", \"localhost:80\"]\n"),
        [
            "portico.toml, line 2: use an address such as 10.1.2.3 or 127.0.0.1:8545, or a network such as 192.168.0.0/16, not `localhost:80`."
        ]
    );
}

#[test]
fn who_swaps_is_the_chain_and_whoever_has_a_key_where_nothing_is_said() {
    let words = |toml: &str| {
        let config = parse(toml, &[], &Flags::default()).unwrap();
        config
            .swap
            .providers
            .iter()
            .map(|provider| format!("{provider:?}").to_lowercase())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(words(""), "onchain");
    assert_eq!(words("[swap]\nzerox_key = \"k\"\noneinch_key = \"k\"\n"), "onchain zerox oneinch");
    assert_eq!(words("[swap]\nproviders = [\"lifi\", \"onchain\"]\n"), "lifi onchain");
    assert_eq!(words("[swap]\nproviders = []\n"), "");
    let environment = [("PORTICO__SWAP__PROVIDERS", "lifi,zerox"), ("PORTICO__SWAP__ZEROX_KEY", "k")];
    assert_eq!(parse("", &environment, &Flags::default()).unwrap().swap.providers.len(), 2);
    let config =
        parse("[swap]\nzerox_key = \"secret-key\"\nlifi_key = \"secret-key\"\n", &[], &Flags::default()).unwrap();
    assert!(!format!("{config:?}").contains("secret-key"));
}

#[test]
fn a_mistake_in_what_swaps_is_one_sentence() {
    let at = "\"0x00000000000000000000000000000000000000aa\"";
    let exchange = |lines: &str| {
        let chain = "[[chains]]\nid = \"eip155:31337\"\nupstreams = [\"http://127.0.0.1:1\"]\n";
        mistakes(&format!("{chain}[swap.onchain.\"eip155:31337\"]\nwrapped = {at}\n{lines}")).remove(0)
    };
    for (found, wanted) in [
        (
            mistakes("[swap]\nproviders = [\"zerox\"]\n").remove(0),
            "`swap.providers` names zerox, which needs `swap.zerox_key`",
        ),
        (mistakes("[swap]\nproviders = [\"uniswap\"]\n").remove(0), "use a list of onchain, lifi, zerox and oneinch"),
        (mistakes("[swap]\nproviders = [\"onchain\", \"onchain\"]\n").remove(0), "names onchain twice"),
        (mistakes("[swap]\nlifi_url = \"ftp://a.example\"\n").remove(0), "use an http or https URL as `swap.lifi_url`"),
        (mistakes("[swap]\nslippage = 1\n").remove(0), "no setting `swap.slippage`"),
        (
            mistakes(&format!("[swap.onchain.\"eip155:5\"]\nwrapped = {at}\nv2_router = {at}\n")).remove(0),
            "of `swap.onchain` to `[[chains]]`",
        ),
        (
            mistakes(&format!("[swap.onchain.solana]\nwrapped = {at}\nv2_router = {at}\n")).remove(0),
            "use the CAIP-2 id of an EVM chain",
        ),
        (exchange(""), "set a `v2_router`"),
        (exchange("v2_router = \"0x1\"\n"), "use the address of a contract as `v2_router`, not `0x1`"),
        (exchange(&format!("v3_router = {at}\n")), "or neither"),
        (
            exchange(&format!("v2_router = {at}\nfee_tiers = [1000000]\n")),
            "use millionths from 1 to 999999 as `fee_tiers`, not `1000000`",
        ),
        (exchange(&format!("v2_router = {at}\nbases = [{at}, {at}, {at}, {at}, {at}]\n")), "at most 4 `bases`"),
        (exchange(&format!("v2_router = {at}\nname = \"\"\n")), "at most 32 letters"),
        (
            exchange(&format!("v2_router = {at}\nv4_router = {at}\n")),
            "no setting `v4_router` in [swap.onchain]. Did you mean `v2_router`?",
        ),
    ] {
        assert!(found.contains(wanted), "{found}");
    }
}

#[test]
fn mails_of_a_wallet_without_an_origin_are_told_to_have_no_effect() {
    let text = "[wallet]\nmail.from = \"a@example.org\"\n";
    let config = Config::parse(Path::new("portico.toml"), text, [], &Flags::default()).unwrap();
    assert!(config.wallet.is_none());
    let told: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
    let sentence = "`wallet.mail.from` has no effect: the wallet is off, because it has no origin. Set `wallet.origin`, such as https://wallet.example.org.";
    assert_eq!(told, [format!("portico.toml, line 2: {sentence}")]);
    let with = format!("{text}origin = \"https://wallet.example.org\"\nmail.smtp = \"smtps://mail.example.org\"\n");
    assert!(Config::parse(Path::new("portico.toml"), &with, [], &Flags::default()).unwrap().warnings.is_empty());
}

#[test]
fn a_reserved_name_that_is_none_is_told_with_the_reason_in_one_sentence() {
    let toml =
        format!("[names]\nparent = \"example.eth\"\nsigner_key = \"{}\"\nreserved = [\"abc\"]\n", "1".repeat(64));
    let told = mistakes(&toml).join(" ");
    let end = "remove the reserved name `abc`, which can't be registered anyway: use at least 4 characters.";
    assert!(told.ends_with(end), "{told}");
}
