//! What the visitor does in the settings, once it is explained and confirmed.

use super::farcaster::FARCASTER;
use super::{Act, Page, SHOWN, Step};
use crate::effect::Operation;
use crate::frame::Frame;
use crate::message::object;
use crate::proof::Proof;
use crate::social::JWT;
use portico_api::wallet::{DeviceRemoval, Empty, LoginRemoval, SlotKind, SlotRemoval};

/// Id of the login by address.
const EMAIL: &str = "email";

impl Frame {
    /// The visitor chose something; it is explained first. `id` is that of a way, a device, a login or a service.
    pub(crate) fn settings_act(&mut self, act: Act, id: Option<String>) {
        let Some(settings) = self.settings.as_mut().filter(|settings| settings.page == Page::Overview) else { return };
        let Some(owned) = &settings.owned else { return };
        let has = |kind| owned.ways.iter().any(|way| way.kind == kind);
        let own = owned.ways.iter().filter(|way| way.kind != SlotKind::Recovery).count();
        let fits = match act {
            Act::RemoveRecovery => has(SlotKind::Recovery) && own > 0,
            Act::RestoreRecovery => !has(SlotKind::Recovery),
            Act::RemoveWay => id.as_ref().is_some_and(|id| {
                owned.ways.iter().any(|way| way.id == *id && way.kind != SlotKind::Recovery)
                    && (own > 1 || has(SlotKind::Recovery))
            }),
            Act::RemoveDevice => {
                id.as_ref().is_some_and(|id| owned.devices.iter().any(|device| device.id == *id && !device.current))
            }
            Act::AddLogin => {
                !owned.frozen && id.as_ref().is_some_and(|id| owned.services.iter().any(|service| service.id == *id))
            }
            Act::AddEmail => !owned.frozen && owned.logins.iter().all(|login| login.id != EMAIL),
            Act::RemoveLogin => {
                owned.logins.len() > 1 && id.as_ref().is_some_and(|id| owned.logins.iter().any(|login| login.id == *id))
            }
            Act::Thaw => owned.frozen && !owned.held,
            Act::AskEach => !owned.frozen && !settings.strict && owned.proof != Proof::Click,
            Act::AskLess => settings.strict,
            Act::AllowSite => settings.blocked,
            Act::Export | Act::MakeKit | Act::AddPasskey | Act::SetPassword | Act::Freeze => !owned.frozen,
            Act::SignOutEverywhere => true,
        };
        if !fits || settings.busy {
            return;
        }
        settings.doing = Some((act, id));
        settings.fault = None;
        // A freeze asks for no confirmation: a visitor who lost a device is in a hurry, and can undo it. Requests that are allowed again do harm
        // only if the visitor approves one.
        match act {
            Act::Freeze | Act::AllowSite => self.perform(),
            _ => settings.turn(Page::Explain),
        }
    }

    /// Does what was explained and confirmed.
    pub(super) fn perform(&mut self) {
        let Some(settings) = &mut self.settings else { return };
        let Some((act, id)) = settings.doing.clone() else { return };
        let recovery = settings.owned.iter().flat_map(|owned| &owned.ways).find(|way| way.kind == SlotKind::Recovery);
        let recovery = recovery.map(|way| way.id.clone()).unwrap_or_default();
        let label = settings.owned.as_ref().and_then(|owned| owned.email.clone()).unwrap_or_else(|| "Wallet".into());
        let passkeys = settings.owned.iter().flat_map(|owned| &owned.passkeys);
        let known = passkeys.map(|passkey| passkey.credential.clone()).collect();
        let id = id.unwrap_or_default();
        match act {
            Act::Export => self.export(),
            Act::MakeKit => self.step(Operation::MakeKit, Step::Done),
            Act::AddPasskey => self.step(Operation::AddPasskey { label, known }, Step::Done),
            Act::SetPassword => settings.turn(Page::Password),
            Act::AddEmail => settings.turn(Page::Email),
            Act::AddLogin if id == FARCASTER => self.open_channel(),
            Act::AddLogin if id == JWT => self.link_jwt(),
            Act::AddLogin => self.step(Operation::AddLogin { provider: id }, Step::Done),
            Act::RemoveLogin => self.step_ask("login/unlink", &LoginRemoval { id }, Step::Done),
            Act::RestoreRecovery => self.step(Operation::RestoreRecovery, Step::Done),
            Act::RemoveRecovery => self.step_ask("slot/remove", &SlotRemoval { id: recovery }, Step::Done),
            Act::RemoveWay => self.step_ask("slot/remove", &SlotRemoval { id }, Step::Done),
            Act::RemoveDevice => self.step_ask("device/remove", &DeviceRemoval { id }, Step::Done),
            Act::SignOutEverywhere => self.step_ask("devices/end", &Empty {}, Step::Done),
            Act::Freeze => self.step_ask("freeze", &Empty {}, Step::Done),
            Act::Thaw => self.step_ask("thaw", &Empty {}, Step::Done),
            Act::AskEach => self.set_strict(true),
            Act::AskLess => self.set_strict(false),
            Act::AllowSite => {
                if let Some(keep) = self.allow() {
                    self.step(keep, Step::Done);
                }
            }
        }
    }

    /// Adds the login of the host's token. It is good once, so a second try needs another one.
    fn link_jwt(&mut self) {
        let (project, host) = (self.boot.project.clone(), self.boot.host.clone());
        let token = self.settings.as_mut().and_then(|settings| settings.token.take()).unwrap_or_default();
        let body = [("project", project.into()), ("host", host.into()), ("token", token.into())];
        self.step_ask("login/link/jwt", &object(&body), Step::Done);
    }

    /// The visitor typed a password, which the page holds.
    pub(crate) fn password_typed(&mut self) {
        let Some(settings) = self.settings.as_mut().filter(|settings| !settings.busy) else { return };
        let (page, doing) = (settings.page, settings.doing.as_ref().map(|(act, _)| *act));
        settings.fault = None;
        match (page, doing) {
            (Page::Password, Some(Act::SetPassword)) => self.step(Operation::SetPassword, Step::Done),
            (Page::Password, Some(Act::Export | Act::AskEach | Act::AskLess)) => self.perform(),
            (Page::Locked, _) => self.step(Operation::OpenByPassword, Step::Opened),
            _ => {}
        }
    }

    pub(super) fn act_done(&mut self) {
        let now = self.now;
        let Some(settings) = &mut self.settings else { return };
        let round = settings.round;
        settings.added |= matches!(&settings.doing, Some((Act::AddLogin, Some(id))) if id == JWT);
        match settings.doing.as_ref().map(|(act, _)| *act) {
            Some(Act::Export) => {
                settings.turn(Page::Words);
                settings.hides = Some(now + SHOWN);
            }
            Some(Act::MakeKit) => settings.turn(Page::Kit),
            Some(Act::SignOutEverywhere) => {
                self.account = None;
                self.order(Operation::EndSession, crate::reason::Reason::Settings { round, step: Step::Over });
                self.close_settings();
            }
            _ => self.settings_back(),
        }
    }
}
