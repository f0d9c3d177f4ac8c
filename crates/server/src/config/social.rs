//! `[wallet.social.…]`: the services at which visitors log in.

use super::file::Read;
use super::mistake::Mistake;
use super::{Secret, SettingSource};
use reqwest::Url;

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
        let secret = self.secret_at(names.secret, names.secret_file);
        let place = self.host(names.host);
        let (client_id, secret) = self.both(names.word, id, secret, names.client_id, names.secret)?;
        Some(Social { word: names.word, name: None, client_id, secret: SocialSecret::Text(secret), place })
    }

    /// `None` without a node of the chain with the registries.
    pub(super) fn farcaster(&mut self) -> Option<Farcaster> {
        let node = self.secret_at("wallet.social.farcaster.node", "wallet.social.farcaster.node_file");
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
        let secret = self.secret_at("wallet.social.openid.client_secret", "wallet.social.openid.client_secret_file");
        let names = ("wallet.social.openid.client_id", "wallet.social.openid.client_secret");
        let account = self.both("openid", id, secret, names.0, names.1);
        let Some((text, place)) = issuer else {
            if account.is_some() {
                self.missing("wallet.social.openid.issuer", "set it to the address of your OpenID provider");
            }
            return None;
        };
        let Some((client_id, secret)) = account else {
            self.mistakes.push(Mistake::new(
                place,
                "set `wallet.social.openid.client_id` and `wallet.social.openid.client_secret` too",
            ));
            return None;
        };
        let issuer = self.keep(place, address(&text))?;
        Some(Social { word: "openid", name, client_id, secret: SocialSecret::Text(secret), place: Some(issuer) })
    }

    fn apple(&mut self) -> Option<Social> {
        let id = self.text("wallet.social.apple.client_id");
        let key = self.secret_at("wallet.social.apple.key", "wallet.social.apple.key_file");
        let [team, key_id] =
            ["wallet.social.apple.team_id", "wallet.social.apple.key_id"].map(|name| (name, self.text(name)));
        let place = self.host("wallet.social.apple.host");
        let (client_id, key) =
            self.both("apple", id, key, "wallet.social.apple.client_id", "wallet.social.apple.key")?;
        let mut part = |(name, given): (&'static str, Option<(String, SettingSource)>)| {
            let given = given.map(|(text, _)| text);
            if given.is_none() {
                self.missing(name, "set it too, as Apple shows it beside the key");
            }
            given
        };
        let (team, id) = (part(team), part(key_id));
        Some(Social {
            word: "apple",
            name: None,
            client_id,
            secret: SocialSecret::Apple { team: team?, id: id?, key },
            place,
        })
    }

    /// Client id and secret, of which none is there without the other.
    fn both(
        &mut self,
        word: &str,
        id: Option<(String, SettingSource)>,
        secret: Option<(String, SettingSource)>,
        id_name: &'static str,
        secret_name: &'static str,
    ) -> Option<(String, Secret)> {
        match (id, secret) {
            (Some((id, _)), Some((secret, _))) => Some((id, Secret::new(secret))),
            (None, None) => None,
            (Some((_, place)), None) => {
                self.mistakes.push(Mistake::new(place, format!("set `{secret_name}` too, for logins with {word}")));
                None
            }
            (None, Some((_, place))) => {
                self.mistakes.push(Mistake::new(place, format!("set `{id_name}` too, for logins with {word}")));
                None
            }
        }
    }

    fn missing(&mut self, name: &'static str, sentence: &str) {
        self.mistakes.push(Mistake::new(SettingSource::Default(name), sentence.to_owned()));
    }

    /// Address of a service that imitates another, for tests; only on this machine.
    fn host(&mut self, name: &'static str) -> Option<Url> {
        let (text, place) = self.text(name)?;
        let local = |url: &Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
        let url = Url::parse(&text).ok().filter(local);
        self.keep(place, url.ok_or_else(|| format!("use a URL on this machine as `{name}`, which is for tests")))
    }
}

/// https, or http on this machine.
pub(super) fn web(text: &str) -> Option<Url> {
    let local = |url: &Url| url.scheme() == "http" && matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    Url::parse(text).ok().filter(|url| url.has_host() && (url.scheme() == "https" || local(url)))
}

fn address(text: &str) -> Result<Url, String> {
    web(text)
        .filter(|url| url.query().is_none())
        .ok_or_else(|| format!("use the https address of your OpenID provider, not `{text}`"))
}
