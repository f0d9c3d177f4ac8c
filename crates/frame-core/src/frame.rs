//! The machine: state, loop and clock.

use crate::account::Account;
use crate::approval::Approval;
use crate::boot::Boot;
use crate::effect::{Effect, Failure, Operation, Outcome};
use crate::event::Event;
use crate::farcaster::FarcasterAttempt;
use crate::login::Login;
use crate::message::Requests;
use crate::network::{self, Networks};
use crate::reason::Reason;
use crate::settings::Settings;
use crate::site::{Site, Waiting};
use crate::social::SocialAttempt;
use crate::view::Theme;
use portico_api::frame::HostData;
use portico_json::{Value, to_text};
use portico_terms::ChainId;
use std::mem;

/// The embedded wallet's frame.
#[derive(Debug)]
pub struct Frame {
    pub(crate) boot: Boot,
    /// Chain in use.
    pub(crate) chain: ChainId,
    /// The visitor's account, as far as this page knows it.
    pub(crate) account: Option<Account>,
    /// Login in progress.
    pub(crate) login: Option<Login>,
    /// Login at another service in progress.
    pub(crate) social: Option<SocialAttempt>,
    /// Login by Farcaster in progress.
    pub(crate) farcaster: Option<FarcasterAttempt>,
    /// The request that needs an approval, at most one.
    pub(crate) approval: Option<Approval>,
    /// Request for an approval, while it is read whether the page may ask.
    pub(crate) waiting: Option<Waiting>,
    /// Number of the last one.
    pub(crate) asked: u32,
    /// The host page as the visitor treats it, as far as it was read.
    pub(crate) site: Site,
    /// The settings while they are shown.
    pub(crate) settings: Option<Settings>,
    /// Whether the visitor logged in and the wallet is locked.
    pub(crate) locked: bool,
    /// Until when a sign-in message of the page is signed without an approval.
    pub(crate) consent: Option<u64>,
    /// Number of the last step of the settings.
    pub(crate) rounds: u32,
    /// New address while its change is under way.
    pub(crate) new_email: Option<String>,
    /// Reads that the chain has not answered.
    pub(crate) reads: usize,
    /// Names of the server's configuration.
    pub(crate) networks: Networks,
    pub(crate) theme: Theme,
    pub(crate) host_data: HostData,
    pub(crate) requests: Requests,
    pub(crate) now: u64,
    approvals: u32,
    last_id: u32,
    in_flight: Vec<(u32, Reason)>,
    effects: Vec<Effect>,
    shown: String,
}

impl Frame {
    /// Starts the machine. Times are epoch milliseconds.
    pub fn boot(boot: Boot, now: u64) -> Frame {
        let chain = network::chain_of(&Value::Text(boot.chain.clone())).unwrap_or_else(|| ChainId::eip155(1));
        Frame {
            boot,
            chain,
            account: None,
            login: None,
            social: None,
            farcaster: None,
            approval: None,
            waiting: None,
            asked: 0,
            site: Site::default(),
            settings: None,
            locked: false,
            consent: None,
            rounds: 0,
            new_email: None,
            reads: 0,
            networks: Networks::default(),
            theme: Theme::default(),
            host_data: HostData::default(),
            requests: Requests::default(),
            now,
            approvals: 0,
            last_id: 0,
            in_flight: Vec::new(),
            effects: Vec::new(),
            shown: String::new(),
        }
    }

    /// Handles an event.
    pub fn dispatch(&mut self, event: Event, now: u64) {
        self.tick(now);
        match event {
            Event::HostMessage { text } => self.host_message(&text),
            Event::ApprovalPainted { approval, revision } => self.approval_painted(approval, revision),
            Event::ApprovalDisturbed => self.approval_disturbed(),
            Event::ApprovalCovered { covered } => self.approval_covered(covered),
            Event::Approved { approval, revision } => self.approved(approval, revision, false),
            Event::Decided { approval, revision } => self.approved(approval, revision, true),
            Event::Cancelled { approval } => self.cancelled(approval),
            Event::Blocked { approval } => self.block(approval),
            Event::SettingsActed { act, id } => self.settings_act(act, id),
            Event::SettingsContinued { passkey } => self.settings_continued(passkey),
            Event::EmailTyped { email } => self.settings_email_typed(email),
            Event::CodeTyped { code } => self.settings_code_typed(code),
            Event::CodeWanted => self.settings_code_wanted(),
            Event::SettingsLeft => self.settings_left(),
            Event::SettingsClosed => self.close_settings(),
            Event::KitTyped { code } => self.open_locked(Some(code)),
            Event::NetworksRead { networks } => self.networks_read(networks),
            Event::PasswordTyped => self.password_typed(),
            Event::PasskeyUsed => self.open_locked(None),
            Event::PasskeyWanted => self.create_by_passkey(),
        }
    }

    /// Handles the outcome of an effect. Unknown and repeated ids are ignored.
    pub fn resolve(&mut self, id: u32, outcome: Outcome, now: u64) {
        self.tick(now);
        let Some(index) = self.in_flight.iter().position(|(known, _)| *known == id) else { return };
        let (_, reason) = self.in_flight.swap_remove(index);
        self.answered(reason, outcome.into_result());
    }

    /// Advances the time and runs what is due.
    pub fn tick(&mut self, now: u64) {
        // A clock that was set back must not make an approval wait for ever, nor be due at once.
        if now < self.now {
            self.clock_set_back(now);
        }
        self.now = now;
        self.approval_due();
        self.settings_due();
    }

    /// Time at which the machine wants to be called.
    pub fn next_timeout(&self) -> Option<u64> {
        let approval = self.approval.as_ref().and_then(Approval::due);
        let settings = self.settings.as_ref().and_then(|settings| settings.due(self.now));
        approval.into_iter().chain(settings).min()
    }

    /// Effects since the last call.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        mem::take(&mut self.effects)
    }

    /// The snapshot as JSON text if it changed since the last call.
    pub fn take_change(&mut self) -> Option<&str> {
        let text = self.snapshot_text();
        if text == self.shown {
            return None;
        }
        self.shown = text;
        Some(&self.shown)
    }

    /// The snapshot as JSON text.
    pub fn snapshot_text(&self) -> String {
        to_text(&self.snapshot())
    }

    /// Orders an effect.
    pub(crate) fn order(&mut self, operation: Operation, reason: Reason) {
        self.last_id += 1;
        self.in_flight.push((self.last_id, reason));
        self.effects.push(Effect { id: self.last_id, operation });
    }

    /// Orders a request to the vault.
    pub(crate) fn ask<T: portico_json::Write>(&mut self, path: &str, body: &T, session: bool, reason: Reason) {
        let body = crate::message::as_value(body);
        self.order(Operation::Ask { path: ["/wallet/v1/", path].concat(), body, session }, reason);
    }

    /// Number for the next approval.
    pub(crate) fn next_approval(&mut self) -> u32 {
        self.approvals += 1;
        self.approvals
    }

    fn answered(&mut self, reason: Reason, answer: Result<Value, Failure>) {
        match reason {
            Reason::Posted => {}
            Reason::LoginStarted { request } => self.login_started(request, answer),
            Reason::DeviceWaited { transaction } => self.device_waited(&transaction, answer),
            Reason::CodeChecked { request, transaction } => self.code_checked(request, &transaction, answer),
            Reason::SocialStarted { request, provider } => self.social_started(request, provider, answer),
            Reason::SocialFinished { request, question, visitor } => {
                self.social_finished(request, &question, visitor, answer);
            }
            Reason::SignedIn { request, user, text, asked } => self.signed_in(request, user, (text, asked), answer),
            Reason::FarcasterStarted { request } => self.farcaster_started(request, answer),
            Reason::FarcasterWaited { transaction } => self.farcaster_waited(&transaction, answer),
            Reason::SessionTaken { request } => self.session_taken(request, answer),
            Reason::UserRead { request, question } => self.user_read(request, &question, answer),
            Reason::ConnectionRead { request } => self.connection_read(request, answer),
            Reason::SignedOut { request } => self.signed_out(request, answer),
            Reason::EmailUpdated { request } => self.email_updated(request, answer),
            Reason::EmailChanged { request } => self.email_changed(request, answer),
            Reason::Read { request } => self.chain_read(request, answer),
            Reason::Prepared { approval } => self.prepared(approval, answer),
            Reason::FreezeRead { approval } => self.freeze_read(approval, answer),
            Reason::PaidRead { approval } => self.paid_read(approval, answer),
            Reason::SiteRead { number } => self.site_read(number, answer),
            Reason::StrictRead { approval } => self.strict_read(approval, answer),
            Reason::Explained { approval } => self.explained(approval, answer),
            Reason::Named { approval } => self.named(approval, answer),
            Reason::Foreseen { approval, parts } => self.foreseen(approval, &parts, answer),
            Reason::Signed { approval } => self.signed(approval, answer),
            Reason::Sent { approval, answer: told } => self.sent(approval, told, answer),
            Reason::WindowEnded { approval } => self.window_ended(approval, answer),
            Reason::Settings { round, step } => self.settings_answered(round, step, answer),
        }
    }
}
