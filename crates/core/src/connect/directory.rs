//! Wallets that are not in this browser: the few bundled with the widget, those that the host brings as data, and those of the host's own
//! server (spec 3.10). This file covers the sources and their precedence. The list of the Connect view never waits for any of them.

mod known;
mod listing;

pub(super) use known::{Known, Remote, installed};
pub use known::{Link, LinkKind};
pub use listing::SEARCH_REST;

use super::groups::{self, Item};
use super::{Connect, browse};
use crate::config::ConnectorGroup;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::signal::Signal;
use known::fold;
use portico_json::{Json, parse};
use portico_terms::{Connector, Namespace};
use std::rc::Rc;

/// Wallets known before any response: a small part of the server's directory.
const BUNDLED: &str = include_str!("../../../server/directory/bundled.json");

/// Number of rows up to which recommended wallets fill the list.
const RECOMMENDED: usize = 4;

/// Progress of the list of all wallets.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "DirectoryPhase")]
pub enum Phase {
    /// The first page is being loaded.
    #[default]
    Loading,
    /// The search text changed; the search is about to start or in flight.
    Searching,
    /// The next page is being loaded.
    More,
    /// All requested pages are loaded.
    Ready,
    /// The server did not respond.
    Failed,
}

/// Wallet directory for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "DirectoryView")]
pub struct View {
    /// Whether the list of all wallets is offered.
    pub all: bool,
    /// Number of wallets in the directory, if the server reported it.
    pub count: Option<u32>,
    /// Search text.
    pub search: String,
    /// Wallets loaded so far.
    pub wallets: Vec<Item>,
    pub phase: Phase,
    /// Whether there is another page.
    pub more: bool,
    /// The wallet to install.
    pub chosen: Option<Item>,
    /// Links to install it.
    pub links: Vec<Link>,
}

/// A request to the directory.
#[derive(Clone, Debug)]
pub enum Question {
    /// The best-known wallets; with the wanted namespace, if any.
    Top(Option<Namespace>),
    /// Wallets that the host puts first.
    Featured,
    /// A page of all wallets: number of the listing and of the page.
    Page(u32, u32),
    /// Icons by their ids.
    Pictures(Vec<String>),
}

/// Data loaded from the directory.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// Wanted namespace of the last list of wallets that was shown; `None` before the first one.
    opened: Option<Option<Namespace>>,
    top: Vec<Rc<Known>>,
    featured: Vec<Rc<Known>>,
    count: Option<u32>,
    search: String,
    listed: Vec<Rc<Known>>,
    /// All wallets received since the list was opened. While a search is in flight, the matches among these are shown.
    told: Vec<Rc<Known>>,
    /// Total number of wallets in the listing.
    found: u32,
    /// Last loaded page of the listing; 0 if none.
    page: u32,
    phase: Phase,
    /// Number of the listing; responses to an older one are ignored.
    listing: u32,
    /// Ids of the icons that the page has.
    pictures: Vec<String>,
    chosen: Option<Rc<Known>>,
}

impl Directory {
    fn bundled() -> Vec<Rc<Known>> {
        parse(BUNDLED).map(|list| Known::list(&list)).unwrap_or_default()
    }

    fn custom(facts: &Facts) -> Vec<Rc<Known>> {
        Known::list(&facts.options.custom_wallets)
    }

    pub(super) fn item(&self, known: &Known, connectors: &[&Connector], facts: &Facts) -> Item {
        if let Some(connector) = installed(known, connectors, facts) {
            return groups::item(connector, false, facts);
        }
        Item {
            id: known.id.clone(),
            name: known.name.clone(),
            handle: known.image_id.as_ref().map(|id| ["image:", id].concat()).unwrap_or_default(),
            icon: known.image_id.as_ref().is_some_and(|id| self.pictures.contains(id)),
            image_url: facts.options.connector_images.get(&known.id).cloned().or_else(|| known.image_url.clone()),
            installed: false,
            recent: false,
        }
    }

    /// Wallets of a group that are not in this browser; `usable` is true if any wallet is.
    pub(super) fn group(
        &self,
        kind: ConnectorGroup,
        connectors: &[&Connector],
        usable: bool,
        facts: &Facts,
    ) -> Vec<Item> {
        let (featured, custom) = (&facts.options.featured, Directory::custom(facts));
        let wanted: Vec<Rc<Known>> = match kind {
            ConnectorGroup::Featured => {
                let pool = || self.featured.iter().chain(&self.top);
                let named = |name: &String| pool().find(|known| known.is_one_of(std::slice::from_ref(name))).cloned();
                featured.iter().filter_map(named).collect()
            }
            ConnectorGroup::Custom => custom,
            // A visitor with a wallet finds it faster without others around it.
            ConnectorGroup::Recommended if !usable => {
                let others = custom.len() + self.group(ConnectorGroup::Featured, connectors, usable, facts).len();
                let included = &facts.options.included;
                let top = self.top.iter().filter(|known| {
                    !known.is_one_of(featured)
                        && custom.iter().all(|own| own.id != known.id)
                        && (included.is_empty() || known.is_one_of(included))
                        && known.serves(facts)
                        && !known.is_one_of(&facts.options.excluded)
                });
                top.take(RECOMMENDED.saturating_sub(others)).cloned().collect()
            }
            _ => Vec::new(),
        };
        let mut items: Vec<Item> = Vec::new();
        for known in wanted {
            let listed = !known.is_one_of(&facts.options.excluded)
                && known.serves(facts)
                && items.iter().all(|item| item.id != known.id);
            if listed && installed(&known, connectors, facts).is_none() {
                items.push(self.item(&known, connectors, facts));
            }
        }
        items
    }

    fn find(&self, id: &str, facts: &Facts) -> Option<Rc<Known>> {
        self.find_by(&|known| known.id == id, facts)
    }

    fn find_by(&self, fits: &dyn Fn(&Known) -> bool, facts: &Facts) -> Option<Rc<Known>> {
        self.find_among(&Directory::custom(facts), fits).cloned()
    }

    #[inline(never)]
    fn find_among<'a>(&'a self, custom: &'a [Rc<Known>], fits: &dyn Fn(&Known) -> bool) -> Option<&'a Rc<Known>> {
        custom.iter().chain(&self.told).chain(&self.featured).chain(&self.top).find(|known| fits(known))
    }

    /// Directory entry of a wallet of this browser.
    pub(super) fn of(&self, connector: &Connector, facts: &Facts) -> Option<Rc<Known>> {
        let rdns = connector.rdns.as_ref();
        self.find_by(&|known| known.id == connector.id || rdns.is_some() && rdns == known.rdns.as_ref(), facts)
    }

    /// Wallets of this browser with the ids of their directory entries, which are found by the rdns (spec 3.8).
    pub(super) fn identified(&self, connectors: &[&Connector], facts: &Facts) -> Vec<Connector> {
        let custom = Directory::custom(facts);
        let mut identified: Vec<Connector> = connectors.iter().map(|connector| (*connector).clone()).collect();
        for connector in &mut identified {
            let same = |known: &Known| known.rdns.is_some() && known.rdns == connector.rdns;
            if let Some(known) = self.find_among(&custom, &same) {
                connector.image_id.clone_from(&known.image_id);
                connector.explorer_id = Some(known.id.clone());
            }
        }
        identified
    }

    /// The wallet to install.
    pub(super) fn wanted(&self) -> Option<&Rc<Known>> {
        self.chosen.as_ref()
    }

    /// Directory entry by name.
    pub(super) fn named(&self, name: &str, facts: &Facts) -> Option<Rc<Known>> {
        self.find_by(&|known| known.is_called(name), facts)
    }
}

impl Connect {
    #[inline(never)]
    pub(super) fn directory_items(&self, facts: &Facts) -> Vec<Item> {
        let connectors = self.without_duplicates();
        let directory = &self.directory;
        let typed = fold(&directory.search);
        let listed = if directory.page == 0 { &directory.told } else { &directory.listed };
        let listed = listed.iter().filter(|known| directory.page > 0 || fold(&known.name).contains(&typed));
        let listed = listed.filter(|known| !known.is_one_of(&facts.options.excluded));
        let included = &facts.options.included;
        let listed = listed.filter(|known| included.is_empty() || known.is_one_of(included));
        let listed = listed.filter(|known| known.serves_any(facts.wanted_namespace));
        listed.map(|known| directory.item(known, &connectors, facts)).collect()
    }

    /// A directory wallet was chosen. If it is in this browser or reachable by pairing, connects it; else shows where to install it.
    /// Returns false if the wallet is unknown, or if a host call would wait for a wallet that can only be installed.
    pub(super) fn want(&mut self, id: &str, ticket: Option<u32>, cx: &mut Cx) -> bool {
        let recent =
            || self.recent.iter().find(|recent| recent.id == id).and_then(|recent| Known::read(&recent.wallet));
        let Some(known) = self.directory.find(id, cx.facts).or_else(|| recent().map(Rc::new)) else { return false };
        let connectors = self.without_duplicates();
        if let Some(connector) = installed(&known, &connectors, cx.facts).map(|connector| connector.id.clone()) {
            self.choose(&connector, None, ticket, cx);
            return true;
        }
        if cx.facts.options.wallet_connect && known.remote.is_there() {
            self.choose_remote(Some(known), ticket, cx);
            return true;
        }
        if ticket.is_some() {
            return false;
        }
        self.directory.chosen = Some(known);
        self.revision += 1;
        cx.signal(Signal::WalletWanted);
        true
    }

    /// Whether the list of all wallets is offered.
    pub(super) fn lists_all(&self, facts: &Facts) -> bool {
        let options = &facts.options;
        options.wallets && options.features.all_wallets && options.all_wallets[usize::from(facts.environment.mobile)]
    }

    /// Wallet directory for views; `None` before a list of wallets was shown.
    pub fn directory_view(&self, facts: &Facts) -> Option<View> {
        let directory = &self.directory;
        let connectors = self.without_duplicates();
        let chosen = directory.chosen.as_ref();
        // A wallet without pairing opens the page in its own browser.
        let browser = chosen.filter(|_| facts.environment.mobile).and_then(|known| browse::to_browse(known, facts));
        let links =
            chosen.map(|known| known.links.as_slice()).unwrap_or_default().iter().filter(|link| match link.kind {
                LinkKind::Open => facts.environment.mobile && browser.is_none(),
                LinkKind::ChromeStore => !facts.environment.mobile,
                _ => true,
            });
        let browser = browser.iter().map(|href| Link { kind: LinkKind::Open, href: href.clone() });
        directory.opened.is_some().then(|| View {
            all: self.lists_all(facts),
            count: directory.count,
            search: directory.search.clone(),
            wallets: self.directory_items(facts),
            phase: directory.phase,
            more: directory.has_more(),
            chosen: chosen.map(|known| directory.item(known, &connectors, facts)),
            links: browser.chain(links.cloned()).collect(),
        })
    }
}
