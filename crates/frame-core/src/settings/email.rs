//! An address as a further login: the visitor types it, and then the code that went to it.

use super::{Act, Page, Step};
use crate::frame::Frame;
use crate::login::{code_of, email_of};
use crate::message::object;
use portico_api::wallet::{EmailUpdate, UpdateCode};

impl Frame {
    fn adds_email(&self, page: Page) -> bool {
        let adds = |settings: &super::Settings| {
            settings.page == page && !settings.busy && matches!(settings.doing, Some((Act::AddEmail, _)))
        };
        self.settings.as_ref().is_some_and(adds)
    }

    /// The visitor typed the address of the further login.
    pub(crate) fn settings_email_typed(&mut self, email: String) {
        if !self.adds_email(Page::Email) {
            return;
        }
        let email = email_of(&object(&[("email", email.into())]));
        let Some(settings) = &mut self.settings else { return };
        settings.fault = email.is_none().then(|| "Enter a valid email address".into());
        if email.is_some() {
            settings.new_email = email;
            self.mail_code();
        }
    }

    /// The visitor wants another mail, after the rest between two of them.
    pub(crate) fn settings_code_wanted(&mut self) {
        let rested = self.settings.as_ref().is_some_and(|settings| settings.rest(self.now) == 0);
        if rested && self.adds_email(Page::Code) {
            self.mail_code();
        }
    }

    fn mail_code(&mut self) {
        let Some(settings) = &mut self.settings else { return };
        settings.fault = None;
        let Some(email) = settings.new_email.clone() else { return };
        self.step_ask("email/add", &EmailUpdate { email }, Step::Mailed);
    }

    pub(super) fn code_mailed(&mut self) {
        let now = self.now;
        if let Some(settings) = &mut self.settings {
            settings.mailed = Some(now);
            settings.turn(Page::Code);
        }
    }

    /// The visitor typed the code. One that is not six digits uses up no try.
    pub(crate) fn settings_code_typed(&mut self, code: String) {
        if !self.adds_email(Page::Code) {
            return;
        }
        let code = code_of(&object(&[("otp", code.into())]));
        let Some(settings) = &mut self.settings else { return };
        settings.fault = code.is_none().then(|| "Enter the 6-digit code from the email".into());
        if let Some(code) = code {
            self.step_ask("email/add/finish", &UpdateCode { code }, Step::Done);
        }
    }

    /// The visitor goes back: from the code to the address, from elsewhere to the overview.
    pub(crate) fn settings_left(&mut self) {
        if self.settings.as_ref().is_none_or(|settings| settings.page != Page::Code) {
            return self.settings_back();
        }
        self.rounds += 1;
        let round = self.rounds;
        let Some(settings) = &mut self.settings else { return };
        settings.round = round;
        settings.fault = None;
        settings.turn(Page::Email);
    }
}
