//! Sentences about what the parser of the file refuses: it names its rules, an operator needs the line as it should be.

mod setting;

use super::duplicate::duplicate;
use super::grammar::{self, shown};
use super::known::{above, refusal};
use super::number;
pub(super) use setting::Setting;

/// Sentence about a mistake at this offset of the file.
pub(super) fn sentence(text: &str, offset: usize, message: &str) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = text.lines().nth(before.matches('\n').count()).unwrap_or_default().trim();
    if message.starts_with("duplicate key") {
        return duplicate(text, offset);
    }
    if let Some(name) = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next())
        && let Some(sentence) = above(name)
    {
        return sentence;
    }
    let said = match message {
        "missing field `upstreams`" => {
            Some("add upstreams to this chain, such as upstreams = [\"https://node.example\"]".into())
        }
        _ if message.contains("expected struct WrittenChain") || is_chains(line) && of_type(message) => {
            Some("write each chain as a table [[chains]] with `id` and `upstreams`".into())
        }
        _ if message.contains("expected a sequence") => no_list(text, offset, line),
        _ if message.starts_with("missing field") => missing(message),
        _ if of_type(message) => typed(message, text, offset),
        _ if message.starts_with("unknown field") => of_upstream(message, line),
        _ => number::word(before, line).or_else(|| Some(grammar::sentence(message, line, Setting::at(text, offset)))),
    };
    said.unwrap_or_else(|| refusal(message))
}

/// Setting that a table of a list lacks.
fn missing(message: &str) -> Option<String> {
    Some(match message.split('`').nth(1)? {
        "id" => "add the id of this chain, such as id = \"eip155:1\"".into(),
        "url" => "add the URL of this upstream: { url = \"https://node.example\" }".into(),
        "name" | "symbol" | "decimals" => format!("write the coin as in {COIN}"),
        name @ ("issuer" | "audience") => format!("add {name} = \"…\" to this [[wallet.jwt]]"),
        "wrapped" => "add the address of the wrapped coin to this exchange: wrapped = \"0x…\"".into(),
        name => format!("add {name} = … to this table"),
    })
}

/// Coin of a chain as the file has it.
const COIN: &str = "coin = { name = \"Ether\", symbol = \"ETH\", decimals = 18 }";

const ISSUERS: &str = "write each issuer as a table [[wallet.jwt]] with `issuer` and `audience`";

/// Whether the message is about a value of the wrong kind.
fn of_type(message: &str) -> bool {
    message.starts_with("invalid type") || message.starts_with("invalid value")
}

/// Whether the line gives all chains one value.
fn is_chains(line: &str) -> bool {
    assignment(line).is_some_and(|(key, value)| key == "chains" && !value.contains('{'))
}

/// Value of the wrong kind.
fn typed(message: &str, text: &str, offset: usize) -> Option<String> {
    let wanted = message.rsplit_once("expected ")?.1;
    match wanted {
        "a string" => Some(no_text(Setting::near(text, offset))),
        "a boolean" => Some(number::switch(text, offset)),
        "u8" | "u16" | "u32" | "u64" | "usize" => Some(number::number(text, offset, wanted)),
        "struct WrittenCoin" => Some(format!("write the coin as in {COIN}")),
        "struct WrittenExchange" => Some("write the exchange as a table: [swap.onchain.\"eip155:1\"]".into()),
        // `swap.onchain` is the only one.
        "a map" => Some("write each exchange as a table: [swap.onchain.\"eip155:1\"]".into()),
        "struct WrittenIssuer" => Some(ISSUERS.into()),
        _ if wanted.starts_with("a URL or a table") => {
            Some("use a URL in quotes, or a table: { url = \"https://node.example\" }".into())
        }
        _ => None,
    }
}

/// Another value in the place of a text.
fn no_text(setting: Option<Setting<'_>>) -> String {
    let Some(Setting { name, value, in_list }) = setting else { return "put quotes around the text".into() };
    // The first text of the list.
    let first = value.trim_start_matches(['[', ' ']).split([',', ']']).next().unwrap_or_default().trim();
    match value.chars().next() {
        Some('[') if in_list => format!("remove the inner brackets, as in {name} = [\"…\"]"),
        Some('[') if first.starts_with('"') => {
            format!("`{name}` takes one text. Remove the brackets: {name} = {}", shown(name, first))
        }
        Some('[' | '{') => format!("`{name}` takes one text in quotes: {name} = \"…\""),
        _ => quotes(name, value, in_list),
    }
}

/// A text without quotes.
pub(super) fn quotes(name: &str, value: &str, in_list: bool) -> String {
    let value = shown(name, value);
    match in_list {
        true => format!("put quotes around each text of the list, as in {name} = [\"{value}\"]"),
        false => format!("put quotes around the text: {name} = \"{value}\""),
    }
}

/// Settings that only upstreams have.
const OF_UPSTREAMS: [&str; 5] = ["url", "ws_url", "tier", "rps", "archive"];

/// Setting of an upstream that was written at its chain.
fn of_upstream(message: &str, line: &str) -> Option<String> {
    let name = message.split('`').nth(1).filter(|name| OF_UPSTREAMS.contains(name))?;
    if !message.contains("`upstreams`") {
        return None;
    }
    let (key, value) = assignment(line).filter(|(key, _)| *key == name)?;
    let value = shown(key, value);
    let example = match name {
        "url" => format!("url = {value}"),
        _ => format!("url = \"https://…\", {name} = {value}"),
    };
    Some(format!("`{name}` belongs to an upstream: upstreams = [{{ {example} }}]"))
}

/// One value or table in the place of a list.
fn no_list(text: &str, offset: usize, line: &str) -> Option<String> {
    if let Some(name) = line.strip_prefix('[') {
        return Some(format!("write [[{}]] with two brackets", name.split(']').next()?.trim()));
    }
    // A table is told as the line has it.
    let own = Setting::at(text, offset).filter(|own| !own.in_list && !own.value.starts_with('{'));
    let (key, value) = own.map(|own| (own.name, own.value)).or_else(|| assignment(line))?;
    if key.rsplit('.').next() == Some("jwt") {
        return Some(ISSUERS.into());
    }
    Some(format!("use a list: {key} = [{}]", shown(key, value)))
}

/// Key and value of a line, without its comment.
pub(super) fn assignment(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    let value = value.split_once(" #").map_or(value, |(value, _)| value);
    Some((key.trim(), value.trim()))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    /// The one mistake of a file.
    pub(in crate::config) fn mistake(text: &str) -> String {
        let mistakes = Config::parse(Path::new("portico.toml"), text, [], &Flags::default()).unwrap_err();
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        mistakes[0].to_string()
    }

    #[test]
    fn what_the_parser_refuses_is_told_as_it_should_be() {
        let chain = "[[chains]]\nid = \"eip155:1\"\n";
        for (text, told) in [
            ("listen = 127.0.0.1:8080\n".to_owned(), "1: put quotes around the text: listen = \"127.0.0.1:8080\"."),
            ("\nlisten: \"127.0.0.1:8080\"\n".into(), "2: use = and not : after listen."),
            ("public_nodes = True\n".into(), "1: use true or false, in lower case."),
            (
                "listen = \"127.0.0.1:8080\nlog = \"info\"\n".into(),
                "1: a quote (\") is missing at the end of this line.",
            ),
            ("[chains]\nid = \"eip155:1\"\n".into(), "1: write [[chains]] with two brackets."),
            (
                format!("{chain}upstreams = \"https://a.example\"\n"),
                "3: use a list: upstreams = [\"https://a.example\"].",
            ),
            ("public_nodes = yes\n".into(), "1: use true or false: public_nodes = true."),
            ("[relay]\nenabled = Off\n".into(), "2: use true or false: enabled = false."),
            ("log = off\n".into(), "1: put quotes around the text: log = \"off\"."),
            ("static_dir = dist\"\n".into(), "1: a quote (\") is missing before the text: static_dir = \"dist\"."),
            ("listen\n".into(), "1: add a value: listen = …"),
            ("listen = # later\n".into(), "1: add a value: listen = …"),
            ("[relay\nenabled = true\n".into(), "1: write [relay], with a bracket on each side."),
            ("[[chains]\n".into(), "1: write [[chains]], with two brackets on each side."),
            ("[[chains\n".into(), "1: write [[chains]], with two brackets on each side."),
            (
                "database = \"C:\\portico\\portico.sqlite\"\n".into(),
                "1: use single quotes around a text with \\: database = 'C:\\portico\\portico.sqlite'.",
            ),
            (
                "admin_from = [10.0.0.0/8]\n".into(),
                "1: put quotes around each text of the list, as in admin_from = [\"10.0.0.0/8\"].",
            ),
            (
                format!("{chain}upstreams = [https://a.example]\n"),
                "3: put quotes around each text of the list, as in upstreams = [\"https://a.example\"].",
            ),
            (format!("{chain}upstreams = [\"https://a.example\"\n"), "3: close the list with ]."),
            (
                format!("{chain}upstreams = [\"https://a.example\" \"https://b.example\"]\n"),
                "3: put a comma between the items of the list.",
            ),
            (
                format!("{chain}upstreams = [7]\n"),
                "3: use a URL in quotes, or a table: { url = \"https://node.example\" }.",
            ),
            (
                format!("{chain}upstreams = [{{}}]\n"),
                "3: add the URL of this upstream: { url = \"https://node.example\" }.",
            ),
            (
                "[[chains]]\nupstreams = [\"https://a.example\"]\n".into(),
                "1: add the id of this chain, such as id = \"eip155:1\".",
            ),
            (
                format!("{chain}upstreams = [\"https://a.example\"]\ncoin = {{ name = \"Ether\" }}\n"),
                "4: write the coin as in coin = { name = \"Ether\", symbol = \"ETH\", decimals = 18 }.",
            ),
            (
                "max_connections = 01,000\n".into(),
                "1: write the number without separators or zeros before it: max_connections = 1000.",
            ),
            (
                "[wallet.vault]\nsocket_mode = 0660\n".into(),
                "2: write the permissions in quotes: socket_mode = \"0660\".",
            ),
            ("listen = \u{201c}a\u{201d}\n".into(), "1: use straight quotes (\") around the text."),
            ("// note\n".into(), "1: begin a comment with #."),
            ("my listen = \"a\"\n".into(), "1: write the name of a setting in one word, with = after it: `my`."),
            // A secret is not repeated.
            (
                "zerion_key YWJjZA==\n".into(),
                "1: write the name of a setting in one word, with = after it: `zerion_key`.",
            ),
            ("ZERION_KEY = abc\n".into(), "1: put quotes around the text: ZERION_KEY = \"…\"."),
            ("smtp = ada:secret@mail.example\n".into(), "1: put quotes around the text: smtp = \"…\"."),
            ("[relay] enabled = true\n".into(), "1: write what follows the brackets on a line of its own."),
            ("listen = \"a\" \"b\"\n".into(), "1: write one value after =, and nothing after it."),
            ("trusted_proxies = [\"::1]\n".into(), "1: a quote (\") is missing in this line."),
            ("\"listen = 5\n".into(), "1: a quote (\") is missing in this line."),
            (
                "[swap.onchain]\n\"eip155:1\" = \"x\"\n".into(),
                "2: write the exchange as a table: [swap.onchain.\"eip155:1\"].",
            ),
            ("[swap]\nonchain = true\n".into(), "2: write each exchange as a table: [swap.onchain.\"eip155:1\"]."),
            (
                "[wallet]\njwt = true\n".into(),
                "2: write each issuer as a table [[wallet.jwt]] with `issuer` and `audience`.",
            ),
            (
                "[wallet]\njwt = [\"a\"]\n".into(),
                "2: write each issuer as a table [[wallet.jwt]] with `issuer` and `audience`.",
            ),
            // Secrets are not repeated: the mistakes of a running server are in its log.
            ("redis = redis://:pass@redis.example\n".into(), "1: put quotes around the text: redis = \"…\"."),
            ("[sources]\nzerion_key = abc\n".into(), "2: put quotes around the text: zerion_key = \"…\"."),
            (
                "[sources]\nzerion_key_file = /etc/key\n".into(),
                "2: put quotes around the text: zerion_key_file = \"/etc/key\".",
            ),
            (format!("{chain}upstreams = \"https://a.example/key\"\n"), "3: use a list: upstreams = [\"…\"]."),
            (
                format!("{chain}upstreams = []\nurl = \"https://a.example/?k=1\"\n"),
                "4: `url` belongs to an upstream: upstreams = [{ url = \"…\" }].",
            ),
            ("log = 'info\n".into(), "1: a quote (') is missing at the end of this line."),
            (chain.into(), "1: add upstreams to this chain, such as upstreams = [\"https://node.example\"]."),
            (
                format!("{chain}upstreams = [\"https://a.example\"]\npublic_nodes = true\n"),
                "4: `public_nodes` belongs above the first line in [brackets]. Move it there.",
            ),
            (
                "[relay]\nenabled = true\nadmin_listen = \"127.0.0.1:1\"\n".into(),
                "3: `admin_listen` belongs above the first line in [brackets]. Move it there.",
            ),
            (
                "[relay]\nenabled = true\npublic_url = \"https://a.example\"\n".into(),
                "3: `public_url` belongs above the first line in [brackets]. Move it there.",
            ),
            (
                "[limits]\ntrusted_proxies = [\"127.0.0.1\"]\n".into(),
                "2: `trusted_proxies` belongs above the first line in [brackets]. Move it there.",
            ),
            (
                format!("{chain}upstreams = [\"https://a.example\"]\nforwarded_header = \"forwarded\"\n"),
                "4: `forwarded_header` belongs above the first line in [brackets]. Move it there.",
            ),
            (
                "chains = [\"eip155:1\"]\n".into(),
                "1: write each chain as a table [[chains]] with `id` and `upstreams`.",
            ),
            ("chains = \"eip155:1\"\n".into(), "1: write each chain as a table [[chains]] with `id` and `upstreams`."),
            ("[[chains]]\nid = 1\nupstreams = []\n".into(), "2: put quotes around the text: id = \"1\"."),
            (
                format!("{chain}upstreams = [\"https://a.example\"]\nrps = 5\n"),
                "4: `rps` belongs to an upstream: upstreams = [{ url = \"https://…\", rps = 5 }].",
            ),
            (
                format!("{chain}upstreams = [\"https://a.example\"]\ncoins = 5\n"),
                "4: no setting `coins` in [[chains]]. Did you mean `coin`?",
            ),
            (
                format!("{chain}upstreams = [\"https://a.example\"]\ncoin = {{ name = \"Ether\", symbl = \"ETH\" }}\n"),
                "4: no setting `symbl` in the `coin` of [[chains]]. Did you mean `symbol`?",
            ),
            (
                format!("{chain}upstreams = [{{ url = \"https://a.example\", teir = 1 }}]\n"),
                "3: no setting `teir` in an upstream of [[chains]]. Did you mean `tier`?",
            ),
            (
                "[[wallet.jwt]]\nisuer = \"https://id.example\"\n".into(),
                "2: no setting `isuer` in [[wallet.jwt]]. Did you mean `issuer`?",
            ),
            (
                "[swap.onchain.\"eip155:1\"]\nrouter = \"0x0\"\n".into(),
                "2: no setting `router` in [swap.onchain]. Use one of name, wrapped, v2_router, v3_quoter, v3_router, bases, fee_tiers.",
            ),
            (
                "wallet = true\n".into(),
                "1: `wallet` is a section. Write [wallet] on a line of its own, with its settings below it.",
            ),
            (
                "relay = true\n".into(),
                "1: `relay` is a section. Write [relay] on a line of its own, with its settings below it.",
            ),
            (
                "limits = 100\n".into(),
                "1: `limits` is a section. Write [limits] on a line of its own, with its settings below it.",
            ),
        ] {
            assert_eq!(mistake(&text), format!("portico.toml, line {told}"));
        }
    }

    #[test]
    fn a_mistake_in_a_table_of_one_line_is_told_with_its_own_setting() {
        let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"https://a.example\"]\n";
        let node = |more: &str| {
            format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [\n  {{ url = \"https://a.example\", {more} }},\n]\n")
        };
        for (text, told) in [
            (node("methods = \"eth_call\""), "4: use a list: methods = [\"eth_call\"]."),
            (node("methods = [5]"), "4: put quotes around each text of the list, as in methods = [\"5\"]."),
            (
                node("methods = [eth_call]"),
                "4: put quotes around each text of the list, as in methods = [\"eth_call\"].",
            ),
            (node("ws_url = wss://a.example"), "4: put quotes around the text: ws_url = \"wss://a.example\"."),
            (node("ws_url = wss://a.example/k1"), "4: put quotes around the text: ws_url = \"…\"."),
            (
                node("ws_url = [\"wss://a.example\"]"),
                "4: `ws_url` takes one text. Remove the brackets: ws_url = \"wss://a.example\".",
            ),
            (node("archive = yes"), "4: use true or false: archive = true."),
            (
                "[swap]\nonchain = { \"eip155:1\" = { wrapped = \"0x0\", bases = \"0x1\" } }\n".into(),
                "2: use a list: bases = [\"0x1\"].",
            ),
            (
                format!("{chain}coin = {{ name = Ether, symbol = \"ETH\", decimals = 18 }}\n"),
                "4: put quotes around the text: name = \"Ether\".",
            ),
            (
                format!("{chain}coin = {{ name = 5, symbol = \"ETH\", decimals = 18 }}\n"),
                "4: put quotes around the text: name = \"5\".",
            ),
            (format!("{chain}name = {{ a = \"b\" }}\n"), "4: `name` takes one text in quotes: name = \"…\"."),
            (
                "[[chains]]\nid = [\"eip155:1\"]\nupstreams = []\n".into(),
                "2: `id` takes one text. Remove the brackets: id = \"eip155:1\".",
            ),
            (format!("{chain}methods = [[\"eth_call\"]]\n"), "4: remove the inner brackets, as in methods = [\"…\"]."),
        ] {
            assert_eq!(mistake(&text), format!("portico.toml, line {told}"), "{text}");
        }
    }

    #[test]
    fn a_variable_of_chains_is_answered_with_their_place() {
        let environment = [("PORTICO__CHAINS".to_owned(), "eip155:1".to_owned())];
        let mistakes = Config::parse(Path::new("portico.toml"), "", environment, &Flags::default()).unwrap_err();
        let told = "PORTICO__CHAINS: [[chains]] can only be in the file. Or set PORTICO__PUBLIC_NODES=true.";
        assert_eq!(mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
    }

    #[test]
    fn two_listeners_at_one_port_are_a_mistake() {
        let text = "listen = \"127.0.0.1:8080\"\nadmin_listen = \"127.0.0.1:8080\"\n";
        let told =
            "portico.toml, line 2: admin_listen is the same as listen. Use another port, such as 127.0.0.1:9464.";
        assert_eq!(mistake(text), told);
    }
}
