//! The features side by side: what they may know of each other, and who of them a step is for.

use super::{Event, Reason, Step};
use crate::account::Extent;
use crate::analytics::{Analytics, PageInfo};
use crate::boot::Environment;
use crate::config::Config;
use crate::connect::Connect;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::home::Own;
use crate::http::{self, Warned};
use crate::modal::Modal;
use crate::network::Networks;
use crate::notice::Notice;
use crate::part::Part;
use crate::rpc::Rpc;
use crate::signal::Signal;
use crate::snapshot::Snapshot;
use crate::timer::Timer;
use crate::{account, analytics, connect, modal, reactions, send, swap};
use portico_json::Value;
use portico_terms::AccountKind;
use portico_terms::rpc::RpcError;

/// Every feature's state.
#[derive(Debug, Default)]
pub(crate) struct Features {
    pub config: Config,
    pub modal: Modal,
    pub notice: Notice,
    pub connect: Connect,
    pub network: Networks,
    pub own: Own,
    pub rpc: Rpc,
    pub warned: Warned,
    pub analytics: Analytics,
    pub place: PageInfo,
    pub environment: Environment,
}

impl Features {
    /// What every feature may know, made anew.
    pub fn facts(&self) -> Facts {
        let active_namespace = self.network.active_namespace();
        let account = active_namespace.and_then(|namespace| self.connect.connection(namespace));
        let accounts = self.connect.accounts();
        let options = self.config.options();
        Facts {
            mobile: self.environment.mobile,
            ios: self.environment.ios,
            android: self.environment.android,
            pairing_kept: self.environment.telegram || self.environment.ios && self.environment.safari,
            telegram: self.environment.telegram,
            origin: self.environment.origin.as_str().into(),
            page: self.environment.page.as_str().into(),
            time_zone: self.config.time_zone(),
            active_namespace,
            active_network: self.network.active().cloned(),
            unsupported: self.network.is_unsupported(),
            chains: self.network.chains(),
            smart_account: account.is_some_and(|connection| connection.kind(&options) == AccountKind::SmartAccount),
            price: self.network.active().and_then(|network| self.own.account.price(&network.caip_network_id)),
            batches: self.own.account.batches(),
            offer: self.own.account.offer(),
            account: active_namespace
                .and_then(|active| accounts.iter().find(|account| account.namespace == active))
                .cloned(),
            accounts,
            connected: self.connect.connected(),
            networks: self.network.all(),
            modal_open: self.modal.is_open() || options.embedded,
            view: if self.modal.is_open() || options.embedded { self.modal.top().word() } else { "" },
            connecting_shown: (self.modal.is_open() || options.embedded)
                && self.modal.holds(modal::View::ConnectingExternal),
            pairing_shown: (self.modal.is_open() || options.embedded) && self.modal.top().pairs(),
            pairing_held: (self.modal.is_open() || options.embedded) && self.modal.holds_code(),
            consent_missing: self.connect.consent(&options) == connect::Consent::Missing,
            attempting: self.connect.has_attempt(),
            sign_in_due: options.siwx && options.sign_in_required && account.is_some(),
            options,
        }
    }

    pub(super) fn snapshot(&self, facts: &Facts, wallets: connect::Wallets) -> Snapshot {
        // What is not told before its part is there stands as in the idle page.
        let nothing = Facts::default();
        let idle = Features::default();
        let once = |part| if self.own.here.open(part) { (self, facts) } else { (&idle, &nothing) };
        let (own, known) = once(Part::Home);
        let (send, known_to_send) = once(Part::Send);
        let (onramp, known_to_onramp) = once(Part::Onramp);
        let (swap, known_to_swap) = once(Part::Swap);
        Snapshot {
            config: self.config.view(),
            modal: self.modal.view(facts),
            notice: self.notice.view(facts),
            connect: self.connect.view(facts),
            wallets,
            directory: self.connect.directory_view(facts),
            pairing: own.connect.pairing_view(known),
            countdown: own.connect.countdown(known),
            network: self.network.view(),
            account: self.account_view(Extent::Whole),
            nfts: self.own.account.nfts().view().cloned(),
            activity: self.own.activity.view().cloned(),
            name: own.own.name.view(known),
            receive: own.own.account.receive_view(&own.network, known),
            send: send.send_view(known_to_send),
            onramp: onramp.own.onramp.view(known_to_onramp),
            swap: swap.swap_view(known_to_swap),
            swap_tokens: swap.swap_tokens_view(known_to_swap),
            send_tokens: send.send_tokens(known_to_send),
        }
    }

    pub(super) fn account_view(&self, extent: Extent) -> account::View {
        self.own.account.view(&self.connect, &self.network, &self.config.options(), extent)
    }

    pub(crate) fn send_view(&self, facts: &Facts) -> send::View {
        self.own.send.view(&self.own.account.purse(facts.active_namespace), facts)
    }

    pub(crate) fn swap_view(&self, facts: &Facts) -> swap::View {
        self.own.swap.view(&self.own.account.purse(facts.active_namespace), facts)
    }

    pub(crate) fn swap_tokens_view(&self, facts: &Facts) -> Option<swap::TokensView> {
        self.own.swap.tokens_view(&self.own.account.purse(facts.active_namespace))
    }

    /// What a feature does about a step stays a function of its own (`inline(never)`): a browser compiles a function whole when it is
    /// first called, and what a first open does not need is not compiled before it.
    pub(super) fn step(&mut self, step: Step, cx: &mut Cx) -> Vec<crate::rpc::Answered> {
        match step {
            Step::Begin => {
                self.config.report(cx);
                self.connect.begin(cx);
                if self.own.send.is_to_resume() {
                    cx.tell(Signal::SendResumed);
                }
                if self.own.swap.is_to_resume() {
                    cx.tell(Signal::SwapResumed);
                }
                // What is embedded is to be seen without anybody opening it.
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
            Step::Outcome(asked, outcome) => {
                self.warned.look(&outcome, cx);
                self.answered(asked, http::result(outcome), cx);
            }
            Step::Answer(asked, answer) => self.answered(asked, answer, cx),
            Step::Batch(batch, outcome) => {
                if self.rpc.is_ours(batch, cx.facts) {
                    self.warned.look(&outcome, cx);
                }
                return self.rpc.answered(batch, outcome, cx);
            }
            Step::Alarm(Timer::RpcRetry) => return self.rpc.alarm(cx),
            Step::Alarm(timer) => self.alarm(timer, cx),
            Step::Signal(signal) => reactions::react(self, signal, cx),
            Step::Calls(calls) => return self.rpc.send(calls, cx),
        }
        Vec::new()
    }

    fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::Config(event) => self.config.update(event, cx),
            Event::Modal(event) => self.modal.update(event, cx),
            Event::Notice(event) => self.notice.update(event, cx),
            Event::Connect(connect::Event::RelayTold { relay, state, reason }) => {
                self.connect.relay_noted(relay, state, reason);
                if let Some(home) = self.home() {
                    home.relay_told(cx);
                }
            }
            Event::Connect(event) if !event.is_remote() => self.connect.update(event, cx),
            Event::Network(event) => self.network.update(event, cx),
            event => {
                if let Some(home) = self.home() {
                    home.update(event, cx);
                }
            }
        }
    }

    fn answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Reason::Nothing | Reason::Rpc(_) | Reason::Part(_) => {}
            Reason::Analytics(analytics::Reason::Taken) => self.analytics.answered(answer),
            Reason::Connect(asked) if !asked.is_remote() => self.connect.answered(asked, answer, cx),
            Reason::Network(asked) => self.network.answered(asked, answer, cx),
            asked => {
                if let Some(home) = self.home() {
                    home.answered(asked, answer, cx);
                }
            }
        }
    }

    fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::ShakeEnd => self.modal.alarm(timer),
            Timer::SnackEnd | Timer::SnackSwitch => self.notice.alarm(timer, cx),
            Timer::ConnectSlow | Timer::ReconnectEnd | Timer::DisconnectEnd | Timer::WalletSearch => {
                self.connect.alarm(timer, cx)
            }
            Timer::SwitchSlow => self.network.slow(),
            Timer::RpcRetry | Timer::PartRetry | Timer::PartWait => {}
            timer => {
                if let Some(home) = self.home() {
                    home.alarm(timer, cx);
                }
            }
        }
    }
}
