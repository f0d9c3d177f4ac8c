//! The paged list of all wallets: requests to the host's server, and its responses.

use super::known::{Known, MOST_READ};
use super::{Directory, Phase, Question};
use crate::connect::Alarm;
use crate::connect::{Connect, Reason};
use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::Facts;
use crate::http::{self, Request};
use portico_json::Value;
use portico_terms::rpc::RpcError;
use std::rc::Rc;

/// Time between the last keystroke and the search, in milliseconds (spec 9.3).
pub const SEARCH_REST: u64 = 500;
/// Number of wallets per page.
const PAGE: u32 = 40;
/// Maximum number of networks in a request.
const MOST_CHAINS: usize = 100;

impl Connect {
    /// A list of wallets is shown: requests the server's best-known wallets, once per wanted namespace.
    pub fn directory_opened(&mut self, cx: &mut Cx) {
        self.offer_social(cx);
        let wanted = Some(cx.facts.wanted_namespace);
        if std::mem::replace(&mut self.directory.opened, wanted) == wanted {
            return;
        }
        self.revision += 1;
        self.directory.count = None;
        if !cx.facts.options.wallets {
            return;
        }
        self.directory.top = Directory::bundled();
        let featured = &cx.facts.options.featured;
        let first = Request::get("/getWallets").with("page", "1");
        if !featured.is_empty() {
            cx.http(
                first.clone().with("entries", &MOST_READ.to_string()).with("include", &featured.join(",")),
                Question::Featured,
            );
        }
        let top = listing(first.with("entries", "4"), cx.facts);
        cx.http(top, Question::Top(cx.facts.wanted_namespace));
    }

    pub fn all_wallets_shown(&mut self, cx: &mut Cx) {
        self.directory_opened(cx);
        if self.directory.told.is_empty() {
            self.ask_page(1, cx);
        }
    }

    /// The view of all wallets was left.
    pub fn all_wallets_left(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Search);
        let directory = &mut self.directory;
        directory.listing += 1;
        directory.search.clear();
        directory.told.clear();
        directory.begin(Phase::Loading);
        self.revision += 1;
    }

    pub(in crate::connect) fn search_typed(&mut self, text: String, cx: &mut Cx) {
        self.directory.search = text;
        if !http::is_there(&cx.facts.options) {
            return self.ask_page(1, cx);
        }
        // Responses to the previous listing are ignored.
        self.directory.listing += 1;
        self.directory.begin(Phase::Searching);
        self.revision += 1;
        cx.start(Alarm::Search, SEARCH_REST);
    }

    pub(in crate::connect) fn search_rested(&mut self, cx: &mut Cx) {
        self.ask_page(1, cx);
    }

    pub(in crate::connect) fn more_asked(&mut self, cx: &mut Cx) {
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

    /// Response of the directory.
    pub(in crate::connect) fn directory_answered(
        &mut self,
        question: Question,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) {
        let directory = &mut self.directory;
        let told = answer.as_ref().ok().map(|value| {
            let count = value.get("count").as_u64().and_then(|count| u32::try_from(count).ok());
            (Known::list(value.get("data")), count)
        });
        match question {
            Question::Page(listing, _) if listing != directory.listing => return,
            Question::Page(_, page) => match told {
                // A page without a count is invalid.
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
            Question::Top(wanted) if directory.opened != Some(wanted) => return,
            Question::Top(_) => {
                if let Some((wallets, count)) = told {
                    directory.count = count;
                    // The server's best-known wallets first, then the ones known before.
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

    /// Requests the icons of all listed wallets at once.
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
            cx.ask(Operation::FetchPictures { url, timeout }, Reason::Directory(Question::Pictures(ids)));
        }
    }
}

impl Directory {
    /// Starts a listing without pages.
    fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        self.listed.clear();
        self.page = 0;
    }

    pub(super) fn has_more(&self) -> bool {
        self.page > 0 && self.page.saturating_mul(PAGE) < self.found
    }
}

fn add(list: &mut Vec<Rc<Known>>, known: &Rc<Known>) {
    if list.iter().all(|other| other.id != known.id) {
        list.push(known.clone());
    }
}

/// Request limited to the wallets that the host lists and, if an account of one namespace is wanted, to those that serve it.
fn listing(mut request: Request, facts: &Facts) -> Request {
    let options = &facts.options;
    let named = |request: Request, name, list: &[String]| match list {
        [] => request,
        _ => request.with(name, &list.join(",")),
    };
    request = named(request, "include", &options.included);
    request = named(request, "exclude", &options.excluded);
    let served = facts.networks.iter().filter(|network| {
        let namespace = network.chain_namespace;
        options.has_adapter(namespace) && facts.wanted_namespace.is_none_or(|wanted| wanted == namespace)
    });
    let chains: Vec<String> = served.take(MOST_CHAINS).map(|network| network.caip_network_id.to_string()).collect();
    named(request, "chains", &chains)
}
