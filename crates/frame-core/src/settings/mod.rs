//! Settings of the wallet, which the frame draws: who can open it, on which devices, its keys. The host page only makes room; it learns that the
//! visitor is done and nothing else. Words, keys, passwords and new codes never come here: the page has them from the worker or the visitor.

mod act;
mod answered;
mod confirm;
mod email;
mod farcaster;
mod fault;
mod locked;
mod strict;
mod view;

pub use view::{Act, SettingsView, WayView};

use crate::approval::Arm;
use crate::effect::Operation;
use crate::frame::Frame;
use crate::message::{Request, WENT_WRONG, fault, object, text_of};
use crate::proof::Proof;
use crate::reason::Reason;
use crate::social::{JWT, LONGEST_JWT};
use farcaster::Channel;
use fault::Fault;
use portico_api::project::SocialService;
use portico_api::wallet::{Device, Empty, PasskeyHint, WalletLogin};
use portico_json::{Json, Value};
use view::WayView as Way;

/// Milliseconds after which words and keys are hidden.
const SHOWN: u64 = 60_000;
/// Milliseconds between two mails with a code (spec 9.11).
const COOLDOWN: u64 = 30_000;
/// Page of the settings.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SettingsPage")]
pub enum Page {
    /// The account is being read.
    #[default]
    Loading,
    /// The account could not be read.
    Lost,
    Overview,
    /// The wallet of a login is locked: a passkey, a password or a kit opens it.
    Locked,
    /// Nobody is logged in: a passkey logs in without an address.
    Login,
    /// What happens, before it happens.
    Explain,
    /// The visitor confirms by the mail's link.
    Confirm,
    /// Words and keys.
    Words,
    /// Code of a new kit.
    Kit,
    /// A new password is typed, or the present one as a proof.
    Password,
    /// The address of a further login is typed.
    Email,
    /// The code that went to it is typed.
    Code,
    /// Farcaster's app is to open an address.
    Farcaster,
}

/// Purpose of an effect of the settings.
#[derive(Clone, Debug)]
pub enum Step {
    Read,
    /// Whether strict mode is on.
    StrictRead,
    /// Whether requests of this page are blocked.
    SiteRead,
    /// A confirmation began; whether a passkey gives it.
    Begun {
        passkey: bool,
    },
    Waited {
        transaction: String,
    },
    PasskeySigned {
        transaction: String,
    },
    Proved,
    /// A code went to the address of a further login.
    Mailed,
    /// The address for Farcaster's app is there.
    ChannelOpened,
    ChannelWaited,
    Done,
    /// The wallet of a login was opened.
    Opened,
    /// Nothing follows.
    Over,
}

/// The account, as far as the settings show it.
#[derive(Debug)]
struct Owned {
    email: Option<String>,
    ways: Vec<Way>,
    /// Hints of the passkeys.
    passkeys: Vec<PasskeyHint>,
    /// Proof of strict mode.
    proof: Proof,
    devices: Vec<Device>,
    logins: Vec<WalletLogin>,
    services: Vec<SocialService>,
    frozen: bool,
    /// Whether the operator froze it.
    held: bool,
}

/// Guard of the page that lets the host into the wallet, against overlays and hasty clicks, as of an approval.
#[derive(Debug)]
pub struct Guard {
    pub painted: bool,
    pub covered: bool,
    arm: Arm,
}

/// The settings while they are shown.
#[derive(Debug)]
pub struct Settings {
    /// The host's request, which is answered when the visitor is done.
    request: Request,
    /// Tells answers to earlier steps from those to the present one.
    round: u32,
    page: Page,
    owned: Option<Owned>,
    doing: Option<(Act, Option<String>)>,
    number: Option<String>,
    /// Address of a further login.
    new_email: Option<String>,
    /// Time of the last mail with a code.
    mailed: Option<u64>,
    /// Farcaster's app is waited for.
    channel: Option<Channel>,
    /// Token of the host's own login, which is added.
    token: Option<String>,
    /// Whether it was added.
    added: bool,
    fault: Option<Fault>,
    busy: bool,
    /// Time at which words, keys and code are hidden.
    hides: Option<u64>,
    /// Whether the visitor proves each signature on this device.
    strict: bool,
    /// Whether requests of this page are blocked.
    blocked: bool,
    /// Until when changes need no further confirmation.
    changes: u64,
    guard: Guard,
}

impl Settings {
    /// Time at which something is hidden, or a rest is a second shorter.
    pub(crate) fn due(&self, now: u64) -> Option<u64> {
        let rest = self.rest(now);
        let counted = self.mailed.filter(|_| self.page == Page::Code && rest > 0);
        let counted = counted.map(|mailed| mailed + COOLDOWN - (u64::from(rest) - 1) * 1_000);
        let fault = self.fault.as_ref().and_then(|fault| fault.due(now));
        [self.hides, counted, self.guard.arm.due(), fault].into_iter().flatten().min()
    }

    /// Whether the host's own login is explained, whose button is guarded.
    fn is_guarded(&self) -> bool {
        self.page == Page::Explain && matches!(&self.doing, Some((Act::AddLogin, Some(id))) if id == JWT)
    }

    /// Whether the buttons of the page take a click.
    fn is_armed(&self) -> bool {
        !self.is_guarded() || self.guard.arm == Arm::Armed
    }

    /// Seconds until another mail may be asked for.
    fn rest(&self, now: u64) -> u32 {
        let until = self.mailed.map_or(0, |mailed| mailed + COOLDOWN);
        // A clock that was set back must not lock the visitor out.
        until.saturating_sub(now).min(COOLDOWN).div_ceil(1_000) as u32
    }

    fn turn(&mut self, page: Page) {
        // A page that stays is not painted anew.
        if self.page != page {
            self.guard = Guard { painted: false, covered: false, arm: Arm::Unseen };
        }
        self.page = page;
        self.number = None;
        self.channel = None;
        self.busy = false;
        self.hides = None;
    }
}

impl Frame {
    /// `SHOW_SETTINGS`
    pub(crate) fn show_settings(&mut self, request: Request, value: &Value) {
        let token = text_of(value, "jwt", LONGEST_JWT).ok().map(String::from);
        let page = if self.account.is_none() && !self.locked { Page::Login } else { Page::Loading };
        if let Some(earlier) = self.settings.take() {
            self.conceal();
            self.reply(earlier.request, Err(fault(WENT_WRONG)));
        }
        self.rounds += 1;
        self.settings = Some(Settings {
            request,
            round: self.rounds,
            page,
            owned: None,
            doing: None,
            number: None,
            new_email: None,
            mailed: None,
            channel: None,
            token,
            added: false,
            fault: None,
            busy: false,
            hides: None,
            strict: false,
            blocked: false,
            changes: 0,
            guard: Guard { painted: false, covered: false, arm: Arm::Unseen },
        });
        if page == Page::Loading {
            self.read_settings();
        }
    }

    /// `HIDE_SETTINGS`: the host took the room away.
    pub(crate) fn hide_settings(&mut self, request: Request) {
        self.close_settings();
        self.reply(request, Ok(Value::Null));
    }

    /// The visitor is done: the host learns whether somebody is logged in.
    pub(crate) fn close_settings(&mut self) {
        let Some(settings) = self.settings.take() else { return };
        self.conceal();
        if std::mem::take(&mut self.locked) {
            self.order(Operation::EndSession, Reason::Settings { round: settings.round, step: Step::Over });
        }
        let connected = ("connected", Value::Bool(self.account.is_some()));
        let added = settings.added.then_some(("added", Value::Bool(true)));
        let closed: Vec<_> = [connected].into_iter().chain(added).collect();
        self.reply(settings.request, Ok(object(&closed)));
    }

    /// Orders an effect of the settings; answers to earlier ones are void.
    fn step(&mut self, operation: Operation, step: Step) {
        self.rounds += 1;
        let Some(settings) = &mut self.settings else { return };
        settings.round = self.rounds;
        settings.busy = true;
        let round = settings.round;
        self.order(operation, Reason::Settings { round, step });
    }

    fn step_ask<T: portico_json::Write>(&mut self, path: &str, body: &T, step: Step) {
        let body = crate::message::as_value(body);
        self.step(Operation::Ask { path: ["/wallet/v1/", path].concat(), body, session: true }, step);
    }

    /// Reads the wallet's ways, logins and devices behind the page. The visitor does not wait for it: an action that begins meanwhile makes
    /// this answer outdated, and reads again when it ends.
    fn read_settings(&mut self) {
        self.step_ask("me", &Empty {}, Step::Read);
        if let Some(settings) = &mut self.settings {
            settings.busy = false;
            let round = settings.round;
            self.order(Operation::ReadStrict, Reason::Settings { round, step: Step::StrictRead });
            self.order_site(Reason::Settings { round, step: Step::SiteRead });
        }
    }

    /// Makes the page forget words, keys and codes.
    fn conceal(&mut self) {
        self.order(Operation::Conceal, Reason::Posted);
    }

    /// The visitor goes back to the overview.
    pub(crate) fn settings_back(&mut self) {
        self.rounds += 1;
        let (round, locked) = (self.rounds, self.locked);
        let Some(settings) = &mut self.settings else { return };
        settings.round = round;
        settings.doing = None;
        settings.new_email = None;
        settings.fault = None;
        if settings.owned.is_none() {
            settings.turn(Page::Loading);
        } else {
            settings.turn(if locked { Page::Locked } else { Page::Overview });
        }
        self.conceal();
        self.read_settings();
    }

    /// The page was seen, moved or covered, which begins the second of standing still anew.
    pub(crate) fn watch_settings(&mut self, change: impl Fn(&mut Guard)) {
        let now = self.now;
        if let Some(settings) = self.settings.as_mut().filter(|settings| settings.is_guarded()) {
            let guard = &mut settings.guard;
            change(guard);
            guard.arm = Arm::anew(guard.painted && !guard.covered, now);
        }
    }

    /// Hides what was shown for its time, and arms what stood still for its.
    pub(crate) fn settings_due(&mut self) {
        let now = self.now;
        if let Some(settings) = &mut self.settings
            && settings.guard.arm.due().is_some_and(|due| now >= due)
        {
            settings.guard.arm = Arm::Armed;
        }
        if let Some(settings) = &mut self.settings {
            settings.fault.take_if(|fault| fault.text(now).is_none());
        }
        if self.settings.as_ref().and_then(|settings| settings.hides).is_some_and(|due| self.now >= due) {
            self.settings_back();
        }
    }
}
