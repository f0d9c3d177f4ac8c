//! Ways into a wallet for a visitor who is logged out or whose wallet is locked: a passkey, a kit, a new wallet.

use super::{Page, Step};
use crate::account::Account;
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use portico_json::Value;

/// Longest code of a kit that is passed on.
const LONGEST_KIT: usize = 128;

impl Frame {
    /// The visitor typed the code of a kit, or uses a passkey, for a locked wallet or to log in.
    pub(crate) fn open_locked(&mut self, kit: Option<String>) {
        let Some(settings) = self.settings.as_mut() else { return };
        if settings.busy || !matches!(settings.page, Page::Locked | Page::Login) {
            return;
        }
        settings.fault = None;
        if settings.page == Page::Login {
            if kit.is_none() {
                let (project, host) = (self.boot.project.clone(), self.boot.host.clone());
                self.step(Operation::LogInByPasskey { project, host }, Step::Opened);
            }
            return;
        }
        let passkeys = settings.owned.as_ref().map(|owned| owned.passkeys.clone()).unwrap_or_default();
        match kit {
            Some(kit) if kit.len() > LONGEST_KIT => {}
            Some(kit) => self.step(Operation::OpenByKit { code: kit }, Step::Opened),
            None => self.step(Operation::OpenByPasskey { passkeys }, Step::Opened),
        }
    }

    /// The visitor wants a new wallet with a passkey.
    pub(crate) fn create_by_passkey(&mut self) {
        let Some(settings) = self.settings.as_mut().filter(|it| !it.busy && it.page == Page::Login) else { return };
        settings.fault = None;
        let (project, host) = (self.boot.project.clone(), self.boot.host.clone());
        self.step(Operation::CreateByPasskey { project, host }, Step::Opened);
    }

    pub(super) fn opened(&mut self, value: &Value) {
        let Some(account) = Account::parse(value) else {
            return self.settings_failed(&Step::Opened, Failure::broken());
        };
        self.locked = false;
        self.consent();
        self.account = Some(account);
        self.close_settings();
    }
}
