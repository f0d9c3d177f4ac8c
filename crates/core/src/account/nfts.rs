//! Collectibles (NFTs) of the account.

use super::Reason;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http::picture;
use crate::paged::{ListState, Paged, owner};
use crate::shown::{clean, is_bait};
use portico_api::account::Nft;
use portico_json::{Json, Value};
use portico_terms::Namespace;
use portico_terms::rpc::RpcError;

/// One collectible.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "NftItem")]
pub struct Item {
    /// Unique id in the list.
    pub id: String,
    /// "Punk #7"; empty if it has a link or markup.
    pub name: String,
    /// "CryptoPunks"; empty if it has a link or markup.
    pub collection: String,
    /// URL of a picture on the host's own server.
    pub picture: Option<String>,
    /// Number of pieces, if more than one.
    pub amount: Option<String>,
}

/// Collectibles for views.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NftsView {
    /// Loading state of the list.
    pub state: ListState,
    /// Collectibles in the server's order, without spam.
    pub items: Vec<Item>,
    /// Whether there is another page.
    pub more: bool,
    /// Counter of changes.
    pub revision: u32,
}

/// List of collectibles.
#[derive(Debug, Default)]
pub struct Nfts {
    pages: Paged,
    view: NftsView,
}

impl Nfts {
    /// Clears the list if it is not that of the active account and network. Only EVM has one.
    pub fn changed(&mut self, facts: &Facts) {
        if self.pages.belongs(owner(facts).filter(|(chain, _)| chain.namespace() == Namespace::Eip155)) {
            self.view.items.clear();
            self.changed_list();
        }
    }

    /// The list is shown: loads it unless it is fresh.
    pub fn show(&mut self, cx: &mut Cx) {
        if self.pages.is_due(cx.now) {
            self.pages.restart(cx.now);
            self.ask(cx);
        }
    }

    /// The end of the list scrolled into view, or the visitor retries.
    pub fn more(&mut self, cx: &mut Cx) {
        if self.pages.go_on() {
            self.ask(cx);
        }
    }

    fn ask(&mut self, cx: &mut Cx) {
        let request = self.pages.request("nfts");
        cx.http(request, Reason::Nfts(self.pages.attempt()));
        self.changed_list();
    }

    /// Response with a page.
    pub fn answered(&mut self, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if !self.pages.awaits(attempt) {
            return;
        }
        let code = answer.as_ref().err().map(|error| error.code);
        let Some(page) = answer.ok().and_then(|answer| cx.read::<portico_api::account::Nfts>(&answer)) else {
            self.pages.fail(code, !self.view.items.is_empty());
            return self.changed_list();
        };
        if self.pages.is_first() {
            self.view.items.clear();
        }
        let before = self.view.items.len();
        for item in page.data.into_iter().filter_map(|item| read(item, cx.facts)) {
            if !self.view.items.iter().any(|known| known.id == item.id) {
                self.view.items.push(item);
            }
        }
        self.pages.take(page.next, self.view.items.len() - before);
        self.changed_list();
    }

    /// Counter of changes.
    pub fn revision(&self) -> u32 {
        self.pages.revision()
    }

    /// Copies the state of the pages to the view.
    fn changed_list(&mut self) {
        self.view.state = self.pages.state();
        self.view.more = self.pages.has_more();
        self.view.revision = self.pages.revision();
    }

    /// Collectibles for views; `None` if the account or server has none.
    pub fn view(&self) -> Option<&NftsView> {
        self.pages.of().map(|_| &self.view)
    }
}

/// Prepares one collectible for views; `None` if it is spam.
fn read(item: Nft, facts: &Facts) -> Option<Item> {
    if item.flags.is_spam {
        return None;
    }
    let (name, collection) = (clean(&item.name), clean(&item.collection));
    let is_count = |amount: &String| amount.len() < 20 && amount.bytes().all(|it| it.is_ascii_digit());
    let name = if name.is_empty() { [&collection, " #", &clean(&item.token_id)].concat() } else { name };
    let honest = |name: String| if is_bait(&name, false) { String::new() } else { name };
    Some(Item {
        id: [&item.address, "/", item.token_id.as_str()].concat(),
        name: honest(name),
        collection: honest(collection),
        picture: picture(&item.image_url, facts),
        amount: Some(item.amount).filter(|amount| amount != "1" && is_count(amount)),
    })
}
