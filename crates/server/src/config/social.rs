//! `[wallet.social.…]`: the services at which visitors log in.

use super::file::Read;
use super::mistake::Mistake;
use super::{Secret, SettingSource};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

/// Names of the settings of one service.
struct Names {
    word: &'static str,
    client_id: &'static str,
    secret: &'static str,
    secret_file: &'static str,
    host: &'static str,
}

macro_rules! names {
    ($word:literal) => {
        Names {
            word: $word,
            client_id: concat!("wallet.social.", $word, ".client_id"),
            secret: concat!("wallet.social.", $word, ".client_secret"),
            secret_file: concat!("wallet.social.", $word, ".client_secret_file"),
            host: concat!("wallet.social.", $word, ".host"),
        }
    };
}

const SERVICES: [Names; 5] = [names!("google"), names!("github"), names!("facebook"), names!("x"), names!("discord")];

macro_rules! settings {
    ($($word:literal),*) => {
        &[
            $(
                concat!("wallet.social.", $word, ".client_id"),
                concat!("wallet.social.", $word, ".client_secret"),
                concat!("wallet.social.", $word, ".client_secret_file"),
                concat!("wallet.social.", $word, ".host"),
            )*
            "wallet.social.apple.client_id",
            "wallet.social.apple.team_id",
            "wallet.social.apple.key_id",
            "wallet.social.apple.key",
            "wallet.social.apple.key_file",
            "wallet.social.apple.host",
            "wallet.social.farcaster.node",
            "wallet.social.farcaster.node_file",
            "wallet.social.farcaster.relay",
            "wallet.social.openid.issuer",
            "wallet.social.openid.name",
            "wallet.social.openid.client_id",
            "wallet.social.openid.client_secret",
            "wallet.social.openid.client_secret_file",
        ]
    };
}

pub(super) const SETTINGS: &[&str] = settings!("google", "github", "facebook", "x", "discord");

/// A service with this server's account there.
#[derive(Clone, Debug)]
pub struct Social {
    /// "google"
    pub word: &'static str,
    /// Name that visitors read; only of the OpenID provider.
    pub name: Option<String>,
    /// Name of this server at the service.
    pub client_id: String,
    /// How this server proves to the service who it is.
    pub secret: SocialSecret,
    /// Where the service is, unless at its own address: the issuer of any other OpenID provider, or a service that imitates one.
    pub place: Option<Url>,
}

/// Login by Farcaster.
#[derive(Clone)]
pub struct Farcaster {
    /// Server that brings the visitor's app and this server together.
    pub relay: Url,
    /// JSON-RPC node of OP Mainnet, where the registries are; its URL may have a key.
    pub node: Url,
}

impl std::fmt::Debug for Farcaster {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.relay)
    }
}

/// Address of the public relay, which is the one that Farcaster's app knows.
const RELAY: &str = "https://relay.farcaster.xyz";

/// Proof to a service.
#[derive(Clone, Debug)]
pub enum SocialSecret {
    /// A shared text.
    Text(Secret),
    /// A key of Apple's developers: team, id and PEM text of a P-256 key.
    Apple {
        /// "ABCDE12345"
        team: String,
        /// Id of the key.
        id: String,
        /// PEM text in PKCS #8, as Apple gives it.
        key: Secret,
    },
}

impl Read<'_> {
    pub(super) fn socials(&mut self) -> Vec<Social> {
        let mut found: Vec<Social> = SERVICES.iter().filter_map(|names| self.social(names)).collect();
        found.extend(self.apple());
        found.extend(self.openid());
        found
    }

    fn social(&mut self, names: &Names) -> Option<Social> {
        let id = self.text(names.client_id);
        let secret = self.secret_given(names.secret, names.secret_file);
        let place = self.host(names.host);
        let (client_id, secret) = self.account(names.word, id, secret?, names.client_id, names.secret)?;
        Some(Social { word: names.word, name: None, client_id, secret: SocialSecret::Text(secret), place })
    }

    /// `None` without a node of the chain with the registries.
    pub(super) fn farcaster(&mut self) -> Option<Farcaster> {
        let node = self.secret_given("wallet.social.farcaster.node", "wallet.social.farcaster.node_file")?;
        let relay = self.text("wallet.social.farcaster.relay");
        let Some((node, place)) = node else {
            if let Some((_, place)) = relay {
                let sentence = "set `wallet.social.farcaster.node` too, to a node of OP Mainnet";
                self.mistakes.push(Mistake::new(place, sentence));
            }
            return None;
        };
        let node = self
            .keep(place, web(&node).ok_or_else(|| "use an https URL as `wallet.social.farcaster.node`".to_owned()))?;
        let (text, place) =
            relay.unwrap_or_else(|| (RELAY.into(), SettingSource::Default("wallet.social.farcaster.relay")));
        let relay = self
            .keep(place, web(&text).ok_or_else(|| "use an https URL as `wallet.social.farcaster.relay`".to_owned()))?;
        Some(Farcaster { relay, node })
    }

    fn openid(&mut self) -> Option<Social> {
        let issuer = self.text("wallet.social.openid.issuer");
        let name = self.text("wallet.social.openid.name").map(|(name, _)| name);
        let id = self.text("wallet.social.openid.client_id");
        let names = ("wallet.social.openid.client_id", "wallet.social.openid.client_secret");
        let secret = self.secret_given(names.1, "wallet.social.openid.client_secret_file")?;
        let is_there = id.is_some() || secret.is_some();
        let id_at = id.as_ref().map(|(_, place)| place.clone());
        let account = self.account("openid", id, secret, names.0, names.1);
        let Some((text, place)) = issuer else {
            if let (Some(_), Some(id_at)) = (account, id_at) {
                let sentence = "set `wallet.social.openid.issuer` too, to the address of your OpenID provider";
                self.mistakes.push(Mistake::new(id_at, sentence));
            }
            return None;
        };
        if !is_there {
            self.mistakes.push(Mistake::new(place.clone(), format!("set `{}` and `{}` too", names.0, names.1)));
        }
        let (client_id, secret) = account?;
        let issuer = self.keep(place, address(&text))?;
        Some(Social { word: "openid", name, client_id, secret: SocialSecret::Text(secret), place: Some(issuer) })
    }

    fn apple(&mut self) -> Option<Social> {
        let id = self.text("wallet.social.apple.client_id");
        let key = self.secret_given("wallet.social.apple.key", "wallet.social.apple.key_file");
        let [team, key_id] =
            ["wallet.social.apple.team_id", "wallet.social.apple.key_id"].map(|name| (name, self.text(name)));
        let place = self.host("wallet.social.apple.host");
        let key = key?;
        let names = ("wallet.social.apple.client_id", "wallet.social.apple.key");
        if let (None, None, Some((_, place))) = (&id, &key, team.1.as_ref().or(key_id.1.as_ref())) {
            self.mistakes.push(Mistake::new(place.clone(), format!("set `{}` and `{}` too", names.0, names.1)));
        }
        let [(client_id, id_at), (key, key_at)] = self.both("apple", id, key, names.0, names.1)?;
        let client_id = self.keep(id_at.clone(), credential("wallet.social.apple.client_id", client_id));
        let key = self.keep(key_at, apple_key(key));
        let mut part = |(name, given): (&'static str, Option<(String, SettingSource)>)| match given {
            Some((text, at)) => self.keep(at, credential(name, text)),
            None => {
                self.mistakes
                    .push(Mistake::new(id_at.clone(), format!("set `{name}` too, as Apple shows it beside the key")));
                None
            }
        };
        let (team, id) = (part(team), part(key_id));
        let secret = SocialSecret::Apple { team: team?, id: id?, key: key? };
        Some(Social { word: "apple", name: None, client_id: client_id?, secret, place })
    }

    /// Client id and secret of this server's account at a service.
    fn account(
        &mut self,
        word: &str,
        id: Option<(String, SettingSource)>,
        secret: Option<(String, SettingSource)>,
        id_name: &'static str,
        secret_name: &'static str,
    ) -> Option<(String, Secret)> {
        let [(id, id_at), (secret, secret_at)] = self.both(word, id, secret, id_name, secret_name)?;
        let id = self.keep(id_at, credential(id_name, id));
        let secret = self.keep(secret_at, credential(secret_name, secret));
        Some((id?, Secret::new(secret?)))
    }

    /// Client id and secret, of which none is there without the other.
    fn both(
        &mut self,
        word: &str,
        id: Option<(String, SettingSource)>,
        secret: Option<(String, SettingSource)>,
        id_name: &'static str,
        secret_name: &'static str,
    ) -> Option<[(String, SettingSource); 2]> {
        let service = title(word);
        match (id, secret) {
            (Some(id), Some(secret)) => Some([id, secret]),
            (None, None) => None,
            (Some((_, place)), None) => {
                self.mistakes.push(Mistake::new(place, format!("set `{secret_name}` too, for logins with {service}")));
                None
            }
            (None, Some((_, place))) => {
                self.mistakes.push(Mistake::new(place, format!("set `{id_name}` too, for logins with {service}")));
                None
            }
        }
    }

    /// Address of a service that imitates another, for tests; only on this machine.
    fn host(&mut self, name: &'static str) -> Option<Url> {
        let (text, place) = self.text(name)?;
        let local = |url: &Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
        let url = Url::parse(&text).ok().filter(local);
        self.keep(place, url.ok_or_else(|| format!("use a URL on this machine as `{name}`, which is for tests")))
    }
}

/// Name of a service as it writes itself.
fn title(word: &str) -> &str {
    match word {
        "google" => "Google",
        "github" => "GitHub",
        "apple" => "Apple",
        "facebook" => "Facebook",
        "x" => "X",
        "discord" => "Discord",
        "openid" => "OpenID",
        other => other,
    }
}

/// Checks that a text has the characters of a client id and secret (RFC 6749, appendix A), and not only spaces. The error doesn't repeat it.
fn credential(name: &str, text: String) -> Result<String, String> {
    let fits = !text.trim().is_empty() && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    fits.then_some(text).ok_or_else(|| format!("`{name}` is empty or has characters that aren't allowed"))
}

/// P-256 key in PKCS #8 as PEM, as Apple gives it; its line breaks may be written `\n`.
pub(crate) fn apple_pair(pem: &str) -> Option<EcdsaKeyPair> {
    let text = pem.replace("\\n", "\n");
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).flat_map(str::split_whitespace).collect();
    let der = BASE64_STANDARD.decode(body).ok()?;
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der, &SystemRandom::new()).ok()
}

fn apple_key(text: String) -> Result<Secret, String> {
    match apple_pair(&text) {
        Some(_) => Ok(Secret::new(text)),
        None => Err("use the text of the .p8 file from Apple as `wallet.social.apple.key`".into()),
    }
}

/// https, or http on this machine.
pub(super) fn web(text: &str) -> Option<Url> {
    let local = |url: &Url| url.scheme() == "http" && may_be_http(url);
    Url::parse(text).ok().filter(|url| url.has_host() && (url.scheme() == "https" || local(url)))
}

/// Whether the service is on this machine, where its address may begin with http.
pub(crate) fn may_be_http(url: &Url) -> bool {
    matches!(url.host_str(), Some("localhost" | "127.0.0.1"))
}

fn address(text: &str) -> Result<Url, String> {
    web(text)
        .filter(|url| url.query().is_none())
        .ok_or_else(|| format!("use the https address of your OpenID provider, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Flags};
    use std::path::Path;

    fn mistakes(text: &str) -> Vec<String> {
        let read = Config::parse(Path::new("portico.toml"), text, [], &Flags::default());
        read.map_or_else(|found| found.iter().map(ToString::to_string).collect(), |_| Vec::new())
    }

    #[test]
    fn an_empty_client_id_or_secret_of_a_service_is_refused() {
        for word in ["google", "github", "facebook", "x", "discord"] {
            let text = format!("[wallet.social.{word}]\nclient_id = \"\"\nclient_secret = \" \"\n");
            let told = |line: u32, name: &str| {
                format!(
                    "portico.toml, line {line}: `wallet.social.{word}.{name}` is empty or has characters that aren't allowed."
                )
            };
            assert_eq!(mistakes(&text), [told(2, "client_id"), told(3, "client_secret")]);
        }
        let openid =
            "[wallet.social.openid]\nissuer = \"https://id.example\"\nclient_id = \"a\"\nclient_secret = \"\"\n";
        let told = "portico.toml, line 4: `wallet.social.openid.client_secret` is empty or has characters that aren't allowed.";
        assert_eq!(mistakes(openid), [told]);
        assert_eq!(mistakes(&openid.replace("\"\"", "\"b c\"")), [""; 0]);
    }

    #[test]
    fn a_service_without_its_secret_is_named_as_it_writes_itself() {
        let services = ["google", "github", "facebook", "x", "discord"];
        let names = ["Google", "GitHub", "Facebook", "X", "Discord"];
        for (word, name) in services.into_iter().zip(names) {
            let told =
                format!("portico.toml, line 2: set `wallet.social.{word}.client_secret` too, for logins with {name}.");
            assert_eq!(mistakes(&format!("[wallet.social.{word}]\nclient_id = \"a\"\n")), [told]);
        }
        let told = "portico.toml, line 2: set `wallet.social.apple.key` too, for logins with Apple.";
        assert_eq!(mistakes("[wallet.social.apple]\nclient_id = \"a\"\n"), [told]);
    }

    #[test]
    fn an_openid_provider_without_half_of_its_account_is_one_mistake() {
        let issuer = "[wallet.social.openid]\nissuer = \"https://id.example\"\n";
        let told = "portico.toml, line 3: set `wallet.social.openid.client_secret` too, for logins with OpenID.";
        assert_eq!(mistakes(&format!("{issuer}client_id = \"a\"\n")), [told]);
        let told =
            "portico.toml, line 2: set `wallet.social.openid.client_id` and `wallet.social.openid.client_secret` too.";
        assert_eq!(mistakes(issuer), [told]);
    }

    #[test]
    fn an_openid_provider_without_its_address_is_told_at_its_account() {
        let told =
            "portico.toml, line 2: set `wallet.social.openid.issuer` too, to the address of your OpenID provider.";
        assert_eq!(mistakes("[wallet.social.openid]\nclient_id = \"a\"\nclient_secret = \"b\"\n"), [told]);
    }

    #[test]
    fn an_account_at_apple_without_team_or_key_is_told_at_its_line() {
        let key = format!("key = '''{}'''\n", apple_pem("\n"));
        let told = |line: u32, name: &str| {
            format!(
                "portico.toml, line {line}: set `wallet.social.apple.{name}` too, as Apple shows it beside the key."
            )
        };
        let apple = |rest: &str| mistakes(&format!("[wallet.social.apple]\n{rest}"));
        assert_eq!(apple(&format!("client_id = \"a\"\nkey_id = \"c\"\n{key}")), [told(2, "team_id")]);
        assert_eq!(apple(&format!("client_id = \"a\"\nteam_id = \"b\"\n{key}")), [told(2, "key_id")]);
        let told = "portico.toml, line 2: set `wallet.social.apple.client_id` and `wallet.social.apple.key` too.";
        assert_eq!(apple("team_id = \"b\"\nkey_id = \"c\"\n"), [told]);
        assert_eq!(apple("key_id = \"c\"\n"), [told]);
    }

    /// Text of a new key as Apple gives it, with these line breaks.
    fn apple_pem(line_break: &str) -> String {
        let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
        let body = BASE64_STANDARD.encode(pair.as_ref());
        ["-----BEGIN PRIVATE KEY-----", &body, "-----END PRIVATE KEY-----"].join(line_break)
    }

    #[test]
    fn a_text_that_is_no_key_of_apple_is_refused_and_not_repeated() {
        let apple = |key: &str| {
            mistakes(&format!(
                "[wallet.social.apple]\nclient_id = \"a\"\nteam_id = \"b\"\nkey_id = \"c\"\nkey = \"{key}\"\n"
            ))
        };
        let told = "portico.toml, line 5: use the text of the .p8 file from Apple as `wallet.social.apple.key`.";
        for key in ["d", "", "-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----"] {
            assert_eq!(apple(key), [told]);
        }
        for line_break in ["\\n", "\\\\n"] {
            assert_eq!(apple(&apple_pem(line_break)), [""; 0]);
        }
    }
}
