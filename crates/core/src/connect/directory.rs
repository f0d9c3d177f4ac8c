//! The wallets that are not in this browser: the few that come with the widget, those that the host brings as data, and those that the
//! host's own server tells (spec 3.10). The list of the Connect view never waits for any of them. A little
//! longer than other files, so that where a wallet comes from, and which of its sources counts, is read in one place.

use super::groups::{self, Item};
use super::{Asked, Connect, browse, link};
use crate::config::ConnectorGroup;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::Facts;
use crate::http::{self, Request};
use crate::shown::{clean, is_mark};
use crate::signal::Signal;
use crate::timer::Timer;
use portico_json::{Json, Value, parse};
use portico_terms::rpc::RpcError;
use portico_terms::{Connector, ConnectorKind, Namespace};
use std::rc::Rc;

/// Known before any answer: a small part of the directory of the server.
const BUNDLED: &str = include_str!("../../../server/directory/bundled.json");

/// What is typed rests so long before it is searched for (spec 9.3).
pub const SEARCH_REST: u64 = 500;
/// A page of all wallets.
const PAGE: u32 = 40;
/// The rows that recommended wallets fill the list up to.
const RECOMMENDED: usize = 4;
/// No longer answer is read: as many as the featured ones that are asked for.
const MOST_READ: usize = 100;
/// No more networks are named in a question.
const MOST_CHAINS: usize = 100;
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

/// How far the list of all wallets is.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "DirectoryPhase")]
pub enum Phase {
    /// Asked for, from the beginning.
    #[default]
    Loading,
    /// What was typed rests, or is asked for.
    Searching,
    /// The next page is asked for.
    More,
    /// As far as it was asked for.
    Ready,
    /// The server did not answer.
    Failed,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "DirectoryView")]
pub struct View {
    /// Whether the list of all wallets is offered.
    pub all: bool,
    /// How many there are, where the server told.
    pub count: Option<u32>,
    /// What the visitor typed.
    pub search: String,
    /// The list so far.
    pub wallets: Vec<Item>,
    /// How far it is.
    pub phase: Phase,
    /// Whether there is another page.
    pub more: bool,
    /// The wallet to get.
    pub chosen: Option<Item>,
    /// Where to get it.
    pub links: Vec<Link>,
}

/// A question to the directory.
#[derive(Clone, Debug)]
pub enum Question {
    /// The best known.
    Top,
    /// Those that the host puts first.
    Featured,
    /// A page of all wallets, in a listing.
    Page(u32, u32),
    /// Pictures, by their ids.
    Pictures(Vec<String>),
}

/// A wallet of the directory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known {
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
pub(super) struct Remote {
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

/// What is known of the directory.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// A list of wallets was shown.
    opened: bool,
    top: Vec<Rc<Known>>,
    featured: Vec<Rc<Known>>,
    count: Option<u32>,
    search: String,
    listed: Vec<Rc<Known>>,
    /// All that the server told since the list was opened. While it has not answered to what was typed, what fits is drawn of these.
    told: Vec<Rc<Known>>,
    /// How many the listing has in all.
    found: u32,
    /// The last page of the listing that is there; 0 while it has none.
    page: u32,
    phase: Phase,
    /// Tells the answers of this listing from those of an older one.
    listing: u32,
    /// The pictures that the page has.
    pictures: Vec<String>,
    chosen: Option<Rc<Known>>,
}

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

    fn list(value: &Value) -> Vec<Rc<Known>> {
        let items = value.as_list().unwrap_or_default().iter();
        items.take(MOST_READ).filter_map(Known::read).map(Rc::new).collect()
    }

    /// Whether a name is its own, however it is spelt.
    pub fn is_called(&self, name: &str) -> bool {
        fold(&self.name) == fold(name)
    }

    fn is_one_of(&self, names: &[String]) -> bool {
        groups::is_named(names, &self.id, self.rdns.as_ref(), &self.name)
    }

    fn serves(&self, facts: &Facts) -> bool {
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

pub(super) fn is_web(link: &str) -> bool {
    link.starts_with("https://") && is_link(link)
}

/// A scheme that is an app's own, and `//`.
pub(super) fn is_app(link: &str) -> bool {
    link.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !REFUSED.iter().any(|refused| refused.eq_ignore_ascii_case(scheme))
            && is_link(link)
    })
}

/// The connector through which a wallet of the directory can be used in this browser.
pub(super) fn installed<'a>(known: &Known, connectors: &[&'a Connector], facts: &Facts) -> Option<&'a Connector> {
    connectors.iter().copied().find(|connector| {
        matches!(connector.kind, ConnectorKind::Injected | ConnectorKind::Announced)
            && groups::is_offered(connector, facts)
            && (connector.id == known.id
                || connector.rdns.is_some() && connector.rdns == known.rdns
                || connector.name.eq_ignore_ascii_case(&known.name))
    })
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

    /// The wallets of a group that are not in this browser; `usable` says that some are.
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
            // Whoever has a wallet finds it without others around it.
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
        let custom = Directory::custom(facts);
        let all = custom.iter().chain(&self.told).chain(&self.featured).chain(&self.top);
        all.into_iter().find(|known| fits(known)).cloned()
    }

    /// What is known of a wallet of this browser.
    pub(super) fn of(&self, connector: &Connector, facts: &Facts) -> Option<Rc<Known>> {
        let rdns = connector.rdns.as_ref();
        self.find_by(&|known| known.id == connector.id || rdns.is_some() && rdns == known.rdns.as_ref(), facts)
    }

    /// The wallet to get.
    pub(super) fn wanted(&self) -> Option<&Rc<Known>> {
        self.chosen.as_ref()
    }

    /// The wallet of that name.
    pub(super) fn named(&self, name: &str, facts: &Facts) -> Option<Rc<Known>> {
        self.find_by(&|known| known.is_called(name), facts)
    }
}

impl Connect {
    /// A list of wallets is shown: what the server knows of the best known ones is asked for, once.
    pub fn directory_opened(&mut self, cx: &mut Cx) {
        if std::mem::replace(&mut self.directory.opened, true) || !cx.facts.options.wallets {
            return;
        }
        self.directory.top = Directory::bundled();
        self.revision += 1;
        let featured = &cx.facts.options.featured;
        let first = Request::get("/getWallets").with("page", "1");
        if !featured.is_empty() {
            cx.http(
                first.clone().with("entries", &MOST_READ.to_string()).with("include", &featured.join(",")),
                Question::Featured,
            );
        }
        let top = listing(first.with("entries", "4"), cx.facts);
        cx.http(top, Question::Top);
    }

    /// The view of all wallets is shown.
    pub fn all_wallets_shown(&mut self, cx: &mut Cx) {
        self.directory_opened(cx);
        if self.directory.told.is_empty() {
            self.ask_page(1, cx);
        }
    }

    /// It was left.
    pub fn all_wallets_left(&mut self, cx: &mut Cx) {
        cx.stop(Timer::WalletSearch);
        let directory = &mut self.directory;
        directory.listing += 1;
        directory.search.clear();
        directory.told.clear();
        directory.begin(Phase::Loading);
        self.revision += 1;
    }

    pub(super) fn search_typed(&mut self, text: String, cx: &mut Cx) {
        self.directory.search = text;
        if !http::is_there(&cx.facts.options) {
            return self.ask_page(1, cx);
        }
        // What comes of the listing before is for nobody.
        self.directory.listing += 1;
        self.directory.begin(Phase::Searching);
        self.revision += 1;
        cx.start(Timer::WalletSearch, SEARCH_REST);
    }

    pub(super) fn search_rested(&mut self, cx: &mut Cx) {
        self.ask_page(1, cx);
    }

    pub(super) fn more_asked(&mut self, cx: &mut Cx) {
        let directory = &self.directory;
        match directory.phase {
            Phase::Ready if directory.has_more() => self.ask_page(directory.page + 1, cx),
            Phase::Failed => self.ask_page(directory.page + 1, cx),
            _ => {}
        }
    }

    fn ask_page(&mut self, page: u32, cx: &mut Cx) {
        self.revision += 1;
        let directory = &mut self.directory;
        directory.listing += 1;
        match page {
            1 if directory.search.is_empty() => directory.begin(Phase::Loading),
            1 => directory.begin(Phase::Searching),
            _ => directory.phase = Phase::More,
        }
        if !http::is_there(&cx.facts.options) {
            directory.told = Directory::bundled();
            directory.phase = Phase::Ready;
            return;
        }
        let search = directory.search.trim();
        let mut request =
            Request::get("/getWallets").with("page", &page.to_string()).with("entries", &PAGE.to_string());
        if !search.is_empty() {
            request = request.with("search", search);
        }
        cx.http(listing(request, cx.facts), Question::Page(directory.listing, page));
    }

    /// One answer of the directory.
    pub(super) fn directory_answered(&mut self, question: Question, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let directory = &mut self.directory;
        let told = answer.as_ref().ok().map(|value| {
            let count = value.get("count").as_u64().and_then(|count| u32::try_from(count).ok());
            (Known::list(value.get("data")), count)
        });
        match question {
            Question::Page(listing, _) if listing != directory.listing => return,
            Question::Page(_, page) => match told {
                // A success without a count is no page.
                Some((wallets, Some(count))) => {
                    for known in wallets {
                        add(&mut directory.told, &known);
                        add(&mut directory.listed, &known);
                    }
                    directory.page = page;
                    directory.found = count;
                    directory.phase = Phase::Ready;
                }
                _ => directory.phase = Phase::Failed,
            },
            Question::Featured => directory.featured = told.map(|(wallets, _)| wallets).unwrap_or_default(),
            Question::Top => {
                if let Some((wallets, count)) = told {
                    directory.count = count;
                    // The best known of the server first, then those that were known already.
                    let known = std::mem::replace(&mut directory.top, wallets);
                    known.iter().for_each(|known| add(&mut directory.top, known));
                }
            }
            Question::Pictures(ids) => {
                if answer.is_ok() {
                    directory.pictures.extend(ids);
                }
                self.revision += 1;
                return;
            }
        }
        self.revision += 1;
        self.ask_pictures(cx);
    }

    /// The pictures of what is listed now, in one request.
    fn ask_pictures(&mut self, cx: &mut Cx) {
        let mut ids: Vec<String> = Vec::new();
        let groups = self.wallets(cx.facts).groups;
        let shown = groups.into_iter().flat_map(|group| group.items).chain(self.directory_items(cx.facts));
        for item in shown {
            if let Some(id) = item.handle.strip_prefix("image:")
                && !item.icon
                && !ids.iter().any(|known| known == id)
                && ids.len() < 100
            {
                ids.push(id.into());
            }
        }
        let request = Request::get("/getWalletImages").with("ids", &ids.join(","));
        if !ids.is_empty()
            && let Some(Operation::SendHttp { url, timeout, .. }) = request.operation(&cx.facts.options)
        {
            cx.ask(Operation::FetchPictures { url, timeout }, Asked::Directory(Question::Pictures(ids)));
        }
    }

    #[inline(never)]
    pub(super) fn directory_items(&self, facts: &Facts) -> Vec<Item> {
        let connectors: Vec<_> = self.standing().collect();
        let directory = &self.directory;
        let typed = fold(&directory.search);
        let listed = if directory.page == 0 { &directory.told } else { &directory.listed };
        let listed = listed.iter().filter(|known| directory.page > 0 || fold(&known.name).contains(&typed));
        let listed = listed.filter(|known| !known.is_one_of(&facts.options.excluded));
        let included = &facts.options.included;
        let listed = listed.filter(|known| included.is_empty() || known.is_one_of(included));
        listed.map(|known| directory.item(known, &connectors, facts)).collect()
    }

    /// A wallet of the directory was chosen: one that is in this browser is asked, of another is said where to get it.
    /// False where there is no such wallet, or none that a host's call could wait for.
    pub(super) fn want(&mut self, id: &str, ticket: Option<u32>, cx: &mut Cx) -> bool {
        let recent =
            || self.recent.iter().find(|recent| recent.id == id).and_then(|recent| Known::read(&recent.wallet));
        let Some(known) = self.directory.find(id, cx.facts).or_else(|| recent().map(Rc::new)) else { return false };
        let connectors: Vec<_> = self.standing().collect();
        if let Some(connector) = installed(&known, &connectors, cx.facts).map(|connector| connector.id.clone()) {
            self.choose(&connector, ticket, cx);
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
        cx.tell(Signal::WalletWanted);
        true
    }

    /// Whether the list of all wallets is offered.
    pub(super) fn lists_all(&self, facts: &Facts) -> bool {
        let options = &facts.options;
        options.wallets && options.features.all_wallets && options.all_wallets[usize::from(facts.mobile)]
    }

    /// What views read; nothing before a list of wallets was shown.
    pub fn directory_view(&self, facts: &Facts) -> Option<View> {
        let directory = &self.directory;
        let connectors: Vec<_> = self.standing().collect();
        let chosen = directory.chosen.as_ref();
        // To a wallet that no session reaches the page comes itself.
        let browser = chosen.filter(|_| facts.mobile).and_then(|known| browse::to_browse(known, facts));
        let links =
            chosen.map(|known| known.links.as_slice()).unwrap_or_default().iter().filter(|link| match link.kind {
                LinkKind::Open => facts.mobile && browser.is_none(),
                LinkKind::ChromeStore => !facts.mobile,
                _ => true,
            });
        let browser = browser.iter().map(|href| Link { kind: LinkKind::Open, href: href.clone() });
        directory.opened.then(|| View {
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

impl Directory {
    /// A listing of which no page is there yet.
    fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        self.listed.clear();
        self.page = 0;
    }

    fn has_more(&self) -> bool {
        self.page > 0 && self.page.saturating_mul(PAGE) < self.found
    }
}

fn add(list: &mut Vec<Rc<Known>>, known: &Rc<Known>) {
    if list.iter().all(|other| other.id != known.id) {
        list.push(known.clone());
    }
}

/// The letters of Latin-1 from U+00C0 on, and again from U+00E0 on, without their accents.
const BARE: &[u8; 32] = b"aaaaaaaceeeeiiiidnooooo ouuuuyts";

/// What is left of a name when case, accents, spaces and signs do not count. The server forgives more.
fn fold(name: &str) -> String {
    let bare = |letter: char| match u32::from(letter) {
        code @ 0xc0..=0xff => BARE[code as usize & 31].into(),
        _ => letter.to_ascii_lowercase(),
    };
    name.chars()
        .map(bare)
        .filter(|letter| !letter.is_ascii() && !is_mark(*letter) || letter.is_ascii_alphanumeric())
        .collect()
}

/// A question for what this host lists.
fn listing(mut request: Request, facts: &Facts) -> Request {
    let options = &facts.options;
    let named = |request: Request, name, list: &[String]| match list {
        [] => request,
        _ => request.with(name, &list.join(",")),
    };
    request = named(request, "include", &options.included);
    request = named(request, "exclude", &options.excluded);
    let served = facts.networks.iter().filter(|network| options.has_adapter(network.chain_namespace));
    let chains: Vec<String> = served.take(MOST_CHAINS).map(|network| network.caip_network_id.to_string()).collect();
    named(request, "chains", &chains)
}
