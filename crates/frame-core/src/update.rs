//! Change of the visitor's address (spec 3.30, 7.29, 7.30).

use crate::effect::Failure;
use crate::frame::Frame;
use crate::login::{code_of, email_of};
use crate::message::{DEFAULT, Request, WENT_WRONG, as_value, fault, object};
use crate::reason::Reason;
use portico_api::wallet::{EmailUpdate, Me, UpdateAction, UpdateCode, UpdateStarted};
use portico_json::{Read, Value};

impl Frame {
    pub(crate) fn update_email(&mut self, request: Request, value: &Value) {
        let Some(email) = email_of(value) else {
            return self.reply(request, Err(fault("Enter a valid email address")));
        };
        self.new_email = Some(email.clone());
        self.ask("email/update", &EmailUpdate { email }, true, Reason::EmailUpdated { request });
    }

    pub(crate) fn update_email_primary(&mut self, request: Request, value: &Value) {
        self.update_code(request, value, false);
    }

    pub(crate) fn update_email_secondary(&mut self, request: Request, value: &Value) {
        self.update_code(request, value, true);
    }

    fn update_code(&mut self, request: Request, value: &Value, last: bool) {
        if self.new_email.is_none() {
            return self.reply(request, Err(fault(WENT_WRONG)));
        }
        let Some(code) = code_of(value) else {
            return self.reply(request, Err(fault("Enter the 6-digit code")));
        };
        let (path, reason) = match last {
            true => ("email/secondary", Reason::EmailChanged { request }),
            false => ("email/primary", Reason::EmailUpdated { request }),
        };
        self.ask(path, &UpdateCode { code }, true, reason);
    }

    /// A step ended: the next one is answered as `{action}`. A host reads no payload after the present address is proved.
    pub(crate) fn email_updated(&mut self, request: Request, answer: Result<Value, Failure>) {
        let reply = match answer.map(|value| UpdateStarted::read(&value)) {
            Ok(Ok(UpdateStarted {
                action: action @ (UpdateAction::VerifyPrimaryOtp | UpdateAction::VerifySecondaryOtp),
            })) => Ok(as_value(&UpdateStarted { action })),
            Ok(Err(_)) => Err(fault(DEFAULT)),
            Err(failure) => Err(self.failed(failure)),
        };
        self.reply(request, reply);
    }

    pub(crate) fn email_changed(&mut self, request: Request, answer: Result<Value, Failure>) {
        let reply = match answer.map(|value| Me::read(&value)) {
            Ok(Ok(Me { user, .. })) => {
                self.new_email = None;
                let email = user.email.clone().unwrap_or_default();
                if let Some(account) = &mut self.account {
                    account.user = user;
                }
                Ok(object(&[("newEmail", email.into())]))
            }
            Ok(Err(_)) => Err(fault(DEFAULT)),
            Err(failure) => Err(self.failed(failure)),
        };
        self.reply(request, reply);
    }
}
