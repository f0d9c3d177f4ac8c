//! Requests to the embedded wallet's provider: answered here, by a node, or in the frame with the visitor's approval (spec 2.26, 4.38 to
//! 4.41, 5.28 to 5.31, 7.28).

use super::Embedded;
use super::event::{Alarm, Purpose, Reason};
use super::fault::RequestFault;
use super::frame;
use super::session::{self, Known};
use crate::cx::Cx;
use crate::effect::HostError;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::wallet::Treatment;
use crate::wallet::eip155;
use portico_api::frame::{BLOCKED, FROZEN, FrameEvent, FrameRpc};
use portico_json::{Value, parse, to_text};
use portico_terms::rpc::{RpcError, RpcErrorKind, calls_are_well_formed};
use portico_terms::{ChainId, ConnectorKind};

/// Delay of the message about a refused method, in milliseconds (spec 4.41, 9.21).
pub const REFUSED: u64 = 300;

/// Methods whose answer is a transaction that was sent.
const PAYMENTS: [&str; 2] = [eip155::SEND_TRANSACTION, "solana_signAndSendTransaction"];

/// Largest parameters in bytes, so that their message fits into what the frame accepts.
const LARGEST: usize = portico_api::frame::LARGEST - 4_096;

impl Embedded {
    pub(super) fn requested(&mut self, method: String, params: Value, named: Option<&str>, ticket: u32, cx: &mut Cx) {
        let treatment = Treatment::of(&method);
        match treatment {
            Treatment::Accounts => return self.accounts_asked(method == eip155::CONNECT, ticket, cx),
            Treatment::Refused => return self.refuse(ticket, cx),
            _ => {}
        }
        let connected = cx.facts.accounts.iter().any(|account| account.kind == ConnectorKind::Auth);
        if self.session.known != Known::In || treatment == Treatment::Approval && !connected {
            return cx.reject_host(Some(ticket), RequestFault::LoggedOut.into());
        }
        let chain = match method.starts_with("solana_") {
            true => frame::solana_chain(named, cx),
            false => self.session.chain.clone().filter(|chain| named.is_none_or(|named| named == chain.to_string())),
        };
        let Some(chain) = chain else {
            return cx.reject_host(Some(ticket), RequestFault::ChainNotSupported.into());
        };
        match treatment {
            Treatment::Chain => cx.resolve_host(Some(ticket), told(&method, &chain)),
            Treatment::Switch => self.switch(&params, ticket, cx),
            Treatment::Add => cx.reject_host(Some(ticket), RequestFault::ChainNotSupported.into()),
            Treatment::Node => match params {
                Value::List(params) => cx.call_for_library(&chain, &method, params, Reason::Read(ticket)),
                Value::Null => cx.call_for_library(&chain, &method, Vec::new(), Reason::Read(ticket)),
                _ => cx.reject_host(Some(ticket), RequestFault::Params.into()),
            },
            Treatment::Wallet => {
                self.frame.ask(FrameEvent::RpcRequest, rpc(method, params, &chain), Purpose::Read(ticket), cx)
            }
            _ => self.approve(method, params, ticket, &chain, cx),
        }
    }

    /// Accounts: those of the session, once the frame has said whether there is one.
    fn accounts_asked(&mut self, strict: bool, ticket: u32, cx: &mut Cx) {
        self.session.waiting.push((ticket, strict));
        match self.session.known {
            Known::Unknown => self.check_session(cx),
            Known::Asked => {}
            Known::Out | Known::In => self.tell_accounts(cx),
        }
    }

    /// Answers the calls that wait for the accounts.
    pub(super) fn tell_accounts(&mut self, cx: &mut Cx) {
        for (ticket, strict) in std::mem::take(&mut self.session.waiting) {
            match &self.session.address {
                Some(address) => cx.resolve_host(Some(ticket), vec![address.clone().into()].into()),
                None if strict => cx.reject_host(Some(ticket), RequestFault::LoggedOut.into()),
                None => cx.resolve_host(Some(ticket), Value::List(Vec::new())),
            }
        }
    }

    fn switch(&mut self, params: &Value, ticket: u32, cx: &mut Cx) {
        let wanted = params.as_list().and_then(|list| eip155::read_chain(list.first()?.get("chainId")));
        let chain = match wanted {
            Some(chain) if cx.facts.network(&chain).is_some() => chain,
            Some(_) => return cx.reject_host(Some(ticket), RequestFault::ChainNotSupported.into()),
            None => return cx.reject_host(Some(ticket), RequestFault::Params.into()),
        };
        let payload = Value::Object(vec![("chainId".into(), session::number(&chain).unwrap_or_default())]);
        self.frame.ask(FrameEvent::SwitchNetwork, payload, Purpose::Switch(ticket, chain), cx);
    }

    /// Lets the visitor decide in the frame, about one request at a time.
    fn approve(&mut self, method: String, params: Value, ticket: u32, chain: &ChainId, cx: &mut Cx) {
        if self.approving.is_some() {
            return cx.reject_host(Some(ticket), RequestFault::Busy.into());
        }
        let formed = method != eip155::SEND_CALLS || calls_are_well_formed(&params);
        if !formed || to_text(&params).len() > LARGEST {
            return cx.reject_host(Some(ticket), RequestFault::Params.into());
        }
        self.approving = Some(ticket);
        self.offer.paying = PAYMENTS.contains(&method.as_str());
        self.frame.tell(FrameEvent::SyncTheme, Value::Null, cx);
        self.frame.ask(FrameEvent::RpcRequest, rpc(method, params, chain), Purpose::Approval, cx);
        cx.signal(Signal::ApprovalAsked);
    }

    /// The frame answered what the visitor decided (spec 4.38, 4.39).
    pub(super) fn decided(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(ticket) = self.approving.take() else { return };
        cx.signal(Signal::ApprovalSettled { done: answer.is_ok() });
        match answer {
            Ok(value) => {
                if self.offer.paying {
                    self.read_offer(true, cx);
                }
                cx.resolve_host(Some(ticket), value);
            }
            Err(error) => {
                if let Some(message) = trouble(&error) {
                    cx.say(Variant::Error, message);
                }
                cx.reject_host(Some(ticket), said(&error));
                // Either the page asked for a foreign account, or the session is over.
                if error.kind == RpcErrorKind::Unauthorized {
                    self.frame.ask(FrameEvent::IsConnected, Value::Null, Purpose::Session, cx);
                }
            }
        }
    }

    /// Withdraws the request that the visitor decides about (spec 8.37).
    pub(super) fn abort(&mut self, cx: &mut Cx) {
        let Some(ticket) = self.approving.take() else { return };
        self.frame.forget(|purpose| *purpose == Purpose::Approval, cx);
        self.frame.tell(FrameEvent::RpcAbort, Value::Null, cx);
        cx.reject_host(Some(ticket), RequestFault::Aborted.into());
    }

    /// Withdraws it for the host, so that its view closes too.
    pub(super) fn withdraw(&mut self, cx: &mut Cx) {
        if self.approving.is_some() {
            self.abort(cx);
            cx.signal(Signal::ApprovalSettled { done: false });
        }
    }

    /// The method is not accepted: pending requests are rejected too, and the visitor is told (spec 4.41, 8.36).
    fn refuse(&mut self, ticket: u32, cx: &mut Cx) {
        cx.reject_host(Some(ticket), RequestFault::NotAllowed.into());
        self.withdraw(cx);
        cx.signal(Signal::MethodRefused);
        cx.start(Alarm::Refused, REFUSED);
    }
}

/// Message for the visitor about a request that failed, as the modal closes with it; none if the visitor cancelled it.
fn trouble(error: &RpcError) -> Option<Message> {
    use RpcErrorKind as Kind;
    Some(match error.kind {
        Kind::UserRejected if error.message == BLOCKED => Message::SiteBlocked,
        Kind::UserRejected => return None,
        _ if error.message == FROZEN => Message::WalletFrozen,
        Kind::Disconnected => Message::WalletUnreachable,
        Kind::ChainDisconnected => Message::TransactionUnsure,
        // Nodes answer a wrong transaction with these.
        Kind::InvalidInput | Kind::TransactionRejected | Kind::Reverted => Message::NetworkRefused,
        _ => Message::RequestFailed,
    })
}

/// Answer about the chain, as the method wants it.
fn told(method: &str, chain: &ChainId) -> Value {
    match chain.number() {
        Some(number) if method == eip155::CHAIN => Value::Text(format!("{number:#x}")),
        _ => chain.reference().into(),
    }
}

fn rpc(method: String, params: Value, chain: &ChainId) -> Value {
    let namespace = Some(chain.namespace().word().into());
    let chain_id = session::number(chain).or_else(|| Some(chain.to_string().into()));
    let request = FrameRpc { method, params, chain_id, chain_namespace: namespace };
    parse(&to_text(&request)).unwrap_or_default()
}

/// Error of the frame as a caller gets it; without a message its default (spec 8.39).
pub(super) fn said(error: &RpcError) -> HostError {
    let mut told = HostError::from(error);
    if error.message.is_empty() {
        told.message = super::fault::Fault::Unknown.text();
    }
    told
}
