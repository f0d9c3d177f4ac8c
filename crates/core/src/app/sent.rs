//! Views as last sent to the shell, so that only changes cross the bridge.

use super::App;
use crate::account::{self, Extent};
use crate::config;
use portico_json::{Map, Write, to_text, write_text};
use std::rc::Rc;

/// JSON of each view as last sent to the shell. Texts are compared rather than values because the text is needed anyway.
#[derive(Debug, Default)]
pub(crate) struct SentViews {
    texts: Map<&'static str, String>,
    /// The account without its tokens, of which there may be thousands.
    account: String,
    /// Revisions of long lists, which are rebuilt only if they may have changed.
    revisions: Map<&'static str, u32>,
    wallets: Option<WalletsKey>,
    pub(crate) send_tokens: Option<Option<TokensKey>>,
}

/// Everything on which the tokens of the send form depend.
pub(crate) type TokensKey = (
    u32,
    account::BalanceState,
    Option<portico_terms::Amount>,
    Option<portico_terms::Price>,
    Option<*const portico_terms::Network>,
    (String, usize),
);

/// Everything on which the list of wallets depends: its revision, the number of connections, the active and the wanted namespace, the
/// options.
type WalletsKey = (u32, usize, [Option<portico_terms::Namespace>; 2], *const config::Options);

impl App {
    /// Appends the fields of [`Snapshot`](crate::Snapshot) that changed since the last call, as JSON. The first call writes all.
    pub fn write_changes(&mut self, out: &mut String) {
        let facts = self.features.facts();
        let App { features, sent, .. } = self;
        out.push('{');
        features.view(&facts, sent, out);
        let tokens = features.own.state().map_or(0, |state| state.account.tokens_revision());
        let mut account = features.connections_view();
        if let Some(home) = features.home() {
            home.complete_accounts(&mut account, Extent::Coin);
        }
        let text = to_text(&account);
        if sent.is_new("account", tokens) || sent.account != text {
            sent.account = text;
            if let Some(home) = features.home() {
                home.complete_accounts(&mut account, Extent::Whole);
            }
            sent.write("account", &account, out);
        }
        let namespaces = [facts.active_namespace, facts.wanted_namespace];
        let key = (features.connect.revision(), facts.accounts.len(), namespaces, Rc::as_ptr(&facts.options));
        if sent.wallets != Some(key) {
            sent.wallets = Some(key);
            sent.write("wallets", &features.connect.wallets(&facts), out);
            sent.write("directory", &features.connect.directory_view(&facts), out);
        }
        if let Some(home) = features.home() {
            home.view(&facts, sent, out);
        }
        out.push('}');
    }
}

impl SentViews {
    /// Whether the revision of a list differs from the one last sent; stores it as sent.
    pub(crate) fn is_new(&mut self, view: &'static str, revision: u32) -> bool {
        let new = self.revisions.get(view) != Some(&revision);
        if new {
            self.revisions.insert(view, revision);
        }
        new
    }

    /// Appends a view if it changed. Generic instead of `dyn`: else code that writes the views of a part ends up in the first module.
    pub(crate) fn write(&mut self, view: &'static str, value: &impl Write, out: &mut String) {
        let mut text = String::new();
        value.write(&mut text);
        self.append(view, text, out);
    }

    #[inline(never)]
    fn append(&mut self, view: &'static str, text: String, out: &mut String) {
        if self.texts.get(view) == Some(&text) {
            return;
        }
        if !out.ends_with('{') {
            out.push(',');
        }
        write_text(view, out);
        out.push(':');
        out.push_str(&text);
        self.texts.insert(view, text);
    }
}
