//! A wallet of the directory, as the widget, a host or a server tells it: hostile until parsed.

use crate::connect::{groups, link};
use crate::facts::Facts;
use crate::shown::{clean, is_mark};
use portico_json::{Json, Value};
use portico_terms::{Connector, ConnectorKind, Namespace};
use std::rc::Rc;

/// No longer answer is read: as many as the featured ones that are asked for.
pub(super) const MOST_READ: usize = 100;
/// No longer link is followed.
const LONGEST_LINK: usize = 2048;
/// Schemes that are no app's own.
const REFUSED: [&str; 10] =
    ["http", "https", "javascript", "vbscript", "data", "blob", "file", "intent", "about", "view-source"];

/// Where a link leads.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum LinkKind {
    /// Into the wallet's app on this phone.
    Open,
    /// To the wallet that is a page.
    WebApp,
    /// To its extension.
    ChromeStore,
    /// To its app.
    AppStore,
    /// To its app.
    PlayStore,
    /// To the page about it.
    Homepage,
}

/// A link of a wallet: https, or for `open` also an app's own scheme.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Link {
    /// Where it leads.
    pub kind: LinkKind,
    /// The address.
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
    /// Its place among all: 1 is the best known.
    pub rank: Option<u64>,
    /// Empty where that is not known.
    namespaces: Vec<Namespace>,
    pub links: Vec<Link>,
    /// Where a session with it begins.
    pub remote: Remote,
    /// As it was told.
    pub record: Value,
}

/// The links of a wallet to which a pairing can be handed over.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::connect) struct Remote {
    /// The app's own scheme.
    pub app: Option<String>,
    /// An address that its app takes over.
    pub universal: Option<String>,
    /// The scheme of its program on a desktop.
    pub desktop: Option<String>,
    /// The wallet that is a page.
    pub web: Option<String>,
}

impl Remote {
    pub fn is_there(&self) -> bool {
        [&self.app, &self.universal, &self.desktop, &self.web].into_iter().any(Option::is_some)
    }
}

/// What of a record is kept with a recent wallet (spec 3.20).
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
    /// Reads a record: hostile until parsed.
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

    /// What is kept of it with the recent wallets.
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

    /// Whether a name is its own, however it is spelt.
    pub fn is_called(&self, name: &str) -> bool {
        fold(&self.name) == fold(name)
    }

    pub(super) fn is_one_of(&self, names: &[String]) -> bool {
        groups::is_named(names, &self.id, self.rdns.as_ref(), &self.name)
    }

    pub(super) fn serves(&self, facts: &Facts) -> bool {
        let serves = |namespace| self.namespaces.contains(&namespace);
        self.namespaces.is_empty() || facts.active_namespace.is_none_or(serves)
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

fn is_link(link: &str) -> bool {
    link.len() <= LONGEST_LINK && link.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte))
}

pub(in crate::connect) fn is_web(link: &str) -> bool {
    link.starts_with("https://") && is_link(link)
}

/// A scheme that is an app's own, and `//`.
pub(in crate::connect) fn is_app(link: &str) -> bool {
    link.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !REFUSED.iter().any(|refused| refused.eq_ignore_ascii_case(scheme))
            && is_link(link)
    })
}

/// The connector through which a wallet of the directory can be used in this browser.
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

/// The letters of Latin-1 from U+00C0 on, and again from U+00E0 on, without their accents.
const BARE: &[u8; 32] = b"aaaaaaaceeeeiiiidnooooo ouuuuyts";

/// What is left of a name when case, accents, spaces and signs do not count. The server forgives more.
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
