//! Answers to effects of the settings: values that were read, failures, and the page that follows.

use super::fault::Fault;
use super::{Act, Owned, Page, Settings, Step, WayView};
use crate::effect::Failure;
use crate::frame::Frame;
use crate::message::DEFAULT;
use crate::proof::Ways;
use crate::social::JWT;
use portico_api::wallet::{Me, SlotKind};
use portico_json::{Read, Value, parse};

impl Owned {
    fn of(me: Me) -> Option<Owned> {
        let wallet = me.wallet?;
        let hint_of = |hint: &Option<String>| hint.as_deref().and_then(|hint| parse(hint).ok()).unwrap_or_default();
        let own = wallet.slots.iter().filter(|slot| slot.kind != SlotKind::Device);
        let proofs = Ways::of(&wallet);
        let ways = own.map(|slot| {
            let mark = hint_of(&slot.hint).get("mark").as_str().map(|mark| mark.chars().take(8).collect());
            WayView { id: slot.id.clone(), kind: slot.kind, created: slot.created, mark }
        });
        Some(Owned {
            email: me.user.email,
            ways: ways.collect(),
            proof: proofs.strict(),
            passkeys: proofs.passkeys,
            devices: me.devices,
            logins: me.logins,
            services: me.services,
            frozen: wallet.frozen,
            held: me.held,
        })
    }
}

impl Settings {
    /// Whether the list is read behind a page that does not show it: a failure would disturb the visitor there, and the overview reads it again.
    fn reads_behind(&self) -> bool {
        !matches!(self.page, Page::Overview | Page::Locked | Page::Loading | Page::Lost)
    }
}

impl Frame {
    pub(crate) fn settings_answered(&mut self, round: u32, step: Step, answer: Result<Value, Failure>) {
        let Some(settings) = &mut self.settings else { return };
        if settings.round != round {
            return;
        }
        match step {
            Step::StrictRead => return self.strict_told(answer),
            Step::SiteRead => return self.site_told(answer),
            _ => {}
        }
        settings.busy = false;
        let value = match answer {
            Ok(value) => value,
            Err(failure) => return self.settings_failed(&step, failure),
        };
        match step {
            Step::Read => self.settings_read(&value),
            Step::Begun { passkey } => self.confirmation_begun(passkey, &value),
            Step::Waited { transaction } => self.confirmation_waited(transaction, &value),
            Step::PasskeySigned { transaction } => self.passkey_signed(transaction, &value),
            Step::Proved => self.confirmation_decided(&value),
            Step::Mailed => self.code_mailed(),
            Step::ChannelOpened => self.channel_opened(&value),
            Step::ChannelWaited => self.channel_waited(&value),
            Step::Done => self.act_done(),
            Step::Opened => self.opened(&value),
            Step::StrictRead | Step::SiteRead | Step::Over => {}
        }
    }

    /// The account was read. The first read of a locked wallet leads to its opening.
    fn settings_read(&mut self, value: &Value) {
        let owned = Me::read(value).ok().and_then(Owned::of);
        let locked = self.locked;
        let Some(settings) = &mut self.settings else { return };
        match owned {
            None if settings.reads_behind() => {}
            None => settings.turn(Page::Lost),
            Some(mut owned) => {
                // The site's own login is added by a token, which the site gives or does not.
                let given = settings.token.is_some();
                owned.services.retain(|service| given || service.id != JWT);
                settings.owned = Some(owned);
                let first = settings.page == Page::Loading;
                if first || settings.page == Page::Lost {
                    settings.turn(if locked { Page::Locked } else { Page::Overview });
                }
                if first && given {
                    self.settings_act(Act::AddLogin, Some(JWT.into()));
                }
            }
        }
    }

    /// A failure is told on the page that the visitor sees. Without a session there is nothing to set, so the settings close.
    pub(super) fn settings_failed(&mut self, step: &Step, failure: Failure) {
        let now = self.now;
        let said = self.failed(failure);
        let out = self.account.is_none() && !self.locked;
        if out && self.settings.as_ref().is_some_and(|settings| settings.page != Page::Login) {
            return self.close_settings();
        }
        let Some(settings) = &mut self.settings else { return };
        if matches!(step, Step::Read) && settings.reads_behind() {
            return;
        }
        let sentence = if said.message.is_empty() { DEFAULT.into() } else { said.message };
        settings.fault = Some(Fault::told(sentence, now));
        match step {
            Step::Read if settings.owned.is_none() => settings.turn(Page::Lost),
            Step::Waited { .. } | Step::Proved | Step::PasskeySigned { .. } | Step::ChannelWaited => {
                settings.turn(Page::Explain)
            }
            // The action made an answer outdated that was on its way.
            Step::Done if settings.page == Page::Overview => self.read_settings(),
            _ => {}
        }
    }

    /// The worker told whether requests of this page are blocked.
    fn site_told(&mut self, answer: Result<Value, Failure>) {
        self.take_site(answer);
        if let Some(settings) = &mut self.settings {
            settings.blocked = self.site.blocked;
        }
    }
}
