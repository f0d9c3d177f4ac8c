//! A directory wallet from the widget, the host or a server; untrusted until parsed.

use crate::connect::{groups, link};
use crate::facts::Facts;
use crate::shown::{clean, is_mark};
use portico_json::{Json, Value};
use portico_terms::link::{is_app, is_web};
use portico_terms::{Connector, ConnectorKind, Namespace};
use std::rc::Rc;

/// Maximum number of wallets read from a response: as many as featured ones are requested.
pub(super) const MOST_READ: usize = 100;

/// Target of a link.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum LinkKind {
    /// The wallet's app on this phone.
    Open,
    /// The wallet as a web app.
    WebApp,
    /// Its browser extension.
    ChromeStore,
    /// Its iOS app.
    AppStore,
    /// Its Android app.
    PlayStore,
    /// Its website.
    Homepage,
}

/// Link of a wallet: https, or for `open` also an app's own scheme.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Link {
    pub kind: LinkKind,
    pub href: String,
}

/// A wallet of the directory.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::connect) struct Known {
    pub id: String,
    pub name: String,
    pub rdns: Option<String>,
    pub image_id: Option<String>,
    pub image_url: Option<String>,
    /// Rank in the directory: 1 is the best known.
    pub rank: Option<u64>,
    /// Empty if unknown.
    namespaces: Vec<Namespace>,
    pub links: Vec<Link>,
    /// Links that pair with it.
    pub remote: Remote,
    /// The record as received.
    pub record: Value,
}

/// Links of a wallet that can receive a pairing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::connect) struct Remote {
    /// The app's own scheme.
    pub app: Option<String>,
    /// Universal link that opens its app.
    pub universal: Option<String>,
    /// Scheme of its desktop program.
    pub desktop: Option<String>,
    /// Address of its web app.
    pub web: Option<String>,
}

impl Remote {
    pub fn is_there(&self) -> bool {
        [&self.app, &self.universal, &self.desktop, &self.web].into_iter().any(Option::is_some)
    }
}

/// Fields of a record that are stored with a recent wallet (spec 3.20).
const KEPT: [&str; 11] = [
    "id",
    "name",
    "rdns",
    "image_id",
    "image_url",
    "order",
    "mobile_link",
    "link_mode",
    "desktop_link",
    "webapp_link",
    "namespaces",
];

impl Known {
    /// Parses a record; untrusted until then.
    pub fn read(value: &Value) -> Option<Known> {
        let text = |name: &str| value.get(name).as_str().filter(|text| (1..=128).contains(&text.len()));
        let web = |name: &str| value.get(name).as_str().filter(|link| is_web(link));
        let app = |name: &str| value.get(name).as_str().filter(|link| is_app(link));
        let (mobile, universal) = (app("mobile_link"), web("link_mode"));
        let links = [
            (LinkKind::Open, universal.or(mobile)),
            (LinkKind::WebApp, web("webapp_link")),
            (LinkKind::ChromeStore, web("chrome_store")),
            (LinkKind::AppStore, web("app_store")),
            (LinkKind::PlayStore, web("play_store")),
            (LinkKind::Homepage, web("homepage")),
        ];
        let words = |name: &str| value.get(name).as_list().unwrap_or_default().iter().filter_map(Value::as_str);
        let chains = words("chains").filter_map(|chain| chain.split(':').next());
        let name = clean(text("name")?);
        (!name.is_empty()).then_some(Known {
            id: text("id")?.into(),
            name,
            rdns: text("rdns").map(Into::into),
            image_id: text("image_id").filter(|id| id.bytes().all(is_plain)).map(Into::into),
            image_url: web("image_url").map(Into::into),
            rank: value.get("order").as_u64(),
            namespaces: words("namespaces").chain(chains).filter_map(Namespace::from_word).collect(),
            links: links.into_iter().filter_map(|(kind, href)| Some(Link { kind, href: href?.into() })).collect(),
            remote: Remote {
                app: mobile.and_then(link::base),
                universal: universal.or_else(|| web("mobile_link")).and_then(link::base),
                desktop: app("desktop_link").or_else(|| web("desktop_link")).and_then(link::base),
                web: web("webapp_link").and_then(link::base),
            },
            record: value.clone(),
        })
    }

    /// Record to store with the recent wallets.
    pub fn kept(&self) -> Value {
        let kept = |name: &&str| !self.record.get(name).is_null();
        Value::Object(
            KEPT.iter().filter(|name| kept(name)).map(|name| ((*name).into(), self.record.get(name).clone())).collect(),
        )
    }

    pub(super) fn list(value: &Value) -> Vec<Rc<Known>> {
        let items = value.as_list().unwrap_or_default().iter();
        items.take(MOST_READ).filter_map(Known::read).map(Rc::new).collect()
    }

    /// Whether a name matches, ignoring case, accents, spaces and punctuation.
    pub fn is_called(&self, name: &str) -> bool {
        fold(&self.name) == fold(name)
    }

    pub(super) fn is_one_of(&self, names: &[String]) -> bool {
        groups::is_named(names, &self.id, self.rdns.as_ref(), &self.name)
    }

    pub(in crate::connect) fn serves(&self, facts: &Facts) -> bool {
        self.serves_any(facts.wanted_namespace.or(facts.active_namespace))
    }

    /// Whether it serves this namespace; without one, every wallet does.
    pub(super) fn serves_any(&self, namespace: Option<Namespace>) -> bool {
        self.namespaces.is_empty() || namespace.is_none_or(|namespace| self.namespaces.contains(&namespace))
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// Connector through which a directory wallet can be used in this browser.
pub(in crate::connect) fn installed<'a>(
    known: &Known,
    connectors: &[&'a Connector],
    facts: &Facts,
) -> Option<&'a Connector> {
    connectors.iter().copied().find(|connector| {
        matches!(connector.kind, ConnectorKind::Injected | ConnectorKind::Announced)
            && groups::is_offered(connector, facts)
            && (connector.id == known.id
                || connector.rdns.is_some() && connector.rdns == known.rdns
                || connector.name.eq_ignore_ascii_case(&known.name))
    })
}

/// Latin-1 letters from U+00C0 on, and again from U+00E0 on, without their accents.
const BARE: &[u8; 32] = b"aaaaaaaceeeeiiiidnooooo ouuuuyts";

/// A name without case, accents, spaces and punctuation. The server's search is more tolerant.
pub(super) fn fold(name: &str) -> String {
    let bare = |letter: char| match u32::from(letter) {
        code @ 0xc0..=0xff => BARE[code as usize & 31].into(),
        _ => letter.to_ascii_lowercase(),
    };
    name.chars()
        .map(bare)
        .filter(|letter| !letter.is_ascii() && !is_mark(*letter) || letter.is_ascii_alphanumeric())
        .collect()
}
