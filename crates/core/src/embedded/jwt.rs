//! Login by the host's own token: the frame hands it to the vault, which checks it, and the account connects as after any login.

use super::event::Purpose;
use super::fault::RequestFault;
use super::{Embedded, is_locked, request};
use crate::cx::Cx;
use portico_api::frame::FrameEvent;
use portico_json::Value;
use portico_terms::ConnectorKind;
use portico_terms::rpc::RpcError;

/// Word of this login, as the frame tells it.
pub(super) const WORD: &str = "jwt";

impl Embedded {
    /// The host logs its visitor in.
    pub(super) fn jwt_given(&mut self, jwt: String, ticket: u32, cx: &mut Cx) {
        if cx.facts.accounts.iter().any(|account| account.kind == ConnectorKind::Auth) {
            return cx.reject_host(Some(ticket), RequestFault::Connected.into());
        }
        if self.given.is_some() {
            return cx.reject_host(Some(ticket), RequestFault::Busy.into());
        }
        self.given = Some(ticket);
        let mut payload = self.session.question(cx);
        if let Value::Object(fields) = &mut payload {
            fields.push(("jwt".into(), jwt.into()));
        }
        self.frame.ask(FrameEvent::ConnectJwt, payload, Purpose::Jwt, cx);
    }

    pub(super) fn jwt_answered(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if is_locked(&answer) {
            return self.login_locked(cx);
        }
        match answer {
            Ok(user) => {
                self.session.entering = true;
                if self.session.take(&user, cx) {
                    self.entered(cx);
                } else {
                    self.not_connected(cx);
                }
            }
            Err(error) => cx.reject_host(self.given.take(), request::said(&error)),
        }
    }

    /// The login of the host's call is over without an account.
    pub(super) fn refuse_given(&mut self, fault: RequestFault, cx: &mut Cx) {
        cx.reject_host(self.given.take(), fault.into());
    }
}
