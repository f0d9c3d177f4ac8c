//! What the shell is told: of each feature's view what it does not know yet.

use super::App;
use crate::account::{self, Extent};
use crate::config;
use portico_json::{Map, Write, to_text, write_text};
use std::rc::Rc;

/// The JSON of each feature as the shell knows it. Texts are compared rather than values: the text is needed anyway.
#[derive(Debug, Default)]
pub(crate) struct Told {
    texts: Map<&'static str, String>,
    /// The account without its tokens, of which there may be thousands, and the revision of these.
    account: String,
    tokens: u32,
    /// The wallets are many: their list is only made again when it may have changed.
    wallets: Option<WalletsKey>,
    /// A host may have hundreds of networks: the same.
    network: Option<u32>,
    /// A list of tokens: the same.
    pub(crate) send_tokens: Option<Option<TokensKey>>,
}

pub(crate) type TokensKey = (
    u32,
    account::BalanceState,
    Option<portico_terms::Amount>,
    Option<portico_terms::Price>,
    Option<*const portico_terms::Network>,
    (String, usize),
);

type WalletsKey = (u32, usize, Option<portico_terms::Namespace>, *const config::Options);

impl App {
    /// Appends the fields of [`Snapshot`] that changed since the last call, as JSON; the others are left out. The first time it tells all that
    /// is there.
    pub fn write_changes(&mut self, out: &mut String) {
        let facts = self.features.facts();
        let features = &self.features;
        let told = &mut self.told;
        out.push('{');
        told.tell("config", &features.config.view(), out);
        told.tell("modal", &features.modal.view(&facts), out);
        told.tell("notice", &features.notice.view(&facts), out);
        told.tell("connect", &features.connect.view(&facts), out);
        if told.network != Some(features.network.revision()) {
            told.network = Some(features.network.revision());
            told.tell("network", &features.network.view(), out);
        }
        let tokens = features.own.account.tokens_revision();
        let account = to_text(&features.account_view(Extent::Coin));
        if told.tokens != tokens || told.account != account {
            told.tokens = tokens;
            told.account = account;
            told.tell("account", &features.account_view(Extent::Whole), out);
        }
        let key =
            (features.connect.revision(), facts.connected.len(), facts.active_namespace, Rc::as_ptr(&facts.options));
        if told.wallets != Some(key) {
            told.wallets = Some(key);
            told.tell("wallets", &features.connect.wallets(&facts), out);
            told.tell("directory", &features.connect.directory_view(&facts), out);
        }
        if let Some(home) = self.features.home() {
            home.tell(&mut self.told, &facts, out);
        }
        out.push('}');
    }
}

impl Told {
    /// Not by `dyn`: what writes the views of a part is in no table of the first module.
    pub(crate) fn tell(&mut self, feature: &'static str, view: &impl Write, out: &mut String) {
        let mut text = String::new();
        view.write(&mut text);
        self.keep(feature, text, out);
    }

    #[inline(never)]
    fn keep(&mut self, feature: &'static str, text: String, out: &mut String) {
        if self.texts.get(feature) == Some(&text) {
            return;
        }
        if !out.ends_with('{') {
            out.push(',');
        }
        write_text(feature, out);
        out.push(':');
        out.push_str(&text);
        self.texts.insert(feature, text);
    }
}
