//! Settings, as the page draws them.

use super::{Page, Settings};
use portico_api::project::SocialService;
use portico_api::wallet::{Device, SlotKind, WalletLogin};
use portico_json::Json;
use portico_qr::QrCode;

/// What the visitor can do in the settings.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SettingsAct")]
pub enum Act {
    /// Show recovery phrase and private keys.
    Export,
    MakeKit,
    AddPasskey,
    /// Set the password, or another one in its place.
    SetPassword,
    /// Remove a passkey, a password or a kit.
    RemoveWay,
    /// Remove the recovery slot: the operator alone can no longer open the wallet.
    RemoveRecovery,
    RestoreRecovery,
    RemoveDevice,
    /// Add a login at a service.
    AddLogin,
    /// Add an address to a wallet that has no login by one.
    AddEmail,
    RemoveLogin,
    SignOutEverywhere,
    /// At once: it needs no explanation and no confirmation.
    Freeze,
    /// End a freeze of the visitor's own.
    Thaw,
    /// Prove each signature on this device from now on.
    AskEach,
    /// End that.
    AskLess,
    /// Take requests of this page again. At once: each of them asks the visitor.
    AllowSite,
}

/// What the settings show.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SettingsView")]
pub struct SettingsView {
    pub page: Page,
    /// What is explained, confirmed or done.
    pub act: Option<Act>,
    /// Two digits that the page of the mail's link shows too.
    pub number: Option<String>,
    /// Address of the visitor.
    pub email: Option<String>,
    /// Ways to open the wallet on a new device, the oldest first.
    pub ways: Vec<WayView>,
    /// Logins that open the wallet, beside its passkeys.
    pub logins: Vec<WalletLogin>,
    /// Services at which a login can be added.
    pub services: Vec<SocialService>,
    /// Service or login that is added or removed.
    pub chosen: Option<String>,
    /// Address to which the code of a further login went.
    pub new_email: Option<String>,
    /// Address that Farcaster's app opens: "https://…".
    pub url: Option<String>,
    /// The same as a code.
    pub code: Option<QrCode>,
    /// Seconds until another mail with a code may be asked for.
    pub rest: u32,
    /// Approved devices, the newest first.
    pub devices: Vec<Device>,
    pub frozen: bool,
    /// Whether only the operator can unfreeze it.
    pub held: bool,
    /// Whether the visitor proves each signature on this device.
    pub strict: bool,
    /// Whether the visitor blocked requests of this page.
    pub blocked: bool,
    /// One sentence about what failed.
    pub fault: Option<String>,
    /// Whether the visitor confirmed changes a moment ago.
    pub confirmed: bool,
    /// Whether something is under way.
    pub busy: bool,
    /// Whether the page has stood still and uncovered for a while, if it must.
    pub armed: bool,
}

/// A way to open the wallet on a new device.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SettingsWay")]
pub struct WayView {
    /// Id of the slot.
    pub id: String,
    pub kind: SlotKind,
    /// Time of creation, in epoch milliseconds.
    pub created: i64,
    /// Mark of a kit, which is printed beside its code.
    pub mark: Option<String>,
}

impl Settings {
    pub(crate) fn view(&self, now: u64) -> SettingsView {
        let owned = self.owned.as_ref();
        SettingsView {
            page: self.page,
            act: self.doing.as_ref().map(|(act, _)| *act),
            number: self.number.clone(),
            email: owned.and_then(|owned| owned.email.clone()),
            ways: owned.map(|owned| owned.ways.clone()).unwrap_or_default(),
            logins: owned.map(|owned| owned.logins.clone()).unwrap_or_default(),
            services: owned.map(|owned| owned.services.clone()).unwrap_or_default(),
            chosen: self.doing.as_ref().and_then(|(_, id)| id.clone()),
            new_email: self.new_email.clone(),
            url: self.channel.as_ref().map(|channel| channel.url.clone()),
            code: self.channel.as_ref().and_then(|channel| channel.code.clone()),
            rest: self.rest(now),
            devices: owned.map(|owned| owned.devices.clone()).unwrap_or_default(),
            frozen: owned.is_some_and(|owned| owned.frozen),
            held: owned.is_some_and(|owned| owned.held),
            strict: self.strict,
            blocked: self.blocked,
            fault: self.fault.as_ref().and_then(|fault| fault.text(now)),
            confirmed: self.changes > now,
            busy: self.busy,
            armed: self.is_armed(),
        }
    }
}
