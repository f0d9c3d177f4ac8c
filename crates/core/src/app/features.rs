//! State of all features, the facts made from it, and the order in which a step is handled.

use super::{Reason, Step};
use crate::account::{Accounts, Extent};
use crate::analytics::PageInfo;
use crate::boot::Environment;
use crate::config::Options;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::home::Own;
use crate::http::{self, Warned};
use crate::rpc::Rpc;
use crate::table::features;
use crate::timer::Timer;
use crate::{account, connect, modal, reactions, rpc, send};
use portico_terms::{AccountKind, Namespace};

macro_rules! declare {
    (
        views [ $($views:tt)* ]
        first [ $($First:ident($first_state:ty) in $first:ident { $($first_rest:tt)* })* ]
        home [ $($home:tt)* ]
        parts [ $($parts:tt)* ]
    ) => {
        /// State of every feature.
        #[derive(Debug, Default)]
        pub(crate) struct Features {
            $(pub $first: $first_state,)*
            pub own: Own,
            pub rpc: Rpc,
            pub warned: Warned,
            pub place: PageInfo,
            pub environment: std::rc::Rc<Environment>,
        }
    };
}
features!(declare);

impl Features {
    /// Collects the facts from the features that own them.
    pub fn facts(&self) -> Facts {
        let active_namespace = self.network.active_namespace();
        let account = active_namespace.and_then(|namespace| self.connect.connection(namespace));
        let accounts = self.connect.accounts();
        let options = self.config.options();
        let own = self.own.state().map(|state| &state.account);
        Facts {
            environment: self.environment.clone(),
            time_zone: self.config.time_zone(),
            active_namespace,
            wanted_namespace: self.connect.wanted_namespace().or_else(|| self.modal.namespace()),
            active_network: self.network.active().cloned(),
            unsupported: self.network.is_unsupported(),
            chains: self.network.chains(),
            smart_account: account
                .is_some_and(|connection| self.connect.kind_of(connection, &options) == AccountKind::SmartAccount),
            price: self.network.active().zip(own).and_then(|(network, own)| own.price(&network.caip_network_id)),
            batches: own.is_some_and(Accounts::batches),
            offer: own.map(Accounts::offer).unwrap_or_default(),
            account: active_namespace
                .and_then(|active| accounts.iter().find(|account| account.namespace == active))
                .cloned(),
            accounts,
            networks: self.network.all(),
            modal_open: self.modal.is_open() || options.embedded,
            view: (self.modal.is_open() || options.embedded).then(|| self.modal.top()),
            connecting_shown: (self.modal.is_open() || options.embedded)
                && self.modal.holds(modal::View::ConnectingExternal),
            pairing_held: (self.modal.is_open() || options.embedded) && self.modal.holds_code(),
            consent_missing: self.connect.consent(&options) == connect::Consent::Missing,
            attempting: self.connect.has_attempt(),
            parts: self.own.here,
            sign_in_due: self.is_sign_in_due(active_namespace, &options),
            came_back: active_namespace.is_some_and(|namespace| self.connect.came_back(namespace)),
            options,
        }
    }

    /// Whether the active account has to sign in first: unless the site is known to have a session of it, on its network. Neither code that
    /// is not loaded, nor a site that has not answered, nor a network of another page is a way around a required sign-in (spec 6.3).
    fn is_sign_in_due(&self, active: Option<Namespace>, options: &Options) -> bool {
        let signs = active.filter(|active| options.sign_in_required && options.signs_in(*active));
        let Some(account) = signs.and_then(|active| self.connect.connection(active)) else { return false };
        let (network, state) = (self.network.active(), self.own.state());
        !network
            .zip(state)
            .zip(account.accounts.first())
            .is_some_and(|((network, state), address)| state.siwx.is_signed_in(&network.caip_network_id, address))
    }

    /// Accounts for views, as far as the first module knows them.
    pub(crate) fn connections_view(&self) -> account::View {
        account::View::of_connections(&self.connect, &self.network, &self.config.options())
    }

    /// Adds what home knows to the view of the accounts.
    pub(crate) fn complete_accounts(&self, view: &mut account::View, extent: Extent) {
        for account in &mut view.accounts {
            account.names = self.connect.names(account.namespace);
        }
        self.own.account.complete(view, &self.network, &self.config.options(), extent);
    }

    /// Handles a step. The functions of the features stay separate (`inline(never)`): a browser compiles a whole function at its first
    /// call, so code that the first open of the modal does not need is not compiled before it.
    pub(super) fn step(&mut self, step: Step, cx: &mut Cx) -> Vec<crate::rpc::Answered> {
        match step {
            Step::Begin => {
                self.config.report(&[], cx);
                self.connect.begin(cx);
                Features::resume(&self.own.stored, cx);
                // An embedded modal is visible without being opened.
                if cx.facts.options.embedded {
                    self.connect.directory_opened(cx);
                }
            }
            Step::Event(event) => self.update(event, cx),
            Step::Unread(part, event) => {
                if let Some(home) = self.home() {
                    home.unread(part, &event, cx);
                }
            }
            Step::Outcome(reason, outcome) => {
                // A gateway of names is not the host's server.
                if !matches!(reason, Reason::Send(send::Reason::Gateway(..))) {
                    self.warned.look(&outcome, cx);
                }
                self.answered(reason, http::result(outcome), cx);
            }
            Step::Answer(reason, answer) => self.answered(reason, answer, cx),
            // Only features of home and the parts read from chains.
            Step::Batch(batch, outcome) => {
                return self.home().map(|home| home.reads_answered(batch, outcome, cx)).unwrap_or_default();
            }
            Step::Alarm(Timer::Rpc(rpc::Alarm::Retry)) => {
                return self.home().map(|home| home.retry_reads(cx)).unwrap_or_default();
            }
            Step::Alarm(timer) => self.alarm(timer, cx),
            Step::Signal(signal) => reactions::react(self, signal, cx),
            Step::Reads(reads) => return self.home().map(|home| home.send_reads(reads, cx)).unwrap_or_default(),
        }
        Vec::new()
    }
}
